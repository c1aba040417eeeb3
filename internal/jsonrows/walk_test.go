package jsonrows

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// tree is a valid value by Elements, Fields, Text and Number, as json.Unmarshal has it.
func tree(value []byte) any {
	switch {
	case IsList(value):
		list := []any{}
		for k, v := range Elements(value) {
			if k != len(list) {
				panic("elements are not counted")
			}
			list = append(list, tree(v))
		}
		return list
	case IsObject(value):
		object := map[string]any{}
		for k, v := range Fields(value) {
			object[k] = tree(v)
		}
		return object
	}
	switch text := strings.TrimSpace(string(value)); text {
	case "null":
		return nil
	case "true", "false":
		return text == "true"
	}
	if v, ok := Number(value); ok {
		return v
	}
	return Text([]byte(strings.TrimSpace(string(value))))
}

var values = []string{
	`{"a":1,"b":[1,2,{"c":"x,]}\"y"}],"d":null,"e":true,"é":"é\u00e9"}`, ` [ ] `, `{ }`, `[[],{},[[]],"",0]`,
	`"a\\"`, `-1.5e3`, "[1 ,\n2\t,\r3]",
	`{"":{"":""}}`, `{"a":"\\","b":2}`, `{"\u0061":1}`, `["\ud800"]`,
}

// walks compares with json.Unmarshal.
func walks(t *testing.T, text []byte) {
	t.Helper()
	if Depth(text, 100) > 100 {
		return
	}
	var want any
	err := json.Unmarshal(text, &want)
	if err != nil {
		if json.Valid(text) {
			return // a number that is out of range
		}
		for range Elements(text) { // an invalid value ends, too
		}
		for range Fields(text) {
		}
		return
	}
	if got := tree(text); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is %#v, want %#v", text, got, want)
	}
}

func TestWalkIsUnmarshal(t *testing.T) {
	for _, v := range values {
		if !json.Valid([]byte(v)) {
			t.Errorf("%s is not valid", v)
		}
		walks(t, []byte(v))
	}
}

func FuzzWalk(f *testing.F) {
	for _, v := range append(values, bodies...) {
		f.Add([]byte(v))
	}
	f.Fuzz(walks)
}

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{`1`: 0, `[]`: 1, `{"a":[1,{"b":2}]}`: 3, `"[[["`: 0,
		`["\"[["]`: 1, `[[],[]]`: 2, `]]][[`: 0} {
		if got := Depth([]byte(text), 10); got != want {
			t.Errorf("%s is %d deep, want %d", text, got, want)
		}
	}
	if got := Depth([]byte(strings.Repeat("[", 1_000_000)), 8); got != 9 {
		t.Errorf("depth %d is told, want one more than the most", got)
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, " -0.5 ": -0.5, "1e400": math.NaN(), `"1"`: math.NaN(),
		"null": math.NaN(), "": math.NaN()} {
		if got, ok := Number([]byte(text)); ok == math.IsNaN(want) || ok && got != want {
			t.Errorf("%s is %v (%v)", text, got, ok)
		}
	}
	if fmt.Sprint(Text([]byte(`1`))) != "" {
		t.Error("a number is a text")
	}
}
