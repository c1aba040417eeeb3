package pairmodel

import (
	"fmt"
	"strings"
	"sync"

	"pairrank/data"
	"pairrank/internal/features"
	"pairrank/internal/modelfile"
	"pairrank/internal/parallel"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// Nodes are r row or column nodes that a Model scores, new ones or some that
// were in training.
type Nodes struct {
	// X is r×n features, dense or CSR. For a precomputed kernel it is dense,
	// the kernel values of the nodes with the p training nodes, r×p; for
	// similarity those of the row nodes with the column nodes, in their order,
	// and nil for the columns. It is as it was read, not normalised.
	X data.Matrix

	// Names are those of the columns of X, or nil: features, in the order of
	// training, or the nodes of a kernel matrix, in any order and possibly with
	// others between them.
	Names []string

	// ID are the r names of the nodes, or nil. They say which training node a
	// cartesian kernel meets.
	ID []string

	// Self is k(x,x) of the r nodes, above 0, for a precomputed kernel that is
	// normalised. nil is that of the training nodes of the same names, and of
	// other nodes what X has in the column of their own name.
	Self []float64
}

// Values are what a Model needs of nodes to score them: their kernel values
// with the training nodes, r×p, or their features.
type Values struct {
	x     data.Matrix
	known []int32   // training nodes of the same names, for a cartesian kernel
	roots []float64 // √k(x,x), for a normalised similarity
	count int

	of    *Model // that made the values
	once  [2]sync.Once
	alone [2][]float64 // what the nodes add by themselves, by end
}

// Len is the number r of nodes.
func (v *Values) Len() int { return v.count }

// NodeError reports which nodes do not fit a model.
type NodeError struct {
	What string   // is wrong with them
	ID   []string // all of them
	Help string   // what to do, or ""
}

// Error says what is wrong and lists the nodes, the first twenty of them.
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

// Hint says what the user can do; it may be empty.
func (e *NodeError) Hint() string { return e.Help }

// RowValues prepares r row nodes of n features for scoring against p training nodes, in
// O(r·p·n). In one domain they can be the columns, too. Nodes with fewer features than in
// training count the others as zero. It returns a *FeatureError for more features or
// other names, and a *NodeError for nodes that a kernel matrix lacks, that a cartesian
// kernel does not know, or whose kernel cannot be normalised. The matrix of n may be
// kept. It panics when the lengths of n do not fit together.
func (p *Model) RowValues(n *Nodes) (*Values, error) { return p.values(n, pairwise.Row) }

// ColValues is RowValues for column nodes, with the same cost and errors.
func (p *Model) ColValues(n *Nodes) (*Values, error) { return p.values(n, pairwise.Col) }

func (p *Model) values(n *Nodes, at pairwise.End) (v *Values, err error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := p.side(at)
	v = &Values{count: n.count(), of: p}
	trained := s.features(at, p)
	switch {
	case p.Kernel == Similarity:
		err = v.raw(s, n, trained)
	case p.Weights != nil:
		if v.x, err = s.columns(n, trained); err == nil && s.Normalize {
			v.x, err = s.unitRows(n, v.x)
		}
	default:
		v.x, err = s.against(n, trained)
	}
	if err == nil && p.Kernel == pairwise.Cartesian {
		v.known, err = s.find(n.ID, at)
	}
	if err != nil {
		return nil, fmt.Errorf("%s nodes: %w", at, err)
	}
	return v, nil
}

// count is r. It panics when the lengths do not fit together.
func (n *Nodes) count() int {
	r := len(n.ID)
	if n.X != nil {
		rows, cols := n.X.Dims()
		if n.ID != nil && r != rows || n.Names != nil && len(n.Names) != cols {
			panic(fmt.Sprintf("pairmodel: %d×%d values of %d nodes, with %d names of columns", rows, cols, r, len(n.Names)))
		}
		r = rows
	}
	if n.Self != nil && len(n.Self) != r {
		panic(fmt.Sprintf("pairmodel: %d diagonal values of %d nodes", len(n.Self), r))
	}
	return r
}

// raw takes nodes for similarity, which meet one another and no training node.
func (v *Values) raw(s *Side, n *Nodes, trained int) (err error) {
	if s.Precomputed() {
		v.x = n.X
	} else {
		if s.Names == nil {
			trained = width(n.X)
		}
		if v.x, err = s.columns(n, trained); err != nil {
			return err
		}
	}
	if s.Normalize {
		v.roots, err = s.roots(n, v.x)
	}
	return err
}

func width(x data.Matrix) int {
	_, cols := x.Dims()
	return cols
}

// columns is the features of nodes, checked, and as many as in training.
func (s *Side) columns(n *Nodes, trained int) (data.Matrix, error) {
	if err := features.Check(width(n.X), n.Names, trained, s.Names); err != nil {
		return nil, err
	}
	return data.Widen(n.X, trained), nil
}

// against is the kernel values of nodes with the training nodes.
func (s *Side) against(n *Nodes, trained int) (*data.Dense, error) {
	var k *data.Dense
	x := n.X
	if s.Precomputed() {
		var err error
		if k, err = s.rectangle(n); err != nil || !s.Normalize {
			return s.shifted(k, n), err
		}
	} else {
		var err error
		if x, err = s.columns(n, trained); err != nil {
			return nil, err
		}
		k = kernel.Matrix(s.Kernel, x, s.Support)
	}
	if !s.Normalize {
		return k, nil
	}
	a, err := s.roots(n, x)
	if err != nil {
		return nil, err
	}
	b, err := s.roots(&Nodes{ID: s.ID, Self: s.Diag}, s.Support)
	if err != nil {
		return nil, fmt.Errorf("in training: %w", err)
	}
	scaled := k
	if s.Precomputed() { // whose matrix is not ours to change
		scaled = data.NewDense(k.Rows, k.Cols, nil)
	}
	divideTo(scaled, k, a, b)
	if s.Shift != 0 {
		s.shift(scaled, n)
	}
	return scaled, nil
}

// shifted is k, which is not ours to change, with the shift.
func (s *Side) shifted(k *data.Dense, n *Nodes) *data.Dense {
	if s.Shift == 0 || k == nil {
		return k
	}
	k = k.Clone()
	s.shift(k, n)
	return k
}

// shift adds the shift to the kernel values of nodes with the training nodes of the
// same names.
func (s *Side) shift(k *data.Dense, n *Nodes) {
	place := s.placeOf()
	for i, id := range n.ID {
		if j, known := place[id]; known {
			k.Row(i)[j] += s.Shift
		}
	}
}

// rectangle is the kernel matrix of nodes with its columns in the order of the
// training nodes.
func (s *Side) rectangle(n *Nodes) (*data.Dense, error) {
	x, dense := n.X.(*data.Dense)
	if !dense {
		panic(fmt.Sprintf("pairmodel: a kernel matrix of type %T", n.X))
	}
	if n.Names == nil {
		if x.Cols != len(s.ID) {
			return nil, fmt.Errorf("the kernel matrix has %d columns, want one for each of the %d training nodes", x.Cols, len(s.ID))
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
		return nil, &NodeError{fmt.Sprintf("the kernel matrix has no column of %d training nodes", len(missing)), missing,
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

// find is the training nodes of the given names.
func (s *Side) find(ids []string, at pairwise.End) ([]int32, error) {
	if ids == nil {
		return nil, fmt.Errorf("a cartesian kernel needs the names of the nodes")
	}
	known, missing := s.places(ids)
	if missing != nil {
		return nil, &NodeError{fmt.Sprintf("a cartesian kernel scores no new nodes, and %d were not in training", len(missing)), missing,
			"train with another pairwise kernel, such as kronecker, to score new nodes"}
	}
	return known, nil
}

// places is where the training nodes of the given names are, 0 for the missing
// ones.
func (s *Side) places(ids []string) (at []int32, missing []string) {
	place := s.placeOf()
	at = make([]int32, len(ids))
	for k, id := range ids {
		i, ok := place[id]
		if !ok {
			missing = append(missing, id)
		}
		at[k] = i
	}
	return at, missing
}

// placeOf is where the training nodes are, by name.
func (s *Side) placeOf() map[string]int32 {
	place := make(map[string]int32, len(s.ID))
	for i, id := range s.ID {
		place[id] = int32(i)
	}
	return place
}
