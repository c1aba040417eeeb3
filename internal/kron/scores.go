package kron

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"pairrank/internal/krylov"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// SolveScores trains on the edges of s for every λ, as Solve, and emits the scores of the edges to, in the order of
// lambdas. It returns the number of λ whose iteration ended before the tolerance.
//
// The Lanczos process of LQL from Ly makes one basis for all λ, whose iterates follow from short recurrences
// ([krylov.Shift]). They run over the scores of to alone, which the product of an iteration gives beside those of the
// training edges. All λ together cost as many products as the smallest λ alone. Each λ needs memory for two numbers
// for each edge of to. The residual is that of the recurrence.
//
// Solve trains a λ below 1e-5 of the largest eigenvalue, and one that the recurrence does not solve. It begins with
// the largest of them, and each further one starts at the solution of the last. lambdas ascend. SolveScores returns the
// errors of Solve, and panics where it does, and for options with Start or Each.
func SolveScores(ctx context.Context, s System, to Edges, lambdas []float64, o SolveOptions,
	emit func(l int, f []float64)) (unconverged int, err error) {
	if o.Start != nil || o.Each != nil {
		panic("kron: SolveScores has no start and reports no iteration")
	}
	for _, lambda := range lambdas {
		checkLambda(lambda)
	}
	if o, err = o.resolved(); err != nil {
		return 0, err
	}
	scores, err := s.sharedScores(ctx, to, lambdas, o)
	if err != nil {
		return 0, err
	}
	onto := sync.OnceValue(func() *Operator { return NewOperator(s.Kernel, s.Rows, s.Cols, to, s.Edges) })
	for l := len(lambdas) - 1; l >= 0; l-- {
		if scores[l] != nil {
			continue
		}
		fit, err := Solve(ctx, s, lambdas[l], o)
		if errors.Is(err, ErrNumerical) {
			err = fmt.Errorf("λ = %g: %w", lambdas[l], err)
		}
		if err != nil {
			return unconverged, err
		}
		if !fit.Converged {
			unconverged++
		}
		o.Start = fit.Coef
		scores[l] = make([]float64, to.Len())
		onto().MulTo(scores[l], fit.Coef)
	}
	for l, f := range scores {
		emit(l, f)
	}
	return unconverged, nil
}

// sharedScores are the scores of to for each λ that one Krylov space serves, nil for the others.
func (s System) sharedScores(ctx context.Context, to Edges, lambdas []float64, o SolveOptions) ([][]float64, error) {
	fewest := 2 // λ that share
	if o.Scores > 0 {
		fewest = 1
	}
	scores := make([][]float64, len(lambdas))
	if len(lambdas) < fewest {
		return scores, nil
	}
	z := newEdgeLanczos(s, to, lambdas, o.Loss)
	if !(z.norm > 0x1p-400 && z.norm < 0x1p400) || z.norm <= 1e-12*linalg.Nrm2(s.Y) { // Solve says what is left to learn
		return scores, nil
	}
	for k := 0; k < min(o.MaxIterations, 2*s.Edges.Len()) && !krylov.AllEnded(z.shifts); k++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		z.step(o)
	}
	for l, h := range slices.Backward(z.shifts) {
		if h.Converged && linalg.Finite(h.X) && !z.tooWide(h, o.Tolerance) {
			linalg.Scal(z.norm, h.X)
			scores[l] = h.X
		}
	}
	return scores, nil
}

// tooWide reports whether the largest eigenvalue is so many times a λ that the residual of its recurrence is wrong by
// the tolerance. It stays true.
func (z *edgeLanczos) tooWide(h *krylov.Shift, tolerance float64) bool {
	return z.largest > min(1e5, 1e16*tolerance)*h.Lambda
}

// edgeLanczos is the Lanczos process of LQL from Ly.
type edgeLanczos struct {
	q               *Operator // from the training edges to these and to others
	means           *means
	shifts          []*krylov.Shift
	v, before, next []float64
	f               []float64 // Qv
	norm            float64   // ‖Ly‖
	beta            float64
	largest         float64 // at least the largest eigenvalue of T
}

func newEdgeLanczos(s System, to Edges, lambdas []float64, loss Loss) *edgeLanczos {
	n := s.Edges.Len()
	out := Edges{Row: append(append([]int32(nil), s.Edges.Row...), to.Row...),
		Col: append(append([]int32(nil), s.Edges.Col...), to.Col...)}
	z := &edgeLanczos{q: NewOperator(s.Kernel, s.Rows, s.Cols, out, s.Edges),
		means: newMeans(s.Edges.Row, s.Rows.Rows, loss), v: append([]float64(nil), s.Y...), before: make([]float64, n),
		next: make([]float64, n), f: make([]float64, n+to.Len())}
	for _, lambda := range lambdas {
		z.shifts = append(z.shifts, krylov.NewShift(lambda, to.Len()))
	}
	z.means.takeOff(z.v)
	z.norm = linalg.Nrm2(z.v)
	linalg.Scal(1/z.norm, z.v)
	return z
}

// step is one step: a product with Q.
func (z *edgeLanczos) step(o SolveOptions) {
	z.q.MulTo(z.f, z.v)
	own, image := z.f[:len(z.v)], z.f[len(z.v):]
	z.means.takeOff(own)
	alpha := linalg.Dot(z.v, own)
	for i, w := range own {
		z.next[i] = w - alpha*z.v[i] - z.beta*z.before[i]
	}
	next := linalg.Nrm2(z.next)
	z.largest = max(z.largest, alpha+z.beta+next)
	parallel.For(len(z.shifts), func(_, l int) {
		h := z.shifts[l]
		if h.Ended = h.Ended || z.tooWide(h, o.Tolerance); !h.Ended {
			h.Advance(alpha, z.beta, next, image, o.Tolerance, 0)
			if o.Scores > 0 && h.Residual <= o.Scores*h.Image() {
				h.Ended, h.Converged = true, true
			}
		}
	})
	krylov.EndAt(z.shifts, next)
	z.before, z.v, z.next, z.beta = z.v, z.next, z.before, next
	linalg.Scal(1/next, z.v)
}
