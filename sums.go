package pairrank

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/kernelsum"
	"pairrank/kernel"
)

// learnsWeights reports whether one of the kernels is a sum whose weights are learnt.
func (o *EstimateOptions) learnsWeights() bool { return slices.ContainsFunc(o.Kernels, kernel.Learns) }

// refuseSums refuses to learn the weights of a sum of kernels.
func refuseSums(is bool, why string) error {
	return fault.Refuse(is, "Kernels", "%s", "have a sum whose weights are learnt by the exact held-out error "+why+
		": give the weights, as in 0.5*linear+0.5*gaussian:gamma=1")
}

// used is the kernel that the rows are learnt from: the given one, or a sum with the weights that were learnt.
func (t *trainer) used() kernel.Kernel {
	return map[bool]kernel.Kernel{true: t.kernel, false: t.spec}[kernel.Learns(t.spec)]
}

// unweighed is the trainer, which weighs a sum of kernels for itself.
func (t *trainer) unweighed() *trainer {
	if kernel.Learns(t.spec) {
		t.kernel, t.k, t.lowered = t.spec, nil, lowering{}
	}
	return t
}

// weighing is a sum of kernels whose weights are learnt, by package kernelsum.
type weighing struct {
	terms  []kernel.Term
	goal   *goals.Goal
	rows   *kernelsum.Rows
	shares []float64 // of the terms
}

// newWeighing starts at the weights of centred alignment.
func newWeighing(of kernel.Kernel, x data.Matrix, y []float64, goal *goals.Goal) *weighing {
	w := &weighing{terms: kernel.Terms(of), goal: goal}
	matrices := make([]*data.Dense, len(w.terms))
	for i, t := range w.terms {
		matrices[i] = kernel.Matrix(t.Kernel, x, x)
	}
	w.rows = kernelsum.NewRows(matrices, y, goal)
	w.shares = w.rows.Start()
	return w
}

// learn returns the sum with the weights of the least error of what a method leaves out.
func (w *weighing) learn(ctx context.Context, labels holdout.Labels, method cv.Method, seed uint64,
	lambdas []float64) (kernel.Kernel, error) {
	held, err := heldForWeights(labels, w.goal, method, seed)
	if err != nil {
		return nil, err
	}
	w.rows.HoldOut(held, lambdas)
	if w.shares, err = kernelsum.Learn(ctx, w.rows); err != nil {
		return nil, err
	}
	return w.sum()
}

// text says which weights were learnt.
func (w *weighing) text(nested bool) string {
	names := make([]string, len(w.terms))
	for i, t := range w.terms {
		names[i] = t.Kernel.String()
	}
	other := map[bool]string{true: "the nested error", false: "a nested estimate"}[nested]
	return fmt.Sprintf("held-out rows have helped, by their labels, too: the weights of %s have "+
		"the least squared held-out error, too low by the choice; %s is not", kernelsum.Text(names, w.shares), other)
}

// sum is the sum with the shares.
func (w *weighing) sum() (kernel.Kernel, error) {
	weights := kernelsum.Weights(w.shares, w.rows.Norms)
	var some []kernel.Term
	for i, t := range w.terms {
		if norm := w.rows.Norms[i]; math.IsNaN(norm) || math.IsInf(norm, 0) {
			return nil, fault.Dataf("the matrix of kernel %s overflows double precision", t.Kernel)
		}
		if t.Weight = weights[i]; t.Weight > 0 {
			some = append(some, t)
		}
	}
	if some == nil {
		return nil, errZeroKernel
	}
	return kernel.NewSum(some...), nil
}

// heldForWeights is what a method leaves out, or an error where the squared error without it has no closed form.
func heldForWeights(labels holdout.Labels, goal *goals.Goal, method cv.Method, seed uint64) (held kernelsum.Held,
	err error) {
	if method.Kind == cv.LeavePairOut {
		_, uniform := goal.PairScale()
		err := goal.CanHoldOutAny()
		switch {
		case err != nil:
			return held, refuseSums(true, "and "+err.Error())
		case labels.Blocks() != nil || !uniform:
			return held, refuseSums(true, "of rows or folds, and pairs of groups or of rows with weights are left out "+
				"(take kfold:10)")
		}
		return held, nil
	}
	splits, err := labels.Splits(method, seed)
	if err != nil {
		return held, err
	}
	if err := goal.CanHoldOut(splits.Groups()); err != nil {
		return held, refuseSums(true, "and "+err.Error())
	}
	for g := range splits.Len() {
		if set := splits.Test(g); len(set) > 0 {
			held.Sets = append(held.Sets, set)
		}
	}
	held.Alone = method.Kind == cv.LeaveOneOut
	return held, nil
}
