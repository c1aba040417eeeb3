package page

import (
	"bytes"
	"html/template"
	"reflect"
	"strings"
	"testing"
)

// templated is a page as html/template fills it: the oracle of what this package writes.
func templated(t *testing.T, p *Page) string {
	t.Helper()
	asHTML := template.FuncMap{"unbroken": func(text string) template.HTML { return template.HTML(unbroken(text)) }}
	var b bytes.Buffer
	of := template.Must(template.New("page").Funcs(asHTML).Parse(pageText))
	if err := of.Execute(&b, plain("", reflect.ValueOf(p.view()))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// plain is the data of a page in types that html/template knows.
func plain(name string, v reflect.Value) any {
	switch v.Kind() {
	case reflect.Struct:
		fields := map[string]any{}
		for k := range v.NumField() {
			name := v.Type().Field(k).Name
			fields[name] = plain(name, v.Field(k))
		}
		return fields
	case reflect.Slice, reflect.Array:
		var all []any
		for k := range v.Len() {
			all = append(all, plain(name, v.Index(k)))
		}
		return all
	case reflect.String:
		switch {
		case name == "Style":
			return template.CSS(v.String())
		case name == "SVG":
			return template.HTML(v.String())
		}
		return v.String()
	}
	return v.Bool()
}

// The language of page.html is what is read here; anything else panics when the page is made.
func TestTemplateRefusesWhatItDoesNotRead(t *testing.T) {
	for _, text := range []string{"{{len .Title}}", "{{.Title | html}}", "{{with .Title}}x{{end}}", "{{}}"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is read", text)
				}
			}()
			(&templates{rest: text, named: map[string]filler{}}).parts()
		}()
	}
}

// What the actions stand for is in elements, or in attributes between double quotes, where one way to escape serves.
func TestActionsAreInTextsAndAttributes(t *testing.T) {
	_, body, _ := strings.Cut(pageText, "</style>")
	if strings.Contains(body, "<script") || strings.Contains(body, " href=") || strings.Contains(body, " on") {
		t.Error("the page has scripts, addresses or events, whose texts are not escaped here")
	}
}
