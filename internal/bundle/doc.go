// Package bundle minimises regularised convex risks of linear functions,
//
//	J(w) = λ‖w‖² + R(Xw),
//
// by cutting planes (Teo, Vishwanathan, Smola and Le 2010, Bundle methods for
// regularized risk minimization; Algorithm 1 of Airola, Pahikkala and Salakoski
// 2011, Training linear ranking SVMs in linearithmic time using red-black trees)
// with the best solution so far and the line search of Franc and Sonnenburg
// 2009, Optimized cutting plane algorithm for large-scale risk minimization.
//
// It knows X by two products and R by value and subgradient at given scores.
//
// The pieces, one a file:
//
//   - bundle.go: [Solver] and the loop;
//   - planes.go: the cutting planes, and which of them are dropped;
//   - dual.go: the quadratic program over the planes.
//
// Notation: w weights, n of them; f = Xw scores, m of them; plane t bounds R(Xw)
// ≥ ⟨a_t, w⟩ + b_t.
package bundle
