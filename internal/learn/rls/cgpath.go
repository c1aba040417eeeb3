package rls

import (
	"context"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/krylov"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// TrainingsAtOnce is the number of systems, one for each training and output, that share the passes
// over x. Each takes the memory of three vectors of length n and two of length m. Sparse rows with
// five systems or more take the memory of sixteen.
const TrainingsAtOnce = 16

// ConjugateGradientsPath trains for every λ of a list in one Krylov space, that of XᵀLX and Xᵀr,
// which all λ share. An iteration costs the products of ConjugateGradients once. Each λ that has
// not converged takes 2n numbers and O(n) an iteration. Sparse rows are also kept transposed. With
// one output, no more sparse rows than features, and o.Scores or a tolerance of 1e-7 or more, the
// vectors have length m in place of n, and an iteration reads each stored value once. There is no
// preconditioner, since it would change the regulariser with λ; where the sizes of the features
// differ by much, ConjugateGradients takes fewer iterations for each λ. The eigenvalues of text fall
// too slowly for deflation: a Nyström preconditioner (Frangella, Tropp and Udell 2023) of rank 200
// lowers the iterations on 20 newsgroups at λ = 1 from 883 to 538, and each λ would need products of
// its own. With o.Scores 0, ConjugateGradients finishes each λ for which the recurrences have not
// reached the tolerance.
//
// It returns the fits and results in the order of lambdas, and the errors of ConjugateGradients. It
// panics where ConjugateGradients does, and with o.Start.
func ConjugateGradientsPath(ctx context.Context, x data.Matrix, goal *goals.Goal, lambdas []float64,
	o CGOptions) ([]*Fit, []CGResult, error) {
	o = o.resolvedPath(lambdas)
	basis := Primal(x)
	problem := newProblem(basis, goal)
	_, n := x.Dims()
	fits, results := make([]*Fit, len(lambdas)), make([]CGResult, len(lambdas))
	b := basis.linearTerm(problem.R)
	for l, lambda := range lambdas {
		w := linalg.NewMat(n, goal.Outputs)
		fits[l] = &Fit{Lambda: lambda, Coef: dense(w), basis: basis, goal: goal, w: w, b: b, iterate: true}
		results[l].Converged = true
	}
	xt := transposed(x)
	if m, _ := x.Dims(); xt != nil && m <= n && goal.Outputs == 1 && (o.Scores > 0 || o.Tolerance >= rowTolerance) {
		if err := pathInRows(ctx, xt, problem, lambdas, o, fits, results); err != nil {
			return fits, results, err
		}
		return fits, results, finish(ctx, x, goal, fits, results, o)
	}
	for first := 0; first < goal.Outputs; first += TrainingsAtOnce {
		var systems []*system
		for c := first; c < min(first+TrainingsAtOnce, goal.Outputs); c++ {
			systems = append(systems, &system{l: goal.L, r: column(problem.R, c), whole: true})
		}
		z := newLanczos(x, xt, systems, lambdas, nil)
		err := iterate(ctx, z, o.part(first, len(systems), goal.Outputs))
		for k, s := range systems {
			for l, h := range s.shifts {
				results[l].add(h, o)
				for j, v := range h.X {
					fits[l].w.Row(j)[first+k] = v * s.norm
				}
			}
		}
		if err != nil {
			return fits, results, err
		}
	}
	return fits, results, finish(ctx, x, goal, fits, results, o)
}

// pathInRows sets the weights of one output for each λ.
func pathInRows(ctx context.Context, xt *data.CSR, problem pencil.Problem, lambdas []float64, o CGOptions, fits []*Fit,
	results []CGResult) error {
	z := newRowLanczos(xt, problem.L, column(problem.R, 0), lambdas)
	err := iterate(ctx, z, o)
	for l, h := range z.shifts {
		results[l].add(h, o)
		linalg.Scal(z.norm, h.X)
		xt.MulVecTo(fits[l].w.Data, h.X)
	}
	return err
}

// finish refuses fits that are not finite, and continues the iteration where the recurrences have
// not reached the tolerance.
func finish(ctx context.Context, x data.Matrix, goal *goals.Goal, fits []*Fit, results []CGResult, o CGOptions) error {
	for l, fit := range fits {
		if !linalg.Finite(fit.w.Data) || math.IsNaN(results[l].Residual) {
			return errOverflow
		}
		if o.Scores > 0 || !results[l].Converged {
			continue
		}
		o := o
		o.Start, o.Progress = fit.Coef, nil
		again, result, err := ConjugateGradients(ctx, x, goal, fit.Lambda, o)
		if err != nil {
			return err
		}
		result.Iterations += results[l].Iterations
		fits[l], results[l] = again, result
	}
	return nil
}

// add adds the solution of one output to the result of its λ.
func (r *CGResult) add(h *krylov.Shift, o CGOptions) {
	r.Iterations += h.Steps
	r.Residual = max(r.Residual, h.Residual, 0x1p-53) // NaN stays; that of the recurrence may fall below rounding
	if h.Steps > 0 && o.Scores > 0 {
		r.ScoreError = max(r.ScoreError, h.ScoreError())
	}
	r.Converged = r.Converged && h.Converged && (o.Scores > 0 || h.Steps == 0 || r.Residual <= o.Tolerance)
}

// column is a copy of column c.
func column(a linalg.Mat, c int) []float64 {
	out := make([]float64, a.Rows)
	for i := range out {
		out[i] = a.Row(i)[c]
	}
	return out
}

// resolvedPath is o with its defaults, for a list of λ.
func (o CGOptions) resolvedPath(lambdas []float64) CGOptions {
	for _, lambda := range lambdas {
		checkLambda(lambda)
	}
	if o.Start != nil {
		panic("rls: a start is of ConjugateGradients for one λ")
	}
	return o.resolved()
}

// Training is a goal over some rows, with other rows to predict.
type Training struct {
	Goal *goals.Goal
	Rows []int32 // the rows of the goal, in its order
	Held []int32 // the rows to predict
}

// PredictIteratively trains on some rows of x and predicts others, for every λ and each of several
// trainings. It iterates as ConjugateGradientsPath: a pass over x serves all λ and up to
// TrainingsAtOnce trainings. It computes the scores of the held rows without the weights. The
// memory is 3n + 2m numbers for each of these trainings, and 2 for each λ and held row. With
// o.Scores 0 the iteration ends by the residual of the recurrence.
//
// constant, of length n, adds constantᵀw to each score; nil adds nothing. emit receives the scores
// of training g for lambdas[l], held×v, in the order of g and l. It panics where a goal does not
// fit its rows, the number of outputs differs, a row is not in x, or a λ is not positive and
// finite, and with o.Start. It returns ErrNumerical where scores are not finite, and the error of
// ctx.
func PredictIteratively(ctx context.Context, x data.Matrix, trainings []Training, lambdas, constant []float64,
	o CGOptions, emit func(g, l int, f *data.Dense, result CGResult)) error {
	o = o.resolvedPath(lambdas)
	xt := transposed(x)
	for first := 0; first < len(trainings); {
		outputs := trainings[first].Goal.Outputs
		count := max(1, min(TrainingsAtOnce/outputs, len(trainings)-first))
		var systems []*system
		for _, t := range trainings[first : first+count] {
			systems = append(systems, t.systems(outputs)...)
		}
		z := newLanczos(x, xt, systems, lambdas, constant)
		if err := iterate(ctx, z, o.part(first, count, len(trainings))); err != nil {
			return err
		}
		for g := range count {
			if err := emitScores(systems[g*outputs:(g+1)*outputs], first+g, len(lambdas), o, emit); err != nil {
				return err
			}
		}
		first += count
	}
	return nil
}

// systems returns one system for each output of a training.
func (t Training) systems(outputs int) []*system {
	if t.Goal.Outputs != outputs || t.Goal.L.Dim() != len(t.Rows) {
		panic(fmt.Sprintf("rls: a goal of %d rows and %d outputs for %d rows and %d outputs",
			t.Goal.L.Dim(), t.Goal.Outputs, len(t.Rows), outputs))
	}
	var out []*system
	for c := range outputs {
		r := column(linalg.Mat{Rows: len(t.Rows), Cols: outputs, Stride: outputs, Data: t.Goal.R}, c)
		out = append(out, &system{l: t.Goal.L, r: r, rows: t.Rows, held: t.Held})
	}
	return out
}

// emitScores gives the scores of one training for every λ.
func emitScores(systems []*system, g, lambdas int, o CGOptions,
	emit func(g, l int, f *data.Dense, result CGResult)) error {
	for l := range lambdas {
		f, result := data.NewDense(len(systems[0].held), len(systems), nil), CGResult{Converged: true}
		for c, s := range systems {
			h := s.shifts[l]
			result.add(h, o)
			for i, v := range h.X {
				f.Row(i)[c] = v * s.norm
			}
		}
		if !linalg.Finite(f.Data) || math.IsNaN(result.Residual) {
			return errOverflow
		}
		emit(g, l, f, result)
	}
	return nil
}
