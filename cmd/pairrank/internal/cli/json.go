package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"
	"unicode/utf8"

	"pairrank/internal/report"
)

// writeJSON prints the one JSON document of a verb with --json. Texts that are not UTF-8 are refused: JSON has no place
// for them, and two names that differ would become one.
func (a *App) writeJSON(ctx context.Context, v any) error {
	if text, bad := invalidText(reflect.ValueOf(v)); bad {
		return WithHint(AsData(fmt.Errorf("%q is not UTF-8, and JSON holds nothing else", text)),
			"without --json the bytes are printed as they are")
	}
	return a.WriteUnder(ctx, "-", func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// invalidText is a text within v that is not UTF-8.
func invalidText(v reflect.Value) (text string, found bool) {
	if v.Kind() == reflect.String {
		return v.String(), !utf8.ValidString(v.String())
	}
	for part := range partsOf(v) {
		if text, found = invalidText(part); found {
			return text, true
		}
	}
	return "", false
}

// partsOf are the values within v that JSON writes and that may hold texts.
func partsOf(v reflect.Value) iter.Seq[reflect.Value] {
	switch kind := v.Kind(); {
	case (kind == reflect.Pointer || kind == reflect.Interface) && !v.IsNil():
		return func(yield func(reflect.Value) bool) { yield(v.Elem()) }
	case kind == reflect.Struct:
		return exportedFields(v)
	case kind == reflect.Map:
		return func(yield func(reflect.Value) bool) {
			for at := v.MapRange(); at.Next() && yield(at.Key()) && yield(at.Value()); {
			}
		}
	case (kind == reflect.Slice || kind == reflect.Array) && !isPlain(v.Type().Elem().Kind()):
		return func(yield func(reflect.Value) bool) {
			for k := 0; k < v.Len() && yield(v.Index(k)); k++ {
			}
		}
	}
	return func(func(reflect.Value) bool) {}
}

// exportedFields are the fields of a struct that JSON does not leave out.
func exportedFields(v reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		for k := range v.NumField() {
			if v.Type().Field(k).IsExported() && !yield(v.Field(k)) {
				return
			}
		}
	}
}

// isPlain tells numbers and truth values, of which there may be millions.
func isPlain(k reflect.Kind) bool { return reflect.Bool <= k && k <= reflect.Complex128 }

// Print writes a document, as JSON or as text, on standard output.
func (a *App) Print(ctx context.Context, d report.Document) error {
	a.Annotate(d)
	if a.JSON {
		return a.writeJSON(ctx, d)
	}
	return a.WriteUnder(ctx, "-", func(w io.Writer) error {
		width := terminalColumns(a.Out)
		if width <= 0 {
			return d.View().WriteText(a.styled(w))
		}
		var text strings.Builder
		if err := d.View().WriteText(a.styled(&text)); err != nil {
			return err
		}
		_, err := io.WriteString(w, fold(text.String(), width))
		return err
	})
}
