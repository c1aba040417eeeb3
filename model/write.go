package model

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"pairrank/data"
	"pairrank/internal/replace"
	"pairrank/kernel"
)

// Version is the latest version of the file format, and Read reads it and every
// earlier one. Write writes the earliest that has a place for the model: 3 for
// Pairwise, 2 for Stumps, else 1.
const Version = 3

const (
	magic        = "pairrank model "
	checksumLine = "checksum sha256 "
)

// WriteFile writes the model to a file by way of a temporary name, as
// replace.File does.
func (m *Model) WriteFile(path string) error { return replace.File(path, m.Write) }

// Write writes the model as text, about 20 bytes a number. A model that Read
// would not read back is an error, and nothing is written: a weight that is
// not finite, a kernel that kernel.Parse does not know, a text of two lines.
func (m *Model) Write(w io.Writer) error {
	if err := m.writable(); err != nil {
		return err
	}
	sum := sha256.New()
	out := &printer{Writer: bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)}
	out.model(m)
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s%x\n", checksumLine, sum.Sum(nil))
	return err
}

// writable tells why Read would not read the model back.
func (m *Model) writable() error {
	if err := m.check(); err != nil {
		return err
	}
	for j, name := range m.Names {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name of feature %d is not UTF-8: %q", j+1, name)
		}
	}
	if err := checkNormalizer(m.Normalizer, m.Features()); err != nil {
		return err
	}
	switch {
	case m.Linear != nil:
		return allFinite("weight", m.Linear.Weights)
	case m.Stumps != nil:
		return m.Stumps.finite()
	case m.Pairwise != nil:
		return m.Pairwise.writable()
	}
	return m.Kernel.writable()
}

// version is the version of the format that holds the model.
func (m *Model) version() int {
	switch {
	case m.Pairwise != nil:
		return 3
	case m.Stumps != nil:
		return 2
	}
	return 1
}

// writable tells why Read would not read the expansion back.
func (k *Kernel) writable() error {
	if err := savable(k.Kernel); err != nil {
		return err
	}
	if k.Support != nil {
		if err := allFinite("support value", k.Support); err != nil {
			return err
		}
	}
	return allFinite("coefficient", k.Coef)
}

// savable tells why a kernel would not be read back.
func savable(k kernel.Kernel) error {
	spec := k.String()
	if known, err := kernel.Parse(spec); err != nil || known != k {
		return fmt.Errorf("kernel %q cannot be saved: kernel.Parse does not read it back", spec)
	}
	return nil
}

// allFinite tells which number of x is NaN or infinite.
func allFinite(what string, x data.Matrix) error {
	rows, _ := x.Dims()
	for i := range rows {
		var vals []float64
		switch x := x.(type) {
		case *data.Dense:
			vals = x.Row(i)
		case *data.CSR:
			_, vals = x.Row(i)
		default:
			return fmt.Errorf("a matrix of type %T cannot be saved", x)
		}
		for _, v := range vals {
			if notFinite(v) {
				return fmt.Errorf("a %s of row %d is not finite: %v", what, i+1, v)
			}
		}
	}
	return nil
}

// printer writes the lines of a model; its bufio.Writer remembers the first
// error.
type printer struct{ *bufio.Writer }

func (p *printer) line(parts ...string) {
	p.WriteString(strings.Join(parts, " "))
	p.WriteByte('\n')
}

func (p *printer) model(m *Model) {
	p.line(magic + strconv.Itoa(m.version()))
	for _, e := range entries {
		if value := e.put(&m.Info); value != "" {
			p.line(e.key, value)
		}
	}
	for _, f := range m.Info.Facts {
		p.line(strings.TrimRight("fact "+f.Name+" "+f.Value, " "))
	}
	if m.Pairwise != nil {
		p.pairwise(m.Pairwise)
		return
	}
	if spec := m.KernelSpec(); spec != "" {
		p.line("kernel", spec)
	}
	p.line("features", strconv.Itoa(m.Features()))
	p.line("outputs", strconv.Itoa(m.Outputs()))
	if m.Names != nil {
		p.line("names")
		p.strings(m.Names)
	}
	p.normalizer(m.Normalizer)
	switch {
	case m.Linear != nil:
		p.weights(m.Linear.Weights)
	case m.Stumps != nil:
		p.stumps(m.Stumps)
	default:
		p.support(m.Kernel)
		p.coefficients(m.Kernel.Coef)
	}
}

// strings writes a JSON string a line.
func (p *printer) strings(names []string) {
	e := json.NewEncoder(p)
	e.SetEscapeHTML(false)
	for _, name := range names {
		_ = e.Encode(name) // the bufio.Writer keeps the error
	}
}

// weights writes a line a feature, the weights of its outputs side by side.
func (p *printer) weights(w *data.Dense) {
	p.line("weights")
	column := make([]float64, w.Rows)
	for j := range w.Cols {
		for o := range column {
			column[o] = w.Data[o*w.Stride+j]
		}
		p.numbers(column)
	}
}

func (p *printer) support(k *Kernel) {
	if k.Support == nil {
		p.line("support", "rows", strconv.Itoa(len(k.SupportRows)))
		for _, row := range k.SupportRows {
			p.line(strconv.Itoa(row))
		}
		return
	}
	rows, _ := k.Support.Dims()
	p.line("support", storage(k.Support), strconv.Itoa(rows))
	p.rows(k.Support)
}

func (p *printer) coefficients(coef *data.Dense) {
	p.line("coefficients")
	p.rows(coef)
}

// storage is how the rows of x are written.
func storage(x data.Matrix) string {
	if _, sparse := x.(*data.CSR); sparse {
		return "sparse"
	}
	return "dense"
}

// rows writes a line for each row of x.
func (p *printer) rows(x data.Matrix) {
	switch x := x.(type) {
	case *data.Dense:
		for i := range x.Rows {
			p.numbers(x.Row(i))
		}
	case *data.CSR:
		for i := range x.Rows {
			p.sparse(x.Row(i))
		}
	}
}

// numbers writes a line of numbers, each in the shortest form that reads back
// exactly.
func (p *printer) numbers(row []float64) {
	for k, v := range row {
		if k > 0 {
			p.WriteByte(' ')
		}
		p.Write(appendNumber(p.AvailableBuffer(), v))
	}
	p.WriteByte('\n')
}

// sparse writes a line of index:value, the indices from 1.
func (p *printer) sparse(cols []int32, vals []float64) {
	for k, v := range vals {
		b := p.AvailableBuffer()
		if k > 0 {
			b = append(b, ' ')
		}
		b = append(strconv.AppendInt(b, int64(cols[k])+1, 10), ':')
		p.Write(appendNumber(b, v))
	}
	p.WriteByte('\n')
}
