// Package kron learns from relational data: values y of edges between row nodes and column nodes, each with a
// kernel, or between the nodes of one domain. It ranks the columns for a given row: conditional ranking
// (Pahikkala, Airola, Stock, De Baets and Waegeman 2013, Efficient regularized least-squares algorithms for
// conditional ranking on relational data).
//
// Over the functions f of a pairwise kernel it minimises
//
//	regression  Σ_e (y_e − f_e)² + λ‖f‖²
//	ranking     Σ_rows (1/l) Σ_{pairs of the l edges of the row} ((y−y') − (f−f'))² + λ‖f‖²
//
// which is (y−f)ᵀL(y−f) + λ‖f‖² with L = I, or with L that subtracts the mean of the edges of each row
// (sections 4.2 and 4.3).
//
// Files:
//   - factor.go, eigen.go: complete graphs, with one edge for every pair of nodes. [Factor] → [Path] → [Fit],
//     two matrix products for each λ; unseen.go: the scores of new nodes over many λ
//   - holdout.go, leverage.go, both.go: predictions of a Path for edges, rows, columns, or a row and a column
//     that are left out, without retraining; compared.go, spans.go, fewspans.go: the order of two edges of a row,
//     left out together
//   - twostep.go: the same for two-step kernel ridge regression
//   - operator.go, product.go: products with pairwise kernels, over any edges; through.go: the generalised vec
//     trick
//   - solve.go: conjugate gradients for incomplete or repeated edges and for symmetric and reciprocal ranking;
//     scores.go: the scores of other edges over many λ; primal.go: the same over features, with the
//     preconditioner of precondition.go
//   - range.go: coefficients in the ranges of the kernel matrices; with them clipped similarities of new nodes
//     need no second clip
//
// Package relation/pairwise has the pairwise kernels as sums of Kronecker products.
//
// Notation: p row nodes, r column nodes, m edges; K and G are the p×p and r×r kernel matrices, Y and F the p×r
// labels and scores, A the p×r coefficients.
package kron
