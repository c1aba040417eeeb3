package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/synth"
	"pairrank/kron"
)

// contest is one training and one test set of rock-paper-scissors.
type contest struct {
	train, test *data.Dense // strategies of the players
	edges       kron.Edges
	y           []float64
	wins        *data.Dense // probability that i of the test players beats j
}

// newContest makes the games.
func newContest(weight float64, seed uint64) (*contest, error) {
	g := synth.Game{Weight: weight, Seed: seed}
	train, games, err := g.Train()
	if err != nil {
		return nil, err
	}
	test, chances, err := g.Test()
	if err != nil {
		return nil, err
	}
	r := &contest{train: train, test: test, wins: data.NewDense(test.Rows, test.Rows)}
	for _, e := range games {
		r.edges.Row, r.edges.Col = append(r.edges.Row, int32(e.I)), append(r.edges.Col, int32(e.J))
		r.y = append(r.y, e.Value)
	}
	for _, e := range chances {
		r.wins.Row(e.I)[e.J] = e.Value
	}
	return r, nil
}

// error is the mean over the given test players of the pairwise error in the order
// of all others by xᵀWz, W 3×3 row by row.
func (r *contest) error(w []float64) (float64, error) {
	j, err := newJudge()
	if err != nil {
		return 0, err
	}
	n := r.test.Rows
	labels, scores := make([]float64, 0, n), make([]float64, 0, n)
	for i := range n {
		x := r.test.Row(i)
		var xw [3]float64
		for k := range 9 {
			xw[k%3] += x[k/3] * w[k]
		}
		labels, scores = labels[:0], scores[:0]
		for v := range n {
			if z := r.test.Row(v); v != i {
				labels = append(labels, r.wins.Row(i)[v])
				scores = append(scores, xw[0]*z[0]+xw[1]*z[1]+xw[2]*z[2])
			}
		}
		if err := j.add(labels, scores); err != nil {
			return 0, err
		}
	}
	return j.error(), nil
}

// tableOne is table 1 of the paper, in the order of players and of its rows.
var tableOne = map[float64][6]float64{
	1:   {0.4875, 0.4868, 0.4876, 0.4880, 0.4987, 0.4891},
	10:  {0.04172, 0.04145, 0.04519, 0.04291, 0.04535, 0.04116},
	100: {0.001380, 0.001366, 0.001424, 0.001354, 0.006997, 0.005824},
}

const tiny = 1.0 / (1 << 30) // the λ of table 1

// leastSquares are the first four columns of table 1.
var leastSquares = []struct {
	loss     kron.Loss
	relation kron.Relation
}{
	{kron.Regression, kron.Arbitrary}, {kron.Regression, kron.Reciprocal},
	{kron.Ranking, kron.Arbitrary}, {kron.Ranking, kron.Reciprocal},
}

// tally adds up the test errors of a setting of the games.
type tally struct {
	errors     [4][]float64
	svm        [2][][]float64 // kernel, λ, repetition
	unfinished int            // least squares
	stopped    [2][]int       // RankSVM, by kernel and λ
}

// games is table 1.
func games(ctx context.Context, s settings) (string, error) {
	var text, path strings.Builder
	text.WriteString("| | c.reg | c.reg (r) | c.rank | c.rank (r) | RankSVM | RankSVM (r) | RankSVM, best λ | RankSVM (r), best λ |\n|---|---|---|---|---|---|---|---|---|\n")
	fmt.Fprintf(&path, "| RankSVM, λ |%s\n|---|%s\n", columns(svmLambdas, power), strings.Repeat("---|", len(svmLambdas)))
	unfinished, trained := 0, 0
	for _, weight := range strings.Split(s.weights, ",") {
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			return "", err
		}
		t, err := playAll(ctx, w, s)
		if err != nil {
			return "", err
		}
		unfinished += t.unfinished
		trained += len(leastSquares) * s.repeats
		fmt.Fprintf(&text, "| **w%g** |", w)
		for _, e := range t.errors {
			fmt.Fprintf(&text, " %s |", meanAndError(e))
		}
		last := len(svmLambdas) - 1
		for k := range t.svm {
			fmt.Fprintf(&text, " %s |", meanAndError(t.svm[k][last]))
		}
		for k := range t.svm {
			b := best(t.svm[k])
			fmt.Fprintf(&text, " %s at %s |", meanAndError(t.svm[k][b]), power(svmLambdas[b]))
		}
		text.WriteString("\n")
		if paper, ok := tableOne[w]; ok {
			fmt.Fprintf(&text, "| the paper |%s | |\n", columns(paper[:], fourDigits))
		}
		for k, name := range []string{"", " (r)"} {
			fmt.Fprintf(&path, "| w%g%s |", w, name)
			for l := range svmLambdas {
				fmt.Fprintf(&path, " %s", fourDigits(mean(t.svm[k][l])))
				if n := t.stopped[k][l]; n > 0 {
					fmt.Fprintf(&path, " (%d)", n)
				}
				path.WriteString(" |")
			}
			path.WriteString("\n")
		}
	}
	return fmt.Sprintf("%s\nMeans of %d repetitions ± their standard error. Of %d least-squares trainings %d did not reach the tolerance.\n\n%s\nIn brackets: how many of the %d trainings stopped at %d iterations above a gap of %g.\n",
		text.String(), s.repeats, trained, unfinished, path.String(), s.repeats, svmIterations, svmEpsilon), nil
}

// playAll trains all learners on all repetitions.
func playAll(ctx context.Context, w float64, s settings) (*tally, error) {
	t := &tally{}
	for k := range t.svm {
		t.svm[k], t.stopped[k] = make([][]float64, len(svmLambdas)), make([]int, len(svmLambdas))
	}
	for n := range s.repeats {
		r, err := newContest(w, s.seed*1_000_003+uint64(n))
		if err != nil {
			return nil, err
		}
		for k, l := range leastSquares {
			fit, err := kron.SolveLinear(ctx, l.relation, r.train, r.train, r.edges, r.y, tiny, kron.SolveOptions{Loss: l.loss, Tolerance: 1e-10, MaxIterations: 1000})
			if err != nil {
				return nil, err
			}
			if !fit.Converged {
				t.unfinished++
			}
			e, err := r.error(fit.Coef)
			if err != nil {
				return nil, err
			}
			t.errors[k] = append(t.errors[k], e)
		}
		if err := r.playSVM(ctx, t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// best is the setting with the least mean, the first among equals.
func best(errors [][]float64) (b int) {
	for l := range errors {
		if mean(errors[l]) < mean(errors[b]) {
			b = l
		}
	}
	return b
}

func mean(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// meanAndError is the mean and its standard error.
func meanAndError(v []float64) string {
	m, ss := mean(v), 0.0
	for _, x := range v {
		ss += (x - m) * (x - m)
	}
	n := float64(len(v))
	if n < 2 {
		return fourDigits(m)
	}
	return fmt.Sprintf("%s ± %.1g", fourDigits(m), math.Sqrt(ss/(n-1)/n))
}

// fourDigits are those of the paper's tables.
func fourDigits(v float64) string {
	decimals := 4
	for x := math.Abs(v); x > 0 && x < 0.1 && decimals < 7; x *= 10 {
		decimals++
	}
	return fmt.Sprintf("%.*f", decimals, v)
}

// columns are the cells of a line of a table.
func columns[T any](values []T, format func(T) string) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(" " + format(v) + " |")
	}
	return b.String()
}
