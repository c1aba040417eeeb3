package kron

import words "pairrank/relation/edge"

// The words of package edge.
type (
	Edges    = words.Edges
	Setting  = words.Setting
	Loss     = words.Loss
	Relation = words.Relation
	EdgeFit  = words.Fit
)

const (
	Pairs, Rows, Cols, Both          = words.Pairs, words.Rows, words.Cols, words.Both
	Ranking, Regression              = words.Ranking, words.Regression
	Arbitrary, Symmetric, Reciprocal = words.Arbitrary, words.Symmetric, words.Reciprocal
)

var settings = words.Settings
