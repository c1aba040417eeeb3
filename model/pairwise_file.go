package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pairrank/kernel"
)

// pairwiseVersion is the version of the file format that has pairwise models.
const pairwiseVersion = 3

// cosine is the name of k(x,z)/√(k(x,x) k(z,z)) in a file.
const cosine = "cosine"

// writable tells why Read would not read the model back.
func (p *Pairwise) writable() error {
	if err := p.Rows.writable(row); err != nil {
		return err
	}
	if p.Cols != nil {
		if err := p.Cols.writable(col); err != nil {
			return err
		}
	}
	switch {
	case p.Coef != nil:
		return allFinite("coefficient", p.Coef)
	case p.Weights != nil:
		return allFinite("weight", p.Weights)
	case p.Edges != nil:
		if k := slices.IndexFunc(p.Edges.Value, notFinite); k >= 0 {
			return fmt.Errorf("the coefficient of edge %d is not finite: %v", k+1, p.Edges.Value[k])
		}
	}
	return nil
}

func (s *Side) writable(at end) error {
	if err := savable(s.Kernel); err != nil {
		return err
	}
	for _, names := range [][]string{s.ID, s.Names} {
		for k, name := range names {
			if !utf8.ValidString(name) {
				return fmt.Errorf("name %d at the %s nodes is not UTF-8: %q", k+1, at, name)
			}
		}
	}
	if s.Support == nil {
		return nil
	}
	return allFinite("feature of the "+at.String()+" nodes", s.Support)
}

// pairwise writes the kind, the sides, and what is learnt.
func (p *printer) pairwise(m *Pairwise) {
	p.line("pairwise", m.Kind)
	if m.Cols == nil {
		p.line("domains", "1")
	} else {
		p.line("domains", "2")
	}
	p.side("row-", &m.Rows, m.Rows.features(row, m))
	if m.Cols != nil {
		p.side("col-", m.Cols, m.Cols.features(col, m))
	}
	switch {
	case m.Coef != nil:
		p.line("coefficients", "dense")
		p.rows(m.Coef)
	case m.Edges != nil:
		p.edges(m.Edges)
	case m.Weights != nil:
		p.line("weights")
		p.rows(m.Weights)
	}
}

func (p *printer) side(prefix string, s *Side, features int) {
	p.line(prefix+"kernel", s.Kernel.String())
	if features >= 0 {
		p.line(prefix+"features", strconv.Itoa(features))
	}
	if s.Names != nil {
		p.line(prefix + "names")
		p.strings(s.Names)
	}
	if s.ID != nil {
		p.line(prefix+"nodes", strconv.Itoa(len(s.ID)))
		p.strings(s.ID)
	}
	if s.Support != nil {
		p.line(prefix+"support", storage(s.Support))
		p.rows(s.Support)
	}
	if s.Normalize {
		p.line(prefix+"normalizer", cosine)
		for _, v := range s.Diag {
			p.numbers([]float64{v})
		}
	}
	if s.Shift != 0 {
		p.line(prefix+"shift", string(appendNumber(nil, s.Shift)))
	}
}

// edges writes a line "row column coefficient" an edge, both from 1.
func (p *printer) edges(e *EdgeCoef) {
	p.line("coefficients", "sparse", strconv.Itoa(len(e.Value)))
	for k, v := range e.Value {
		b := append(strconv.AppendInt(p.AvailableBuffer(), int64(e.Row[k])+1, 10), ' ')
		b = append(strconv.AppendInt(b, int64(e.Col[k])+1, 10), ' ')
		p.Write(append(appendNumber(b, v), '\n'))
	}
}

// pairBuilder is what is read of a pairwise model.
type pairBuilder struct {
	model    Pairwise
	cols     Side
	features [2]int // of the rows and of the columns
}

// pairEntry is entry for what is of pairwise models only.
func (b *builder) pairEntry(key, value string) error {
	p := &b.pair.model
	switch key {
	case "pairwise":
		if _, known := pairKernelOf(value); !known {
			return fmt.Errorf("unknown kernel %q: known are %s", clip(value), strings.Join(PairwiseKinds(), ", "))
		}
		p.Kind = value
		return nil
	case "domains":
		switch value {
		case "1":
		case "2":
			p.Cols = &b.pair.cols
		default:
			return fmt.Errorf("there are 1 or 2 domains, not %q", clip(value))
		}
		return nil
	case "coefficients":
		return b.duals(value)
	case "weights":
		return b.pairWeights()
	}
	if what, is := strings.CutPrefix(key, "row-"); is {
		return b.side(&p.Rows, row, what, value)
	}
	if what, is := strings.CutPrefix(key, "col-"); is {
		if p.Cols == nil {
			return fmt.Errorf("stands without two domains")
		}
		return b.side(p.Cols, col, what, value)
	}
	return fmt.Errorf("unknown entry")
}

