package main

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// result is what a run of a row made: the file after -o, else its standard output. The file is removed, so that a run
// that writes none is not taken for the one before it.
func (m *measurement) result(row commandRow, printed []byte) ([]byte, error) {
	words := strings.Fields(row.args)
	at := slices.Index(words, "-o")
	if at < 0 {
		return printed, nil
	}
	path := filepath.Join(m.work, words[at+1])
	made, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return made, os.Remove(path)
}

// difference says how far what a run made is from what another run of the same row made. Lines of numbers alone are a
// vector, whose largest difference is relative to its largest number; numbers of other lines are compared one by one,
// and lines with other words are counted. Lines that tell the time do not count.
func difference(before, after []byte) string {
	if bytes.Equal(before, after) {
		return "same bytes"
	}
	a, b := newContent(before), newContent(after)
	var words []string
	if len(a.vector) != len(b.vector) {
		words = append(words, fmt.Sprintf("%d and %d numbers", len(a.vector), len(b.vector)))
	} else {
		largest, apart := 0.0, 0.0
		for k, v := range a.vector {
			largest, apart = max(largest, math.Abs(v)), max(apart, math.Abs(v-b.vector[k]))
		}
		if apart > 0 {
			words = append(words, fmt.Sprintf("numbers within %.0e", apart/largest))
		}
	}
	apart, other := 0.0, 0
	for key := range merged(a.facts, b.facts) {
		v, w := a.facts[key], b.facts[key]
		if len(v) != len(w) {
			other++
			continue
		}
		for k := range v {
			if v[k] != w[k] {
				apart = max(apart, math.Abs(v[k]-w[k])/max(math.Abs(v[k]), math.Abs(w[k])))
			}
		}
	}
	if apart > 0 {
		words = append(words, fmt.Sprintf("facts within %.0e", apart))
	}
	if other > 0 {
		words = append(words, fmt.Sprintf("%d other lines", other))
	}
	if len(words) == 0 {
		return "the same"
	}
	return strings.Join(words, ", ")
}

// content is a text in parts: the numbers of its lines of numbers, and those of all other lines by their words.
type content struct {
	vector []float64
	facts  map[string][]float64
}

func newContent(text []byte) content {
	c := content{facts: map[string][]float64{}}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "seconds ") {
			continue
		}
		var numbers []float64
		var words []string
		for _, field := range strings.Fields(line) {
			if v, err := strconv.ParseFloat(field, 64); err == nil {
				numbers = append(numbers, v)
			} else {
				words = append(words, field)
			}
		}
		if len(words) == 0 {
			c.vector = append(c.vector, numbers...)
			continue
		}
		key := strings.Join(words, " ")
		c.facts[key] = append(c.facts[key], numbers...)
	}
	return c
}

// merged has the keys of both.
func merged(a, b map[string][]float64) map[string][]float64 {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
