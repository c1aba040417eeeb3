package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/kernel"
	"pairrank/model"
)

// prepare builds the program, unless there is one.
func (r *run) prepare() (err error) {
	if r.program != "" {
		r.program, err = filepath.Abs(r.program)
		return err
	}
	r.program = filepath.Join(r.dir, "pairrank")
	return experiment.BuildProgram(r.ctx, r.program)
}

// path is that of a file of this run.
func (r *run) path(name string) string { return filepath.Join(r.dir, name) }

func drawn(seed uint64, n int) []float64 {
	random := rand.New(rand.NewPCG(seed, 7))
	x := make([]float64, n)
	for k := range x {
		x[k] = random.NormFloat64()
	}
	return x
}

// linear writes a linear model of n features, all weights scaled by a factor.
func (r *run) linear(name string, n int, factor float64) error {
	w := drawn(1, n)
	for j := range w {
		w[j] *= factor
	}
	return r.weights(name, data.NewDense(1, n, w))
}

// outputs writes a linear model of n features and v outputs.
func (r *run) outputs(name string, n, v int) error {
	return r.weights(name, data.NewDense(v, n, drawn(1, v*n)))
}

func (r *run) weights(name string, w *data.Dense) error {
	m := &model.Model{Info: model.Info{Learner: "rankrls", Lambda: 1, Rows: 1000}, Scorer: &model.Linear{Weights: w}}
	return m.WriteFile(r.path(name))
}

// gaussian writes a kernel model of b support rows with n features.
func (r *run) gaussian(name string, b, n int) error {
	m := &model.Model{Info: model.Info{Learner: "rankrls", Lambda: 1, Rows: b}, Scorer: &model.Kernel{
		Kernel: kernel.Gaussian{Gamma: 1 / float64(n)}, Support: data.NewDense(b, n, drawn(2, b*n)),
		Coef: data.NewDense(b, 1, drawn(3, b)),
	}}
	return m.WriteFile(r.path(name))
}

// body is a request of rows with n features, which have so many digits behind the point, or
// for -1 as many as it takes to read the same float64 back.
func body(rows, n, digits int) string {
	var b strings.Builder
	b.WriteString(`{"rows":[`)
	for k, v := range drawn(4, rows*n) {
		switch {
		case k == 0:
			b.WriteByte('[')
		case k%n == 0:
			b.WriteString("],[")
		default:
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatFloat(v, 'f', digits, 64))
	}
	b.WriteString("]]}")
	return b.String()
}

// rows writes a table to train with.
func (r *run) rows(name string, rows, n int) error {
	var b strings.Builder
	x, y := drawn(5, rows*n), drawn(6, rows)
	for i := range rows {
		fmt.Fprintf(&b, "%g", y[i])
		for j, v := range x[i*n : (i+1)*n] {
			fmt.Fprintf(&b, " %d:%g", j+1, v)
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(r.path(name), []byte(b.String()), 0o666)
}
