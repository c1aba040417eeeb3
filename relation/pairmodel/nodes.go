package pairmodel

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"pairrank/data"
	"pairrank/internal/features"
	"pairrank/internal/modelfile"
	"pairrank/internal/pairterms"
	"pairrank/internal/parallel"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// Nodes are r row or column nodes that a Model scores, new nodes or training nodes.
type Nodes struct {
	// X is r×n features, dense or CSR. For a precomputed kernel it is dense, r×p, the kernel values of the
	// nodes with the p training nodes; for similarity those of the row nodes with the column nodes, in their
	// order, and nil for the columns. X is as it was read, not normalised.
	X data.Matrix

	// Names are the names of the columns of X, or nil: features, in the order of training; or the nodes of a
	// kernel matrix, in any order and possibly with others between them.
	Names []string

	// ID are the r names of the nodes, or nil. A cartesian kernel compares them with the training nodes.
	ID []string

	// Parts, in place of the other fields, are the nodes with one similarity each, in the order of the Terms of their
	// side. The nodes are taken in the order of the first, and are the same in all; an ID is nil where nothing names
	// them. Each part costs O(rp).
	Parts []*Nodes

	// Self is k(x,x) of the r nodes, above 0, for a precomputed kernel that is normalised. With nil, training
	// nodes are found by name, and other nodes take the entry of X in the column with their name.
	Self []float64
}

// Values are what a Model needs to score nodes: their kernel values with the training nodes, r×p, or their
// features.
type Values struct {
	x     data.Matrix
	known []int32   // training nodes with the same names, for a cartesian kernel
	roots []float64 // √k(x,x), if the kernel is divided by it
	count int
	own   *data.Dense // memory of x, unless x is the given matrix

	of    *Model // the model that made the values
	once  [2]sync.Once
	alone [2][]float64 // the own terms of the nodes, by end
}

// Len is the number r of nodes.
func (v *Values) Len() int { return v.count }

// NodeError reports which nodes do not fit a model.
type NodeError struct {
	What string   // the fault
	ID   []string // all of them
	Help string   // the remedy, or ""
}

// Error names the fault and the nodes, the first twenty of them.
func (e *NodeError) Error() string {
	const most = 20
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", e.What)
	for k, id := range e.ID {
		if k == most {
			fmt.Fprintf(&b, " and %d more", len(e.ID)-most)
			break
		}
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", modelfile.Clip(id))
	}
	return b.String()
}

// Hint returns the remedy for the user; it may be empty.
func (e *NodeError) Hint() string { return e.Help }

// RowValues prepares r row nodes of n features for scoring against p training nodes, in O(r·p·n). In one domain
// they can be the columns, too. Missing features of nodes with fewer features than in training are zero. It
// returns a *fault.FeatureError for more features or other names, and a *NodeError for nodes that a kernel matrix
// lacks, that a cartesian kernel does not know, or whose kernel cannot be normalised. It may keep the matrix of
// n. It panics when the lengths of n do not fit together.
func (p *Model) RowValues(n *Nodes) (*Values, error) { return p.values(n, pairterms.Row) }

// ColValues is RowValues for column nodes, with the same cost and errors.
func (p *Model) ColValues(n *Nodes) (*Values, error) { return p.values(n, pairterms.Col) }

func (p *Model) values(n *Nodes, at pairterms.End) (*Values, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	e, err := p.end(at)
	if err != nil {
		return nil, err
	}
	v := &Values{of: p}
	if err := e.fill(v, n); err != nil {
		return nil, fmt.Errorf("%s nodes: %w", at, err)
	}
	return v, nil
}

// count is r. It panics when the lengths do not fit together.
func (n *Nodes) count() int {
	if n.Parts != nil {
		return n.Parts[0].count()
	}
	r := len(n.ID)
	if n.X != nil {
		rows, cols := n.X.Dims()
		if n.ID != nil && r != rows || n.Names != nil && len(n.Names) != cols {
			panic(fmt.Sprintf("pairmodel: %d×%d values of %d nodes, with %d names of columns",
				rows, cols, r, len(n.Names)))
		}
		r = rows
	}
	if n.Self != nil && len(n.Self) != r {
		panic(fmt.Sprintf("pairmodel: %d diagonal values of %d nodes", len(n.Self), r))
	}
	return r
}

func width(x data.Matrix) int {
	_, cols := x.Dims()
	return cols
}

// end is the training nodes at one end of the pairs, prepared for comparison with other nodes.
type end struct {
	*Side
	model   *Model
	at      pairterms.End
	trained int              // features, -1 if unknown
	roots   []float64        // √k(z,z) of the kept nodes, if the kernel is divided by it
	place   map[string]int32 // of the nodes by name, if names are needed

	// For scoring one node at a time, else nil: the nodes with features, and 1/roots.
	rows  *kernel.Prepared
	scale []float64
}

// end prepares an end, in O(pn). It returns an error for training nodes whose kernel cannot be normalised.
func (p *Model) end(at pairterms.End) (*end, error) {
	s := p.side(at)
	e := &end{Side: s, model: p, at: at, trained: s.features(at, p)}
	if p.Kernel == pairwise.Cartesian || s.Precomputed() && (s.Normalize || s.Shift != 0) {
		e.place = make(map[string]int32, len(s.ID))
		for i, id := range s.ID {
			e.place[id] = int32(i)
		}
	}
	if !e.divides() || s.ID == nil {
		return e, nil
	}
	e.roots = make([]float64, len(s.ID))
	if err := e.rootsTo(e.roots, &Nodes{ID: s.ID, Self: s.Diag}, s.Support); err != nil {
		return nil, fmt.Errorf("%s nodes: in training: %w", at, err)
	}
	return e, nil
}

