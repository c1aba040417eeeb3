package relation

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/krylov"
	"pairrank/kernel"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
)

// Check returns an *Error of kind Use, which names the option, for options that contradict each other or the
// kinds of nodes in p. It reads only the kernels of p, whether there are column nodes, and whether nodes have
// features or similarities, so a program may call it before it reads data. Train calls it. It costs O(1).
func (o Options) Check(p Problem) error {
	o = o.Resolved()
	for _, check := range []func(*Options, *Problem) error{checkNames, checkNodes, checkKernels, checkRelation,
		checkLambdas, checkMethod, checkSample, checkSums, checkSolver} {
		if err := check(&o, &p); err != nil {
			return err
		}
	}
	return nil
}

// Check works as Options.Check, and checks the other fields of EstimateOptions, too.
func (o EstimateOptions) Check(p Problem) error {
	return cmp.Or(o.Options.Check(p), o.checkNested(), o.checkPermutations(), o.checkPermutedSums(&p), o.checkIntervals(),
		o.checkLearner())
}

// In texts, options are named as Options.Field and nodes as Problem.Field, so that a
// front can say what they are called there.

// checkNames refuses names that are not known.
func checkNames(o *Options, p *Problem) error {
	switch {
	case !slices.Contains(Learners, o.Learner):
		return fault.Optionf("Learner", "%s is not known: known are %s, %s, %s", o.Learner, RankRLS, Similarity,
			TwoStep)
	case o.Loss != edge.Ranking && o.Loss != edge.Regression:
		return fault.Optionf("Loss", "%s is not known: known are %s, %s", o.Loss, edge.Ranking, edge.Regression)
	case o.Relation != edge.Arbitrary && o.Relation != edge.Symmetric && o.Relation != edge.Reciprocal:
		return fault.Optionf("Relation", "%s is not known: known are %s, %s, %s", o.Relation, edge.Arbitrary,
			edge.Symmetric, edge.Reciprocal)
	case !o.Kernel.Known():
		return fault.Optionf("Kernel", "%s is not known: known are %v", o.Kernel, pairwise.Kernels)
	case !slices.Contains(edge.Settings, o.Setting):
		return fault.Optionf("Setting", "%s is not known: known are %v", o.Setting, edge.Settings)
	case !slices.Contains(solvers, o.Solver):
		return fault.Optionf("Solver", "%s is not for edges between nodes: known are auto, closed, cg, primal",
			o.Solver)
	}
	return nil
}

// checkNodes refuses nodes without data, and kernels that do not match the data.
func checkNodes(_ *Options, p *Problem) error {
	if p.Rows == nil {
		return fault.As(fault.Use, "", errors.New("the row nodes are missing, with features or similarities"))
	}
	for _, side := range []struct {
		name string
		*Nodes
	}{{"Rows", p.Rows}, {"Cols", p.cols()}} {
		_, random := side.NodeKernel().(kernel.Fourier)
		clinical := slices.ContainsFunc(kernel.Terms(side.NodeKernel()), func(t kernel.Term) bool {
			_, is := t.Kernel.(kernel.Clinical)
			return is
		})
		_, spline := side.NodeKernel().(kernel.Spline)
		switch {
		case spline:
			return fault.Optionf(side.name+".Kernel", "is %s, whose knots are those of rows, and is for models of rows",
				side.NodeKernel())
		case clinical:
			return fault.Optionf(side.name+".Kernel", "is %s, which learns the ranges of rows, and is for models of rows",
				side.NodeKernel())
		case random:
			return fault.Optionf(side.name+".Kernel", "is %s, and random features are for models of rows",
				side.NodeKernel())
		case side.X != nil && side.Similarity != nil:
			return fault.As(fault.Use, "", fmt.Errorf("nodes have X or Similarity, and Problem.%s has both", side.name))
		case side.Similarity != nil && !side.precomputed():
			return fault.As(fault.Use, "", fmt.Errorf("the kernel %[2]s is of features, and Problem.%[1]s has Similarity: "+
				"leave it nil, or precomputed", side.name, side.NodeKernel()))
		}
	}
	return nil
}

