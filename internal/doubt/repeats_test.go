package doubt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
)

// rowsOf are rows whose values are drawn one by one.
func rowsOf(m, n int, value func(r *rand.Rand, j int) float64) *data.Dense {
	r := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	x := data.NewDense(m, n, nil)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = value(r, j)
		}
	}
	return x
}

// doubtsOf are the kinds of the doubts about a list of rows, and the text of the last one.
func doubtsOf(x data.Matrix, apart *data.Partition) (kinds []DoubtKind, text string) {
	m, _ := x.Dims()
	set := &data.Set{X: x, Y: make([]float64, m)}
	for _, d := range Repeats(set, x, apart, false) {
		kinds, text = append(kinds, d.Kind), d.Text
	}
	return kinds, text
}

// Copies are found whatever the storage, the width and the order of rows and columns, if one is in another part; the
// number of rows is that of explicit pairs.
func TestCopiesAreFound(t *testing.T) {
	const m = 120
	normal := func(r *rand.Rand, _ int) float64 { return r.NormFloat64() }
	for _, n := range []int{2, 3, 7, 9, 46} {
		for _, rounding := range []float64{0, 1e-12, 1e-7} {
			for _, copies := range []int{1, 5, m / 2} {
				x := rowsOf(m, n, normal)
				r := rand.New(rand.NewPCG(uint64(n), uint64(copies)))
				for k, i := range r.Perm(m)[:2*copies] {
					if k%2 == 0 {
						continue
					}
					from := r.Perm(m)[0]
					for j, v := range x.Row(from) {
						x.Row(i)[j] = v * (1 + rounding*r.Float64())
					}
				}
				want := 0
				for i := range m {
					for j := range m {
						if i != j && abs(x.Row(i)[0]-x.Row(j)[0]) < 1e-6*abs(x.Row(i)[0]) &&
							abs(x.Row(i)[n-1]-x.Row(j)[n-1]) < 1e-6*abs(x.Row(i)[n-1]) {
							want++
							break
						}
					}
				}
				for name, stored := range map[string]data.Matrix{"dense": x, "sparse": storedOf(x)} {
					kinds, text := doubtsOf(stored, data.Singletons(m))
					if want > 0 && (len(kinds) != 1 || !strings.HasPrefix(text, fmt.Sprintf("%d of %d rows ", want, m))) {
						t.Errorf("%s, %d columns, %d copies, rounded by %g: %v %q, want %d rows", name, n, copies, rounding, kinds,
							text, want)
					}
				}
				if kinds, _ := doubtsOf(x, data.OneList(m)); kinds != nil {
					t.Errorf("rows of one part: %v", kinds)
				}
			}
		}
	}
}

func abs(v float64) float64 { return max(v, -v) }

// Equal rows are ordinary where columns have few values, alone or together.
func TestFewValuesMakeEqualRows(t *testing.T) {
	whole := func(k int) func(r *rand.Rand, j int) float64 {
		return func(r *rand.Rand, _ int) float64 { return float64(r.IntN(k)) }
	}
	tables := map[string]*data.Dense{
		"ratings":     rowsOf(300, 3, whole(5)),
		"two-valued":  rowsOf(300, 6, whole(2)),
		"one column":  rowsOf(60, 1, func(r *rand.Rand, _ int) float64 { return float64(r.IntN(40)) }),
		"age and sex": rowsOf(60, 2, func(r *rand.Rand, j int) float64 { return float64(r.IntN([]int{40, 2}[j])) }),
		"counts": rowsOf(500, 4,
			func(r *rand.Rand, _ int) float64 { return float64(int(r.ExpFloat64() * 2)) }),
		"constant":        rowsOf(20, 3, whole(1)),
		"no two equal":    rowsOf(500, 12, func(r *rand.Rand, _ int) float64 { return r.Float64() }),
		"a late constant": rowsOf(200, 20, func(r *rand.Rand, j int) float64 { return r.Float64() * float64(max(0, j-15)) }),
	}
	kinds := rowsOf(300, 12, whole(1)) // four factors of three levels
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		for f := range 4 {
			kinds.Row(i)[3*f+r.IntN(3)] = 1
		}
	}
	tables["levels"] = kinds
	for name, x := range tables {
		for store, stored := range map[string]data.Matrix{"dense": x, "sparse": storedOf(x)} {
			if kinds, text := doubtsOf(stored, data.Singletons(x.Rows)); kinds != nil {
				t.Errorf("%s, %s: %v %s", name, store, kinds, text)
			}
		}
	}
}

// A whole number that names subjects is told by its name, and what may name something else, or counts in equal blocks,
// is like an id; counts, ratings and codes are not.
func TestNumbersOfSubjects(t *testing.T) {
	blocks := func(k int) func(i int) float64 { return func(i int) float64 { return float64(1 + i/k) } }
	cycle := func(k int) func(i int) float64 { return func(i int) float64 { return float64(i % k) } }
	for _, c := range []struct {
		name  string
		value func(i int) float64
		want  bool
	}{
		{"subject_nr", blocks(3), true}, {"subject_nr", cycle(20), true}, {"SubjectID", cycle(20), true},
		{"person", cycle(20), true}, {"mouse", cycle(4), true}, {"session_id", cycle(20), true}, {"patient", cycle(7), true},
		{"store_id", cycle(20), true}, {"a", blocks(3), true}, {"", blocks(6), true},
		{"a", cycle(20), false}, {"rating", blocks(12), false}, {"patient", cycle(2), false}, {"persons", cycle(6), false},
		{"type_id", cycle(4), false}, {"rooms", cycle(7), false}, {"age", func(i int) float64 { return float64(20 + i/2) },
			false}, {"session", cycle(4), false}, {"subject_nr", func(i int) float64 { return float64(i) + 0.5 }, false},
	} {
		const m = 60
		x := rowsOf(m, 3, func(r *rand.Rand, _ int) float64 { return r.NormFloat64() })
		for i := range m {
			x.Row(i)[1] = c.value(i)
		}
		set := &data.Set{X: x, Y: make([]float64, m), Names: []string{"u", c.name, "v"}}
		found := Repeats(set, x, data.Singletons(m), true)
		kind := DoubtSubject
		if c.name == "store_id" || c.name == "a" || c.name == "" {
			kind = DoubtUnits
		}
		if got := len(found) == 1 && found[0].Kind == kind; got != c.want || len(found) > 1 {
			t.Errorf("%q: %v, want %v", c.name, found, c.want)
		}
		of := make([]int32, m)
		for i := range of {
			of[i] = int32(c.value(i))
		}
		if found := Repeats(set, x, data.NewPartition(of, 100), true); found != nil {
			t.Errorf("%q held out together: %v", c.name, found)
		}
	}
}
