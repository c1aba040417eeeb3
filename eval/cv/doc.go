// Package cv computes exactly, without retraining, the errors of a ranker on rows that are held out, for a whole path
// of λ, and chooses among them. These errors estimate how well it ranks other rows.
//
//	lqo       leave each query out; its rows are ranked by training on the others
//	lpo       leave each pair of rows of a list or query out, and order that pair
//	loo       leave each row out; the held-out scores are ranked together
//	kfold:K   the same with K groups of queries, or of rows in a single list
//
// The error is the mean disagreement over the held-out pairs, ties ½: over pairs and not over queries, since the
// default objective counts each pair once. Among equal errors the largest λ is the best, the simplest of equal models;
// another metric may choose instead. The shortcuts of rls are used if they are exact (Pahikkala et al. 2009, sections
// 3.3 and 3.4), else Retrained trains again for each fold.
//
// Rows are held out, or edges between nodes. Splits list the test sets, each with its training set.
// A Predictor predicts test sets, and Measure estimates from the predictions. A Factored is a
// Predictor that need not train again: OfPath makes one for rows, package relation for edges.
//
// # Files
//
//	method.go       the names of methods; splits.go: their test sets
//	estimate.go     Measure, the estimates, and the choice of λ
//	choice.go       Choice, over kernels and candidates; grid.go: the values of λ
//	factored.go     problems with shortcuts; retrain.go: training for each fold
//	pairs.go        leave-pair-out; paircount.go: that of long lists
//	collect.go      metrics of the predictions of groups; ties.go: ties within rounding
//	heldout.go      the predictions themselves; validate.go: a validation set
//	halving.go      half-samples, with halves.go and interval.go: intervals
//	nested.go       the error of a whole procedure; permute.go: the permutation test
//	learning.go     learning curves; importance.go: estimates without a feature
//	worse.go        the difference of two estimates
//	features.go     the choice of a number of features, and pairs that are trained again
//	rowpairs.go     the held-out pairs of each row
//	tournament.go   rankings from held-out pairs
//	roc.go          ROC curves; rocparts.go: their parts, precision and recall
//	rocanswers.go   numbers of a curve with intervals
package cv