// checkKernels refuses what the kernels do not allow.
func checkKernels(o *Options, p *Problem) error {
	clips := []pairwise.Kernel{pairwise.Kronecker, pairwise.Symmetric, pairwise.Reciprocal}
	given := kernel.Kernel(kernel.Precomputed{})
	switch {
	case (o.PSD != edge.None || o.Symmetrize) && p.Rows.NodeKernel() != given && p.cols().NodeKernel() != given:
		return fault.Optionf("PSD", "and symmetrizing are for similarity matrices: nodes with the kernel precomputed")
	case o.PSD == edge.Clip && !slices.Contains(clips, o.Kernel):
		return fault.Optionf("PSD", "clip is for the pairwise kernels kronecker, symmetric and reciprocal, through "+
			"which new nodes are repaired alike; shift is for any")
	case o.Kernel == pairwise.Cartesian && o.Setting != edge.Pairs:
		return &fault.Error{Kind: fault.Use, Err: errCartesian}
	}
	return nil
}

// checkRelation refuses relations of one domain if there are two, and a pairwise kernel other than that of the
// relation.
func checkRelation(o *Options, p *Problem) error {
	switch {
	case !p.OneDomain() && o.Relation != edge.Arbitrary:
		return fault.Optionf("Relation", "%s is of one domain, and there are column nodes of another", o.Relation)
	case !p.OneDomain() && o.Kernel.OneDomain():
		return fault.Optionf("Kernel", "%s is of one domain, and there are column nodes of another", o.Kernel)
	case o.Relation != edge.Arbitrary && o.Kernel != o.Relation.Pairwise():
		return fault.Optionf("Relation", "%s has the pairwise kernel %s, not %s", o.Relation, o.Relation.Pairwise(),
			o.Kernel)
	case !o.Learner.learns() && !p.OneDomain():
		return fault.Optionf("Learner", "similarity ranks the nodes of one domain, and there are column nodes of "+
			"another")
	}
	return nil
}

// checkLambdas refuses invalid values of λ, and values that are not ascending.
func checkLambdas(o *Options, _ *Problem) error {
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	switch {
	case slices.ContainsFunc(o.Lambdas, func(v float64) bool { return !positive(v) }) || !slices.IsSorted(o.Lambdas):
		return fault.Optionf("Lambdas", "are ascending numbers greater than 0, not %v", o.Lambdas)
	case len(slices.Compact(slices.Clone(o.Lambdas))) < len(o.Lambdas):
		return fault.Optionf("Lambdas", "are ascending numbers, and one of %v stands there twice", o.Lambdas)
	case o.Learner.inTwoSteps() && !positive(o.LambdaCols):
		return fault.Optionf("LambdaCols", "is one number greater than 0, not %v", o.LambdaCols)
	}
	return nil
}

// checkMethod refuses invalid methods.
func checkMethod(o *Options, _ *Problem) error {
	if o.Method == nil {
		return nil
	}
	kind := o.Method.Kind
	switch {
	case kind != "" && kind != cv.LeavePairOut && kind != cv.LeaveOneOut && kind != cv.KFold:
		return &fault.Error{Kind: fault.Use, Err: errMethod}
	case kind == cv.LeavePairOut && o.Setting != edge.Rows && !onlyOrders(o.Metric):
		return fault.Optionf("Metric", "%s is of a ranking, and lpo orders one pair of edges at a time: "+
			"kfold orders all edges of a fold", o.Metric)
	case o.Method.Check() != nil:
		return &fault.Error{Kind: fault.Use, Option: "Method", Err: o.Method.Check()}
	}
	return nil
}

// checkNested refuses invalid outer folds.
func (o *EstimateOptions) checkNested() error {
	n := o.Nested
	switch {
	case n == nil:
		return nil
	case o.Solver == Closed && (o.Setting == "" || o.Setting == edge.Pairs):
		return &fault.Error{Kind: fault.Use, Code: codes.FaultEdgesMirrorFolds, Option: "Nested", Err: errOpenFolds}
	case *n == cv.Method{Kind: cv.KFold}:
		return nil
	case n.Kind != cv.KFold && n.Kind != cv.LeaveOneOut:
		return fault.Optionf("Nested", "takes loo or kfold:K for edges between nodes")
	case n.Check() != nil:
		return &fault.Error{Kind: fault.Use, Option: "Nested", Err: n.Check()}
	}
	return nil
}

// checkIntervals refuses intervals that are unknown.
func (o *EstimateOptions) checkIntervals() error {
	return fault.Refuse(!o.Intervals.Known(), "Intervals", "%s is not known: known are auto, halves, none", o.Intervals)
}

