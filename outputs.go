package pairrank

import (
	"context"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/learn/rls"
)

// fitOutputs trains every output with its best λ, from one factorisation if there is one.
func (s *source) fitOutputs(ctx context.Context, chosen cv.KernelEstimate) (*fit, error) {
	lambdas := make([]float64, s.outputs)
	for k, e := range chosen.Outputs {
		lambdas[k] = e.Points[e.Best].Candidate
	}
	out := &fit{trainer: s.trainer, lambdas: lambdas, pairs: s.aim.Pairs, goal: s.aim, outcome: direct{}}
	if s.factored != nil {
		out.doubt = s.factored.doubt
	}
	for k, lambda := range lambdas {
		if slices.Index(lambdas, lambda) < k {
			continue // trained together with an earlier output
		}
		found, err := s.fitAll(ctx, lambda, out)
		if err != nil {
			return nil, err
		}
		if out.coef == nil {
			out.coef = data.NewDense(found.Coef.Rows, s.outputs, nil)
		}
		costs, err := s.costs(found)
		if err != nil {
			return nil, err
		}
		for o := range s.outputs {
			if lambdas[o] == lambda {
				copyColumn(out.coef, found.Coef, o)
				out.objective += costs[o]
			}
		}
	}
	if out.lambda = lambdas[0]; slices.Min(lambdas) < slices.Max(lambdas) {
		out.lambda = 0
	}
	return out, nil
}

// fitAll trains all outputs for one λ. If conjugate gradients run several times, it keeps the outcome farthest
// from the solution.
func (s *source) fitAll(ctx context.Context, lambda float64, into *fit) (*rls.Fit, error) {
	if s.factored == nil {
		found, end, err := s.learner.(LeastSquares).iterate(ctx, s.trainer, s.aim, lambda)
		last, is := into.outcome.(gradientsEnd)
		if farther := max(end.ScoreError, last.ScoreError); !is || end.Residual > last.Residual || math.IsNaN(end.Residual) {
			end.ScoreError, into.outcome = farther, end
		}
		return found, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.factored.path.Refit(lambda)
}

// costs are the objective of each output at a fit: the cost of f = 0 less rᵀf.
func (t *trainer) costs(found *rls.Fit) ([]float64, error) {
	scores, costs := found.Predictions(), make([]float64, t.outputs)
	for o := range costs {
		goal, err := t.of(t.relabelled(t.column(o), 1), t.round).goal()
		if err != nil {
			return nil, err
		}
		costs[o] = goal.Constant()
		for i, r := range goal.R {
			costs[o] -= r * scores.Row(i)[o]
		}
	}
	return costs, nil
}

func copyColumn(dst, from *data.Dense, c int) {
	for i := range dst.Rows {
		dst.Row(i)[c] = from.Row(i)[c]
	}
}

// column is the labels of one output.
func (r *sample) column(output int) []float64 {
	y := make([]float64, r.rows())
	for i := range y {
		y[i] = r.y[i*r.outputs+output]
	}
	return y
}
