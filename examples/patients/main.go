// Patients leaves one pair of ten patients out in three ways that must agree: by
// training on the other eight, by the lemma of least squares written out, and by
// the library, which leaves out all pairs at once. The numbers are those that
// docs/by-hand.md works out by hand.
//
//	go run ./examples/patients
package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"

	"pairrank"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/model"
)

//go:embed ten.txt
var ten []byte

const lambda = 32

// The pair: patients 5 and 10, counted from 0.
const first, second = 4, 9

func main() { report(os.Stdout) }

func report(w io.Writer) {
	ctx := context.Background()
	set, err := svmlight.ReadAll(ctx, bytes.NewReader(ten), "ten.txt", svmlight.Options{Storage: svmlight.StoreDense})
	check(err)
	retrained(ctx, w, set)
	byLemma(w, set)
	byLibrary(ctx, w, set)
}

// retrained trains on the rows that stay.
func retrained(ctx context.Context, w io.Writer, set *data.Set) {
	var rows []int
	for i := range set.Y {
		if i != first && i != second {
			rows = append(rows, i)
		}
	}
	weights, f := trained(ctx, set.Subset(rows), set)
	fmt.Fprintf(w, "trained on eight  w = (%.3f, %.3f)  f_5 = %.3f  f_10 = %.3f\n", weights[0], weights[1],
		f[first], f[second])
}

// trained returns the weights of a training, and the scores of all rows.
func trained(ctx context.Context, rows, all *data.Set) (weights, f []float64) {
	result, err := pairrank.Train(ctx, pairrank.Problem{Set: rows}, pairrank.Options{Lambdas: []float64{lambda}})
	check(err)
	f, err = result.Model.Score(all)
	check(err)
	return result.Model.Scorer.(*model.Linear).Weights.Data, f
}

// byLemma is the shortcut for centred features that are orthogonal, whose
// squares add up to s: no equation larger than two unknowns.
func byLemma(w io.Writer, set *data.Set) {
	x := set.X.(*data.Dense)
	m, h := float64(x.Rows), 2.0
	scaled := lambda * m / (m - h)
	var d, weights [2]float64
	mean := 0.0
	for i, y := range set.Y {
		mean += y / m
		for k, v := range x.Row(i) {
			d[k] += v * v
			weights[k] += v * y
		}
	}
	for k, s := range d {
		d[k] = m / (m*s + scaled)
		weights[k] *= d[k]
	}
	pair := [2]int{first, second}
	var f, a [2]float64
	var gl, q [2][2]float64
	for p, i := range pair {
		xi := x.Row(i)
		f[p] = weights[0]*xi[0] + weights[1]*xi[1]
		a[p] = m * (set.Y[i] - mean - f[p]) / scaled
		for r, j := range pair {
			xj := x.Row(j)
			gl[p][r] = d[0]*xi[0]*xj[0] + d[1]*xi[1]*xj[1]
			q[p][r] = (-1 - m*gl[p][r]) / scaled
		}
		q[p][p] += m / scaled
	}
	det := q[0][0]*q[1][1] - q[0][1]*q[1][0]
	delta := [2]float64{(q[1][1]*a[0] - q[0][1]*a[1]) / det, (q[0][0]*a[1] - q[1][0]*a[0]) / det}
	fmt.Fprintf(w, "λ × 10/8          λ = %g  w = (%.3f, %.3f)  f_5 = %.3f  f_10 = %.3f\n", scaled, weights[0],
		weights[1], f[0], f[1])
	fmt.Fprintf(w, "(GL)_HH           %.3f %.3f\n                  %.3f %.3f\n", gl[0][0], gl[0][1], gl[1][0], gl[1][1])
	fmt.Fprintf(w, "Q_HH              %.5f %.5f\n                  %.5f %.5f\n", q[0][0], q[0][1], q[1][0], q[1][1])
	fmt.Fprintf(w, "a_H               %.4f %.4f\n", a[0], a[1])
	fmt.Fprintf(w, "δ                 %.2f %.2f\n", delta[0], delta[1])
	for p := range f {
		f[p] -= gl[p][0]*delta[0] + gl[p][1]*delta[1]
	}
	fmt.Fprintf(w, "by the lemma      f_5 = %.3f  f_10 = %.3f\n", f[0], f[1])
}

// byLibrary factors once and leaves all pairs out.
func byLibrary(ctx context.Context, w io.Writer, set *data.Set) {
	estimated, err := pairrank.Estimate(ctx, pairrank.Problem{Set: set}, pairrank.EstimateOptions{
		Options: pairrank.Options{Lambdas: []float64{lambda}}, HeldOut: true})
	check(err)
	var f [2]float64
	check(estimated.HeldOutPairs(ctx, func(i int, fi, fj []float64) {
		if i == first { // fi and fj are of the pairs of row i with i+1, i+2, …
			f = [2]float64{fi[second-first-1], fj[second-first-1]}
		}
	}))
	fmt.Fprintf(w, "by the library    f_5 = %.3f  f_10 = %.3f\n", f[0], f[1])
	_, in := trained(ctx, set, set)
	fmt.Fprintf(w, "not held out      f_5 = %.3f  f_10 = %.3f\n", in[first], in[second])
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
