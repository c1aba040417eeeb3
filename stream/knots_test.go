package stream

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/model"
)

var fourKnots = kernel.Spline{Knots: 4, Bends: 2}

// coarse is a set whose features have some 40 values each, a constant and a two-valued one among them.
func coarse(m, n, q int, seed uint64) *data.Set {
	set := gen.Set(m, n, q, seed)
	x := set.X.(*data.Dense)
	for i := range x.Rows {
		row := x.Row(i)
		for j := range row {
			row[j] = math.Round(8*row[j]) / 8
		}
		row[0], row[1] = 3, float64(i%2)
	}
	return set
}

// Where quantiles are exact, a stream gives the model of the rows in memory: knots, weights and scores, whatever the
// options, the parts and the storage. Both readings read each query once.
func TestSplinesOfStreamsAreThoseOfRows(t *testing.T) {
	ctx := context.Background()
	rows, fresh := coarse(400, 6, 30, 1), coarse(40, 6, 1, 2)
	for name, o := range streamed() {
		set, spline := o.timed(rows), fourKnots
		if len(name)%2 == 0 {
			spline.In = "1=3,3=7,4=0"
		}
		want, err := pairrank.Train(ctx, pairrank.Problem{Set: set}, pairrank.Options{Learner: o.Learner,
			Kernels: []kernel.Kernel{spline}, Lambdas: []float64{3}, Normalize: o.Normalize, Threshold: o.Threshold})
		if err != nil {
			t.Fatal(name, err)
		}
		o.Map = &Mapping{Kernel: spline}
		for _, sparse := range []bool{false, true} {
			var reads atomic.Int64
			queries := queriesIn(set, nil, sparse)
			s, err := Sum(ctx, partsOf(queries, 5, &reads), o)
			if err != nil {
				t.Fatal(name, err)
			}
			if n := reads.Load(); n != int64(2*len(queries)) {
				t.Errorf("%s: %d queries were read %d times", name, len(queries), n)
			}
			got, err := s.Train(ctx, TrainOptions{Lambdas: []float64{3}})
			if err != nil {
				t.Fatal(name, err)
			}
			a, b := got.Model.Scorer.(*model.Spline), want.Model.Scorer.(*model.Spline)
			for j := range b.Map.Inputs() {
				if !reflect.DeepEqual(a.Map.Knots(j), b.Map.Knots(j)) && len(a.Map.Knots(j))+len(b.Map.Knots(j)) > 0 {
					t.Fatalf("%s: feature %d has the knots %v, not %v", name, j+1, a.Map.Knots(j), b.Map.Knots(j))
				}
			}
			if d := apartIn(b.Weights.Data, a.Weights.Data); !(d <= sameWeights) {
				t.Errorf("%s: weights differ by %.2g", name, d)
			}
			checkScores(t, name, got, fresh, want, fresh)
			if text := notesOf(got); !strings.Contains(text, "the knots are exact quantiles, of a first reading that kept "+
				"up to ") {
				t.Errorf("%s: notes %q", name, text)
			} else if strings.Contains(text, `"1" stays a straight line`) != (spline.In != "") {
				t.Errorf("%s, %s: notes %q", name, spline, text)
			}
		}
	}
}

func notesOf(r *pairrank.Result) (text string) {
	for _, n := range r.Notes {
		text += n.Text + "\n"
	}
	return text
}

