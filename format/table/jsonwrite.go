package table

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"pairrank/data"
)

// writeJSON writes a set as objects with texts before, between and after them: label, qid, id, group and fold as far as
// the set has them, then the features, zeros too: by name or, where they have no names, as a list.
func writeJSON(w io.Writer, s *data.Set, before, between, after string) error {
	out := bufio.NewWriterSize(w, 1<<16)
	m, n := s.X.Dims()
	keys, err := keysOf(s.Names, n)
	if err != nil {
		return err
	}
	row, cells := make([]float64, n), ValuesOf(s, true)
	var line []byte
	for i := range m {
		line = append(append(line[:0], before...), '{')
		before = between
		for _, c := range cells {
			line = append(append(append(line, '"'), c.Name...), `":`...)
			if c.Text == nil {
				line, err = c.appendNumber(line, i, s.Number(i))
			} else {
				line, err = appendText(line, c.Text(i))
			}
			if err != nil {
				return err
			}
			line = append(line, ',')
		}
		s.X.RowTo(row, i)
		line = append(line, `"features":`...)
		if line, err = appendValues(line, keys, row); err != nil {
			return fmt.Errorf("row %d: %w", s.Number(i)+1, err)
		}
		if line = append(line, '}'); len(line) > data.MaxLine {
			return fmt.Errorf("row %d makes a line of more than %d bytes, which could not be read back: use .npz or "+
				"SVMlight text for sparse rows", s.Number(i)+1, data.MaxLine)
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	out.WriteString(after)
	return out.Flush()
}

// keysOf are the names of n features as keys with a colon; nil where they have none.
func keysOf(names []string, n int) ([][]byte, error) {
	if names == nil {
		return nil, nil
	}
	keys, first := make([][]byte, n), make(map[string]int, n)
	for j, name := range names {
		if unnamed(name) {
			name = "f" + strconv.Itoa(j+1)
		}
		if at, twice := first[name]; twice {
			return nil, fmt.Errorf("features %d and %d are both named %s, which JSON cannot hold", at+1, j+1, quotedID(name))
		}
		first[name] = j
		key, err := appendText(nil, name)
		if err != nil {
			return nil, err
		}
		keys[j] = append(key, ':')
	}
	return keys, nil
}

// appendValues appends the features of a row.
func appendValues(line []byte, keys [][]byte, row []float64) (_ []byte, err error) {
	open, end := byte('['), byte(']')
	if keys != nil {
		open, end = '{', '}'
	}
	line = append(line, open)
	for j, x := range row {
		if j > 0 {
			line = append(line, ',')
		}
		if keys != nil {
			line = append(line, keys[j]...)
		}
		if line, err = appendNumber(line, x); err != nil {
			return line, fmt.Errorf("feature %d: %w", j+1, err)
		}
	}
	return append(line, end), nil
}

// appendText appends a string of JSON.
func appendText(line []byte, text string) ([]byte, error) {
	if !utf8.ValidString(text) {
		return line, fmt.Errorf("text %q is not UTF-8, which JSON needs", text)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return line, err
	}
	return append(line, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
}

// WriteScoreLines writes the v scores of each row as an object a line: id and qid, as far as the set
// has them, and score or, for v > 1, the list scores. The set may be nil. It returns the errors of w,
// and an error for a text that is not UTF-8 and for a score that is not finite.
func WriteScoreLines(w io.Writer, s *data.Set, scores []float64, v int) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for lo := 0; lo < len(scores); lo += v {
		line = append(line[:0], '{')
		var err error
		add := func(key, text string) {
			if err == nil {
				line, err = appendText(append(line, key...), text)
				line = append(line, ',')
			}
		}
		i := lo / v
		if s != nil {
			if id := s.DocID(i); id != "" {
				add(`"id":`, id)
			}
			if s.HasQID {
				add(`"qid":`, s.Queries.ID(int(s.Queries.Of()[i])))
			}
		}
		if err == nil && v == 1 {
			line, err = appendNumber(append(line, `"score":`...), scores[lo])
		} else if err == nil {
			line, err = appendValues(append(line, `"scores":`...), nil, scores[lo:lo+v])
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		out.Write(append(line, "}\n"...))
	}
	return out.Flush()
}
