package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"
)

// writeJSON prints the one JSON document of a verb with --json. Texts that are not
// UTF-8 are refused: JSON has no place for them, and two names that differ would
// become one.
func (a *app) writeJSON(v any) error { return a.writeJSONUnder(a.Ctx, v) }

// writeJSONUnder is writeJSON under another context than that of the run.
func (a *app) writeJSONUnder(ctx context.Context, v any) error {
	if text, bad := invalidText(reflect.ValueOf(v)); bad {
		return withHint(asData(fmt.Errorf("%q is not UTF-8, and JSON holds nothing else", text)), "without --json the bytes are printed as they are")
	}
	return a.writeUnder(ctx, "-", func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// invalidText is a text within v that is not UTF-8.
func invalidText(v reflect.Value) (text string, found bool) {
	switch v.Kind() {
	case reflect.String:
		return v.String(), !utf8.ValidString(v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return invalidText(v.Elem())
		}
	case reflect.Struct:
		for k := range v.NumField() {
			if !v.Type().Field(k).IsExported() {
				continue // which JSON leaves out
			}
			if text, found = invalidText(v.Field(k)); found {
				return text, true
			}
		}
	case reflect.Map:
		for at := v.MapRange(); at.Next(); {
			for _, part := range []reflect.Value{at.Key(), at.Value()} {
				if text, found = invalidText(part); found {
					return text, true
				}
			}
		}
	case reflect.Slice, reflect.Array:
		if isPlain(v.Type().Elem().Kind()) {
			return "", false
		}
		for k := range v.Len() {
			if text, found = invalidText(v.Index(k)); found {
				return text, true
			}
		}
	}
	return "", false
}

// isPlain tells numbers and truth values, of which there may be millions.
func isPlain(k reflect.Kind) bool { return reflect.Bool <= k && k <= reflect.Complex128 }

// document is what a verb reports: plain data with a text for people.
type document interface{ WriteText(w io.Writer) error }

// print writes a document, as JSON or as text, on standard output.
func (a *app) print(ctx context.Context, d document) error {
	if a.JSON {
		return a.writeJSONUnder(ctx, d)
	}
	return a.writeUnder(ctx, "-", d.WriteText)
}
