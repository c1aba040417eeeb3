package rls

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pairrank/data"
)

const unit = 0x1p-53 // u, the rounding of a float64

func precise(v float64) *big.Float { return new(big.Float).SetPrec(2200).SetFloat64(v) }

// apart is |d − want| relative to largest.
func apart(d doubles, want *big.Float, largest float64) float64 {
	sum := new(big.Float).Add(precise(d.hi[0]), precise(d.lo[0]))
	diff, _ := sum.Sub(sum, want).Float64()
	return math.Abs(diff) / largest
}

// Sums of numbers of any size and sign are within 2u² a number of the largest sum that
// was ever held, with hi the rounded sum.
func TestDoublesAreDoubleWords(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 20))
	for range 200 {
		d, want, largest := newDoubles(1), precise(0), 0.0
		const n = 100
		for i := range n {
			v := math.Ldexp(r.NormFloat64(), r.IntN(120)-60)
			if i > n/2 {
				v = -d.hi[0] * (1 + 1e-3*r.NormFloat64()) // cancels
			}
			d.addFloats([]float64{v})
			want.Add(want, precise(v))
			largest = max(largest, math.Abs(d.hi[0]))
			if d.hi[0]+d.lo[0] != d.hi[0] {
				t.Fatalf("%v and %v overlap", d.hi[0], d.lo[0])
			}
		}
		if e := apart(d, want, largest); e > 2*n*unit*unit {
			t.Fatalf("off by %g of the largest sum", e)
		}
	}
}

// Adding and subtracting a number restores the sum, up to 3u² + 13u³ of the largest sum so far for
// each of the two operations, and 2⁻⁹⁰ of the subtracted number, which becomes 0.
func TestDoublesForget(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 21))
	for range 2000 {
		d, o, largest := newDoubles(1), newDoubles(1), 0.0
		for range 20 {
			d.addFloats([]float64{r.NormFloat64()})
			o.addFloats([]float64{math.Ldexp(r.NormFloat64(), r.IntN(140)-40)})
		}
		want := new(big.Float).Add(precise(d.hi[0]), precise(d.lo[0]))
		d.add(1, o)
		largest = max(math.Abs(d.hi[0]), math.Abs(o.hi[0]), 1)
		d.add(-1, o)
		if e := apart(d, want, largest); e > 7*unit*unit+0x1p-90 {
			t.Fatalf("off by %g of the largest sum", e)
		}
	}
}

// After subtraction, sums are within 1e-15 of the largest sum so far, and far closer: here products
// of features 2⁴⁰ times as large are added and subtracted.
func TestSumsComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 22))
	const asked, bound = 1e-15, 1e-27
	o, err := StatisticsOptions{}.Resolved()
	if err != nil {
		t.Fatal(err)
	}
	m, before, gone := newStatistics(o), newStatistics(o), newStatistics(o)
	add := func(to []*Statistics, scale float64) {
		x := data.NewDense(10+r.IntN(300), 7, nil)
		for i := range x.Data {
			x.Data[i] = scale * r.NormFloat64()
		}
		y := make([]float64, x.Rows)
		for i := range y {
			y[i] = float64(r.IntN(3))
		}
		for _, s := range to {
			if err := s.Add(x, y, nil, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 50 {
		add([]*Statistics{m, before}, 1)
		add([]*Statistics{m, gone}, 0x1p20)
	}
	m.flush()
	largest := 0.0
	for _, v := range m.folds[0].products.hi {
		largest = max(largest, math.Abs(v))
	}
	if err := m.Subtract(gone); err != nil {
		t.Fatal(err)
	}
	before.flush()
	worst, rest := 0.0, before.folds[0].products
	for i, v := range m.folds[0].products.hi {
		worst = max(worst, math.Abs(v-rest.hi[i]+(m.folds[0].products.lo[i]-rest.lo[i]))/largest)
	}
	if worst > asked || worst > bound {
		t.Errorf("the sums come back to %g of the largest", worst)
	}
}
