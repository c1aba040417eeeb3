// Package source writes models of rows as text that scores by itself: a Go file, an ES module
// of JavaScript, a SELECT of SQL, and an HTML page around the module. It holds linear models of
// one output and stumps, with their normaliser.
//
// The numbers of the model stand in the text as they are, in the shortest form that reads back
// as the same float64, and are added up in the order of the features or steps (in SQL by
// halves, so that the depth of the expression stays small). Scores agree with those of the
// model to the last bits.
package source
