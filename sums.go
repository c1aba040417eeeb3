package pairrank

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
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

// negligibleShare is the share of a kernel below which a sum does without it: the descent does not tell it from 0.
const negligibleShare = 1e-4

// matricesOf are the matrices of the terms of a sum.
func matricesOf(terms []kernel.Term, x data.Matrix) []*data.Dense {
	matrices := make([]*data.Dense, len(terms))
	for i, t := range terms {
		matrices[i] = kernel.Matrix(t.Kernel, x, x)
	}
	return matrices
}

// weightsText says which weights were learnt.
func weightsText(terms []kernel.Term, shares []float64, nested bool) string {
	texts := make([]string, len(shares))
	for i, t := range terms {
		texts[i] = fmt.Sprintf("%s %.3g %%", t.Kernel, 100*shares[i])
	}
	other := map[bool]string{true: "the nested error", false: "a nested estimate"}[nested]
	return fmt.Sprintf("the weights of %d kernels have the least squared held-out error: %s of the sum; the error is too "+
		"low by the choice; %s is not", len(shares), strings.Join(texts, ", "), other)
}

// sumOf is the sum with some shares of kernels of some norms.
func sumOf(terms []kernel.Term, shares, norms []float64) (kernel.Kernel, error) {
	var some []kernel.Term
	for i, t := range terms {
		if math.IsNaN(norms[i]) || math.IsInf(norms[i], 0) {
			return nil, fault.Dataf("the matrix of kernel %s overflows double precision", t.Kernel)
		}
		if shares[i] < negligibleShare || !(norms[i] > 0) {
			continue
		}
		// Four digits, so that a model shows weights that train it again.
		t.Weight, _ = strconv.ParseFloat(strconv.FormatFloat(shares[i]/norms[i], 'g', 4, 64), 64)
		some = append(some, t)
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
		return held, fault.As(fault.Data, "", err)
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
