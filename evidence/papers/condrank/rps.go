package main

import (
	"context"
	"errors"
	"math"

	"pairrank/data"
	"pairrank/internal/kron"
	"pairrank/internal/parallel"
	"pairrank/internal/synth"
	"pairrank/relation/edge"
)

// contest is one training and one test set of rock-paper-scissors.
type contest struct {
	train, test *data.Dense // strategies of the players
	edges       edge.Edges
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
	r := &contest{train: train, test: test, wins: data.NewDense(test.Rows, test.Rows, nil)}
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
	j, err := newPairError()
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

const tiny = 1.0 / (1 << 30) // the λ of table 1

// gameLambdas end with that of table 1.
var gameLambdas = func() (lambdas []float64) {
	for _, k := range []int{10, 5, 0, -2, -4, -6, -8, -10, -12, -15, -20, -25} {
		lambdas = append(lambdas, math.Ldexp(1, k))
	}
	return append(lambdas, tiny)
}()

// gameLearners are the columns of table 1; those without a loss of edges are
// RankSVM.
var gameLearners = []struct {
	name     string
	loss     edge.Loss
	relation edge.Relation
	svm      bool
}{
	{"c.reg", edge.Regression, edge.Arbitrary, false}, {"c.reg (r)", edge.Regression, edge.Reciprocal, false},
	{"c.rank", edge.Ranking, edge.Arbitrary, false}, {"c.rank (r)", edge.Ranking, edge.Reciprocal, false},
	{"RankSVM", "", edge.Arbitrary, true}, {"RankSVM (r)", "", edge.Reciprocal, true},
}

// trained is the test errors of a learner, by λ and repetition, and how many of its
// trainings were stopped.
type trained struct {
	errors  [][]float64
	stopped []int
}

// add takes the weights learnt with a λ.
func (t *trained) add(r *contest, l int, w []float64, converged bool) error {
	if !converged {
		t.stopped[l]++
	}
	e, err := r.error(w)
	t.errors[l] = append(t.errors[l], e)
	return err
}

// newTrained is one for each learner.
func newTrained() []trained {
	all := make([]trained, len(gameLearners))
	for k := range all {
		all[k] = trained{make([][]float64, len(gameLambdas)), make([]int, len(gameLambdas))}
	}
	return all
}

// playAll trains all learners on all repetitions.
func playAll(ctx context.Context, w float64, s settings) ([]trained, error) {
	played, problems := make([][]trained, s.repeats), make([]error, s.repeats)
	parallel.For(s.repeats, func(_, n int) { played[n], problems[n] = play(ctx, w, s.game(n)) })
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	all := newTrained()
	for _, one := range played {
		for k, t := range one {
			for l := range gameLambdas {
				all[k].errors[l] = append(all[k].errors[l], t.errors[l]...)
				all[k].stopped[l] += t.stopped[l]
			}
		}
	}
	return all, nil
}

// game is the seed of a repetition.
func (s settings) game(n int) uint64 { return s.seed*1_000_003 + uint64(n) }

// play trains all learners on one repetition.
func play(ctx context.Context, w float64, seed uint64) ([]trained, error) {
	r, err := newGames(w, drawn, seed)
	if err != nil {
		return nil, err
	}
	all := newTrained()
	for k, learner := range gameLearners {
		if learner.svm {
			err = r.playSVM(ctx, learner.relation == edge.Reciprocal, &all[k])
		} else {
			err = r.playLeastSquares(ctx, learner.loss, learner.relation, &all[k])
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// playLeastSquares trains over all λ.
func (r *contest) playLeastSquares(ctx context.Context, loss edge.Loss, relation edge.Relation, t *trained) error {
	for l, lambda := range gameLambdas {
		fit, err := kron.SolveLinear(ctx,
			kron.LinearSystem{Relation: relation, Rows: r.train, Cols: r.train, Edges: r.edges, Y: r.y}, lambda,
			kron.SolveOptions{Loss: loss, Tolerance: 1e-10, MaxIterations: 1000})
		if err != nil {
			return err
		}
		if err := t.add(r, l, fit.Coef, fit.Converged); err != nil {
			return err
		}
	}
	return nil
}
