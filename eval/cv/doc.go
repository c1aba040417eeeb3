// Package cv estimates, exactly, how well a ranker ranks held-out rows, for a whole path
// of λ, and chooses among them.
//
//	lqo       leave each query out; its rows are ranked by training on the others
//	lpo       leave each pair of rows of a list or query out, and order that pair
//	loo       leave each row out; the held-out scores are ranked together
//	kfold:K   the same with K groups of queries, or of rows in a single list
//
// Errors are the mean disagreement over the held-out pairs, ties ½, which is
// the pairwise cost that training minimises; another metric may choose instead.
// Where rls has a shortcut it is used (Pahikkala et al. 2009, sections 3.3 and
// 3.4), else Retrained trains again for each fold.
//
// What is held out is rows, or edges between nodes: Splits say which are tested when, and
// on what is trained then. Anything that predicts test sets is a Predictor, and Measure
// estimates from its predictions. A Factored is one that needs no
// training again, as OfPath is of rows; package relation has those of edges.
//
// Files: method.go the names; splits.go what they hold out; estimate.go the estimate and the
// choice; factored.go what has shortcuts; pairs.go leave-pair-out and
// paircount.go that of long lists; collect.go metrics of
// the predictions of groups; retrain.go training for each fold; heldout.go the
// predictions themselves; halving.go, halves.go and interval.go how sure an estimate is; nested.go the
// error of a whole procedure; permute.go the permutation test; tournament.go and
// quicksort.go rankings from held-out pairs; roc.go their curves.
package cv
