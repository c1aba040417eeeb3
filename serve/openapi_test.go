package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// description is openapi.json, as far as it is looked at.
type description struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema map[string]any }
		}
		RequestBody struct {
			Content map[string]struct{ Schema map[string]any }
		}
		Security []any
	}
	Components struct{ Schemas map[string]map[string]any }
}

func described(t *testing.T) *description {
	t.Helper()
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return &d
}

// The description has every route with its method, and no other; those that need no token
// are those that it says.
func TestDescriptionHasEveryRoute(t *testing.T) {
	s, d := made(t, Options{Models: allKinds(t)}), described(t)
	var have, told []string
	for _, r := range s.routes {
		have = append(have, strings.ToLower(r.method)+" "+r.path)
		if op := d.Paths[r.path][strings.ToLower(r.method)]; r.open != (len(op.Security) == 0) {
			t.Errorf("%s: open is %v, which is not what is described", r.path, r.open)
		}
	}
	for path, methods := range d.Paths {
		for method := range methods {
			told = append(told, method+" "+path)
		}
	}
	slices.Sort(have)
	slices.Sort(told)
	if !slices.Equal(have, told) {
		t.Errorf("the routes are %v, the description has %v", have, told)
	}
}

// The description has the fields of what is written and read, and no others.
func TestDescriptionHasEveryField(t *testing.T) {
	d := described(t)
	for name, v := range map[string]any{
		"Problem": Problem{}, "Facts": modelFacts{}, "Details": details{}, "Models": modelList{}, "State": state{},
		"Explanations": explained{}, "Explanation": explanation{}, "Part": explained{}.part(),
	} {
		if have, told := fieldsOf(reflect.TypeOf(v)), propertiesOf(d.Components.Schemas[name]); !slices.Equal(have,
			told) {
			t.Errorf("%s has the fields %v, and described are %v", name, have, told)
		}
	}
	for name, without := range map[string][]string{"ScoreRequest": {"compare", "top"}, "RankRequest": {"compare"},
		"ExplainRequest": {"given"}} {
		want := slices.DeleteFunc(slices.Sorted(slices.Values(fieldNames)),
			func(f string) bool { return slices.Contains(without, f) })
		if told := propertiesOf(d.Components.Schemas[name]); !slices.Equal(want, told) {
			t.Errorf("%s has the fields %v, and described are %v", name, want, told)
		}
	}
}

// details are all fields of /v1/models/NAME.
type details struct {
	modelBounds
	modelNames
}

// part is one of an explanation, for its type.
func (explained) part() any {
	e := explanation{}
	return reflect.New(reflect.TypeOf(e.Sum).Elem().Field(3).Type.Elem()).Elem().Interface()
}

