package relation

import "pairrank/internal/kron"

// Setting says what is new in an edge that is predicted, Loss is the loss of an error, and Kind is the relation
// of the labels of (u,v) and (v,u): see kron.Setting, kron.Loss and kron.Relation.
type (
	Setting = kron.Setting
	Loss    = kron.Loss
	Kind    = kron.Relation
)

const (
	// Pairs, Rows, Cols and Both are the settings: the edge is new, its row node, its column node, or both. In
	// one domain with an Arbitrary relation a node is new on one side only; see kron.Setting.
	Pairs, Rows, Cols, Both = kron.Pairs, kron.Rows, kron.Cols, kron.Both
	// Ranking is the loss of the differences of the edges of a row, Regression that of each edge.
	Ranking, Regression = kron.Ranking, kron.Regression
	// In an Arbitrary relation the label y(u,v) does not depend on y(v,u). In a Symmetric one they are equal,
	// in a Reciprocal one they are negatives of each other.
	Arbitrary, Symmetric, Reciprocal = kron.Arbitrary, kron.Symmetric, kron.Reciprocal
)

// Settings are the names of all settings.
var Settings = kron.Settings
