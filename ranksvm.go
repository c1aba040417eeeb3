package pairrank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/await"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/journal"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/training"
	"pairrank/pref"
)

// RankSVM minimises
//
//	mean over pairs y_i > y_j of max(0, 1 − (f_i − f_j)), or of its square, + λ‖f‖²
//
// in O(ms + m log m) an iteration (Airola, Pahikkala and Salakoski 2011, Training linear ranking SVMs in
// linearithmic time using red-black trees). With kernels, or a Basis, it trains on the kernel map of the basis
// rows; without a Basis all rows are basis rows.
type RankSVM struct {
	// Loss is the loss of a pair; "" is ranksvm.Hinge.
	Loss string
	// Weight is pref.Pairs or pref.Edges; "" is pref.Pairs.
	Weight pref.Weight
	// Counter is the method of counting pairs; "" is the fastest.
	Counter string
	// Epsilon stops the training: at a gap to the optimum of Epsilon, or for the squared loss at a relative
	// gradient of Epsilon; 0 is 1e-3.
	Epsilon float64
	// MaxIterations bounds the iterations for one λ; 0 is 10,000.
	MaxIterations int
	// Basis has the rows of the kernel map.
	Basis Basis
	// Start has the n weights that the training starts from; nil is 0.
	Start []float64

	retrained
	byMap bool // rows go through the kernel map
}

// Name returns ranksvm.
func (RankSVM) Name() string { return "ranksvm" }

func (r RankSVM) learner(p *Problem, o *EstimateOptions) (learner, error) {
	r.Loss, r.Weight = cmp.Or(r.Loss, ranksvm.Hinge), cmp.Or(r.Weight, pref.Pairs)
	r.Epsilon, r.MaxIterations = cmp.Or(r.Epsilon, 1e-3), cmp.Or(r.MaxIterations, 10_000)
	r.byMap = !linear(o.Kernels) || r.Basis.given()
	return r, cmp.Or(
		fault.Refuse(!slices.Contains(ranksvm.Losses, r.Loss), "Loss",
			"%q is unknown: known are hinge and squared-hinge", r.Loss),
		fault.Refuse(r.Weight == pref.Size, "Weight",
			"size is not for ranksvm: its loss is a mean over pairs, or over queries with edges"),
		fault.Refuse(!(r.Epsilon > 0), "Epsilon", "is greater than 0, not %v", r.Epsilon),
		fault.Refuse(r.MaxIterations < 1, "MaxIterations", "is at least 1, not %d", r.MaxIterations),
		fault.Refuse(r.Start != nil && (r.byMap || mapped(o.Kernels)), "Start",
			"is for the linear kernel without a basis"),
		refuseSimpler(p, o, false),
		refuseMapped(o.Kernels, r.Basis.given(), "Basis",
			"and random features are two ways to approximate a kernel"),
		fault.Refuse(p.Labels != nil, "Learner", "ranksvm learns from the labels of the Set: several outputs are for "+
			"least squares"),
		r.checkPairs(p, o),
		refuseSums(o.learnsWeights(), "of least squares"),
		r.checkStart(p),
	)
}

// checkPairs refuses what is about pairs of labels where preferences or comparisons list the pairs.
func (r RankSVM) checkPairs(p *Problem, o *EstimateOptions) error {
	if !p.compares() {
		return nil
	}
	return cmp.Or(
		fault.Refuse(r.Weight != pref.Pairs || o.AllPairs, "Weight", "weighs or joins the pairs of queries, and preferences "+
			"and comparisons have weights"),
		fault.Refuse(r.counts(), "Counter", "counts the pairs that labels make, and preferences and comparisons list them"),
	)
}

// counts reports whether a counter was asked for.
func (r RankSVM) counts() bool { return r.Counter != "" && r.Counter != ranksvm.Counters[0] }

// checkStart refuses start weights if their number is not that of the features.
func (r RankSVM) checkStart(p *Problem) error {
	if p.Set == nil || p.Set.X == nil || r.Start == nil {
		return nil
	}
	_, n := p.Set.X.Dims()
	return fault.Refuse(len(r.Start) != n, "Start", "has %d weights for %d features", len(r.Start), n)
}

func (r RankSVM) objective(t *trainer) string {
	above, _ := t.difference()
	loss := "max(0, 1 - (" + above + "))"
	if r.Loss == ranksvm.SquaredHinge {
		loss += "^2"
	}
	mean := "mean"
	if r.Weight == pref.Edges && !t.o.AllPairs {
		mean = "mean over queries of the mean"
	}
	over := t.overPairs()
	if t.edges != nil {
		mean, over = "weighted mean", "the preferences of i to j"
	}
	return mean + " " + loss + " + lambda |f|^2 over " + over
}

func (r RankSVM) describe(t *trainer, i *training.Facts) {
	if i.Loss = r.Loss; t.edges == nil {
		i.QueryWeight = string(r.Weight)
	}
	rows.DescribeWeights(i, t.weights)
}

