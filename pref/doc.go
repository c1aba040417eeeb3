// Package pref defines which rows are compared, and how much each comparison counts.
//
// A least-squares ranking problem over m rows is given by two things:
//
//	L  the m×m Laplacian of the comparisons, positive semidefinite
//	r  the linear term of the targets, m×v, in the range of L
//
// so that the sum over the compared pairs of w_ij ((y_i−y_j) − (f_i−f_j))² is
// fᵀLf − 2rᵀf plus a constant (Pahikkala, Tsivtsivadze, Airola, Järvinen and
// Boberg 2009, An efficient algorithm for learning to rank from preference
// graphs, sections 2.3, 2.4 and 3). Each unordered pair counts once.
//
// Three Laplacians share one interface:
//
//	Blocks       diag(d) + Σ_g s_g 1_g1_gᵀ: scores, with ties in or out; O(m) a product
//	DenseBlocks  one dense block a query: the relative cost; O(Σ m_q²) a product
//	Graph        an explicit list of preferences; O(m + edges) a product
//
// Another Laplacian needs the methods of the interface and no more. Learners ask BlocksOf
// for the form of the first, which has shortcuts, and take any other by its products.
//
// Scored, Regression and Preferences make a Goal, a Laplacian with its r, and Summand the
// part of one query. Files: goal.go the goals, scored.go those of labels, holdout.go what
// may be left out of them.
//
// # Components
//
// The rows fall into components, the classes of rows that comparisons
// connect. L leaves a constant on a component without effect, and whole components
// can be held out exactly, as every query can: Goal.CanHoldOut says what else can.
//
// Notation: m rows, v outputs, k columns; p a component, c a class of tied rows, or
// an output.
package pref
