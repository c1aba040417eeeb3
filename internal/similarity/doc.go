// Package similarity repairs and normalises matrices of similarities between nodes, so that they can serve as
// kernels: symmetric, positive semidefinite, and on request with 1 on the diagonal.
//
// Notation: k is p×p, for p nodes; cross is r×p, for r other nodes with these.
package similarity
