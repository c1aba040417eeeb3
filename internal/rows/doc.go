// Package rows says what is doubtful about rows before anything learns from them: what their features may mean, what
// repeats, and whether their vectors fit into memory.
package rows
