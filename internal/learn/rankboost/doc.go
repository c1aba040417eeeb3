// Package rankboost learns to rank by boosting: RankBoost of Freund, Iyer,
// Schapire and Singer 2003, An efficient boosting algorithm for combining
// preferences (Journal of Machine Learning Research 4, 933–969), with stumps
// h(x) = [x_j > θ] as its weak rankers.
//
// The compared pairs (i,j) are the rows of a query with y_i > y_j; of times, some of which are censored, those
// of which it is known that i lived longer. Each has the
// weight w_q that package pref gives it, and D₀ is these weights divided by their
// sum. With H the scores so far, the distribution over the pairs and the loss
// that boosting brings down are
//
//	D(i,j) ∝ D₀(i,j) e^(H_j − H_i)      Σ D₀(i,j) e^(H_j − H_i) = Π_t Z_t
//
// A round takes the stump with the largest |r|, r = Σ D(i,j) (h_i − h_j), and adds it to H with a
// weight α close to the minimiser of Z, the factor of the loss; step.go says how close and why. The
// weighted share of the pairs that H does not order correctly is at most Π Z_t (theorem 1).
//
// The pairs are never written down. D factorises into a part of i and a part of
// j, so that the potentials π_i = Σ_j D(i,j) − Σ_k D(k,i) are sums over the label
// levels of a query, for two levels (section 3.3) as for any number; and
// r = Σ π_i h_i, so that one walk along a sorted feature has the r of all its
// thresholds. Sorting costs O(mn log m) once, a round O(mn), or for sparse rows
// O(m + n + stored values): a feature's zeros are one block that is not walked.
//
// Only the order of labels and of feature values matters: no monotone scaling changes the ranking.
// The number of rounds is the only regularisation; choose it on held-out queries with Stumps.AddTo,
// as the example shows. Where the score is about linear in the features, use package rls.
//
// # Files
//
//	rankboost.go  Train and Fit
//	pairs.go      the distribution and its potentials
//	step.go       the effect of a stump on the pairs, and α
//	columns.go    the sorted features
//	search.go     the best stump
//
// Notation: m rows, n features, N compared pairs. A row is a row number of the input; a place is a
// position among the compared rows, sorted by query and then by label. Scores H, potentials π and
// sorted features are by place.
package rankboost
