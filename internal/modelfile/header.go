package modelfile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pairrank/model/training"
)

// entry is a line "key value" of the header that holds one field of Info. put
// returns "" where the line is left out.
type entry struct {
	key string
	put func(f *training.Facts) string
	set func(f *training.Facts, value string) error
}

// entries are the lines of Info in the order they are written.
var entries = []entry{
	textEntry("learner", func(f *training.Facts) *string { return &f.Learner }),
	textEntry("solver", func(f *training.Facts) *string { return &f.Solver }),
	textEntry("objective", func(f *training.Facts) *string { return &f.Objective }),
	numberEntry("lambda", func(f *training.Facts) *float64 { return &f.Lambda }),
	textEntry("cost", func(f *training.Facts) *string { return &f.Cost }),
	textEntry("ties", func(f *training.Facts) *string { return &f.Ties }),
	textEntry("query-weight", func(f *training.Facts) *string { return &f.QueryWeight }),
	textEntry("loss", func(f *training.Facts) *string { return &f.Loss }),
	countEntry("rows", func(f *training.Facts) *int { return &f.Rows }),
	countEntry("queries", func(f *training.Facts) *int { return &f.Queries }),
	numberEntry("pairs", func(f *training.Facts) *float64 { return &f.Pairs }),
	{"selection", putSelection, setSelection},
}

func textEntry(key string, field func(*training.Facts) *string) entry {
	return entry{key,
		func(f *training.Facts) string { return *field(f) },
		func(f *training.Facts, value string) error {
			if !isLine(value) || value == "" {
				return fmt.Errorf("not one line of text: %q", value)
			}
			*field(f) = value
			return nil
		}}
}

func numberEntry(key string, field func(*training.Facts) *float64) entry {
	return entry{key,
		func(f *training.Facts) string { return string(AppendNumber(nil, *field(f))) },
		func(f *training.Facts, value string) (err error) { *field(f), err = ParseNumber(value); return err }}
}

func countEntry(key string, field func(*training.Facts) *int) entry {
	return entry{key,
		func(f *training.Facts) string { return strconv.Itoa(*field(f)) },
		func(f *training.Facts, value string) (err error) { *field(f), err = ParseCount(value); return err }}
}

// The line is "selection METHOD METRIC ERROR COUNT".
func putSelection(f *training.Facts) string {
	s := f.Selection
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%s %s %s %d", s.Method, s.Metric, AppendNumber(nil, s.Error), s.Count)
}

func setSelection(f *training.Facts, value string) error {
	fields := strings.Split(value, " ")
	if len(fields) != 4 || !IsKey(fields[0]) || !IsKey(fields[1]) {
		return fmt.Errorf("a selection is method, metric, error, count, not %q", value)
	}
	chosen, err := ParseNumber(fields[2])
	if err != nil {
		return err
	}
	count, err := ParseCount(fields[3])
	if err != nil {
		return err
	}
	f.Selection = &training.Selection{Method: fields[0], Metric: fields[1], Error: chosen, Count: count}
	return nil
}

// isLine reports whether a text can stand as the rest of a line and read back
// as it is.
func isLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsAny(text, "\r\n") && strings.TrimSpace(text) == text
}

// IsKey reports whether a text is one word.
func IsKey(text string) bool {
	return text != "" && isLine(text) && !strings.ContainsAny(text, " \t")
}

// AppendNumber appends v in the shortest form that reads back exactly.
func AppendNumber(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }

// ParseNumber reads a number, which must be finite.
func ParseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || NotFinite(v) {
		return 0, fmt.Errorf("not a finite number: %q", Clip(text))
	}
	return v, nil
}

// ParseCount reads a whole number from 0 up.
func ParseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("not a whole number from 0 up: %q", Clip(text))
	}
	return n, nil
}

// Clip shortens an offending text.
func Clip(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
