package table

import (
	"io"
	"math"

	"pairrank/data"
)

// readEdgesFrom is ReadEdges of text from a reader; errors call it name.
func readEdgesFrom(r io.Reader, name string, opts EdgesOptions) (*Edges, error) {
	return readEdges(shapeFrom(r, name, opts.Separator, opts.MaxLine), opts)
}

// readNodesFrom is ReadNodes of text from a reader; errors call it name.
func readNodesFrom(r io.Reader, name string, opts NodesOptions) (*Nodes, error) {
	n, err := readNamed(shapeFrom(r, name, opts.Separator, opts.MaxLine), opts.Header, opts.Missing != data.MissingError)
	if err != nil {
		return nil, err
	}
	return nodesOf(n, opts), nil
}

// readSimilarityFrom is ReadSimilarity of text from a reader; errors call it name.
func readSimilarityFrom(r io.Reader, name string) (*Similarity, error) {
	n, err := readNamed(shapeFrom(r, name, 0, 0), HeaderAuto, false)
	return similarityOf(n, err)
}

// complete returns the values of the edges as a rows×cols matrix when every pair of nodes
// has one edge and a value, and nil otherwise. row and col are the ends of the edges, as
// Match returns them. Cost O(edges).
func (e *Edges) complete(row, col []int32, rows, cols int) *data.Dense {
	if len(e.Y) == 0 || rows == 0 || len(e.Y)/rows != cols || len(e.Y)%rows != 0 {
		return nil
	}
	y := data.NewDense(rows, cols, nil)
	for k := range y.Data {
		y.Data[k] = math.NaN()
	}
	for k, v := range e.Y {
		at := &y.Data[int(row[k])*cols+int(col[k])]
		if math.IsNaN(v) || !math.IsNaN(*at) {
			return nil
		}
		*at = v
	}
	return y
}

// extra returns how many rows and columns of the file are not among the given ids, so that Align
// leaves them out, in O(1) an id, for hashing.
func (s *Similarity) extra(rows, cols []string) (extraRows, extraCols int) {
	_, noRow := locate(s.RowID, index(rows))
	_, noCol := locate(s.ColID, index(cols))
	return len(noRow), len(noCol)
}
