// Package similarity repairs and normalises matrices of similarities between nodes, so
// that they serve as kernels: symmetric, positive semidefinite, and with 1 on the diagonal
// where that is asked for.
//
// Notation: k is p×p, of p nodes; cross is r×p, of r other nodes with these.
package similarity