// The knots and the sums have the same bits for any number of threads, and those of the knots given to each part,
// merged.
func TestKnotsGivenAreKnotsFound(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	ctx := context.Background()
	set := gen.Set(14_000, 3, 900, 6) // more different values than a level of a sketch takes
	queries := queriesIn(set, nil, false)
	for k := range queries[:300] { // rows that lack the last feature have 0 there
		queries[k].X = data.SelectColumns(queries[k].X, []int{0, 1})
	}
	parts, o := partsOf(queries, 7, nil), Options{Map: &Mapping{Kernel: fourKnots}, Folds: 3}
	var first []byte
	for _, threads := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(threads)
		s, err := Sum(ctx, parts, o)
		if err != nil {
			t.Fatal(err)
		}
		if b := bytesOf(t, s); first == nil {
			first = b
		} else if !bytes.Equal(first, b) {
			t.Errorf("%d threads: other bytes", threads)
		}
		given := Options{Map: s.Options().Map, Folds: 3}
		var merged *Statistics
		for k := range parts {
			part, err := Sum(ctx, parts[k:k+1], given)
			if err == nil && merged != nil {
				err = merged.Merge(part)
			} else if merged == nil {
				merged = part
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first, bytesOf(t, merged)) {
			t.Errorf("%d threads: parts by given knots have other bytes", threads)
		}
		r, err := s.Train(ctx, TrainOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, says := range []string{"off by at most 0.0", "exact for 0 of 3 features", "may have helped"} {
			if text := notesOf(r); !strings.Contains(text, says) {
				t.Errorf("notes %q lack %q", text, says)
			}
		}
	}
}

// The share of the weight that does not exceed a knot is that of its quantile, within the error that is stated, for
// distributions, orders and weights that are hard.
func TestKnotsAreWithinTheirError(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(11, 12))
	const m, each = 120_000, 50
	x, w := data.NewDense(m, 5, nil), make([]float64, m)
	for i := range m {
		copy(x.Row(i), []float64{r.NormFloat64(), float64(i), math.Exp(10 * r.NormFloat64()),
			max(0, r.NormFloat64()), float64(m-i) * float64(1-2*(i%2))})
		w[i] = r.ExpFloat64() * float64(r.IntN(3))
	}
	for _, weights := range [][]float64{nil, w} {
		var queries []data.Query
		for lo := 0; lo < m; lo += each {
			q := data.Query{ID: fmt.Sprint(lo), X: data.Slice(x, lo, lo+each), Y: make([]float64, each)}
			if weights != nil {
				q.Weights = weights[lo : lo+each]
			}
			queries = append(queries, q)
		}
		for _, n := range []int{1, 12} {
			s, err := Sum(ctx, partsOf(queries, n, nil), Options{Map: &Mapping{Kernel: fourKnots}, Weights: weights != nil,
				Folds: 1})
			if err != nil {
				t.Fatal(err)
			}
			var stated float64
			if _, err := fmt.Sscanf(s.told[strings.Index(s.told, "off by"):], "off by at most %f", &stated); err != nil {
				t.Fatal(s.told, err)
			}
			const bound, rounding = 100 * (1 + 4.9) / 4094, 0.05 // log₂(120,000/4096) < 4.9; two digits are printed
			if stated > bound {
				t.Errorf("an error of %v %%, and the bound is %v", stated, bound)
			}
			for j, knots := range s.Options().Map.Knots {
				for k, knot := range knots {
					below, upto, all := 0.0, 0.0, 0.0
					for i := range m {
						weight, v := 1.0, x.Row(i)[j]
						if weights != nil {
							weight = weights[i]
						}
						if all += weight; v <= knot {
							upto += weight
						}
						if v < knot {
							below += weight
						}
					}
					share, off := 100*float64(k+1)/5, stated*(1+rounding)
					if len(knots) < 4 { // half of the values are 0, which is no knot
						share = 100 * float64(5-len(knots)+k) / 5
					}
					if 100*below/all > share+off || 100*upto/all < share-off {
						t.Errorf("%d parts, feature %d: of the rows %v to %v %% are at most knot %d, not %v ± %v", n, j+1,
							100*below/all, 100*upto/all, k+1, share, off)
					}
				}
			}
		}
	}
}

// The first reading refuses what the sums refuse.
func TestKnotsOfBadRows(t *testing.T) {
	bad := data.Query{ID: "q", Line: 3, X: data.NewDense(2, 1, []float64{1, math.Inf(1)}), Y: []float64{1, 2}}
	for says, o := range map[string]Options{
		"part0:3: query \"q\": row 2 has a feature of value +Inf": {Map: &Mapping{Kernel: fourKnots}},
		"bends of a spline is positive":                           {Map: &Mapping{Kernel: kernel.Spline{Knots: 3}}},
		"basis rows and a spline": {Map: &Mapping{Kernel: fourKnots,
			Basis: data.NewDense(1, 1, nil)}},
		"zscore needs all rows": {Map: &Mapping{Kernel: fourKnots}, Normalize: data.NormalizeZScore},
		"have no weights":       {Map: &Mapping{Kernel: fourKnots}, Weights: true},
	} {
		if _, err := Sum(t.Context(), partsOf([]data.Query{bad}, 1, nil), o); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v, want what says %q", err, says)
		}
	}
}
