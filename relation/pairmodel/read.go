package pairmodel

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"pairrank/internal/linalg"
	"pairrank/internal/modelfile"
	"pairrank/internal/pairterms"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/relation/pairwise"
)

// errRows reports that a file holds a model of rows, which scores no pairs. Package model reads it.
var errRows = errors.New("the model scores rows, not pairs of nodes")

// ReadFile is Read of the file at path. It returns the error of opening the file, too.
func ReadFile(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads a model; errors call the input name. The cost is linear in the size of the text, and the memory is
// that of the text and the model. For any fault it returns a *fault.FormatError with the line, which wraps
// ErrRows if the file holds a model of rows.
func Read(r io.Reader, name string) (*Model, error) {
	b := &builder{model: &Model{}}
	_, err := modelfile.Read(r, name, func(version int) (modelfile.Content, error) {
		if !holdsPairs(version) {
			return nil, errRows
		}
		return b, nil
	})
	if err != nil {
		return nil, err
	}
	return b.model, nil
}

// ReadEither reads a model of rows or a model of pairs, whichever the file holds; the other is nil. The cost
// and the errors are those of model.Read and of Read.
func ReadEither(r io.Reader, name string) (rows *model.Model, pairs *Model, err error) {
	in := bufio.NewReaderSize(r, modelfile.Beginning)
	beginning, _ := in.Peek(modelfile.Beginning) // the reader returns the error again below
	if holdsPairs(modelfile.VersionOf(beginning)) {
		pairs, err = Read(in, name)
	} else {
		rows, err = model.Read(in, name)
	}
	return rows, pairs, err
}

// builder holds the parts of a model as they are read.
type builder struct {
	model    *Model
	cols     Side
	features [2]int // of the rows and of the columns
}

// Entry reads the rest of the entry that the line "key value" begins.
func (b *builder) Entry(r *modelfile.Reader, key, value string) error {
	p := b.model
	switch key {
	case "pairwise":
		if p.Kernel = pairwise.Kernel(value); !p.Kernel.Known() && p.Kernel != Similarity {
			return fmt.Errorf("unknown kernel %q: known are %s", modelfile.Clip(value), kernelNames())
		}
		return nil
	case "domains":
		switch value {
		case "1":
		case "2":
			p.Cols = &b.cols
		default:
			return fmt.Errorf("there are 1 or 2 domains, not %q", modelfile.Clip(value))
		}
		return nil
	case "coefficients":
		return b.duals(r, value)
	case "weights":
		return b.weights(r)
	}
	if what, is := strings.CutPrefix(key, prefixes[pairterms.Row]); is {
		return b.side(r, pairterms.Row, what, value)
	}
	if what, is := strings.CutPrefix(key, prefixes[pairterms.Col]); is {
		if p.Cols == nil {
			return fmt.Errorf("stands without two domains")
		}
		return b.side(r, pairterms.Col, what, value)
	}
	return fmt.Errorf("unknown entry")
}

// side reads an entry of one side.
func (b *builder) side(r *modelfile.Reader, at pairterms.End, what, value string) (err error) {
	s, prefix := b.model.side(at), prefixes[at]
	switch what {
	case "kernel":
		s.Kernel, err = kernel.Parse(value)
		return err
	case "features":
		return modelfile.Size(&b.features[at], value, 0)
	case "names":
		if err = r.Need(prefix + "features"); err == nil {
			s.Names, err = r.Strings(b.features[at], "feature")
		}
		return err
	case "nodes":
		var count int
		if err = modelfile.Size(&count, value, 0); err == nil {
			s.ID, err = r.Strings(count, "node")
		}
		return err
	case "support":
		return b.nodes(r, at, value)
	case "similarity":
		return b.similarity(r, at, value)
	case "sum":
		return b.terms(r, at, value)
	case "normalizer":
		return b.cosine(r, at, value)
	case "shift":
		s.Shift, err = modelfile.ParseNumber(value)
		return err
	}
	return fmt.Errorf("unknown entry")
}

// nodes reads the features of the nodes of a side.
func (b *builder) nodes(r *modelfile.Reader, at pairterms.End, storage string) error {
	s, prefix := b.model.side(at), prefixes[at]
	if err := r.Need(prefix+"kernel", prefix+"features", prefix+"nodes"); err != nil {
		return err
	}
	x, err := r.Matrix(storage, len(s.ID), b.features[at])
	if err != nil {
		return err
	}
	if x == nil {
		return fmt.Errorf("features are dense or sparse, not %q", modelfile.Clip(storage))
	}
	s.Support = x
	return nil
}

// similarity reads the similarities of the training nodes of a side.
func (b *builder) similarity(r *modelfile.Reader, at pairterms.End, storage string) (err error) {
	if storage != "dense" {
		return fmt.Errorf("similarities are dense, not %q", modelfile.Clip(storage))
	}
	if err := r.Need(prefixes[at] + "nodes"); err != nil {
		return err
	}
	s := b.model.side(at)
	s.Similarity, err = r.Dense(len(s.ID), len(s.ID))
	return err
}

// cosine reads that a kernel is normalised, and the diagonal of a precomputed kernel.
func (b *builder) cosine(r *modelfile.Reader, at pairterms.End, value string) error {
	s, prefix := b.model.side(at), prefixes[at]
	if value != cosine {
		return fmt.Errorf("the normalizer of a kernel is %s, not %q", cosine, modelfile.Clip(value))
	}
	if err := r.Need(prefix + "kernel"); err != nil {
		return err
	}
	s.Normalize = true
	if !s.Precomputed() || !r.Has(prefix+"nodes") {
		return nil
	}
	diag, err := r.Dense(len(s.ID), max(1, len(s.Terms)))
	if err != nil {
		return err
	}
	if s.Terms == nil {
		s.Diag = diag.Data
	}
	for k := range s.Terms {
		s.Terms[k].Diag = linalg.Mat(*diag).T().Row(k)
	}
	return nil
}

// duals reads coefficients of all pairs or of edges.
func (b *builder) duals(r *modelfile.Reader, value string) (err error) {
	p := b.model
	if err := r.Need("pairwise", "domains", "row-nodes"); err != nil {
		return err
	}
	if p.Cols != nil {
		if err := r.Need("col-nodes"); err != nil {
			return err
		}
	}
	if value == "dense" {
		p.Coef, err = r.Dense(len(p.Rows.ID), len(p.ColSide().ID))
		return err
	}
	count, sparse := strings.CutPrefix(value, "sparse ")
	if !sparse {
		return fmt.Errorf("coefficients are dense, or sparse with their number, not %q", modelfile.Clip(value))
	}
	var edges int
	if err := modelfile.Size(&edges, count, 0); err != nil {
		return err
	}
	if err := r.Room(edges, 3); err != nil {
		return err
	}
	e := &EdgeCoef{make([]int32, edges), make([]int32, edges), make([]float64, edges)}
	for k := range edges {
		line, err := r.Line()
		if err == nil {
			err = b.edge(e, k, line)
		}
		if err != nil {
			return err
		}
	}
	p.Edges = e
	return nil
}

// edge reads a line "row column coefficient".
func (b *builder) edge(e *EdgeCoef, k int, line string) (err error) {
	from, rest, _ := strings.Cut(line, " ")
	to, number, more := strings.Cut(rest, " ")
	if !more || strings.Contains(number, " ") {
		return fmt.Errorf("a coefficient of an edge is row, column, number, not %q", modelfile.Clip(line))
	}
	if e.Row[k], err = nodeNumber(from, &b.model.Rows); err != nil {
		return err
	}
	if e.Col[k], err = nodeNumber(to, b.model.ColSide()); err != nil {
		return err
	}
	e.Value[k], err = modelfile.ParseNumber(number)
	return err
}

func nodeNumber(text string, s *Side) (int32, error) {
	i, err := modelfile.ParseCount(text)
	if err != nil {
		return 0, err
	}
	if i < 1 || i > len(s.ID) || i > math.MaxInt32 {
		return 0, fmt.Errorf("node %d is not from 1 to %d", i, len(s.ID))
	}
	return int32(i - 1), nil
}

func (b *builder) weights(r *modelfile.Reader) (err error) {
	if err := r.Need("pairwise", "domains", "row-features"); err != nil {
		return err
	}
	p, cols := b.model, b.features[pairterms.Row]
	if p.Cols != nil {
		if err := r.Need("col-features"); err != nil {
			return err
		}
		cols = b.features[pairterms.Col]
	}
	p.Weights, err = r.Dense(b.features[pairterms.Row], cols)
	return err
}

// Finish takes the parts if nothing contradicts them.
func (b *builder) Finish(r *modelfile.Reader) error {
	if err := r.Complete("learner", "pairwise", "domains", "row-kernel"); err != nil {
		return err
	}
	p := b.model
	p.Info = r.Info
	if p.version() != r.Version {
		return fmt.Errorf("version %d of the format is for models with the similarities of training nodes, and %d for "+
			"those with a sum of kernels, and this is version %d", similarVersion, sumVersion, r.Version)
	}
	if err := p.check(); err != nil {
		return err
	}
	if err := modelfile.CheckFacts(&p.Info); err != nil {
		return err
	}
	for _, at := range p.ends() {
		s := p.side(at)
		if r.Has(prefixes[at]+"features") && s.Support == nil && s.Names == nil && p.Weights == nil {
			return fmt.Errorf("%sfeatures without features", prefixes[at])
		}
	}
	return nil
}
