package greedy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// lossWithin bounds the difference of two losses, one of updates and one of normal equations, beside (1 + loss)²: a row
// far beyond those that determine the baseline multiplies the rounding as it multiplies the loss.
const lossWithin = 1e-8

// random is a random problem with its options: a third of them has binary features only, and more have equal rows,
// constant features, repeated and opposite ones.
func random(r *rand.Rand, k int) (*oracle, bool) {
	criterion := []Criterion{Queries, Rows, Pairs}[k%3]
	kind := []Search{Forward, Backward, Floating}[k/3%3]
	m, n := 5+r.IntN(8), 2+r.IntN(6)
	o := &oracle{o: Options{Lambda: gen.Lambda(r, -8, 8), Criterion: criterion, Search: kind}}
	o.p.Regression = k%4 == 0
	o.p.Weight = []pref.Weight{pref.Pairs, pref.Size, pref.Edges}[r.IntN(3)]
	queries := make([]int32, m)
	lists := 1
	if criterion == Queries {
		lists = 2 + r.IntN(3)
		for i := range queries {
			queries[i] = int32(r.IntN(lists))
		}
		if slices.Max(queries) == slices.Min(queries) { // Select refuses to leave out the one query
			queries[0] = (queries[0] + 1) % int32(lists)
		}
	}
	o.p.Queries = data.NewPartition(queries, lists)
	o.x = make([][]float64, m)
	for i := range o.x {
		o.x[i] = make([]float64, n)
		for j := range o.x[i] {
			switch {
			case k%3 == k/9%3:
				o.x[i][j] = float64(r.IntN(2))
			case j%3 == 1:
				o.x[i][j] = float64(r.IntN(3) - 1)
			default:
				o.x[i][j] = r.NormFloat64()
			}
		}
		if i > 0 && r.IntN(6) == 0 {
			copy(o.x[i], o.x[r.IntN(i)])
		}
		o.p.Y = append(o.p.Y, float64(r.IntN(2+r.IntN(3))))
	}
	switch from, to := r.IntN(n), r.IntN(n); r.IntN(4) {
	case 0:
		for i := range o.x {
			o.x[i][to] = 3
		}
	case 1:
		for i := range o.x {
			o.x[i][to] = o.x[i][from]
		}
	case 2:
		for i := range o.x {
			o.x[i][to] = 1 - o.x[i][from]
		}
	}
	switch r.IntN(3) {
	case 0:
		o.p.Baseline = r.Perm(n)[:1+r.IntN(2)]
	case 1:
		o.p.Groups = make([][]int, 1+r.IntN(n))
		for at, j := range r.Perm(n) { // each group has a column, and one may have many
			g := at
			if at >= len(o.p.Groups) {
				g = r.IntN(len(o.p.Groups))
			}
			o.p.Groups[g] = append(o.p.Groups[g], j)
		}
	}
	o.p.X = denseOf(o.x)
	if r.IntN(2) == 0 && (criterion == Queries || o.p.Regression || o.p.Weight == pref.Size) {
		for range o.x {
			o.p.Weights = append(o.p.Weights, float64(1+r.IntN(12))/4)
		}
	}
	usable := len(o.usable())
	if usable == 0 {
		return nil, false
	}
	o.o.Features = 1 + r.IntN(usable)
	return o, true
}

func denseOf(rows [][]float64) *data.Dense {
	x := data.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		copy(x.Row(i), row)
	}
	return x
}

func TestSearchIsTheDefinition(t *testing.T) {
	seen := map[string]int{}
	for k := 0; len(seen) == 0 || k < gen.Count(t, 300); k++ {
		r := rand.New(rand.NewPCG(uint64(k), 27))
		o, ok := random(r, k)
		if !ok {
			continue
		}
		what := fmt.Sprintf("problem %d, %s %s of %d rows, groups %v, weights %v, regression %v, baseline %v, %d "+
			"features, λ = %g", k, o.o.Search,
			o.o.Criterion, len(o.x), o.p.Groups, o.p.Weights, o.p.Regression, o.p.Baseline, o.o.Features, o.o.Lambda)
		path, err := Select(context.Background(), o.p, o.o)
		if errors.Is(err, goals.ErrNothingToLearn) || errors.Is(err, errBaseline) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		want := o.search()
		for size, set := range path.Sets {
			if !slices.Equal(set.Features, want[size].Features) || set.score.halves != want[size].score.halves ||
				math.Abs(set.Loss-want[size].score.loss) > lossWithin*(1+want[size].score.loss)*(1+want[size].score.loss) {
				t.Errorf("%s: set %d is %v with %+v, want %v with %+v", what, size+1, set.Features, set.score,
					want[size].Features, want[size].score)
				break
			}
			weights, _ := path.Weights(size + 1)
			rows := make([]int, len(o.x))
			for i := range rows {
				rows[i] = i
			}
			naive, _ := o.fit(rows, set.Features)
			for j, w := range weights {
				if math.Abs(w-naive[j]) > lossWithin*(1+math.Abs(w)) {
					t.Errorf("%s: weight %d of %d features is %g, want %g", what, j, size+1, w, naive[j])
				}
			}
		}
		seen[string(o.o.Criterion)+" "+string(o.o.Search)]++
	}
	t.Log(seen)
}