// fill sets v to the values of nodes, and reuses the memory of v.
func (e *end) fill(v *Values, n *Nodes) error {
	v.count = n.count()
	if n.Parts != nil {
		sum, err := e.sum(n.Parts)
		if err != nil {
			return err
		}
		n = sum
	}
	x, err := e.columns(n)
	if err == nil && e.divides() {
		v.roots = slices.Grow(v.roots[:0], v.count)[:v.count]
		err = e.rootsTo(v.roots, n, x)
	}
	if err != nil {
		return err
	}
	switch {
	case e.model.Kernel == Similarity:
		v.x = x
	case e.model.Weights != nil:
		v.x = v.unitRows(x)
	default:
		v.x = e.against(v, x, n.ID)
	}
	if e.model.Kernel == pairwise.Cartesian {
		v.known = slices.Grow(v.known[:0], v.count)[:v.count]
		return e.findTo(v.known, n.ID)
	}
	return nil
}

// columns returns the features of nodes, checked, and as many as in training, or their kernel values, in the
// order of the training nodes.
func (e *end) columns(n *Nodes) (data.Matrix, error) {
	switch {
	case e.Precomputed() && e.model.Kernel != Similarity:
		return e.rectangle(n)
	case e.trained < 0:
		return n.X, nil
	}
	if err := features.Check(width(n.X), n.Names, e.trained, e.Names); err != nil {
		return nil, err
	}
	return data.Widen(n.X, e.trained), nil
}

// against returns the kernel values of nodes with the training nodes, in v.own.
func (e *end) against(v *Values, x data.Matrix, ids []string) *data.Dense {
	switch {
	case e.Precomputed() && v.roots == nil && e.Shift == 0:
		return x.(*data.Dense)
	case e.Precomputed(): // the matrix belongs to the caller
		v.copy(x)
	case e.rows != nil:
		e.rows.RowTo(v.room(1, len(e.ID)).Data, data.ToDense(x).Row(0))
	default:
		rows, _ := x.Dims()
		e.Kernel.MatrixTo(v.room(rows, len(e.ID)), x, e.Support)
	}
	switch {
	case v.roots != nil && e.scale != nil:
		values, inverse := v.own.Data[:len(e.scale)], 1/v.roots[0]
		for j, scale := range e.scale {
			values[j] *= inverse * scale
		}
	case v.roots != nil:
		divide(v.own, v.roots, e.roots)
	}
	if e.Shift != 0 {
		for i, id := range ids {
			if j, known := e.place[id]; known {
				v.own.Row(i)[j] += e.Shift
			}
		}
	}
	return v.own
}

// room returns a matrix in the memory of v, with arbitrary contents.
func (v *Values) room(rows, cols int) *data.Dense {
	if v.own == nil || v.own.Rows != rows || v.own.Cols != cols {
		v.own = data.NewDense(rows, cols, nil)
	}
	return v.own
}

// copy returns x as a dense matrix in the memory of v.
func (v *Values) copy(x data.Matrix) *data.Dense {
	out := v.room(x.Dims())
	for i := range out.Rows {
		x.RowTo(out.Row(i), i)
	}
	return out
}

// rectangle is the kernel matrix of nodes with its columns in the order of the training nodes.
func (s *Side) rectangle(n *Nodes) (*data.Dense, error) {
	x, dense := n.X.(*data.Dense)
	if !dense {
		panic(fmt.Sprintf("pairmodel: a kernel matrix of type %T", n.X))
	}
	if n.Names == nil {
		if x.Cols != len(s.ID) {
			return nil, fmt.Errorf("the kernel matrix has %d columns, want one for each of the %d training nodes",
				x.Cols, len(s.ID))
		}
		return x, nil
	}
	place := make(map[string]int, len(n.Names))
	for j, name := range n.Names {
		if _, twice := place[name]; twice {
			return nil, fmt.Errorf("the kernel matrix has two columns %q", modelfile.Clip(name))
		}
		place[name] = j
	}
	from, moved := make([]int, len(s.ID)), x.Cols != len(s.ID)
	var missing []string
	for i, id := range s.ID {
		j, ok := place[id]
		if !ok {
			missing = append(missing, id)
		}
		from[i], moved = j, moved || i != j
	}
	if missing != nil {
		return nil, &NodeError{fmt.Sprintf("the kernel matrix has no column of %d training nodes", len(missing)),
			missing,
			"give kernel values new × training, the columns named by the training nodes"}
	}
	if !moved {
		return x, nil
	}
	out := data.NewDense(x.Rows, len(from), nil)
	parallel.Chunks(x.Rows, tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			in := x.Row(i)
			for k, j := range from {
				out.Row(i)[k] = in[j]
			}
		}
	})
	return out, nil
}

// findTo sets dst to the training nodes of the given names.
func (e *end) findTo(dst []int32, ids []string) error {
	if ids == nil {
		return fmt.Errorf("a cartesian kernel needs the names of the nodes")
	}
	var missing []string
	for k, id := range ids {
		i, known := e.place[id]
		if !known {
			missing = append(missing, id)
		}
		dst[k] = i
	}
	if missing != nil {
		return &NodeError{fmt.Sprintf("a cartesian kernel scores no new nodes, and %d were not in training",
			len(missing)), missing, "train with another pairwise kernel, such as kronecker, to score new nodes"}
	}
	return nil
}
