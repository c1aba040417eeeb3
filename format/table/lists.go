package table

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pairrank/internal/memory"
)

// listLine is the number of bytes of the longest line of a list, which has a few
// fields.
const listLine = 1 << 20

// eachLine calls take for the fields of every line of the file at path.
func eachLine(path string, sep byte, take func(l *lines, fields []field) error) error {
	l, closeText, err := openShape(path, sep, listLine)
	if err != nil {
		return err
	}
	if l.named() {
		_, err = l.next()
	}
	if err == nil {
		err = eachLineOf(l, take)
	} else if err == io.EOF {
		err = nil
	}
	return errors.Join(err, closeText())
}

func eachLineOf(l *lines, take func(l *lines, fields []field) error) error {
	for {
		fields, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err = l.ask(); err == nil {
			err = take(l, fields)
		}
		if err != nil {
			return err
		}
	}
}

// ReadIndices reads row numbers from 1 to m, one a line, and returns them counted from 0. A number
// may repeat. It returns a *data.SyntaxError for any other line, and the errors of the file. The cost is
// linear in its size.
func ReadIndices(path string, m int) ([]int, error) {
	var indices []int
	err := eachLine(path, ' ', func(l *lines, fields []field) error {
		if len(fields) > 1 {
			return l.fault(fields[1], "more than one field in a line")
		}
		i, err := l.row(fields[0], m)
		indices = append(indices, i-1)
		return err
	})
	return indices, err
}

// ReadNames reads names of features: one a line, or index, tab and name if every line has a tab;
// text after a second tab is ignored. Indices start at 1 and may leave gaps, whose names are empty.
// It returns a *data.SyntaxError where an index is not valid, and the errors of the file. The cost is
// linear in its size.
func ReadNames(path string) ([]string, error) {
	type entry struct {
		index, name string
		line        int
	}
	var entries []entry
	var in *lines
	indexed := true
	err := eachLine(path, '\t', func(l *lines, fields []field) error {
		in = l
		e := entry{name: strings.Clone(fields[0].text), line: l.line}
		if len(fields) > 1 {
			e.index, e.name = e.name, strings.Clone(fields[1].text)
		} else {
			indexed = false
		}
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	fault := func(e entry, format string, args ...any) error {
		in.line, in.begins = e.line, 0
		return in.fault(field{text: e.index, col: 1}, format, args...)
	}
	at := make([]int, len(entries))
	most := 0
	seen := map[int]bool{}
	for k, e := range entries {
		at[k] = k + 1
		if !indexed && e.index != "" {
			return nil, fault(e, "an index, but other lines have none")
		}
		if indexed {
			var err error
			if at[k], err = strconv.Atoi(e.index); err != nil || at[k] < 1 || at[k] > maxNames {
				return nil, fault(e, "the index is not in 1 … %d", maxNames)
			}
			if seen[at[k]] {
				return nil, fault(e, "the index is repeated")
			}
			seen[at[k]] = true
		}
		most = max(most, at[k])
	}
	if err := memory.Ask(16*float64(most), fmt.Sprintf("names up to index %d", most)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if most == 0 {
		return nil, nil
	}
	names := make([]string, most)
	for k, e := range entries {
		names[at[k]-1] = e.name
	}
	return names, nil
}

// maxNames is the largest index of a name: it bounds the memory that one line
// can ask for.
const maxNames = 1 << 26

// Preference says that row I is preferred to row J, by Magnitude and with
// Weight. Rows count from 0.
type Preference struct {
	I, J              int
	Magnitude, Weight float64
}

// ReadPreferences reads lines `i j [magnitude [weight]]` about the rows 1 … m: i is preferred to j.
// Magnitude (at least 0, where 0 is a tie) and weight (at least 0; pref.Weighted drops weight 0) default to 1. It
// returns a *data.SyntaxError for any other line, and the errors of the file. The cost is linear in its
// size.
func ReadPreferences(path string, m int) ([]Preference, error) {
	var all []Preference
	err := eachLine(path, ' ', func(l *lines, fields []field) error {
		p, err := l.preference(fields, m)
		all = append(all, p)
		return err
	})
	return all, err
}

func (l *lines) preference(fields []field, m int) (p Preference, err error) {
	if len(fields) < 2 || len(fields) > 4 {
		return p, l.fault(fields[0], "%d fields, want i j [magnitude [weight]]", len(fields))
	}
	p = Preference{Magnitude: 1, Weight: 1}
	if p.I, err = l.row(fields[0], m); err != nil {
		return p, err
	}
	if p.J, err = l.row(fields[1], m); err != nil {
		return p, err
	}
	if p.I == p.J {
		return p, l.fault(fields[1], "row %d is preferred to itself", p.I)
	}
	p.I, p.J = p.I-1, p.J-1
	if len(fields) > 2 {
		if p.Magnitude, err = l.number(fields[2]); err != nil {
			return p, err
		}
		if p.Magnitude < 0 {
			return p, l.fault(fields[2], "the magnitude is below 0: put the preferred row first")
		}
	}
	if len(fields) > 3 {
		if p.Weight, err = l.number(fields[3]); err != nil {
			return p, err
		}
		if p.Weight < 0 {
			return p, l.fault(fields[3], "the weight is below 0")
		}
	}
	return p, nil
}
