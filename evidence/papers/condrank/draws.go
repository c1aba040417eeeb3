package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/kron"
	"pairrank/internal/parallel"
	"pairrank/relation/edge"
)

// reading is what may become of a game in which both players make the same move, which
// the paper leaves to another one.
type reading string

const (
	coin    reading = "a coin decides"
	nothing reading = "label 0"
	again   reading = "played again"
)

var readings = []reading{coin, nothing, again}

// drawn is the reading of table 1 and figure 2: of the three the one that has the paper's
// errors.
const drawn = nothing

// wins is how probable it is that the first player's move beats the second's: rock 0
// beats scissors 2, paper beats rock, scissors beat paper.
func wins(a, b []float64) (p float64) {
	for k := range a {
		p += a[k] * b[(k+2)%3]
	}
	return p
}

// replay plays all games again by a reading, and sets the truth to it: where draws are
// played again, a player wins with the probability given that somebody does.
func (r *contest) replay(of reading, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 0x64726177))
	for e := 0; e < len(r.y); e += 2 { // both directions of a game are next to each other
		a, b := r.train.Row(int(r.edges.Row[e])), r.train.Row(int(r.edges.Col[e]))
		win, loss := wins(a, b), wins(b, a)
		u := random.Float64()
		if of == again {
			u *= win + loss
		}
		y := 0.0
		switch {
		case u < win:
			y = 1
		case u < win+loss:
			y = -1
		case of == coin:
			y = float64(2*random.IntN(2) - 1)
		}
		r.y[e], r.y[e+1] = y, -y
	}
	if of != again {
		return
	}
	for i := range r.test.Rows {
		for j := range r.test.Rows {
			if win, loss := wins(r.test.Row(i), r.test.Row(j)), wins(r.test.Row(j), r.test.Row(i)); win+loss > 0 {
				r.wins.Row(i)[j] = win / (win + loss)
			}
		}
	}
}

// newGames makes the games with a reading of a draw.
func newGames(w float64, of reading, seed uint64) (*contest, error) {
	r, err := newContest(w, seed)
	if err == nil {
		r.replay(of, seed)
	}
	return r, err
}

// drawsTable is regression and ranking with the λ of table 1, for every reading of a
// draw.
func drawsTable(ctx context.Context, w float64, s settings, t *experiment.Table) error {
	paper, known := tableOne[w]
	for _, of := range readings {
		var found [2][]float64
		problems := make([]error, s.repeats)
		for k := range found {
			found[k] = make([]float64, s.repeats)
		}
		parallel.For(s.repeats, func(_, n int) {
			for k, loss := range []edge.Loss{edge.Regression, edge.Ranking} {
				if found[k][n], problems[n] = playAgain(ctx, w, of, loss, s.game(n)); problems[n] != nil {
					return
				}
			}
		})
		if err := errors.Join(problems...); err != nil {
			return err
		}
		regression, ranking := meanOf(found[0]), meanOf(found[1])
		row := []any{fmt.Sprintf("w%g", w), string(of), regression.mean, regression.stderr, ranking.mean,
			ranking.stderr, nil, nil}
		if known {
			row[6], row[7] = paper[0], paper[2]
		}
		t.Row(row...)
	}
	return nil
}

// playAgain is the error of one repetition with a reading of a draw.
func playAgain(ctx context.Context, w float64, of reading, loss edge.Loss, seed uint64) (float64, error) {
	r, err := newGames(w, of, seed)
	if err != nil {
		return 0, err
	}
	fit, err := kron.SolveLinear(ctx, kron.LinearSystem{Rows: r.train, Cols: r.train, Edges: r.edges, Y: r.y}, tiny,
		kron.SolveOptions{Loss: loss, Tolerance: 1e-10, MaxIterations: 1000})
	if err != nil {
		return 0, err
	}
	return r.error(fit.Coef)
}
