package data

import (
	"fmt"
	"math"
	"slices"

	"pairrank/internal/pick"
)

// levelName is the name of the feature that is 1 in the rows where another one is missing.
func levelName(feature string) string {
	if feature == "" {
		return ""
	}
	return feature + "=missing"
}

// Levels returns the features whose missing values have a level of their own, ascending; nil of nil. The last
// features of a model are those of their levels, in the same order.
func (f *Substitutes) Levels() []int {
	if f == nil {
		return nil
	}
	return f.Own
}

// Given returns the n features that a row is read with, and their names: those before the features of levels.
func (f *Substitutes) Given(n int, names []string) (given int, called []string) {
	given = n - len(f.Levels())
	if len(names) == n {
		names = names[:given]
	}
	return given, names
}

// Called returns names of features with those of their levels behind them; nil of nil.
func (f *Substitutes) Called(names []string) []string {
	out := slices.Clip(names)
	for _, j := range f.Levels() {
		if names != nil {
			out = append(out, levelName(names[j]))
		}
	}
	return out
}

// GiveLevels gives missing values that MissingOwn has left as NaN a level of their own: the number of a further
// feature, behind those that are there and called NAME=missing, which is 1 in the rows without a value and else 0. The
// value itself becomes the mean of the others, where a curve is least drawn by the gap:
//
//	f(x) = f_j(x)                  where x_j is there
//	f(x) = f_j(mean_j) + level_j   where it is missing, a free number
//
// Rows of training have the levels of their gaps, which the Substitutes of the set then keep. Rows of a model, whose
// Substitutes are trained, have its levels, whatever is missing there; a feature without a gap in training has none,
// and a missing value of it is an *UnfilledError, with *Set unchanged. An error says that a feature has the name of a
// level. The matrix is new unless there is nothing to do, and the cost that of copying it.
func (s *Set) GiveLevels(trained *Substitutes) error {
	x := trained.fit(s.X)
	gaps, count := gapsOf(x)
	of := trained
	switch {
	case trained == nil && count == 0:
		s.Substitutes = s.Substitutes.withoutLevels()
		return nil
	case trained == nil:
		of = s.Substitutes.withLevels(x, gaps, count)
	}
	for j, gap := range gaps {
		if _, has := slices.BinarySearch(of.Levels(), j); gap && !has {
			return &UnfilledError{j, MissingOwn}
		}
	}
	if len(of.Levels()) == 0 {
		return nil
	}
	names := of.Called(s.Names)
	if err := checkNames(names, len(s.Names)); err != nil {
		return err
	}
	s.X, s.Names, s.Substitutes = of.levelled(x), names, of
	return nil
}

// checkNames refuses a level that is called as one of the first n features.
func checkNames(names []string, n int) error {
	known := make(map[string]bool, n)
	for _, name := range names[:n] {
		known[name] = true
	}
	for _, name := range names[n:] {
		if known[name] && name != "" {
			return fmt.Errorf("two features are called %q: one that was given, and the level of the missing values of "+
				"another one", ClipText(name))
		}
	}
	return nil
}

// fit is x with as many columns as the rows of a training with levels had.
func (f *Substitutes) fit(x Matrix) Matrix {
	if f.Levels() == nil {
		return x
	}
	_, n := x.Dims()
	given := len(f.By) - len(f.Own)
	if n <= given {
		return Widen(x, given)
	}
	return SelectColumns(x, pick.All[int](given))
}

// gapsOf reports which columns have NaN, and how often that stands there.
func gapsOf(x Matrix) (gaps []bool, count int) {
	_, n := x.Dims()
	gaps = make([]bool, n)
	eachStored(x, func(vals []float64, k, j int) {
		if math.IsNaN(vals[k]) {
			gaps[j] = true
			count++
		}
	})
	return gaps, count
}

// withoutLevels says that missing values of features that had none are an error.
func (f *Substitutes) withoutLevels() *Substitutes {
	if f == nil || !slices.Contains(f.By, MissingOwn) {
		return f
	}
	out := *f
	out.By = slices.Clone(f.By)
	for j, by := range out.By {
		if by == MissingOwn {
			out.By[j] = MissingError
		}
	}
	return &out
}

// withLevels adds the levels of features with gaps, of which there are count in x.
func (f *Substitutes) withLevels(x Matrix, gaps []bool, count int) *Substitutes {
	rows, n := x.Dims()
	out := Substitutes{Mean: meansOfPresent(x, rows, n), Missing: count}
	if f != nil {
		out.Least, out.Missing = f.Least, f.Missing+count
	}
	for j, gap := range gaps {
		by := f.Of(j)
		switch {
		case gap:
			by = MissingOwn
			out.Own = append(out.Own, j)
		case by == MissingOwn:
			by = MissingError
		case by == MissingMean:
			out.Mean[j] = f.Mean[j] // of the values before they were filled
		}
		out.By = append(out.By, by)
	}
	out.By = append(out.By, make([]Missing, len(out.Own))...)
	return &out
}

// levelled is x with the means of Own in the place of NaN, and their levels behind it.
func (f *Substitutes) levelled(x Matrix) Matrix {
	m, n := x.Dims()
	wide := n + len(f.Own)
	if sparse, is := x.(*CSR); is {
		return f.levelledSparse(sparse, wide)
	}
	out := NewDense(m, wide, nil)
	for i := range m {
		row := out.Row(i)
		x.RowTo(row[:n], i)
		for k, j := range f.Own {
			if math.IsNaN(row[j]) {
				row[j], row[n+k] = f.Mean[j], 1
			}
		}
	}
	return out
}

func (f *Substitutes) levelledSparse(x *CSR, wide int) *CSR {
	out := &CSR{Rows: x.Rows, Cols: wide, Ptr: make([]int, 1, x.Rows+1)}
	place := make(map[int32]int32, len(f.Own)) // of the level of a feature
	for k, j := range f.Own {
		place[int32(j)] = int32(x.Cols + k)
	}
	for i := range x.Rows {
		cols, vals := x.Row(i)
		at := len(out.Val)
		out.Col, out.Val = append(out.Col, cols...), append(out.Val, vals...)
		for k, j := range cols {
			if math.IsNaN(vals[k]) {
				out.Val[at+k] = f.Mean[j]
				out.Col, out.Val = append(out.Col, place[j]), append(out.Val, 1)
			}
		}
		out.Ptr = append(out.Ptr, len(out.Val))
	}
	return out
}
