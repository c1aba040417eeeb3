package relation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/kernel"
	"pairrank/relation/kron"
)

// scored is a graph of all pairs with labels, and scores that know something of them, in
// some rows more than in others.
func scored(random *rand.Rand, rows, cols int, two bool) (*graph, []float64) {
	g := &graph{rows: data.NewDense(rows, rows, nil), cols: data.NewDense(cols, cols, nil)}
	var scores []float64
	for i := range rows {
		knows := 2 * random.Float64()
		for j := range cols {
			g.edges.Row, g.edges.Col = append(g.edges.Row, int32(i)), append(g.edges.Col, int32(j))
			y := random.NormFloat64()
			if two {
				y = map[bool]float64{true: 1}[y > 0.8]
			}
			g.y = append(g.y, y)
			scores = append(scores, math.Round(8*(knows*y+random.NormFloat64()))/8)
		}
	}
	return g, scores
}

// TestDrawErr draws 500 times, and compares how far the errors are apart with the standard
// error that each drawing states, for edges of some rows and of all.
func TestDrawErr(t *testing.T) {
	const rows, cols, drawings = 40, 30, 500
	for _, two := range []bool{false, true} {
		for _, sample := range []int{150, 600, 1000} {
			t.Run(fmt.Sprintf("two=%v/sample=%d", two, sample), func(t *testing.T) {
				g, scores := scored(rand.New(rand.NewPCG(7, 8)), rows, cols, two)
				all := &drawn{y: g.y, rows: rows, of: make([]int, len(g.y)), taken: [2]float64{1, 1}}
				for i := range rows {
					var row []int
					for j := range cols {
						row = append(row, i*cols+j)
					}
					all.at = append(all.at, row)
				}
				if e := all.stdErr(scores); !e.Defined || e.Value != 0 {
					t.Errorf("all edges are off by %v", e)
				}
				_, want, _ := all.residuals(scores)
				off, stated := 0.0, 0.0
				for seed := range drawings {
					edges := g.sample(scheme{setting: kron.Both, seed: uint64(seed), sample: sample})
					held, of := make([]int32, len(edges)), make([]float64, len(edges))
					for a, e := range edges {
						held[a], of[a] = int32(e), scores[e]
					}
					d := newDrawn(g, held)
					e := d.stdErr(of)
					if !e.Defined {
						t.Fatal("no standard error")
					}
					stated += e.Value * e.Value / drawings
					_, share, _ := d.residuals(of)
					off += (share - want) * (share - want) / drawings
				}
				// The root of 500 squares is within some 3 % of its mean; the rest is linearised.
				ratio := math.Sqrt(stated / off)
				t.Logf("stated %.4f, drawn %.4f, ratio %.3f", math.Sqrt(stated), math.Sqrt(off), ratio)
				if ratio < 0.85 || ratio > 1.2 {
					t.Errorf("the errors are off by %.4f, and %.4f is stated", math.Sqrt(off), math.Sqrt(stated))
				}
			})
		}
	}
}

// TestDrawnCounts compares the wrong pairs of each edge with all pairs, ties among them.
func TestDrawnCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, two := range []bool{false, true} {
		g, scores := scored(r, 6, 30, two)
		d := &drawn{y: g.y}
		row := r.Perm(len(g.y))[:60]
		wrong, pairs := make([]float64, len(g.y)), make([]float64, len(g.y))
		d.count(row, scores, wrong, pairs)
		for _, a := range row {
			for _, b := range row {
				if d.y[a] == d.y[b] {
					continue
				}
				pairs[a]--
				switch {
				case scores[a] == scores[b]:
					wrong[a] -= 0.5
				case (scores[a] < scores[b]) != (d.y[a] < d.y[b]):
					wrong[a]--
				}
			}
		}
		if slices.ContainsFunc(append(wrong, pairs...), func(v float64) bool { return v != 0 }) {
			t.Errorf("two labels %v: %v wrong and %v pairs beside those of all pairs", two, wrong, pairs)
		}
	}
}

