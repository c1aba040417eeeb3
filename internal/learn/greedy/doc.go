// Package greedy selects features for linear least squares by greedy search: greedy RLS and Greedy RankRLS of
// Pahikkala, Airola and Salakoski 2010, Speeding up greedy forward selection for regularized least-squares, and of
// Pahikkala, Airola, Naula and Salakoski 2010, Greedy RankRLS: a linear time algorithm for learning sparse ranking
// models.
//
// A set S of features is judged by the held-out error of the learner that sees the features of S only:
//
//	minimise over w   (y − Xw)ᵀ L (y − Xw) + λ Σ_{j∈S} w_j²      w_j = 0 unless j ∈ S or j is a baseline
//
// with the Laplacian L of the comparisons, or L = I for regression. The weights of baseline features are not
// penalised. With P = L − L X_S (X_Sᵀ L X_S + λI)⁻¹ X_Sᵀ L, which is P₀ without features, a feature v changes P by
// rank one:
//
//	P' = P − c cᵀ / (λ + vᵀc)      c = Pv
//
// A baseline feature is the same step with λ = 0, taken before all others; a large scale in place of λ = 0 would cost
// the digits of that scale. A set H of rows that is left out has the
// held-out residuals δ = P_HH⁺ (Py)_H = y_H − f_H (the lemma of package rls). With the residuals D = P_HH⁺ c_H of v,
// regressed on S without H, the new feature changes them by
//
//	δ' = δ − D (vᵀPy − c_Hᵀδ) / (λ + vᵀc − c_Hᵀ D)
//
// so that a candidate costs O(|H|) for each H. A step over all n candidates costs O(mn) by leave-query-out and
// leave-one-out, and O(n·pairs) by leave-pair-out. Counting the pairs of a query in the wrong order adds a factor
// log m_q.
//
// All updates subtract rank-one terms with λ > 0; no step takes one back, since this would lose the digits of
// λ/(λ + vᵀc). A feature that leaves makes the state anew; the k sets that lack one feature of S are made by divide
// and conquer with O(k log k) updates.
//
// Candidates are compared by the held-out error, then by the held-out squared loss, then by their number. Scores of
// rows that are equal in all features of S are equal to the last bit, and other scores that are equal in exact
// arithmetic are tied by a bound of their rounding.
//
// # Files
//
//	problem.go  Problem, Options and their checks
//	columns.go  the features, projected
//	state.go    a set of features: P and its products
//	lists.go    leaving out queries or rows; ordered.go: counting pairs
//	pairs.go    leaving out pairs
//	search.go   Select: forward and floating search; removal.go: sets that lack one feature, and backward search
//	path.go     Path and the weights of its sets
//
// Notation: m rows, n features, S the selected features, k their number, H rows that are left out together.
package greedy
