package similarity

import (
	"fmt"
	"math"
	"strings"

	"pairrank/data"
	"pairrank/internal/parallel"
)

// tile is the side of the square tiles in which a matrix and its transpose are read together.
const tile = 64

// Symmetrize replaces k_ij and k_ji by their mean, in place, in a p×p matrix, and returns its asymmetry before,
// max |k_ij − k_ji| / max |k_ij|: 0 if it was symmetric, at most 2; NaN when an entry is NaN. Equal pairs stay the
// same, bit for bit. It costs O(p²). It panics when k is not square.
func Symmetrize(k *data.Dense) float64 {
	square("asymmetry", k)
	n := k.Rows
	type extremes struct{ apart, largest float64 }
	found := make([]extremes, (n+tile-1)/tile)
	parallel.For(len(found), func(_, q int) {
		e := &found[q]
		i0, i1 := q*tile, min(n, (q+1)*tile)
		for j0 := i0; j0 < n; j0 += tile {
			for i := i0; i < i1; i++ {
				row := k.Row(i)
				for j := max(i, j0); j < min(n, j0+tile); j++ {
					other := &k.Data[j*k.Stride+i]
					e.largest = max(e.largest, math.Abs(row[j]), math.Abs(*other))
					if row[j] == *other {
						continue
					}
					e.apart = max(e.apart, math.Abs(row[j]/2-*other/2)) // halves do not overflow
					row[j] = row[j]/2 + *other/2
					*other = row[j]
				}
			}
		}
	})
	all := extremes{}
	for _, e := range found {
		all.apart, all.largest = max(all.apart, e.apart), max(all.largest, e.largest)
	}
	if all.apart == 0 {
		return 0
	}
	return 2 * (all.apart / all.largest)
}

func square(what string, k *data.Dense) {
	data.Check("similarity: "+what+": k", k)
	if k.Rows != k.Cols {
		panic(fmt.Sprintf("similarity: %s of a matrix that is not square, but %d×%d", what, k.Rows, k.Cols))
	}
}

// Diagonal returns a copy of k_ii, of length p: the similarity of each node with itself,
// in O(p). It panics when k is not square.
func Diagonal(k *data.Dense) []float64 {
	square("diagonal", k)
	d := make([]float64, k.Rows)
	for i := range d {
		d[i] = k.Row(i)[i]
	}
	return d
}

// DiagonalError is the error of a kernel that cannot be normalised, since similarities of nodes with themselves
// are not positive and finite.
type DiagonalError struct {
	At     []int     // the nodes, from 0
	Values []float64 // their k_ii
	Of     int       // number of nodes
}

// Error names the first 20 nodes, from 1, with their values.
func (e *DiagonalError) Error() string {
	const most = 20
	var b strings.Builder
	fmt.Fprintf(&b, "the similarity of a node with itself must be above 0 to normalise by it, and is not for %d "+
		"of %d rows:", len(e.At), e.Of)
	for k := range min(len(e.At), most) {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d (%.3g)", e.At[k]+1, e.Values[k])
	}
	if len(e.At) > most {
		fmt.Fprintf(&b, " and %d more", len(e.At)-most)
	}
	return b.String()
}

// Normalize replaces k_ij by k_ij/√(k_ii k_jj), in place, in a p×p matrix, so that every node has similarity 1
// with itself: the cosine normalisation. A symmetric matrix stays symmetric, bit for bit. It costs O(p²). It
// returns a *DiagonalError, and leaves k unchanged, when some k_ii is not positive and finite. It panics when k
// is not square.
func Normalize(k *data.Dense) error {
	roots := Diagonal(k)
	if err := takeRoots(roots); err != nil {
		return err
	}
	divide(k, roots)
	for i := range roots {
		k.Row(i)[i] = 1
	}
	return nil
}

// takeRoots replaces a diagonal by its square roots, or leaves it unchanged with an error.
func takeRoots(diag []float64) error {
	bad := &DiagonalError{Of: len(diag)}
	for i, d := range diag {
		if !(d > 0) || math.IsInf(d, 1) {
			bad.At, bad.Values = append(bad.At, i), append(bad.Values, d)
		}
	}
	if bad.At != nil {
		return bad
	}
	for i, d := range diag {
		diag[i] = math.Sqrt(d)
	}
	return nil
}

// divide divides k_ij by roots_i roots_j, a product that does not depend on the order of the two.
func divide(k *data.Dense, roots []float64) {
	parallel.Chunks(k.Rows, tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := k.Row(i)
			for j := range row {
				row[j] /= roots[i] * roots[j]
			}
		}
	})
}
