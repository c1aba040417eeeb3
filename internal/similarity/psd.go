package similarity

import (
	"errors"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/relation/edge"
)

// ErrNotFinite is the error of a matrix with NaN or an infinity in it.
var ErrNotFinite = errors.New("an entry of the kernel matrix is not finite")

// SmallestEigenvalue returns the smallest eigenvalue of a symmetric p×p matrix: 0 when it has no rows, NaN when
// an entry is not finite. It reads the upper triangle. Its error is about 1e-15 times the largest eigenvalue in
// magnitude. It costs all eigenvalues and vectors, about 9p³ operations, and 2p² numbers of memory. It panics
// when k is not square.
func SmallestEigenvalue(k *data.Dense) float64 {
	square("eigenvalue", k)
	if k.Rows == 0 {
		return 0
	}
	w, _ := eigen(k)
	return w[0]
}

// Negative returns the smallest eigenvalue of a symmetric p×p matrix if it is below −limit times the largest
// entry of the diagonal, else 0; NaN when an entry is not finite. A positive semidefinite matrix costs p³/3
// operations, any other also the cost of SmallestEigenvalue. It panics when k is not square.
func Negative(k *data.Dense, limit float64) float64 {
	square("eigenvalue", k)
	if k.Rows == 0 {
		return 0
	}
	least := limit * max(0, slices.Max(Diagonal(k)))
	shifted := linalg.Mat(*k).Clone()
	for i := range k.Rows {
		shifted.Row(i)[i] += least
	}
	if _, ok := linalg.Cholesky(linalg.Upper, shifted); ok {
		return 0
	}
	smallest := SmallestEigenvalue(k)
	if smallest >= -least {
		return 0
	}
	return smallest
}

func eigen(k *data.Dense) ([]float64, linalg.Mat) {
	w, v := make([]float64, k.Rows), linalg.NewMat(k.Rows, k.Rows)
	linalg.SymEigen(linalg.Mat(*k).Clone(), w, v)
	return w, v
}

// roundoff bounds, in units of the largest eigenvalue and for each row, how far rounding alone can move an
// eigenvalue below 0.
const roundoff = 0x1p-52

// MakePSD makes a symmetric p×p matrix positive semidefinite, in place, and returns its original smallest
// eigenvalue. With eigenvalues λ_j and eigenvectors v_j, Clip subtracts Σ λ_j v_j v_jᵀ over λ_j < 0, the
// spectrum clip, and Shift adds |smallest| to the diagonal, the spectrum shift (Chen, Garcia, Gupta, Rahimi and
// Cazzanti, Similarity-based classification: concepts and algorithms, JMLR 10, 2009).
//
// k does not change with None, nor when the smallest eigenvalue is above −p·2⁻⁵² times the largest in
// magnitude, which rounding alone explains. Clip and Shift may leave eigenvalues that far below 0. When an
// entry is not finite the error is ErrNotFinite and k does not change.
//
// Only the matrix of the training nodes is corrected. After a clip, similarities of new nodes need no
// correction if the coefficients are projected on the range of k, as kron.InRange does. A shift changes the
// similarity of a node with itself only: pairmodel.Side.Shift.
//
// The cost is that of SmallestEigenvalue, and a product of matrices of p rows. It panics
// when k is not square, or does not fit.
func MakePSD(k *data.Dense, how edge.Repair) (smallest float64, err error) {
	square("eigenvalues", k)
	n := k.Rows
	if n == 0 {
		return 0, nil
	}
	w, v := eigen(k)
	smallest = w[0]
	if math.IsNaN(smallest) {
		return smallest, ErrNotFinite
	}
	if smallest >= -roundoff*float64(n)*max(-smallest, w[n-1]) {
		return smallest, nil
	}
	switch how {
	case edge.None:
	case edge.Clip:
		clip(k, w, v)
	case edge.Shift:
		for i := range n {
			k.Row(i)[i] -= smallest
		}
	default:
		panic("similarity: MakePSD with " + how.String())
	}
	return smallest, nil
}

// clip subtracts the negative part from k, or rebuilds k from the positive part, whichever sum has fewer terms.
// Row j of v is the eigenvector of w[j].
func clip(k *data.Dense, w []float64, v linalg.Mat) {
	n := len(w)
	below := 0
	for below < n && w[below] < 0 {
		below++
	}
	part, keep := v.Slice(0, below, 0, n), 1.0
	weights := w[:below]
	if below > n-below {
		part, keep = v.Slice(below, n, 0, n), 0
		weights = w[below:]
	}
	for j, lambda := range weights {
		row, root := part.Row(j), math.Sqrt(math.Abs(lambda))
		for i := range row {
			row[i] *= root
		}
	}
	linalg.Syrk(linalg.Upper, linalg.T, 1, part, keep, linalg.Mat(*k))
	linalg.Symmetrize(linalg.Upper, linalg.Mat(*k))
}
