package model_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

// What Describe finds of rows with weights is what it finds of copies, by counting: ends, means and deviations of the
// curves of each output, which the file keeps.
func TestDescribe(t *testing.T) {
	const rounding = 1e-9
	r := rand.New(rand.NewPCG(46, 9))
	for range 100 {
		m, x := bent(r, 2)
		s := m.Scorer.(*model.Spline)
		weights, copies := make([]float64, x.Rows), []int{0}
		for i := range weights {
			weights[i] = float64(r.IntN(3))
			if i == 0 {
				weights[i]++
			}
			copies = append(copies, slices.Repeat([]int{i}, int(weights[i]))...)
		}
		copies = copies[1:]
		s.Describe(x, weights)
		for j := range x.Cols {
			line, least, largest := s.Seen.Row(j), math.Inf(1), math.Inf(-1)
			for o := range 2 {
				c := s.Curve(o, j)
				mean, square := 0.0, 0.0
				for _, i := range copies {
					v := x.Row(i)[j]
					least, largest = min(least, v), max(largest, v)
					mean += c.At(v) / float64(len(copies))
				}
				for _, i := range copies {
					square += math.Pow(c.At(x.Row(i)[j])-mean, 2) / float64(len(copies))
				}
				if got := line[model.Deciles+2*o:]; math.Abs(got[0]-mean) > rounding ||
					math.Abs(got[1]-math.Sqrt(square)) > rounding {
					t.Fatalf("%v, want mean %v and deviation %v", got, mean, math.Sqrt(square))
				}
				one := m.Output(o).Scorer.(*model.Spline)
				if one.Curve(0, j).At(0.5) != c.At(0.5) ||
					!slices.Equal(one.Seen.Row(j)[model.Deciles:], line[model.Deciles+2*o:][:2]) {
					t.Fatal("an output alone differs")
				}
			}
			if line[0] != least || line[model.Deciles-1] != largest || !slices.IsSorted(line[:model.Deciles]) {
				t.Fatalf("%v of values from %v to %v", line, least, largest)
			}
		}
		var text bytes.Buffer
		if err := m.Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := model.Read(&text, "m")
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Scorer.(*model.Spline); !slices.Equal(got.Seen.Data, s.Seen.Data) {
			t.Fatalf("%v, read %v", s.Seen.Data, got.Seen.Data)
		}
		s.Seen.Data[0] = math.NaN()
		if m.Check() == nil {
			t.Fatal("a value that is not a number")
		}
		s.Seen = data.NewDense(x.Cols, 1, nil)
		if m.Check() == nil {
			t.Fatal("too few numbers")
		}
	}
}

// A feature of many rows has the deciles of its values, by counting.
func TestDeciles(t *testing.T) {
	const m = 4001
	x := data.NewDense(m, 1, nil)
	for i := range m {
		x.Data[i] = float64((i * 7) % m)
	}
	s := &model.Spline{Map: kernel.SplineOf(kernel.Spline{Knots: 1, Bends: 1}, [][]float64{{5}}),
		Weights: data.NewDense(1, 2, nil)}
	s.Describe(x, nil)
	for q, v := range s.Seen.Row(0)[:model.Deciles] {
		if v != float64(q*(m-1)/10) {
			t.Errorf("decile %d is %v", q, v)
		}
	}
}
