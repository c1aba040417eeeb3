package table

import (
	"io"

	"pairrank/data"
)

// Nodes is one side of a relation: objects with ids and features.
type Nodes struct {
	ID       []string    // no two are equal
	X        *data.Dense // a row for each
	Names    []string    // of the features; nil when the file has none
	Numbered bool        // the file has no ids: they are 1 … p, as texts
}

// NodesOptions says how nodes are read. The zero value detects everything.
type NodesOptions struct {
	// Separator is the byte between fields, ' ' for runs of blanks; 0 finds it.
	Separator byte
	// Header says whether there is a header line, ids in the first column, or neither. Auto: yes
	// when the header begins with "id" or an empty field or has one field fewer than the rows, or
	// when the first line is not all numbers and the first field of the second is not a number.
	// Ambiguous files are refused.
	Header Header
	// MaxLine is the number of bytes of the longest line; 0 is data.MaxLine.
	MaxLine int
	// Missing says how to treat missing values of features; the default refuses them.
	Missing data.Missing
}

// ReadNodes reads the p nodes of a relation with their n features from CSV or TSV text, compressed
// or not: a header line, then a line `id feature …` for each node. Numbers alone, as text or as a
// two-dimensional .npy file, have the ids 1 … p. Ids are texts: 7 and 07 differ. The cost is linear
// in the size of the file.
//
// It returns a *data.SyntaxError, with a method Hint where there is a way out, for repeated ids, all
// listed with their lines, an empty id, a number that is not finite, and lines of unequal length;
// and the errors of the file.
func ReadNodes(path string, opts NodesOptions) (*Nodes, error) {
	n, err := openNamed(path, opts.Separator, opts.MaxLine, opts.Header, opts.Missing != data.MissingError)
	if err != nil {
		return nil, err
	}
	return nodesOf(n, opts), nil
}

func nodesOf(n *idMatrix, opts NodesOptions) *Nodes {
	if opts.Missing != data.MissingError {
		data.FillMissing(n.x, opts.Missing)
	}
	return &Nodes{ID: n.rows, X: n.x, Names: n.cols, Numbered: n.numbered}
}

// textFrom reads lines from r; the separator is sep, or the one that the extension of name implies.
func textFrom(r io.Reader, name string, sep byte, maxLine int) *lines {
	if sep == 0 {
		sep = separatorOf(name)
	}
	return newLines(r, name, sep, maxLine)
}
