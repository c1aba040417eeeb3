// Package holdout computes exactly, without retraining, the errors of a ranker on rows that are held out, for a whole
// path of λ, and chooses among them. The estimates are values of package eval/cv. The shortcuts of rls are used if they
// are exact (Pahikkala et al. 2009, sections 3.3 and 3.4), else Retrained trains again for each fold.
//
// Rows are held out, or edges between nodes. Splits list the test sets, each with its training set.
// A Predictor predicts test sets, and Measure estimates from the predictions. A Factored is a
// Predictor that need not train again: OfPath makes one for rows, package relation for edges.
//
// # Files
//
//	splits.go       test sets; methodsplits.go: those of a method; halfsplits.go: halves
//	estimate.go     Measure, and what it is asked for; grid.go: the values of λ
//	factored.go     problems with shortcuts; retrain.go: training for each fold
//	pairs.go        leave-pair-out; paircount.go: that of long lists
//	collect.go      metrics of the predictions of groups, cut into lists (list.go); ties.go: ties within rounding
//	heldout.go      the predictions themselves; validate.go: a validation set
//	halving.go      how half-samples are made
//	nested.go       the error of a whole procedure; permute.go: the permutation test
//	learning.go     learning curves
//	worse.go        the difference of two estimates
//	features.go     pairs that are trained again, for a selection of features
//	rowpaircounts.go the held-out pairs of each row
//	tournament.go   rankings from held-out pairs
package holdout
