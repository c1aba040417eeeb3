package model

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// entry is a line "key value" of the header that holds one field of Info. put
// returns "" where the line is left out.
type entry struct {
	key string
	put func(f *Info) string
	set func(f *Info, value string) error
}

// entries are the lines of Info in the order they are written.
var entries = []entry{
	textEntry("learner", func(f *Info) *string { return &f.Learner }),
	textEntry("solver", func(f *Info) *string { return &f.Solver }),
	textEntry("objective", func(f *Info) *string { return &f.Objective }),
	numberEntry("lambda", func(f *Info) *float64 { return &f.Lambda }),
	textEntry("cost", func(f *Info) *string { return &f.Cost }),
	textEntry("ties", func(f *Info) *string { return &f.Ties }),
	textEntry("query-weight", func(f *Info) *string { return &f.QueryWeight }),
	textEntry("loss", func(f *Info) *string { return &f.Loss }),
	countEntry("rows", func(f *Info) *int { return &f.Rows }),
	countEntry("queries", func(f *Info) *int { return &f.Queries }),
	numberEntry("pairs", func(f *Info) *float64 { return &f.Pairs }),
	{"selection", putSelection, setSelection},
}

func textEntry(key string, field func(*Info) *string) entry {
	return entry{key,
		func(f *Info) string { return *field(f) },
		func(f *Info, value string) error {
			if !isLine(value) || value == "" {
				return fmt.Errorf("not one line of text: %q", value)
			}
			*field(f) = value
			return nil
		}}
}

func numberEntry(key string, field func(*Info) *float64) entry {
	return entry{key,
		func(f *Info) string { return string(appendNumber(nil, *field(f))) },
		func(f *Info, value string) (err error) { *field(f), err = parseNumber(value); return err }}
}

func countEntry(key string, field func(*Info) *int) entry {
	return entry{key,
		func(f *Info) string { return strconv.Itoa(*field(f)) },
		func(f *Info, value string) (err error) { *field(f), err = parseCount(value); return err }}
}

// The line is "selection METHOD METRIC ERROR COUNT".
func putSelection(f *Info) string {
	s := f.Selection
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%s %s %s %d", s.Method, s.Metric, appendNumber(nil, s.Error), s.Count)
}

func setSelection(f *Info, value string) error {
	fields := strings.Split(value, " ")
	if len(fields) != 4 || !isKey(fields[0]) || !isKey(fields[1]) {
		return fmt.Errorf("a selection is method, metric, error, count, not %q", value)
	}
	chosen, err := parseNumber(fields[2])
	if err != nil {
		return err
	}
	count, err := parseCount(fields[3])
	if err != nil {
		return err
	}
	f.Selection = &Selection{Method: fields[0], Metric: fields[1], Error: chosen, Count: count}
	return nil
}

// isLine reports whether a text can stand as the rest of a line and read back
// as it is.
func isLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsAny(text, "\r\n") && strings.TrimSpace(text) == text
}

// isKey reports whether a text is one word.
func isKey(text string) bool {
	return text != "" && isLine(text) && !strings.ContainsAny(text, " \t")
}

func appendNumber(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }

func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || notFinite(v) {
		return 0, fmt.Errorf("not a finite number: %q", clip(text))
	}
	return v, nil
}

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("not a whole number from 0 up: %q", clip(text))
	}
	return n, nil
}

// clip shortens an offending text.
func clip(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
