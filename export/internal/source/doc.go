// Package source writes models of rows as text that scores without this library: a Go file, an ES
// module of JavaScript, a SELECT of SQL, and an HTML page around the module. It supports linear
// models of one output and stumps, with their normaliser.
//
// The text has the numbers of the model in the shortest form that reads back as the same float64.
// It adds them up in the order of the features or steps (in SQL by halves, which keeps the
// expression shallow). Scores agree with those of the model to the last bits.
package source
