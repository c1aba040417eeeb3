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

// roots is √k(x,x) of nodes with features x, or of a precomputed kernel.
func (s *Side) roots(n *Nodes, x data.Matrix) ([]float64, error) {
	self := n.Self
	if !s.Precomputed() {
		self = selfValues(s.Kernel, x)
	} else if self == nil {
		var err error
		if self, err = s.knownSelf(n); err != nil {
			return nil, err
		}
	}
	out := make([]float64, len(self))
	var bad []string
	for k, v := range self {
		if notPositive(v) {
			bad = append(bad, n.name(k))
		}
		out[k] = math.Sqrt(v)
	}
	if bad != nil {
		return nil, &NodeError{"the kernel is normalised, and of these nodes with themselves it is not above 0", bad,
			"leave out nodes without features, or train without normalising"}
	}
	return out, nil
}

// name is what node k is called in an error.
func (n *Nodes) name(k int) string {
	if n.ID != nil {
		return n.ID[k]
	}
	return fmt.Sprintf("row %d", k+1)
}

// knownSelf is k(x,x) of nodes: of a training node as it was in training, of another
// what the matrix has in the column of its own name.
func (s *Side) knownSelf(n *Nodes) ([]float64, error) {
	const unknown = "the kernel was normalised in training, and it is not known what the kernel of these nodes with themselves is"
	if n.ID == nil {
		return nil, errors.New(unknown)
	}
	place, column := s.placeOf(), make(map[string]int, len(n.Names))
	for j, name := range n.Names {
		column[name] = j
	}
	self := make([]float64, len(n.ID))
	var missing []string
	for k, id := range n.ID {
		i, known := place[id]
		j, there := column[id]
		switch {
		case known:
			self[k] = s.Diag[i]
		case there:
			self[k] = n.X.(*data.Dense).Row(k)[j]
		default:
			missing = append(missing, id)
		}
	}
	if missing != nil {
		return nil, &NodeError{unknown, missing,
			"give the kernel values of new nodes with themselves, or train without normalising"}
	}
	return self, nil
}

// selfValues is k(x,x) of the rows of x.
func selfValues(k kernel.Kernel, x data.Matrix) []float64 {
	rows, _ := x.Dims()
	out := data.NewDense(rows, 1, nil)
	each := func(f func(i int)) {
		parallel.Chunks(rows, tile, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				f(i)
			}
		})
	}
	switch k.(type) {
	case kernel.Gaussian:
		each(func(i int) { out.Data[i] = 1 })
	case kernel.Linear:
		each(func(i int) { out.Data[i] = data.SquaredNorm(x, i) })
	case kernel.Polynomial: // of ⟨x,x⟩, as of the rows ⟨x,x⟩ with a row 1
		squares := data.NewDense(rows, 1, nil)
		each(func(i int) { squares.Data[i] = data.SquaredNorm(x, i) })
		k.MatrixTo(out, squares, &data.Dense{Rows: 1, Cols: 1, Stride: 1, Data: []float64{1}})
	default:
		each(func(i int) {
			row := data.Slice(x, i, i+1)
			k.MatrixTo(&data.Dense{Rows: 1, Cols: 1, Stride: 1, Data: out.Data[i : i+1]}, row, row)
		})
	}
	return out.Data
}

// unitRows is the rows of x divided by their lengths: features of the normalised
// linear kernel.
func (s *Side) unitRows(n *Nodes, x data.Matrix) (data.Matrix, error) {
	lengths, err := s.roots(n, x)
	if err != nil {
		return nil, err
	}
	if s, sparse := x.(*data.CSR); sparse {
		out := *s
		out.Val = slices.Clone(s.Val)
		for i, length := range lengths {
			_, vals := out.Row(i)
			for k := range vals {
				vals[k] /= length
			}
		}
		return &out, nil
	}
	out := x.(*data.Dense).Clone()
	for i, length := range lengths {
		for k := range out.Row(i) {
			out.Row(i)[k] /= length
		}
	}
	return out, nil
}

// dotRows is ⟨a_i, b_j⟩; at most one of a and b is sparse.
func dotRows(a data.Matrix, i int, b data.Matrix, j int) float64 {
	if d, dense := a.(*data.Dense); dense {
		return b.DotRow(j, d.Row(i))
	}
	return a.DotRow(i, b.(*data.Dense).Row(j))
}

// divideTo sets dst to k_ij/(a_i b_j); it may be k.
func divideTo(dst, k *data.Dense, a, b []float64) {
	parallel.Chunks(k.Rows, tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			out := dst.Row(i)
			for j, v := range k.Row(i) {
				out[j] = v / (a[i] * b[j])
			}
		}
	})
}
