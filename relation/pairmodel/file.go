package pairmodel

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"pairrank/internal/modelfile"
	"pairrank/internal/pairterms"
	"pairrank/internal/replace"
)

// The versions of the file format that have models of pairs. In the second one a side has the similarities of
// its training nodes, and in the last one a sum of kernels.
const (
	fileVersion    = 3
	similarVersion = 5
	sumVersion     = 9
)

// holdsPairs reports whether a version of the format has models of pairs.
func holdsPairs(version int) bool {
	return version == fileVersion || version == similarVersion || version == sumVersion
}

// version is the first version of the format that can hold the model.
func (p *Model) version() int {
	if p.Rows.sums() || p.ColSide().sums() {
		return sumVersion
	}
	if p.Rows.Similarity != nil || p.ColSide().Similarity != nil {
		return similarVersion
	}
	return fileVersion
}

// cosine is the name of k(x,z)/√(k(x,x) k(z,z)) in a file.
const cosine = "cosine"

// prefixes are the prefixes of the entries of a side.
var prefixes = [...]string{pairterms.Row: "row-", pairterms.Col: "col-"}

// WriteFile writes the model to the file at path. It writes a temporary file and renames it, so the file is
// never half-written. It returns the errors of Write and of the file.
func (p *Model) WriteFile(path string) error { return replace.File(path, p.Write) }

// Write writes the model as text, about 20 bytes a number; the cost is linear in the numbers. It returns the
// errors of w. It refuses a model that Read would not read back, and writes nothing: a coefficient that is not
// finite, a kernel unknown to kernel.Parse, a text of two lines.
func (p *Model) Write(w io.Writer) error {
	if err := p.Check(); err != nil {
		return err
	}
	return modelfile.Write(w, p.version(), &p.Info, p.write)
}

// Check returns why the model cannot be written and read back, or exported: parts are missing or do not fit
// together, numbers are not finite, texts are not UTF-8 or not one line. It costs a pass over the numbers.
func (p *Model) Check() error {
	if err := p.check(); err != nil {
		return err
	}
	if err := modelfile.CheckFacts(&p.Info); err != nil {
		return err
	}
	for _, at := range p.ends() {
		if err := p.side(at).writable(at); err != nil {
			return err
		}
	}
	switch {
	case p.Coef != nil:
		return modelfile.CheckFinite("coefficient", p.Coef)
	case p.Weights != nil:
		return modelfile.CheckFinite("weight", p.Weights)
	case p.Edges != nil:
		if k := slices.IndexFunc(p.Edges.Value, modelfile.NotFinite); k >= 0 {
			return fmt.Errorf("the coefficient of edge %d is not finite: %v", k+1, p.Edges.Value[k])
		}
	}
	return nil
}

func (s *Side) writable(at pairterms.End) error {
	if err := modelfile.CheckKernel(s.Kernel); err != nil {
		return err
	}
	for _, names := range [][]string{s.ID, s.Names, s.termNames()} {
		for k, name := range names {
			if !utf8.ValidString(name) {
				return fmt.Errorf("name %d at the %s nodes is not UTF-8: %q", k+1, at, name)
			}
		}
	}
	if s.Similarity != nil {
		if err := modelfile.CheckFinite("similarity of the "+at.String()+" nodes", s.Similarity); err != nil {
			return err
		}
	}
	if s.Support == nil {
		return nil
	}
	return modelfile.CheckFinite("feature of the "+at.String()+" nodes", s.Support)
}

// write writes the kernel, the sides, and the coefficients or weights.
func (p *Model) write(w *modelfile.Writer) {
	ends := p.ends()
	w.Line("pairwise", string(p.Kernel))
	w.Line("domains", strconv.Itoa(len(ends)))
	for _, at := range ends {
		s := p.side(at)
		s.write(w, prefixes[at], s.features(at, p))
	}
	switch {
	case p.Coef != nil:
		w.Line("coefficients", "dense")
		w.Rows(p.Coef)
	case p.Edges != nil:
		p.Edges.write(w)
	case p.Weights != nil:
		w.Line("weights")
		w.Rows(p.Weights)
	}
}

func (s *Side) write(w *modelfile.Writer, prefix string, features int) {
	w.Line(prefix+"kernel", s.Kernel.String())
	if features >= 0 {
		w.Line(prefix+"features", strconv.Itoa(features))
	}
	if s.Names != nil {
		w.Line(prefix + "names")
		w.Strings(s.Names)
	}
	if s.ID != nil {
		w.Line(prefix+"nodes", strconv.Itoa(len(s.ID)))
		w.Strings(s.ID)
	}
	if s.Support != nil {
		w.Line(prefix+"support", modelfile.Storage(s.Support))
		w.Rows(s.Support)
	}
	if s.Similarity != nil {
		w.Line(prefix+"similarity", "dense")
		w.Rows(s.Similarity)
	}
	s.writeTerms(w, prefix)
	if s.Normalize {
		w.Line(prefix+"normalizer", cosine)
		w.Rows(s.diagonals())
	}
	if s.Shift != 0 {
		w.Line(prefix+"shift", string(modelfile.AppendNumber(nil, s.Shift)))
	}
}

// write writes a line "row column coefficient" an edge, both from 1.
func (e *EdgeCoef) write(w *modelfile.Writer) {
	w.Line("coefficients", "sparse", strconv.Itoa(len(e.Value)))
	for k, v := range e.Value {
		b := append(strconv.AppendInt(w.AvailableBuffer(), int64(e.Row[k])+1, 10), ' ')
		b = append(strconv.AppendInt(b, int64(e.Col[k])+1, 10), ' ')
		w.Write(append(modelfile.AppendNumber(b, v), '\n'))
	}
}