func (r RankSVM) basis() (Basis, bool) { return r.Basis, r.byMap }

func (r RankSVM) chooseSolver(t *trainer) (solution, error) {
	f := form(ofFeatures{true})
	if r.byMap {
		f = ofMap{ofBasis{true}}
	}
	if r.Loss == ranksvm.SquaredHinge {
		return t.iterative(solution{f, nil, Newton, "truncated Newton steps"}, 16)
	}
	return t.iterative(solution{f, nil, Bundle, "cutting planes"}, 17) // ten planes as a guess
}

// ofMap is weights of the kernel map of a basis, which lift turns into coefficients of the basis rows.
type ofMap struct{ ofBasis }

func (ofMap) met(s *trainer) rowReader {
	if s.image == nil {
		return nil
	}
	return s.image
}

func (f ofMap) against(s *trainer, h *heldRows) data.Matrix {
	if h.whole == nil {
		return f.ofBasis.against(s, h)
	}
	return h.whole.image.SelectRows(h.rows)
}

func (RankSVM) parameter() cv.Parameter { return cv.Lambda }

func (r RankSVM) count(t *trainer) int {
	if t.lambdas != nil {
		return len(t.lambdas)
	}
	return len(holdout.HingeLambdas(1, 1))
}

func (r RankSVM) candidates(s *trainer, _ *goals.Goal, _ *rls.Path) ([]float64, error) {
	if s.lambdas != nil {
		return s.lambdas, nil
	}
	x, err := r.rows(s)
	if err != nil {
		return nil, err
	}
	queries, free := s.compared(), s.rows()
	for g := range queries.Len() {
		if len(queries.Part(g)) > 0 {
			free--
		}
	}
	squares, sum := data.Scatter(x, queries.Of(), queries.Len()), 0.0
	for _, v := range squares {
		sum += v
	}
	return holdout.HingeLambdas(2*sum/float64(max(1, free)), holdout.Spread(squares)), nil
}

// rows is the matrix that the training is linear in: the features, or the kernel map.
func (r RankSVM) rows(s *trainer) (data.Matrix, error) {
	if r.byMap {
		return s.mappedRows()
	}
	return s.x, nil
}

func (r RankSVM) options() ranksvm.Options {
	return ranksvm.Options{Loss: r.Loss, Counter: r.Counter, Weight: r.Weight, Epsilon: r.Epsilon,
		MaxIterations: r.MaxIterations}
}

// solver makes a solver for rows x with the labels and queries of s.
func (r RankSVM) solver(s *trainer, x data.Matrix, o ranksvm.Options) (*ranksvm.Solver, error) {
	solver, err := r.ofPairs(s, x, o)
	if err == nil || errors.Is(err, goals.ErrNothingToLearn) {
		return solver, err
	}
	return solver, fault.As(fault.Use, "", err)
}

// ofPairs makes a solver for the pairs that labels make, or that are listed.
func (r RankSVM) ofPairs(s *trainer, x data.Matrix, o ranksvm.Options) (*ranksvm.Solver, error) {
	if o.Censored = s.censored; s.edges == nil {
		o.RowWeights = s.weights
		return ranksvm.New(x, s.y, s.compared(), o)
	}
	o.Counter = ""
	return ranksvm.NewPairs(x, s.edges, o)
}

// fit trains for one λ. If it is stopped, it returns the fit so far together with the error.
func (r RankSVM) fit(ctx context.Context, s *trainer, _ *goals.Goal, lambda float64) (*fit, error) {
	x, err := await.Result(ctx, func() (data.Matrix, error) { return r.rows(s) })
	if err != nil {
		return nil, err
	}
	o := r.options()
	o.Start = r.Start
	task := fmt.Sprintf("%s, λ = %s", s.solution.Solver, spell.Power(lambda))
	if tell := s.journal.Monitor.Progress; tell != nil {
		tell(event.Progress{Task: task})
		defer tell(event.Progress{Task: task, Ended: true})
		o.Progress = func(p ranksvm.Progress) {
			tell(event.Progress{Task: task, Done: int64(p.Iteration),
				State: map[string]any{"objective": p.Objective, "gap": p.Gap, "planes": p.Planes, "left": p.Left},
				Text:  fmt.Sprintf("iteration %d, J %.6g, gap %.2g", p.Iteration, p.Objective, p.Gap)})
		}
	}
	solver, err := r.solver(s, x, o)
	if err != nil {
		return nil, err
	}
	found, err := solver.Train(ctx, lambda)
	if found == nil || err != nil && found.Iterations == 0 && r.Start == nil {
		return nil, err // nothing worth keeping was learnt yet
	}
	f := &fit{trainer: s, lambda: lambda, objective: found.Objective, pairs: found.Pairs,
		coef: r.lift(s, column(found.Weights)), outcome: svmEnd{Fit: found}, doubt: s.doubt}
	return f, r.verdict(found, err)
}

