package data

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/internal/parallel"
)

// The kinds of Normalizer.
const (
	NormalizeNone        = "none"
	NormalizeZScore      = "zscore"
	NormalizeMinMax      = "minmax"
	NormalizeQueryMinMax = "query-minmax"
)

var normalizeKinds = []string{NormalizeNone, NormalizeZScore, NormalizeMinMax, NormalizeQueryMinMax}

// ParseNormalize checks the name of a kind of Normalizer; the empty name is "none". It
// returns an error that lists the names for any other.
func ParseNormalize(kind string) (string, error) {
	if kind == "" {
		return NormalizeNone, nil
	}
	if !slices.Contains(normalizeKinds, kind) {
		return "", fmt.Errorf("unknown normalization %q, want %s", kind, strings.Join(normalizeKinds, ", "))
	}
	return kind, nil
}

// Normalizer maps every feature by x' = (x − Shift)·Scale, where Shift and Scale come from the
// training rows and are kept with the model:
//
//	none          nothing; no numbers
//	zscore        Shift the mean, Scale 1/sd, sd² = Σ(x−mean)²/m
//	minmax        Shift the least value, Scale 1/(greatest − least): the training rows get [0,1]
//	query-minmax  (x − min)/(max − min) over the rows of each query, as the LETOR
//	              collections are prepared (Liu, Xu, Qin, Xiong and Li, 2007); no numbers
//
// A constant feature becomes 0: its Shift and Scale are 0. With query-minmax a feature that is
// constant in a query becomes 0 in that query.
type Normalizer struct {
	Kind         string    // none, zscore, minmax or query-minmax
	Shift, Scale []float64 // length n for zscore and minmax, else nil
}

// DensifyError says that a normalization would turn the zeros of a sparse
// matrix into other numbers.
type DensifyError struct {
	Kind    string
	Feature int // 1-based
	Shift   float64
}

// Error names the feature whose zeros would change.
func (e *DensifyError) Error() string {
	return fmt.Sprintf("%s would make the sparse matrix dense: feature %d moves by %g", e.Kind, e.Feature, e.Shift)
}

// Hint says what the user can do.
func (e *DensifyError) Hint() string {
	if e.Kind == NormalizeZScore {
		return "minmax keeps sparse rows whose values are not negative, or read the rows as a dense matrix"
	}
	return "read the rows as a dense matrix, or do not normalize"
}

// FitNormalizer computes the shift and scale of each of the n features from the rows of
// s, which is not changed. It costs two passes over the stored values. It returns a
// *DensifyError when a sparse matrix would not stay sparse, and an error when the values
// of a feature spread wider than a float64 can hold or kind is not known. It panics when
// the matrix does not fit.
func FitNormalizer(kind string, s *Set) (*Normalizer, error) {
	kind, err := ParseNormalize(kind)
	if err != nil {
		return nil, err
	}
	Check("data: FitNormalizer: X", s.X)
	switch kind {
	case NormalizeZScore, NormalizeMinMax:
		norm, err := columnsOf(s.X).normalizer(kind)
		if err != nil {
			return nil, err
		}
		if _, sparse := s.X.(*CSR); sparse {
			err = norm.checkSparse()
		}
		if err != nil {
			return nil, err
		}
		return norm, nil
	case NormalizeQueryMinMax:
		if x, sparse := s.X.(*CSR); sparse {
			if err := checkQuerySparse(x, s.queries()); err != nil {
				return nil, err
			}
		}
	}
	return &Normalizer{Kind: kind}, nil
}

// smallestSpread is the spread below which a feature counts as constant: the
// inverse of less is not a float64.
const smallestSpread = 1 / math.MaxFloat64

// normalizer returns the Normalizer, zscore or minmax, of the rows that c describes, in O(n). It
// returns an error when the values of a feature spread wider than a float64 can hold, and panics
// for another kind.
func (c *columns) normalizer(kind string) (*Normalizer, error) {
	if kind != NormalizeZScore && kind != NormalizeMinMax {
		panic(fmt.Sprintf("data: Columns make no Normalizer %q", kind))
	}
	n := len(c.Min)
	norm := &Normalizer{Kind: kind, Shift: make([]float64, n), Scale: make([]float64, n)}
	for j := range n {
		spread := c.Max[j] - c.Min[j]
		if math.IsInf(spread, 0) {
			return nil, fmt.Errorf("%s: the values of feature %d spread from %g to %g, too wide to scale",
				kind, j+1, c.Min[j], c.Max[j])
		}
		if !(spread > smallestSpread) {
			continue
		}
		if kind == NormalizeMinMax {
			norm.Shift[j], norm.Scale[j] = c.Min[j], 1/spread
		} else {
			norm.Shift[j], norm.Scale[j] = c.Mean[j], 1/c.Dev[j]
		}
	}
	return norm, nil
}

// checkSparse refuses a shift, which would move the zeros.
func (norm *Normalizer) checkSparse() error {
	for j, shift := range norm.Shift {
		if shift != 0 && norm.Scale[j] != 0 {
			return &DensifyError{Kind: norm.Kind, Feature: j + 1, Shift: -shift}
		}
	}
	return nil
}

// Apply normalizes the rows of s, m×n, in place: x_ij becomes (x_ij − Shift_j) Scale_j,
// or by query-minmax it is mapped to [0,1] within its query. It costs a pass over the
// stored values, for query-minmax two. It returns a *DensifyError when a sparse matrix
// would not stay sparse, and an error when the kind is not known or the Normalizer was
// fitted to another number of features; s is not changed then. It panics when the matrix
// does not fit.
func (norm *Normalizer) Apply(s *Set) error {
	kind, err := ParseNormalize(norm.Kind)
	if err != nil {
		return err
	}
	Check("data: Normalizer.Apply: X", s.X)
	switch kind {
	case NormalizeNone:
		return nil
	case NormalizeQueryMinMax:
		return applyQueryMinMax(s)
	}
	_, n := s.X.Dims()
	if n != len(norm.Shift) || n != len(norm.Scale) {
		return fmt.Errorf("%s: the rows have %d features but the normalizer %d", kind, n, len(norm.Shift))
	}
	switch x := s.X.(type) {
	case *Dense:
		parallel.Chunks(x.Rows, rowsPerPiece(x.Cols), func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				for j, v := range x.Row(i) {
					x.Data[i*x.Stride+j] = (v - norm.Shift[j]) * norm.Scale[j]
				}
			}
		})
	case *CSR:
		if err := norm.checkSparse(); err != nil {
			return err
		}
		cols, vals := x.Col[x.Ptr[0]:x.Ptr[x.Rows]], x.Val[x.Ptr[0]:x.Ptr[x.Rows]]
		parallel.Chunks(len(vals), pieceSize, func(_, lo, hi int) {
			for k := lo; k < hi; k++ {
				vals[k] *= norm.Scale[cols[k]]
			}
		})
	default:
		panic(unknownMatrix(x))
	}
	return nil
}

// rowsPerPiece is the number of rows of n features in a piece of work.
func rowsPerPiece(n int) int { return 1 + pieceSize/(1+n) }

// NormalizerVectors returns the number of vectors of length n, the number of features,
// that fitting or applying a Normalizer of a kind to x holds in memory at once; for
// query-minmax of a sparse x it grows with the number of threads. Cost O(1).
func NormalizerVectors(kind string, x Matrix) float64 {
	_, sparse := x.(*CSR)
	switch {
	case kind == NormalizeNone || kind == "", kind == NormalizeQueryMinMax && !sparse:
		return 0
	case kind == NormalizeQueryMinMax:
		return 3 * float64(parallel.Workers())
	}
	return 16
}
