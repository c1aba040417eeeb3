package pairmodel

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

func notPositive(v float64) bool { return !(v > 0) || math.IsInf(v, 1) }

// divides reports whether kernel values are divided by √k(x,x) √k(z,z), which is 1 for a Gaussian kernel. Those of a
// sum of similarities are divided before they are added.
func (s *Side) divides() bool {
	_, gaussian := s.Kernel.(kernel.Gaussian)
	return s.Normalize && !gaussian && s.Terms == nil
}

// rootsTo sets dst to √k(x,x) of nodes with features x, or with a precomputed kernel.
func (e *end) rootsTo(dst []float64, n *Nodes, x data.Matrix) error {
	switch {
	case !e.Precomputed():
		for i := range dst {
			dst[i] = kernel.Self(e.Kernel, x, i)
		}
	case n.Self != nil:
		copy(dst, n.Self)
	default:
		if err := e.knownSelfTo(dst, n); err != nil {
			return err
		}
	}
	var bad []string
	for k, v := range dst {
		if notPositive(v) {
			bad = append(bad, n.name(k))
		}
		dst[k] = math.Sqrt(v)
	}
	if bad != nil {
		return &NodeError{"the kernel is normalised, and of these nodes with themselves it is not above 0", bad,
			"leave out nodes without features, or train without normalising"}
	}
	return nil
}

// name is the name of node k in an error.
func (n *Nodes) name(k int) string {
	if n.ID != nil {
		return n.ID[k]
	}
	return fmt.Sprintf("row %d", k+1)
}

// knownSelfTo sets dst to k(x,x) of nodes: for a training node the value of training, for another node the
// entry of the matrix in the column with its name.
func (e *end) knownSelfTo(dst []float64, n *Nodes) error {
	const unknown = "the kernel was normalised in training, and it is not known what the kernel of these nodes with " +
		"themselves is"
	if n.ID == nil {
		return errors.New(unknown)
	}
	var column map[string]int
	if n.Names != nil {
		column = make(map[string]int, len(n.Names))
	}
	for j, name := range n.Names {
		column[name] = j
	}
	var missing []string
	for k, id := range n.ID {
		i, known := e.place[id]
		j, there := column[id]
		switch {
		case known:
			dst[k] = e.Diag[i]
		case there:
			dst[k] = n.X.(*data.Dense).Row(k)[j]
		default:
			missing = append(missing, id)
		}
	}
	if missing != nil {
		return &NodeError{unknown, missing,
			"give the kernel values of new nodes with themselves, or train without normalising"}
	}
	return nil
}

// unitRows returns the rows of x divided by their lengths, the roots of v (nil is 1): features of the
// normalised linear kernel.
func (v *Values) unitRows(x data.Matrix) data.Matrix {
	if v.roots == nil {
		return x
	}
	if s, sparse := x.(*data.CSR); sparse {
		out := *s
		out.Val = slices.Clone(s.Val)
		for i, length := range v.roots {
			_, vals := out.Row(i)
			divideRow(vals, length)
		}
		return &out
	}
	out := v.copy(x)
	for i, length := range v.roots {
		divideRow(out.Row(i), length)
	}
	return out
}

func divideRow(row []float64, length float64) {
	for k := range row {
		row[k] /= length
	}
}

// dotRows is ⟨a_i, b_j⟩; at most one of a and b is sparse.
func dotRows(a data.Matrix, i int, b data.Matrix, j int) float64 {
	if d, dense := a.(*data.Dense); dense {
		return b.DotRow(j, d.Row(i))
	}
	return a.DotRow(i, b.(*data.Dense).Row(j))
}

// divide replaces k_ij by k_ij/(a_i b_j).
func divide(k *data.Dense, a, b []float64) {
	parallel.Chunks(k.Rows, tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := k.Row(i)
			for j, v := range row {
				row[j] = v / (a[i] * b[j])
			}
		}
	})
}
