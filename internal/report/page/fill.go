package page

import (
	"bytes"
	"reflect"
	"strings"
)

// A filler writes a part of a template for the data that its dot stands for.
type filler func(out *bytes.Buffer, dot reflect.Value)

// safe is text that is written as it is: style sheets, and drawings whose texts package figure has escaped.
type safe string

// escaper makes a text one of an element, or of an attribute between double quotes, as html/template does.
var escaper = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;",
	"<", "&lt;", ">", "&gt;")

// templates reads the part of the language of text/template that page.html is written in: {{.Field}}, {{.}},
// {{index . 0}}, {{unbroken (index . 1)}}, range, if with else, define and template. What stands for an action is
// escaped, unless it is safe. It panics for anything else. The tests fill the same text by html/template.
type templates struct {
	rest  string
	named map[string]filler
}

// parts are the parts up to an action that ends them, else or end, and that action.
func (t *templates) parts() (filler, string) {
	var all []filler
	each := func(out *bytes.Buffer, dot reflect.Value) {
		for _, fill := range all {
			fill(out, dot)
		}
	}
	for {
		text, rest, more := strings.Cut(t.rest, "{{")
		all = append(all, func(out *bytes.Buffer, _ reflect.Value) { out.WriteString(text) })
		if !more {
			return each, ""
		}
		action, rest, _ := strings.Cut(rest, "}}")
		t.rest = rest
		if action == "end" || action == "else" {
			return each, action
		}
		all = append(all, t.action(action))
	}
}

// action is what fills the place of an action.
func (t *templates) action(text string) filler {
	word, value, _ := strings.Cut(text, " ")
	switch word {
	case "define":
		t.named[value], _ = t.parts()
		return func(*bytes.Buffer, reflect.Value) {}
	case "template":
		return t.named[value]
	case "range":
		of := operand(value)
		fill, _ := t.parts()
		return func(out *bytes.Buffer, dot reflect.Value) {
			for k := range of(dot).Len() {
				fill(out, of(dot).Index(k))
			}
		}
	case "if":
		of := operand(value)
		then, ended := t.parts()
		otherwise := filler(func(*bytes.Buffer, reflect.Value) {})
		if ended == "else" {
			otherwise, _ = t.parts()
		}
		return func(out *bytes.Buffer, dot reflect.Value) {
			if v := of(dot); v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
				otherwise(out, dot)
			} else {
				then(out, dot)
			}
		}
	}
	of := operand(text)
	return func(out *bytes.Buffer, dot reflect.Value) {
		switch v := of(dot); {
		case v.Kind() != reflect.String:
			panic("page: {{" + text + "}} is no text")
		case v.Type() == reflect.TypeFor[safe]():
			out.WriteString(v.String())
		default:
			escaper.WriteString(out, v.String())
		}
	}
}

// operand is the value that a text stands for.
func operand(text string) func(dot reflect.Value) reflect.Value {
	switch field, is := strings.CutPrefix(text, "."); {
	case text == ".":
		return func(dot reflect.Value) reflect.Value { return dot }
	case is && !strings.ContainsAny(field, " .|("):
		return func(dot reflect.Value) reflect.Value { return dot.FieldByName(field) }
	case text == "index . 0":
		return func(dot reflect.Value) reflect.Value { return dot.Index(0) }
	case text == "index . 1":
		return func(dot reflect.Value) reflect.Value { return dot.Index(1) }
	case text == "unbroken (index . 1)":
		return func(dot reflect.Value) reflect.Value { return reflect.ValueOf(unbroken(dot.Index(1).String())) }
	}
	panic("page: the template has {{" + text + "}}, which is not read here")
}
