package pairrank

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model/contribution"
)

// bentRows are rows with labels that bend and step with two features, and do not depend on a third.
func bentRows(r *rand.Rand, x *data.Dense) *data.Set {
	y := make([]float64, x.Rows)
	for i := range y {
		row := x.Row(i)
		y[i] = math.Abs(row[0]) + 0.5*row[1] + 0.5*r.NormFloat64()
	}
	return &data.Set{X: x, Y: y, Queries: data.OneList(x.Rows)}
}

// The shapes of a training have the mean 0 and their importance as the standard deviation over its rows; two standard
// errors around a shape cover what it is in the mean of many samples.
func TestShapesOfTrainings(t *testing.T) {
	for lambda, queries := range map[float64]int{1: 20, 30: 1, 100: 30} {
		covers(t, lambda, queries)
	}
}

// The standard errors of a selection of all features are those of a training without one.
func TestShapeErrorsOfSelections(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 31))
	x := data.NewDense(80, 3, nil)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	set := bentRows(r, x)
	set.Queries = data.NewPartition(foldsOf(r, 80, 16), 16)
	var all [2][]contribution.Shape
	for k, l := range []Learner{LeastSquares{}, Greedy{Features: 3}} {
		result, err := Train(t.Context(), Problem{Set: set}, Options{Learner: l, Lambdas: []float64{64},
			Kernels: []kernel.Kernel{kernel.Spline{Knots: 3, Bends: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		if all[k], err = contribution.Shapes(result.Model); err != nil {
			t.Fatal(err)
		}
		if err := result.ShapeErrors(t.Context(), all[k]); err != nil {
			t.Fatal(err)
		}
	}
	for k, s := range all[0] {
		for i, want := range s.StdErr {
			if got := all[1][k].StdErr[i]; math.Abs(got-want) > 1e-8*want {
				t.Errorf("feature %d at %v: standard error %v, and %v without a selection", s.Number, s.X[i], got, want)
			}
		}
	}
}

// covers tries trainings of rows of one list or of some queries.
func covers(t *testing.T, lambda float64, queries int) {
	const samples, m = 60, 120
	r := rand.New(rand.NewPCG(46, uint64(queries)))
	of := make([]int32, m)
	for i := range of {
		of[i] = int32(i % queries)
	}
	x := data.NewDense(m, 3, nil)
	for i := range m {
		x.Row(i)[0], x.Row(i)[1], x.Row(i)[2] = r.NormFloat64(), float64(r.IntN(2)), r.NormFloat64()
	}
	var all [][]contribution.Shape
	for range samples {
		set := bentRows(r, x.Clone())
		set.Queries = data.NewPartition(of, queries)
		o := Options{Kernels: []kernel.Kernel{kernel.Spline{Knots: 3, Bends: 1}}, Lambdas: []float64{lambda}}
		result, err := Train(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		shapes, err := contribution.Shapes(result.Model)
		if err != nil {
			t.Fatal(err)
		}
		if err := result.ShapeErrors(t.Context(), shapes); err != nil {
			t.Fatal(err)
		}
		ordered := make([]contribution.Shape, len(shapes))
		for _, s := range shapes {
			ordered[s.Number-1] = s
			mean, square := 0.0, 0.0
			for i := range m {
				v := s.At(x.Row(i)[s.Number-1])
				mean, square = mean+v/m, square+v*v/m
			}
			if math.Abs(mean) > 1e-10 || math.Abs(math.Sqrt(square)-s.Importance) > 1e-9 || s.Two != (s.Number == 2) {
				t.Fatalf("feature %d: mean %v, deviation %v of %v", s.Number, mean, math.Sqrt(square), s.Importance)
			}
		}
		all = append(all, ordered)
	}
	covered, points := 0, 0
	for j := range 3 {
		for k := range all[0][j].Adds {
			mean := 0.0
			for _, shapes := range all {
				mean += shapes[j].Adds[k] / samples
			}
			for _, shapes := range all {
				if points++; math.Abs(shapes[j].Adds[k]-mean) <= 2*shapes[j].StdErr[k] {
					covered++
				}
			}
		}
	}
	share := float64(covered) / float64(points)
	t.Logf("λ %v, %d queries: two standard errors cover in %.1f %% of %d points", lambda, queries, 100*share, points)
	if share < 0.88 || share > 0.995 {
		t.Errorf("two standard errors cover in %.1f %%", 100*share)
	}
}
