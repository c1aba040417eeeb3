package relation

import "pairrank/relation/kron"

// Setting is what is new when an edge is predicted, Loss what an error costs, and Kind
// what is known of the labels of (u,v) and (v,u): see kron.Setting, kron.Loss and
// kron.Relation.
type (
	Setting = kron.Setting
	Loss    = kron.Loss
	Kind    = kron.Relation
)

const (
	// Pairs, Rows, Cols and Both are the settings: the edge is new, its row node, its
	// column node, or both. Of one domain with an Arbitrary relation a node is new on one
	// side only, see kron.Setting.
	Pairs, Rows, Cols, Both = kron.Pairs, kron.Rows, kron.Cols, kron.Both
	// Ranking costs the differences of the edges of a row, Regression each edge.
	Ranking, Regression = kron.Ranking, kron.Regression
	// Arbitrary labels y(u,v) do not depend on y(v,u), Symmetric ones are equal to it,
	// and Reciprocal ones are its negative.
	Arbitrary, Symmetric, Reciprocal = kron.Arbitrary, kron.Symmetric, kron.Reciprocal
)

// Settings are the names of all settings.
var Settings = kron.Settings
