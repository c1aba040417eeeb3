package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/relation/kron"
)

// earlyStop ends an iteration when the error on other edges falls no more.
type earlyStop struct {
	onto     *kron.Operator // from the training edges to the others
	scores   []float64
	judge    func(scores []float64) (metric.Value, error)
	patience int

	curve []float64 // error after each iteration
	least float64
	at    int // the iteration with the least error
	best  []float64
	err   error
}

// newEarlyStop reads the edges of --early-stop.
func (p *relationProblem) newEarlyStop(a *app, r cv.Relation) (*earlyStop, error) {
	edges, y, err := p.readEdges(a, p.plan.earlyStop)
	if err != nil {
		return nil, err
	}
	judge := cv.RowError(edges.Row, y)
	return &earlyStop{onto: kron.NewOperator(r.Pairwise(), r.Rows, r.Cols, edges, r.Edges), scores: make([]float64, len(y)),
		judge: judge, patience: p.plan.patience}, nil
}

// goOn judges the coefficients after another iteration.
func (s *earlyStop) goOn(coef []float64) bool {
	s.onto.MulTo(s.scores, coef)
	if s.err = finiteScores(s.scores, func(i int) string { return fmt.Sprintf("edge %d of --early-stop", i+1) }); s.err != nil {
		return false
	}
	v, err := s.judge(s.scores)
	if err == nil && !v.Defined {
		err = asData(fmt.Errorf("no two edges of a row of --early-stop have different labels, so they have no error"))
	}
	if err != nil {
		s.err = err
		return false
	}
	s.curve = append(s.curve, v.Value)
	if s.best == nil || v.Value < s.least {
		s.least, s.at, s.best = v.Value, len(s.curve), append(slices.Grow(s.best[:0], len(coef)), coef...)
	}
	return len(s.curve)-s.at < s.patience
}

// write writes the curve: iteration and error.
func (s *earlyStop) write(w io.Writer) error {
	for k, v := range s.curve {
		if _, err := fmt.Fprintf(w, "%d\t%s\n", k+1, strconv.FormatFloat(v, 'g', -1, 64)); err != nil {
			return err
		}
	}
	return nil
}
