// Package gen makes random problems for tests. They are small, and full of edge cases: ties,
// queries of one row or one label, queries with scattered rows, equal rows, zero rows, dependent
// features, few and many features.
package gen

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Problem is rows with labels and queries.
type Problem struct {
	M, N  int
	X     []float64 // m×n row-major
	Y     []float64
	Query []int // query of each row, 0…Queries−1, each of them present
	// Queries is the number of queries.
	Queries int
}

// Options bound a Problem; zero values give the defaults in brackets.
type Options struct {
	MaxRows     int  // [24]
	MaxFeatures int  // [30]
	OneQuery    bool // a single list
}

// New makes a random problem from r, with at least two different labels in some
// query.
func New(r *rand.Rand, o Options) Problem {
	if o.MaxRows == 0 {
		o.MaxRows = 24
	}
	if o.MaxFeatures == 0 {
		o.MaxFeatures = 30
	}
	for {
		p := Problem{M: 2 + r.IntN(o.MaxRows-1), N: 1 + r.IntN(o.MaxFeatures)}
		p.features(r)
		p.labels(r)
		p.queries(r, o.OneQuery)
		if p.learnable() {
			return p
		}
	}
}

func (p *Problem) features(r *rand.Rand) {
	p.X = make([]float64, p.M*p.N)
	shift := 0.0
	if r.IntN(3) == 0 {
		shift = 5 * r.NormFloat64()
	}
	for i := range p.X {
		p.X[i] = r.NormFloat64() + shift
		if r.IntN(8) == 0 {
			p.X[i] = 0
		}
	}
	row := func(i int) []float64 { return p.X[i*p.N : i*p.N+p.N] }
	for i := range p.M {
		switch r.IntN(12) {
		case 0:
			copy(row(i), row(r.IntN(p.M)))
		case 1:
			clear(row(i))
		}
	}
	if p.N > 1 && r.IntN(3) == 0 { // the last feature depends on the first
		for i := range p.M {
			row(i)[p.N-1] = 2 * row(i)[0]
		}
	}
}

func (p *Problem) labels(r *rand.Rand) {
	p.Y = make([]float64, p.M)
	levels := []int{2, 3, 5, 0}[r.IntN(4)]
	for i := range p.Y {
		if levels == 0 {
			p.Y[i] = r.NormFloat64()
		} else {
			p.Y[i] = float64(r.IntN(levels))
		}
	}
}

func (p *Problem) queries(r *rand.Rand, one bool) {
	p.Query = make([]int, p.M)
	p.Queries = 1
	if one {
		return
	}
	groups := 1 + r.IntN(min(6, p.M))
	for i := range p.Query {
		p.Query[i] = r.IntN(groups)
		if r.IntN(2) == 0 && i > 0 { // runs of one query
			p.Query[i] = p.Query[i-1]
		}
	}
	number := map[int]int{}
	for i, q := range p.Query {
		if _, ok := number[q]; !ok {
			number[q] = len(number)
		}
		p.Query[i] = number[q]
	}
	p.Queries = len(number)
}

func (p *Problem) learnable() bool {
	for i := range p.M {
		for j := range i {
			if p.Query[i] == p.Query[j] && p.Y[i] != p.Y[j] {
				return true
			}
		}
	}
	return false
}

// Censored draws which labels of p, taken as times, are censored: rows without an event. Some time of an event is
// before another one of its query.
func (p *Problem) Censored(r *rand.Rand) []bool {
	censored := make([]bool, p.M)
	for share := r.Float64(); ; share /= 2 {
		for i := range censored {
			censored[i] = r.Float64() < share
		}
		for i := range p.M {
			for j := range p.M {
				if p.Query[i] == p.Query[j] && p.Y[j] < p.Y[i] && !censored[j] {
					return censored
				}
			}
		}
	}
}

// Lambda is a regularisation parameter between 2^lo and 2^hi.
func Lambda(r *rand.Rand, lo, hi float64) float64 {
	return math.Exp2(lo + (hi-lo)*r.Float64())
}

// Linear is the m×m matrix of inner products.
func (p Problem) Linear() []float64 {
	return p.kernel(func(x, z []float64) float64 {
		s := 0.0
		for c, v := range x {
			s += v * z[c]
		}
		return s
	})
}

// Gaussian is the m×m matrix of exp(−γ‖x−z‖²).
func (p Problem) Gaussian(gamma float64) []float64 {
	return p.kernel(func(x, z []float64) float64 {
		s := 0.0
		for c, v := range x {
			s += (v - z[c]) * (v - z[c])
		}
		return math.Exp(-gamma * s)
	})
}

func (p Problem) kernel(k func(x, z []float64) float64) []float64 {
	out := make([]float64, p.M*p.M)
	for i := range p.M {
		for j := range p.M {
			out[i*p.M+j] = k(p.X[i*p.N:i*p.N+p.N], p.X[j*p.N:j*p.N+p.N])
		}
	}
	return out
}

// RowsOf lists the rows of query q.
func (p Problem) RowsOf(q int) []int {
	var rows []int
	for i, g := range p.Query {
		if g == q {
			rows = append(rows, i)
		}
	}
	return rows
}

// Count is the number of random problems of a test: PAIRRANK_PROBLEMS, or usual where that is not
// set.
func Count(t testing.TB, usual int) int {
	t.Helper()
	text := os.Getenv("PAIRRANK_PROBLEMS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("PAIRRANK_PROBLEMS=%q is not a number of problems", text)
	}
	return n
}
