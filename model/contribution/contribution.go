// Package contribution decomposes the score of a row, or the difference of two scores, exactly into
// additive parts: why a row scores as it does, and why it stands above another. Nothing is trained,
// sampled or approximated.
//
//	model.Linear   a part a feature: w_j x_j,           w_j (a_j − b_j)
//	model.Spline   a part a feature: g_j(x_j),         g_j(a_j) − g_j(b_j), of its curve
//	model.Kernel   a part a support row: c_i k(x_i, x), c_i (k(x_i, a) − k(x_i, b))
//	model.Stumps   a part a feature: the weights of the thresholds that the row passes,
//	               or that one row passes and the other does not
//
// model.Fourier has no parts: a random feature belongs to no single feature or row. Rows are
// normalised as the training rows were. The parts of a over b are those of b over a with the other
// sign. Package relation/pairmodel has the parts of models of pairs, as the same Sum. Shapes are the curves themselves.
//
// Notation: n features, b support rows, s non-zeros of a row, T stumps.
package contribution

// Kind says to what a part belongs.
type Kind string

const (
	Feature     Kind = "feature"      // of a linear model, of splines or of stumps
	SupportRow  Kind = "support row"  // of a kernel model, by its number in the model, which keeps no names of rows
	TrainingRow Kind = "training row" // of a precomputed kernel
	Edge        Kind = "edge"         // of training, of a model of pairs
	RowNode     Kind = "row node"     // of training: its edges, added up
	ColumnNode  Kind = "column node"  // likewise
	FeaturePair Kind = "feature pair" // of weights of pairs of features
)

// Sum is a score, or the difference of two, as parts. It is immutable.
type Sum struct {
	Kind   Kind      `json:"kind"`
	Scores []float64 `json:"scores"` // of the row, or of A and of B
	Total  float64   `json:"total"`  // the score, or that of A minus that of B: the sum of Parts and Rest
	Parts  []Part    `json:"parts"`  // by falling magnitude; equal ones in their order in the model
	Rest   float64   `json:"rest"`   // the sum of the parts not listed
	Left   int       `json:"left"`   // the number of parts not listed, without those that are 0
}

// Part is one term of a Sum.
type Part struct {
	// Number counts from 1, by Kind, a feature as in the text of the training; for a pair of features it is that of the
	// row node.
	Number int    `json:"number"`
	Name   string `json:"name,omitempty"` // of the feature or node, where it has one
	// ColumnNumber counts from 1: the column node of an edge, the second feature of a pair.
	ColumnNumber int     `json:"column_number,omitempty"`
	ColumnName   string  `json:"column_name,omitempty"`
	Contribution float64 `json:"contribution"`
	Weight       float64 `json:"weight,omitempty"` // w_j or c_i; none of stumps and of nodes

	// Values are the feature as given, or the value of the kernel, for the row or for A and B.
	Values []float64 `json:"values,omitempty"`
	// Normalized are the features after the normaliser of the model, if it has one.
	Normalized []float64 `json:"normalized,omitempty"`
	Steps      []Step    `json:"steps,omitempty"` // of stumps, ascending
	// Knots and Slopes are those of the curve of a spline, as of a Shape, but of the normalised feature.
	Knots  []float64 `json:"knots,omitempty"`
	Slopes []float64 `json:"slopes,omitempty"`
}

// Step is a threshold that the row passes, or only one of A and B. It applies to the normalised
// feature if the model normalises.
type Step struct {
	Threshold float64 `json:"threshold"`
	Weight    float64 `json:"weight"` // of passing it: the sum over all stumps with this threshold
}

// Top returns the sum with its k largest parts; the others are added to Rest. The cost is O(k) and
// an addition a part. It shares the parts with s. k ≤ 0 keeps all.
func (s *Sum) Top(k int) *Sum {
	if k <= 0 || k >= len(s.Parts) {
		return s
	}
	t := *s
	t.Parts = s.Parts[:k:k]
	for _, p := range s.Parts[k:] {
		t.Rest += p.Contribution
		t.Left++
	}
	return &t
}
