// Package scores ranks systems by a table of their scores on the same items: models by tasks, rankers by queries,
// methods by data sets.
//
// A score is y_si = a_s + b_i + noise, with the worth a_s of system s and the difficulty b_i of item i. Least squares
// over a and b is least squares over the differences within an item,
//
//	Σ_i 1/n_i Σ_{s<t} (y_si − y_ti − (a_s − a_t))²,
//
// of the n_i systems that have a score there, whose normal equations have the Laplacian L = Σ_i (I_i − 1_i 1_iᵀ/n_i) of
// the items: the algebra of a query in RankRLS. A system that has no score on hard items is not flattered.
//
// What is independent is a unit: an item, or a cluster of items. Errors, sets of ranks and tests are over units.
//
//   - problem.go: the table, and what can be done with it before
//   - fit.go: the worths, and what each unit contributes to them
//   - shares.go: how much each unit says of each system, where cells are missing
//   - flips.go: which systems are told apart, by signs of units
//   - groups.go: sets of systems that are not told apart
//   - gates.go: whether a system is surely worse than another one by more than a margin
//   - notes.go: doubts, and why there are no intervals
//   - rank.go: Rank, which does all of this
package scores
