// Package rows says what is doubtful about rows before anything learns from them: what their features may mean, what
// repeats, and whether their vectors fit into memory. It has the facts of least squares, which rows in memory and
// statistics share, and says of which kind an error of training is.
package rows