// TestSampleAuto draws where all edges take too long, and only there.
func TestSampleAuto(t *testing.T) {
	few := &graph{rows: data.NewDense(40, 40, nil), cols: data.NewDense(50, 50, nil), y: make([]float64, 2000)}
	const each = 100_000 // a system of some 25 unknowns of a thousand nodes
	if n := few.allowed(31 * each); n != 0 {
		t.Errorf("%d of 2000 edges are drawn", n)
	}
	many := &graph{rows: data.NewDense(1000, 1, nil), cols: data.NewDense(1000, 1, nil), y: make([]float64, 1_000_000)}
	n, one := many.allowed(31*each), many.allowed(each)
	if n < 5_000 || n > 20_000 || one < 30*n || one > 32*n {
		t.Errorf("%d of a million edges are drawn for 31 λ, %d for one", n, one)
	}
	if least := many.allowed(1e9 * each); least != drawnOfRow*drawnOfRow {
		t.Errorf("%d edges are drawn where none are allowed", least)
	}
}

// TestSampleIsOfTheLambda draws fewer edges for values of λ with more unknowns, and for none so
// many that they take longer than allowed.
func TestSampleIsOfTheLambda(t *testing.T) {
	const nodes = 300
	r := rand.New(rand.NewPCG(5, 6))
	g := &graph{y: make([]float64, 5e6)} // more than are ever allowed
	features := data.NewDense(nodes, 20, nil)
	for i := range features.Data {
		features.Data[i] = r.NormFloat64()
	}
	g.rows = kernel.Matrix(kernel.Gaussian{Gamma: 0.05}, features, features)
	g.cols = g.rows
	factored, err := kron.Factor(t.Context(), g.rows, g.cols, data.NewDense(nodes, nodes, nil), kron.Options{Loss: kron.Regression})
	if err != nil {
		t.Fatal(err)
	}
	e := &exact{g: g, paths: []path{closedPath{factored}}}
	_, largest, _ := e.Extent()
	most, least := 0, math.MaxInt
	for octave := range 40 {
		work := e.bothWork([]float64{largest * math.Exp2(float64(-octave))}, nodes, nodes)
		n := g.allowed(work)
		if total := float64(n) * work; total > 1.01*cv.PairsBudget {
			t.Errorf("%d octaves: %d edges of %.3g multiplications", octave, n, work)
		}
		most, least = max(most, n), min(least, n)
	}
	if most < 3*least {
		t.Errorf("from %d to %d edges are drawn for all λ", least, most)
	}
}

// TestEstimateSaysWhatIsDrawn estimates a sample, which says so, and all, by name or by default.
func TestEstimateSaysWhatIsDrawn(t *testing.T) {
	p, o := someProblem(false), Options{Setting: Both, Loss: kron.Regression, Lambdas: []float64{0.5, 4}, Intervals: IntervalsNone}
	estimate := func(sample int) *Estimated {
		o.Sample = sample
		e, err := Estimate(t.Context(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	auto, all, some := estimate(SampleAuto), estimate(SampleAll), estimate(20)
	if auto.Drawn() || auto.Held != len(p.Y) || !slices.EqualFunc(auto.Points, all.Points, func(a, b cv.Point) bool { return a.Error == b.Error && a.Drawn == b.Drawn }) {
		t.Errorf("of %d edges %d are held out by default, %d where all are asked for", len(p.Y), auto.Held, all.Held)
	}
	if !some.Drawn() || some.Held != 20 {
		t.Errorf("%d edges are held out, drawn %v", some.Held, some.Drawn())
	}
	for _, point := range some.Points {
		if point.Drawn != 20 || !point.DrawErr.Defined || !(point.DrawErr.Value > 0) {
			t.Errorf("λ = %g: %d drawn, off by %v", point.Candidate, point.Drawn, point.DrawErr)
		}
	}
	o.Setting = Rows
	for _, sample := range []int{20, SampleAll, SampleAll - 1} {
		o.Sample = sample
		var fault *Error
		if _, err := Estimate(t.Context(), p, o); !errors.As(err, &fault) || fault.Option != "Sample" {
			t.Errorf("a sample of %d where rows are left out: %v", sample, err)
		}
	}
}
