package rankboost

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// Scores of any spread have the potentials and outcomes that the pairs have when
// each exponential is taken relative to the largest of all.
func TestPotentialsOfFarScores(t *testing.T) {
	// of sums of a few hundred exponentials of up to 1e4, whose rounding is 1e4 times that of a number
	const tolerance = 1e-11
	r := rand.New(rand.NewPCG(1, 1))
	for _, spread := range []float64{0, 1, 100, 3000} {
		for k := range 50 {
			m := 2 + r.IntN(25)
			y, of := make([]float64, m), make([]int32, m)
			for i := range y {
				y[i], of[i] = float64(r.IntN(4)), int32(r.IntN(2))
			}
			y[0], y[1], of[0], of[1] = 0, 1, 0, 0
			goal, err := goals.Scored(y, 1, data.NewPartition(of, 2), pref.Options{Cost: pref.Unit, Weight: pref.Edges})
			if err != nil {
				t.Fatal(err)
			}
			p := newPairs(goal, nil)
			in := make([]float64, len(p.rows))
			for i, row := range p.rows {
				p.h[i] = spread * (y[row]*float64(k%3) + r.NormFloat64())
				in[i] = float64(r.IntN(2))
			}
			mass := p.weigh()
			pi, want := explicit(p, in)
			for i := range pi {
				if got := p.pi[i] / mass; !(math.Abs(got-pi[i]) <= tolerance) {
					t.Fatalf("spread %v: potential %v, want %v", spread, got, pi[i])
				}
			}
			got := p.outcome(in)
			for _, c := range [][2]float64{{got.right, want.right}, {got.wrong, want.wrong}, {got.same, want.same}} {
				if !(math.Abs(c[0]/mass-c[1]) <= tolerance) {
					t.Fatalf("spread %v: outcome %+v of mass %v, want %+v", spread, got, mass, want)
				}
			}
		}
	}
}

// explicit is the potentials and the outcome of a stump over explicit pairs,
// with D adding up to 1.
func explicit(p *pairs, in []float64) (pi []float64, out outcome) {
	type pair struct {
		better, worse int
		log           float64
	}
	var list []pair
	top := math.Inf(-1)
	for _, q := range p.queries {
		levels := p.levels[q.first:q.end]
		for i := levels[0].hi; i < levels[len(levels)-1].hi; i++ {
			for _, l := range levels {
				for j := l.lo; j < l.hi && i >= l.hi; j++ {
					log := math.Log(q.weight) + p.h[j] - p.h[i]
					list = append(list, pair{i, j, log})
					top = max(top, log)
				}
			}
		}
	}
	total := 0.0
	for _, c := range list {
		total += math.Exp(c.log - top)
	}
	pi = make([]float64, len(p.rows))
	for _, c := range list {
		d := math.Exp(c.log-top) / total
		pi[c.better] += d
		pi[c.worse] -= d
		switch in[c.better] - in[c.worse] {
		case 1:
			out.right += d
		case -1:
			out.wrong += d
		default:
			out.same += d
		}
	}
	return pi, out
}

func TestThresholdPartsItsNeighbours(t *testing.T) {
	inf, tiny := math.Inf(1), math.SmallestNonzeroFloat64
	for _, c := range []struct{ lo, hi, want float64 }{
		{1, 2, 1.5},
		{-3, 0, -1.5},
		{-math.MaxFloat64, math.MaxFloat64, 0},
		{math.MaxFloat64 / 2, math.MaxFloat64, 0.75 * math.MaxFloat64},
		{1, math.Nextafter(1, 2), 1},
		{math.Nextafter(1, 2), math.Nextafter(math.Nextafter(1, 2), 2), math.Nextafter(1, 2)},
		{0, tiny, 0}, {-tiny, 0, -tiny}, {tiny, 2 * tiny, tiny}, {-tiny, tiny, 0},
		{-inf, 0, -inf}, {0, inf, 0},
	} {
		if got := between(c.lo, c.hi); got != c.want || !(c.lo <= got && got < c.hi) {
			t.Errorf("between %v and %v: %v, want %v", c.lo, c.hi, got, c.want)
		}
	}
}

// benchRows are standard normal features and five labels, dealt to queries.
func benchRows(m, n, queries int) (*data.Dense, *goals.Goal) {
	r := rand.New(rand.NewPCG(1, uint64(m)))
	x, y, of := data.NewDense(m, n, nil), make([]float64, m), make([]int32, m)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	for i := range y {
		y[i], of[i] = float64(r.IntN(5)), int32(i*queries/m)
	}
	goal, err := goals.Scored(y, 1, data.NewPartition(of, queries), pref.Options{Cost: pref.Unit})
	if err != nil {
		panic(err)
	}
	return x, goal
}

// An operation is a round.
func BenchmarkTrain(b *testing.B) {
	for _, size := range []struct{ m, n, queries int }{{10000, 20, 300}, {10000, 20, 1}, {100000, 136, 1000}} {
		x, goal := benchRows(size.m, size.n, size.queries)
		b.Run(fmt.Sprintf("m=%d/n=%d/queries=%d", size.m, size.n, size.queries), func(b *testing.B) {
			t := newTrainer(b.Context(), x, goal, nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, found := t.round(); !found {
					b.Fatal("nothing left to learn")
				}
			}
			b.ReportMetric(1e3*b.Elapsed().Seconds()/float64(b.N), "ms/round")
		})
	}
}

// An operation is a round over sparse rows of word counts: few rows have a word,
// and few counts differ.
func BenchmarkTrainSparse(b *testing.B) {
	const m, n, stored, queries = 20000, 50000, 100, 200
	_, goal := benchRows(m, 1, queries)
	r := rand.New(rand.NewPCG(2, 2))
	x := &data.CSR{Rows: m, Cols: n, Ptr: []int{0}}
	for range m {
		for k := range stored {
			x.Col = append(x.Col, int32(k*(n/stored)+r.IntN(n/stored)))
			x.Val = append(x.Val, float64(1+r.IntN(5)))
		}
		x.Ptr = append(x.Ptr, len(x.Col))
	}
	b.Run(fmt.Sprintf("m=%d/n=%d/stored=%d/queries=%d", m, n, len(x.Val), queries), func(b *testing.B) {
		t := newTrainer(b.Context(), x, goal, nil)
		b.ReportAllocs()
		for b.Loop() {
			if _, _, found := t.round(); !found {
				b.Fatal("nothing left to learn")
			}
		}
		b.ReportMetric(1e3*b.Elapsed().Seconds()/float64(b.N), "ms/round")
	})
}

// An operation sorts the features.
func BenchmarkSort(b *testing.B) {
	const m, n = 100000, 20
	x, goal := benchRows(m, n, 1000)
	rows := newPairs(goal, nil).rows
	b.Run(fmt.Sprintf("m=%d/n=%d", m, n), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sortColumns(b.Context(), x, rows)
		}
	})
}
