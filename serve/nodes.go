package serve

import (
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/format/table"
	"pairrank/relation/pairmodel"
)

// nodes are the row and column nodes that a model of pairs can score.
type nodes struct{ rows, cols *side }

// side is the nodes at one end: those of a file and those of the training.
type side struct {
	values *pairmodel.Values
	ids    []string
	place  map[string]int32 // of the nodes by id
	width  float64          // of the values of a node
	quoted int              // bytes of the ids in an answer, at most
}

// readNodes returns the nodes of the training that the model keeps, and those of files.
func readNodes(p *pairmodel.Model, src Source, ignore bool) (*nodes, error) {
	n := &nodes{}
	var err error
	if n.rows, err = readSide(p, src.Rows, true, ignore); err != nil {
		return nil, err
	}
	n.cols = n.rows
	if p.Cols != nil || src.Cols != "" {
		n.cols, err = readSide(p, src.Cols, false, ignore)
	}
	return n, err
}

// readSide returns the nodes of one end. A node of the file replaces one of the training with the
// same id.
func readSide(p *pairmodel.Model, path string, rows, ignore bool) (*side, error) {
	of, values, without, what := &p.Rows, p.RowValues, p.RowsWithoutExtra, "row"
	if !rows {
		of, values, without, what = p.ColSide(), p.ColValues, p.ColsWithoutExtra, "column"
	}
	n, id := of.Trained(), of.ID
	if path == "" && n == nil {
		return nil, fmt.Errorf("the model does not keep the features of its %s nodes: give a file of %s nodes", what,
			what)
	}
	if path != "" {
		var err error
		if n, id, err = readNodeFile(of, path); err != nil {
			return nil, err
		}
		if ignore {
			n = without(n)
		}
	}
	v, err := values(n)
	if err != nil && path != "" {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if err == nil && path != "" && of.Support != nil {
		n = withTrained(n, of)
		id = n.ID
		v, err = values(n)
	}
	if err != nil {
		return nil, err
	}
	s := &side{values: v, ids: id, place: make(map[string]int32, len(id)), width: nodeWidth(p, of, rows)}
	for k, id := range id {
		s.place[id] = int32(k)
		s.quoted += mostQuoted(id)
	}
	return s, nil
}

// nodeWidth is the number of values of a node of one end.
func nodeWidth(p *pairmodel.Model, of *pairmodel.Side, rows bool) float64 {
	switch w := p.Weights; {
	case w == nil:
		return float64(len(of.ID))
	case rows:
		return float64(w.Rows)
	default:
		return float64(w.Cols)
	}
}

// withTrained is nodes of a file, checked, and below them the other ones of training.
func withTrained(n *pairmodel.Nodes, of *pairmodel.Side) *pairmodel.Nodes {
	there := make(map[string]bool, len(n.ID))
	for _, id := range n.ID {
		there[id] = true
	}
	var others []int
	id := slices.Clone(n.ID)
	for k, trained := range of.ID {
		if !there[trained] {
			others, id = append(others, k), append(id, trained)
		}
	}
	_, width := of.Support.Dims()
	return &pairmodel.Nodes{X: stack(data.Widen(n.X, width), data.Select(of.Support, others)), ID: id, Names: of.Names}
}

// stack is the rows of two matrices of one width: dense where the second is.
func stack(a, b data.Matrix) data.Matrix {
	top, n := a.Dims()
	bottom, _ := b.Dims()
	if _, dense := b.(*data.Dense); dense {
		x := data.NewDense(top+bottom, n, nil)
		for i := range top {
			a.RowTo(x.Row(i), i)
		}
		for i := range bottom {
			b.RowTo(x.Row(top+i), i)
		}
		return x
	}
	x := &data.CSR{Rows: top + bottom, Cols: n, Ptr: []int{0}}
	for _, m := range []data.Matrix{a, b} {
		rows, _ := m.Dims()
		for i := range rows {
			data.Each(m, i, func(j int, v float64) {
				if v != 0 {
					x.Col, x.Val = append(x.Col, int32(j)), append(x.Val, v)
				}
			})
			x.Ptr = append(x.Ptr, len(x.Col))
		}
	}
	return x
}

// readNodeFile reads nodes: their features, or their similarities to the training nodes.
func readNodeFile(of *pairmodel.Side, path string) (*pairmodel.Nodes, []string, error) {
	if err := checkRegular(path); err != nil {
		return nil, nil, err
	}
	if !of.Precomputed() {
		n, err := table.ReadNodes(path, table.NodesOptions{})
		if err != nil {
			return nil, nil, err
		}
		return &pairmodel.Nodes{X: n.X, ID: n.ID, Names: n.Names}, n.ID, nil
	}
	if of.Terms != nil {
		return nil, nil, fmt.Errorf("%s: the model adds up %d similarities, and a server takes one file of nodes: it scores "+
			"those of the training, and pairrank relation predict others", path, len(of.Terms))
	}
	m, err := table.ReadSimilarity(path)
	if err != nil {
		return nil, nil, err
	}
	n := &pairmodel.Nodes{X: m.K, Names: m.ColID}
	if training := len(of.ID); !m.Numbered || m.K.Rows == training && m.K.Cols == training {
		n.ID = m.RowID // else nothing identifies the nodes
	}
	return n, m.RowID, nil
}

// scoreNodes sets the job's scores to those of pairs, or of a given row node with every column
// node.
func (l *loaded) scoreNodes(j *job, q *request) *Problem {
	row, col, p := l.nodes.find(q)
	if p != nil {
		return p
	}
	j.scores, j.rows = make([]float64, len(row)), len(row)
	l.pairs.ScorePairsTo(j.scores, l.nodes.rows.values, l.nodes.cols.values, row, col)
	return q.finite(j.scores, 1)
}

// find is where the nodes of a request are.
func (n *nodes) find(q *request) (row, col []int32, p *Problem) {
	if q.given != nil {
		i, is := n.rows.place[*q.given]
		if !is {
			return nil, nil, unknownNode("row", *q.given).at("given")
		}
		row, col = make([]int32, 0, len(n.cols.ids)), make([]int32, 0, len(n.cols.ids))
		for k := range n.cols.ids {
			row, col = append(row, i), append(col, int32(k))
		}
		return row, col, nil
	}
	row, col = make([]int32, 0, len(q.pairs)), make([]int32, 0, len(q.pairs))
	for k, pair := range q.pairs {
		i, isRow := n.rows.place[pair[0]]
		j, isCol := n.cols.place[pair[1]]
		if !isRow {
			return nil, nil, unknownNode("row", pair[0]).at("pairs", k, 0)
		}
		if !isCol {
			return nil, nil, unknownNode("column", pair[1]).at("pairs", k, 1)
		}
		row, col = append(row, i), append(col, j)
	}
	return row, col, nil
}

func unknownNode(what, id string) *Problem {
	return unfit("unknown-node", "no %s node has the id %q", what, clip(id))
}