// side reads an entry of one side.
func (b *builder) side(s *Side, at end, what, value string) (err error) {
	prefix := [...]string{row: "row-", col: "col-"}[at]
	switch what {
	case "kernel":
		s.Kernel, err = kernel.Parse(value)
		return err
	case "features":
		return b.size(&b.pair.features[at], value, 0)
	case "names":
		if err = b.need(prefix + "features"); err == nil {
			s.Names, err = b.strings(b.pair.features[at], "feature")
		}
		return err
	case "nodes":
		var count int
		if err = b.size(&count, value, 0); err == nil {
			s.ID, err = b.strings(count, "node")
		}
		return err
	case "support":
		return b.nodes(s, at, value, prefix)
	case "normalizer":
		return b.cosine(s, value, prefix)
	case "shift":
		s.Shift, err = parseNumber(value)
		return err
	}
	return fmt.Errorf("unknown entry")
}

// nodes reads the features of the nodes of a side.
func (b *builder) nodes(s *Side, at end, storage, prefix string) error {
	if err := b.need(prefix+"kernel", prefix+"features", prefix+"nodes"); err != nil {
		return err
	}
	x, err := b.matrix(storage, len(s.ID), b.pair.features[at])
	if err != nil {
		return err
	}
	if x == nil {
		return fmt.Errorf("features are dense or sparse, not %q", clip(storage))
	}
	s.Support = x
	return nil
}

// cosine reads that a kernel is normalised, and the diagonal of a precomputed
// one.
func (b *builder) cosine(s *Side, value, prefix string) error {
	if value != cosine {
		return fmt.Errorf("the normalizer of a kernel is %s, not %q", cosine, clip(value))
	}
	if err := b.need(prefix + "kernel"); err != nil {
		return err
	}
	s.Normalize = true
	if !s.precomputed() || !b.seen[prefix+"nodes"] {
		return nil
	}
	diag, err := b.dense(len(s.ID), 1)
	if err != nil {
		return err
	}
	s.Diag = diag.Data
	return nil
}

// duals reads coefficients of all pairs or of edges.
func (b *builder) duals(value string) (err error) {
	p := &b.pair.model
	if err := b.need("pairwise", "domains", "row-nodes"); err != nil {
		return err
	}
	if p.Cols != nil {
		if err := b.need("col-nodes"); err != nil {
			return err
		}
	}
	if value == "dense" {
		p.Coef, err = b.dense(len(p.Rows.ID), len(p.ColSide().ID))
		return err
	}
	count, sparse := strings.CutPrefix(value, "sparse ")
	if !sparse {
		return fmt.Errorf("coefficients are dense, or sparse with their number, not %q", clip(value))
	}
	var edges int
	if err := b.size(&edges, count, 0); err != nil {
		return err
	}
	if err := b.room(edges, 3); err != nil {
		return err
	}
	e := &EdgeCoef{make([]int32, edges), make([]int32, edges), make([]float64, edges)}
	for k := range edges {
		if err := b.edge(e, k); err != nil {
			return err
		}
	}
	p.Edges = e
	return nil
}

// edge reads a line "row column coefficient".
func (b *builder) edge(e *EdgeCoef, k int) error {
	line, err := b.line()
	if err != nil {
		return err
	}
	from, rest, _ := strings.Cut(line, " ")
	to, number, more := strings.Cut(rest, " ")
	if !more || strings.Contains(number, " ") {
		return fmt.Errorf("a coefficient of an edge is row, column, number, not %q", clip(line))
	}
	p := &b.pair.model
	if e.Row[k], err = nodeNumber(from, &p.Rows); err != nil {
		return err
	}
	if e.Col[k], err = nodeNumber(to, p.ColSide()); err != nil {
		return err
	}
	e.Value[k], err = parseNumber(number)
	return err
}

func nodeNumber(text string, s *Side) (int32, error) {
	i, err := parseCount(text)
	if err != nil {
		return 0, err
	}
	if i < 1 || i > len(s.ID) || i > math.MaxInt32 {
		return 0, fmt.Errorf("node %d is not from 1 to %d", i, len(s.ID))
	}
	return int32(i - 1), nil
}

func (b *builder) pairWeights() (err error) {
	if err := b.need("pairwise", "domains", "row-features"); err != nil {
		return err
	}
	p, at := &b.pair.model, row
	if p.Cols != nil {
		if err := b.need("col-features"); err != nil {
			return err
		}
		at = col
	}
	p.Weights, err = b.dense(b.pair.features[row], b.pair.features[at])
	return err
}

// finishPairs takes what was read, when nothing contradicts it.
func (b *builder) finishPairs() error {
	p := &b.pair.model
	b.model.Pairwise = p
	if err := p.check(); err != nil {
		return err
	}
	for at, s := range []*Side{row: &p.Rows, col: p.ColSide()} {
		prefix := [...]string{row: "row-", col: "col-"}[at]
		if b.seen[prefix+"features"] && s.Support == nil && s.Names == nil && p.Weights == nil {
			return fmt.Errorf("%sfeatures without features", prefix)
		}
	}
	return nil
}
