package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// sheet is a table of rows.
type sheet struct {
	x     [][]float64
	y     []float64
	query []string // nil for a list
	fold  []string // nil where there is no column of folds
	// Columns that are written for the paths with weights and with times, whose labels are the times.
	weight []float64
	event  []int
}

// sheet is rows whose labels are noise, but for a part that the first feature explains. Gaps are NaN.
func (b *bench) sheet(shape string, seed uint64) *sheet {
	r := b.random(seed, 1)
	s := &sheet{}
	for i := range 18 {
		row := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		y := float64(i % 2)
		if shape == "queries" {
			s.query = append(s.query, fmt.Sprintf("q%d", i/3))
			y = float64(r.IntN(3))
		}
		row[0] += y
		if b.gaps && i%7 == 2 {
			row[0] = math.NaN()
		}
		if b.gaps && i%5 == 4 {
			row[1] = math.NaN()
		}
		s.x, s.y = append(s.x, row), append(s.y, y)
		s.fold = append(s.fold, fmt.Sprint(i/6))
	}
	r = b.random(seed, 2)
	for range s.x {
		s.weight = append(s.weight, []float64{0.5, 1, 2, 3}[r.IntN(4)])
		s.event = append(s.event, min(1, r.IntN(4)))
	}
	return s
}

// where is the rows for which keep holds.
func (s *sheet) where(keep func(i int) bool) *sheet {
	out := &sheet{}
	for i := range s.x {
		if keep(i) {
			out.add(s, i, "")
		}
	}
	return out
}

// add adds row i of another sheet, in a query with a longer name.
func (s *sheet) add(of *sheet, i int, longer string) {
	s.x, s.y = append(s.x, slices.Clone(of.x[i])), append(s.y, of.y[i])
	s.weight, s.event = append(s.weight, of.weight[i]), append(s.event, of.event[i])
	if of.query != nil {
		s.query = append(s.query, of.query[i]+longer)
	}
	if of.fold != nil {
		s.fold = append(s.fold, of.fold[i])
	}
}

// each is the sheet with other features.
func (s *sheet) each(features func(i int, x []float64) []float64) *sheet {
	out := s.where(func(int) bool { return true })
	for i, x := range out.x {
		out.x[i] = features(i, x)
	}
	return out
}

// csv is the table as text. Folds are a column only where the path is held out by them, weights and events only with
// them.
func (s *sheet) csv(folds bool, with string) string {
	p := path{with: with}
	var b strings.Builder
	b.WriteString(map[bool]string{true: "months,died", false: "label"}[p.timed()])
	if p.weighs() {
		b.WriteString(",mass")
	}
	if s.query != nil {
		b.WriteString(",qid")
	}
	if folds {
		b.WriteString(",fold")
	}
	for j := range s.x[0] {
		fmt.Fprintf(&b, ",x%d", j+1)
	}
	for i, x := range s.x {
		fmt.Fprintf(&b, "\n%v", s.y[i])
		if p.timed() {
			fmt.Fprintf(&b, ",%v", s.event[i])
		}
		if p.weighs() {
			fmt.Fprintf(&b, ",%v", s.weight[i])
		}
		if s.query != nil {
			b.WriteString("," + s.query[i])
		}
		if folds {
			b.WriteString("," + s.fold[i])
		}
		for _, v := range x {
			b.WriteString(strings.Replace(fmt.Sprintf(",%v", v), "NaN", "", 1))
		}
	}
	return b.String() + "\n"
}

// write writes the table for the path, and returns its name and the flags that it needs.
func (s *sheet) write(b *bench, p path, name string) (file string, flags []string) {
	if p.timed() {
		flags = []string{"--time", "months", "--event", "died"}
	}
	if p.weighs() {
		flags = append(flags, "--weight-column", "mass")
	}
	if p.gaps() {
		flags = append(flags, "--missing", "own")
	}
	folds := strings.HasPrefix(p.method, "kfold")
	if folds {
		flags = append(flags, "--fold-column", "fold")
	}
	return b.put(name, s.csv(folds, p.with)), flags
}
