package data

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// positive makes the values of a set not negative, which keeps its zeros least.
func positive(rows, cols int, share float64) (*Set, *Set) {
	d, s := random(rows, cols, share, 11)
	for i, x := range d.Data {
		d.Data[i] = math.Abs(x)
	}
	for i, x := range s.Val {
		s.Val[i] = math.Abs(x)
	}
	of := make([]int32, rows)
	for i := range of {
		of[i] = int32(i % 3)
	}
	ids := []string{"a", "b", "c"}
	return &Set{X: d, Y: make([]float64, rows), Queries: NewQueries(of, ids), HasQID: true},
		&Set{X: s, Y: make([]float64, rows), Queries: NewQueries(of, ids), HasQID: true}
}

// normalized applies the kind to a copy and returns it dense and packed.
func normalized(t *testing.T, kind string, s *Set) *Dense {
	t.Helper()
	rows := make([]int, len(s.Y))
	for i := range rows {
		rows[i] = i
	}
	c := s.Subset(rows)
	norm, err := FitNormalizer(kind, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := norm.Apply(c); err != nil {
		t.Fatal(err)
	}
	return ToDense(c.X)
}

func column(d *Dense, j int, rows []int32) []float64 {
	var col []float64
	for _, i := range rows {
		col = append(col, d.Row(int(i))[j])
	}
	return col
}

// rounding allows for a few operations on numbers of size one.
const rounding = 1e-12

func TestNormalizedHaveTheMomentsAndRanges(t *testing.T) {
	dense, _ := positive(5000, 12, 0.6)
	all := OneList(5000).Part(0)
	z, mm, q := normalized(t, NormalizeZScore, dense), normalized(t, NormalizeMinMax, dense),
		normalized(t, NormalizeQueryMinMax, dense)
	for j := range 12 {
		var sum, square float64
		for _, x := range column(z, j, all) {
			sum += x
			square += x * x
		}
		if math.Abs(sum/5000) > rounding || math.Abs(square/5000-1) > rounding {
			t.Errorf("zscore: feature %d has mean %g, mean square %g", j, sum/5000, square/5000)
		}
		if col := column(mm, j, all); slices.Min(col) != 0 || math.Abs(slices.Max(col)-1) > rounding {
			t.Errorf("minmax: feature %d is in [%g,%g]", j, slices.Min(col), slices.Max(col))
		}
		for g := range 3 {
			if col := column(q, j, dense.Queries.Part(g)); slices.Min(col) != 0 || slices.Max(col) != 1 {
				t.Errorf("query-minmax: feature %d of query %d is in [%g,%g]", j, g, slices.Min(col), slices.Max(col))
			}
		}
	}
}

func TestSparseIsNormalizedAsDense(t *testing.T) {
	for _, share := range []float64{0.3, 1} { // with all stored, query-minmax moves values
		dense, sparse := positive(600, 70, share)
		kinds := []string{NormalizeNone, NormalizeMinMax, NormalizeQueryMinMax}
		if share == 1 {
			kinds = []string{NormalizeNone, NormalizeQueryMinMax}
		}
		for _, kind := range kinds {
			a, b := normalized(t, kind, dense), normalized(t, kind, sparse)
			if !slices.Equal(a.Data, b.Data) {
				t.Errorf("%s at density %g: the storages differ", kind, share)
			}
		}
	}
}

func TestSparseStaysSparse(t *testing.T) {
	_, sparse := positive(100, 5, 0.5)
	var dense *DensifyError
	if _, err := FitNormalizer(NormalizeZScore, sparse); !errors.As(err, &dense) || dense.Hint() == "" ||
		dense.Feature != 1 {
		t.Errorf("zscore: %v", err)
	}
	x := sparse.X.(*CSR)
	x.Val[0] = -1
	want := slices.Clone(x.Val)
	for _, kind := range []string{NormalizeMinMax, NormalizeQueryMinMax} {
		if _, err := FitNormalizer(kind, sparse); !errors.As(err, &dense) || dense.Shift != 1 {
			t.Errorf("%s of a negative value: %v", kind, err)
		}
		norm := &Normalizer{Kind: kind, Shift: []float64{-1, 0, 0, 0, 0}, Scale: []float64{1, 1, 1, 1, 1}}
		if err := norm.Apply(sparse); !errors.As(err, &dense) || !slices.Equal(x.Val, want) {
			t.Errorf("%s applied: %v", kind, err)
		}
	}
}

func TestConstantFeaturesBecomeZero(t *testing.T) {
	for _, value := range []float64{0, 0.1, -3e300, 7} {
		d := NewDense(7, 2, nil)
		for i := range 7 {
			d.Row(i)[0], d.Row(i)[1] = value, float64(i)
		}
		s := &Set{X: d, Y: make([]float64, 7), Queries: OneList(7)}
		for _, kind := range []string{NormalizeZScore, NormalizeMinMax, NormalizeQueryMinMax} {
			got := normalized(t, kind, s)
			for i := range 7 {
				if got.Row(i)[0] != 0 || math.IsNaN(got.Row(i)[1]) {
					t.Errorf("%s: row %d is %v", kind, i, got.Row(i))
				}
			}
		}
	}
}

func TestNormalizeNumericalCare(t *testing.T) {
	// Feature 0: a large offset, where the one-pass formula loses everything.
	// Features 1 and 2: squares outside the range of a float64.
	d := NewDense(4, 3, nil)
	for i, u := range []float64{0, 1, 2, 3} {
		d.Row(i)[0], d.Row(i)[1], d.Row(i)[2] = 1e9+u, u*1e200, u*1e-200
	}
	got := normalized(t, NormalizeZScore, &Set{X: d, Y: make([]float64, 4), Queries: OneList(4)})
	for i, u := range []float64{0, 1, 2, 3} {
		want := (u - 1.5) / math.Sqrt(1.25)
		for j, x := range got.Row(i) {
			if math.Abs(x-want) > rounding {
				t.Errorf("entry %d,%d is %g, want %g", i, j, x, want)
			}
		}
	}
	wide := NewDense(2, 1, []float64{-math.MaxFloat64, math.MaxFloat64})
	s := &Set{X: wide, Y: make([]float64, 2), Queries: OneList(2)}
	for _, kind := range []string{NormalizeZScore, NormalizeMinMax} {
		if _, err := FitNormalizer(kind, s); err == nil || !strings.Contains(err.Error(), "feature 1") {
			t.Errorf("%s: error %v", kind, err)
		}
	}
	if got := normalized(t, NormalizeQueryMinMax, s); !slices.Equal(got.Data, []float64{0, 1}) {
		t.Errorf("query-minmax: %v", got.Data)
	}
}

func TestNormalizerDoesNotDependOnThreads(t *testing.T) {
	dense, sparse := positive(20_000, 30, 0.4)
	var first [2]*Normalizer
	for _, threads := range []int{1, 2, 5} {
		old := runtime.GOMAXPROCS(threads)
		z, err := FitNormalizer(NormalizeZScore, dense)
		mm, errSparse := FitNormalizer(NormalizeMinMax, sparse)
		runtime.GOMAXPROCS(old)
		if err != nil || errSparse != nil {
			t.Fatal(err, errSparse)
		}
		if first[0] == nil {
			first = [2]*Normalizer{z, mm}
		}
		if !slices.Equal(z.Shift, first[0].Shift) || !slices.Equal(z.Scale, first[0].Scale) ||
			!slices.Equal(mm.Scale, first[1].Scale) {
			t.Errorf("other numbers with %d threads", threads)
		}
	}
}

func TestNormalizerErrors(t *testing.T) {
	dense, _ := positive(10, 3, 1)
	if _, err := FitNormalizer("robust", dense); err == nil || !strings.Contains(err.Error(), "query-minmax") {
		t.Errorf("error %v", err)
	}
	for _, kind := range normalizeKinds {
		if got, err := ParseNormalize(kind); got != kind || err != nil {
			t.Errorf("%s reads as %s, %v", kind, got, err)
		}
	}
	if kind, err := ParseNormalize(""); kind != NormalizeNone || err != nil {
		t.Errorf("the empty name is %s, %v", kind, err)
	}
	norm := &Normalizer{Kind: NormalizeMinMax, Shift: make([]float64, 2), Scale: make([]float64, 2)}
	if err := norm.Apply(dense); err == nil {
		t.Error("a normalizer of 2 features is applied to 3")
	}
	empty := &Set{X: NewDense(0, 3, nil), Queries: OneList(0)}
	for _, kind := range normalizeKinds {
		norm, err := FitNormalizer(kind, empty)
		if err != nil || norm.Apply(empty) != nil {
			t.Errorf("%s of no rows: %v", kind, err)
		}
	}
}
