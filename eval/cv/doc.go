// Package cv has estimates of the held-out error as values: how rows or edges are held out, the points of a path of λ,
// the choice among them, nested estimates, differences, intervals, permutation tests, learning curves and ROC curves.
// Train and Estimate return them; internal/holdout computes them.
//
//	lqo       leave each query out; its rows are ranked by training on the others
//	lpo       leave each pair of rows of a list or query out, and order that pair
//	loo       leave each row out; the held-out scores are ranked together
//	kfold:K   the same with K groups of queries, or of rows in a single list
//
// The error is the mean disagreement over the held-out pairs, ties ½: over pairs and not over queries, since the
// default objective counts each pair once. Among equal errors the largest λ is the best, the simplest of equal models;
// another metric may choose instead.
//
// # Files
//
//	method.go            the names of methods
//	point.go             the estimate of one candidate, and of all
//	choice.go            Choice, over kernels and candidates
//	halves.go            half-samples, with interval.go: intervals
//	difference.go        the difference of two procedures
//	nestedestimate.go    the error of a whole procedure
//	permutations.go      the permutation test
//	learningcurve.go     learning curves; importance.go: estimates without a feature
//	rowpairs.go          the held-out pairs of each row
//	roc.go               ROC curves; rocparts.go: their parts, precision and recall
//	rocanswers.go        numbers of a curve with intervals
package cv
