// Package goals defines which rows are compared, and how much each comparison counts.
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
// Four Laplacians share one interface:
//
//	Blocks       diag(d) + Σ_g s_g 1_g1_gᵀ: scores, with ties in or out; O(m) a product
//	DenseBlocks  one dense block a query: the relative cost; O(Σ m_q²) a product
//	Graph        an explicit list of preferences; O(m + edges) a product
//	Timed        censored times: rows with the event and all longer ones; O(m) a product
//
// Any type with the methods of the interface is a Laplacian. BlocksOf finds the form of Blocks, for
// which learners have shortcuts; they use the products of any other Laplacian.
//
// A Goal is a Laplacian with its r. Scored, Regression, Preferences and Times make one; Summand makes the
// part that one query adds to it.
//
// # Components
//
// The rows fall into components, the classes of rows that comparisons connect. A constant on a
// component has no effect on fᵀLf, and a whole component, such as a query, can be held out exactly.
// Goal.CanHoldOut says which other groups can.
//
// # Files
//
//	goal.go       Goal, and the goals of regression and of preferences
//	scored.go     goals from labels; times.go: from censored times
//	holdout.go    which rows can be held out of a goal
//	laplacian.go  the interface; restrict.go: to some rows; trace.go
//	blocks.go     Blocks; dense.go: DenseBlocks; graph.go: Graph; timed.go: Timed
//
// Notation: m rows, v outputs, k columns; p a component, c a class of tied rows, or
// an output.
package goals