// checkLearner refuses learners that cannot be estimated.
func (o *EstimateOptions) checkLearner() error {
	switch {
	case !o.Learner.learns():
		return fault.Optionf("Learner", "similarity learns nothing: evaluate its scores instead")
	case o.Solver == Primal:
		return fault.Optionf("Solver", "primal is for training; estimates work with kernel matrices")
	}
	return nil
}

// checkSample refuses samples if everything is left out.
func checkSample(o *Options, _ *Problem) error {
	switch {
	case o.PairsSample < cv.PairsAll:
		return fault.Optionf("PairsSample", "is a number of pairs, or all of them, not %d", o.PairsSample)
	case o.PairsSample != cv.PairsAuto && (o.Setting == edge.Rows || o.method().Kind == cv.KFold ||
		o.method().Kind == cv.LeaveOneOut):
		return fault.Optionf("PairsSample", "is for leave-pair-out, in the settings pairs, cols and both")
	}
	return nil
}

// checkPermutations refuses tests by permutations that cannot be made.
func (o *EstimateOptions) checkPermutations() error {
	switch {
	case o.Permutations < 0:
		return fault.Optionf("Permutations", "is at least 1, not %d", o.Permutations)
	case o.Permutations == 0:
		return nil
	case o.Metric != nil:
		return fault.Optionf("Permutations", "compare errors, and a metric chooses by something else")
	case o.method().Kind == cv.KFold:
		return fault.Optionf("Permutations", "needs the exact shortcut, and %s trained each fold again", o.Method)
	}
	return nil
}

// checkSums refuses several kernels of a side where no weights of them can be learnt, or used for new nodes.
func checkSums(o *Options, p *Problem) error {
	const weights = "the weights of several kernels of a side are learnt"
	for _, side := range []struct {
		name string
		*Nodes
	}{{"Rows", p.Rows}, {"Cols", p.cols()}} {
		k := side.NodeKernel()
		switch {
		case !side.learns():
			continue
		case side.several() && !side.precomputed():
			return fault.Optionf(side.name+".Kernel", "is %s, and several sources of nodes are similarities, for the "+
				"kernel precomputed: features of one source have a sum of kernels", k)
		case side.X != nil && side.several(), side.Similarity != nil && side.Similarities != nil:
			return fault.As(fault.Use, "", fmt.Errorf("nodes have X, Similarity or Similarities, and Problem.%s has two of them",
				side.name))
		case !o.Learner.learns():
			return fault.Optionf("Learner", "similarity learns nothing, and %s", weights)
		case o.Normalize && !side.precomputed():
			return fault.Optionf(side.name+".Kernel", "is %s, whose weights are learnt, and a normalised kernel is "+
				"divided as a whole: give the weights, as in 0.5*linear+0.5*gaussian:gamma=1", k)
		case o.PSD == edge.Clip && side.several():
			return fault.Optionf("PSD", "clip repairs the similarities of new nodes through the coefficients, which "+
				"several similarities share: shift is for each")
		}
	}
	return nil
}

// checkPermutedSums refuses permutations of labels where weights are learnt by labels.
func (o *EstimateOptions) checkPermutedSums(p *Problem) error {
	return fault.Refuse(o.Permutations > 0 && p.Rows != nil && (p.Rows.learns() || p.cols().learns()), "Permutations",
		"are of labels, and the weights of several kernels of a side are learnt by these: each would learn others")
}

// checkSolver refuses options that a solver does not support.
func checkSolver(o *Options, p *Problem) error {
	iterates := o.Solver == Auto || o.Solver == CG
	switch {
	case o.Solver == Primal && !o.onFeatures(p):
		return fault.Optionf("Solver", "primal is for linear kernels of the nodes, as they are, and the pairwise "+
			"kernel of the relation")
	case o.EarlyStop != nil && !iterates:
		return fault.Optionf("EarlyStop", "is for the solver cg, not %s", o.Solver)
	case o.EarlyStop != nil && o.one() == 0:
		return fault.Optionf("EarlyStop", "is for one λ")
	case o.EarlyStop != nil && o.EarlyStop.Patience < 1:
		return fault.Optionf("Patience", "is at least 1, not %d", o.EarlyStop.Patience)
	}
	return krylov.CheckStops(o.tolerance(), o.MaxIterations)
}