// verdict returns the error of a fit that is not the optimum, or err.
func (r RankSVM) verdict(found *ranksvm.Fit, err error) error {
	switch {
	case err == nil && found.Converged || errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return stoppedEarly(codes.FaultDeadline, found, err)
	case err != nil:
		return err
	case found.Iterations >= r.MaxIterations:
		return stoppedEarly(codes.FaultIterations, found, err)
	case r.Loss == ranksvm.SquaredHinge:
		return stoppedEarly(codes.FaultRoundingSquared, found, err)
	}
	return stoppedEarly(codes.FaultRounding, found, err)
}

func stoppedEarly(code fault.Code, found *ranksvm.Fit, cause error) error {
	return &fault.Error{Kind: fault.Numerical, Code: code, Err: &ranksvm.StoppedError{Objective: found.Objective,
		Gap: found.Gap, Cause: cause}}
}

// svmEnd is the outcome of a training of RankSVM.
type svmEnd struct {
	direct
	*ranksvm.Fit
}

func (e svmEnd) tell(facts *Training) {
	facts.Iterations, facts.Gap, facts.Converged, facts.Planes = e.Iterations, e.Gap, e.Converged, e.Planes
}

func (e svmEnd) saved() []model.Fact {
	return []model.Fact{{Name: "iterations", Value: strconv.Itoa(e.Iterations)},
		{Name: "gap", Value: fmt.Sprintf("%.3g", e.Gap)}}
}

func (e svmEnd) doubt(f *fit) {
	s := f.trainer
	if s.warnAlike(f.goal) {
		return
	}
	if !allZero(e.Weights) {
		f.warnEqual(s.solution.form.met(s), column(e.Weights))
	}
	e.doubtOptimum(s.journal)
}

// doubtOptimum notes doubts about the optimum.
func (e svmEnd) doubtOptimum(j *journal.Journal) {
	const large = 0.1 // of J
	switch {
	case allZero(e.Weights):
		j.Add(event.Note{Warning: true, Code: codes.NoteWithinEpsilon,
			Text: "all weights are 0, so every row gets the same score: J(0) = 1 is within epsilon of the optimum",
			Remedy: "where the compared rows are not all alike, take a smaller λ, a smaller epsilon, or normalised " +
				"features"})
	case e.Converged && e.Gap > large*e.Objective:
		j.Add(event.Note{Warning: true, Code: codes.NoteWideGap,
			Text: fmt.Sprintf("the gradient is short, and still the objective %.6g may be %.2g above the optimum",
				e.Objective, e.Gap),
			Remedy: "normalise the features, or take a smaller epsilon"})
	}
}

// lift turns weights into those of the features, or weights of a kernel map into coefficients of the basis
// rows.
func (r RankSVM) lift(s *trainer, w *data.Dense) *data.Dense {
	if !r.byMap {
		return w
	}
	coef := data.NewDense(s.lift.Rows, 1, nil)
	s.lift.MulVecTo(coef.Data, w.Data)
	return coef
}

// predict trains from the largest λ down; the planes or the weights of one λ start the next.
func (r RankSVM) predict(ctx context.Context, s *trainer, _ *rls.Path, held *heldRows, lambdas []float64,
	emit func(l int, held holdout.Held)) error {
	x, err := r.rows(s)
	if err != nil {
		return err
	}
	ofMap := held.whole != nil || !r.byMap // held rows are multiplied by the weights of the map, not by coefficients
	other := s.solution.form.against(s, held)
	solver, err := r.solver(s, x, r.options())
	if err != nil {
		return err
	}
	weights := make([]*data.Dense, len(lambdas))
	for l := len(lambdas) - 1; l >= 0; l-- {
		found, err := solver.Train(ctx, lambdas[l])
		if err != nil {
			return err
		}
		if !found.Converged {
			s.unconverged.Add(1)
		}
		weights[l] = column(found.Weights)
	}
	constant := s.constant()
	for l, w := range weights {
		if !ofMap {
			w = data.Multiply(s.lift, w)
		}
		f := data.Multiply(other, w)
		if constant != nil {
			addConstant(f, r.lift(s, w), constant)
		}
		emit(l, holdout.PredictionsOf(f, r.summands(other, w, constant)))
	}
	return nil
}

// foldWork is the work of the iterations for each λ. Newton steps from the weights of another λ take about a
// quarter.
func (r RankSVM) foldWork(s *trainer, share float64, lambdas []float64) float64 {
	trainings := float64(len(lambdas))
	if r.Loss == ranksvm.SquaredHinge {
		trainings = 1 + (trainings-1)/4
	}
	return trainings * trainingSteps * s.stepWork(share)
}

func isLinear(k kernel.Kernel) bool { return k == kernel.Kernel(kernel.Linear{}) }