func fieldsOf(typ reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && !f.Anonymous && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func propertiesOf(schema map[string]any) (names []string) {
	properties, _ := schema["properties"].(map[string]any)
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Every answer, to requests of every kind, fits its schema; so do the requests.
func TestAnswersFitTheirDescription(t *testing.T) {
	sources := allKinds(t)
	write(t, sources[0].File+goldenEnding, `{"rows":[[0,0,0]],"scores":[0]}`)
	s, d := made(t, Options{Models: sources, MaxRows: 10}), described(t)
	check := func(method, path, template, body string) {
		t.Helper()
		op, known := d.Paths[template][strings.ToLower(method)]
		if !known {
			t.Fatalf("%s %s is not described", method, template)
		}
		r := send(s, method, path, body)
		content, known := op.Responses[fmt.Sprint(r.status)]
		kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
		schema, has := content.Content[kind]
		if !known || !has {
			t.Errorf("%s %s: a status %d of type %s is not described: %s", method, path, r.status, kind, r.text)
			return
		}
		if !strings.HasSuffix(kind, "json") {
			return
		}
		d.fits(t, path, schema.Schema, decoded(t, r.text))
		if body != "" && r.status == http.StatusOK {
			d.fits(t, "body of "+path, op.RequestBody.Content["application/json"].Schema, decoded(t, []byte(body)))
		}
	}
	for _, src := range sources {
		bodies := []string{`{"rows":[[1,2,3],[3,2,1]]}`, `{"rows":[[1,2,null]],"missing":"zero","ids":["a"]}`,
			`{"rows":[{"1":1,"2":2,"3":3}],"extra_features":"ignore"}`, `{"rows":[[1,2,3],[3,2,1]],"top":1}`,
			`{"rows":[[1,2,3],[3,2,1]],"compare":[[0,1]],"top":1}`, `{"rows":[[1,0,2,0]]}`,
			`{"pairs":[["r1","c1"],["r1","c2"]],"ids":["x","y"]}`,
			`{"given":"r2"}`, `{"pairs":[["r1","c1"],["r1","c2"]],"compare":[[1,0]]}`,
			`{"rows":1}`, ``, `{"rows":[[],[],[],[],[],[],[],[],[],[],[]]}`}
		for _, verb := range []string{"score", "rank", "explain"} {
			for _, body := range bodies {
				check("POST", "/v1/models/"+src.Name+"/"+verb, "/v1/models/{name}/"+verb, body)
			}
		}
		check("GET", "/v1/models/"+src.Name, "/v1/models/{name}", "")
	}
	for path := range d.Paths {
		if _, get := d.Paths[path]["get"]; get && !strings.Contains(path, "{") {
			check("GET", path, path, "")
		}
	}
	check("GET", "/v1/models/none", "/v1/models/{name}", "")
	check("POST", "/-/reload", "/-/reload", "")
	write(t, sources[1].File, "damaged")
	check("POST", "/-/reload", "/-/reload", "")
	check("GET", "/v1/models", "/v1/models", "")
	s.draining.Store(true)
	check("GET", "/readyz", "/readyz", "")
}

func decoded(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// fits returns where a value violates a schema: types, fields, enumerations, bounds and
// alternatives.
func (d *description) fits(t *testing.T, where string, schema map[string]any, v any) {
	t.Helper()
	if err := d.misfit(where, schema, v); err != "" {
		t.Error(err)
	}
}

func (d *description) misfit(where string, schema map[string]any, v any) string {
	if name, is := schema["$ref"].(string); is {
		return d.misfit(where, d.Components.Schemas[strings.TrimPrefix(name, "#/components/schemas/")], v)
	}
	if alternatives, is := schema["oneOf"].([]any); is {
		return d.misfitAll(where, alternatives, v)
	}
	if !slices.ContainsFunc(typesOf(schema), func(typ string) bool { return isType(typ, v) }) {
		return fmt.Sprintf("%s is %v, and described as %v", where, v, schema["type"])
	}
	if names, is := schema["enum"].([]any); is && !slices.Contains(names, v) {
		return fmt.Sprintf("%s is %v, and one of %v is described", where, v, names)
	}
	switch v := v.(type) {
	case []any:
		return d.misfitList(where, schema, v)
	case map[string]any:
		return d.misfitObject(where, schema, v)
	case float64:
		if least, is := schema["minimum"].(float64); is && v < least {
			return fmt.Sprintf("%s is %v, below %v", where, v, least)
		}
	}
	return ""
}

func (d *description) misfitAll(where string, alternatives []any, v any) (err string) {
	for _, one := range alternatives {
		if err = d.misfit(where, one.(map[string]any), v); err == "" {
			return ""
		}
	}
	return err
}

func (d *description) misfitList(where string, schema map[string]any, list []any) string {
	if most, is := schema["maxItems"].(float64); is && len(list) > int(most) {
		return fmt.Sprintf("%s has %d elements, more than %v", where, len(list), most)
	}
	for k, element := range list {
		if err := d.misfit(fmt.Sprintf("%s/%d", where, k), schema["items"].(map[string]any), element); err != "" {
			return err
		}
	}
	return ""
}

func (d *description) misfitObject(where string, schema, object map[string]any) string {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, has := object[name.(string)]; !has {
			return fmt.Sprintf("%s lacks %s", where, name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, value := range object {
		property, known := properties[name].(map[string]any)
		if !known {
			if property, known = schema["additionalProperties"].(map[string]any); !known &&
				schema["properties"] != nil {
				return fmt.Sprintf("%s has a field %s, which is not described", where, name)
			}
		}
		if known {
			if err := d.misfit(where+"/"+name, property, value); err != "" {
				return err
			}
		}
	}
	return ""
}

func typesOf(schema map[string]any) []string {
	switch typ := schema["type"].(type) {
	case string:
		return []string{typ}
	case []any:
		var types []string
		for _, one := range typ {
			types = append(types, one.(string))
		}
		return types
	}
	return nil
}

func isType(typ string, v any) bool {
	switch v := v.(type) {
	case nil:
		return typ == "null"
	case bool:
		return typ == "boolean"
	case string:
		return typ == "string"
	case float64:
		return typ == "number" || typ == "integer" && v == math.Trunc(v)
	case []any:
		return typ == "array"
	}
	return typ == "object"
}
