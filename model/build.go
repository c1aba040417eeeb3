package model

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/kernel"
)

// builder puts a model together from its lines.
type builder struct {
	*scanner
	version int // of the format, by the first line
	model   *Model
	seen    map[string]bool
	spec    kernel.Kernel
	n, v, b int // features, outputs, support rows
	expand  Kernel
	pair    pairBuilder
}

// entry reads the rest of what the line "key value" begins.
func (b *builder) entry(key, value string) error {
	for _, e := range entries {
		if e.key == key {
			return e.set(&b.model.Info, value)
		}
	}
	if key == "fact" {
		return b.fact(value)
	}
	if b.version == pairwiseVersion {
		return b.pairEntry(key, value)
	}
	switch key {
	case "kernel":
		return b.kernel(value)
	case "features":
		return b.size(&b.n, value, 0)
	case "outputs":
		return b.outputs(value)
	case "names":
		return b.names()
	case "normalizer":
		return b.normalizer(value)
	case "weights":
		return b.weights()
	case "support":
		return b.support(value)
	case "coefficients":
		return b.coefficients()
	case "stumps":
		return b.stumps(value)
	}
	return fmt.Errorf("unknown entry")
}

func (b *builder) fact(value string) error {
	name, text, _ := strings.Cut(value, " ")
	if !isKey(name) || !isLine(text) {
		return fmt.Errorf("a fact is a name and a text, not %q", clip(value))
	}
	b.model.Info.Facts = append(b.model.Info.Facts, Fact{name, text})
	return nil
}

func (b *builder) kernel(value string) (err error) {
	b.spec, err = kernel.Parse(value)
	return err
}

func (b *builder) size(dst *int, value string, least int) error {
	size, err := parseCount(value)
	if err != nil {
		return err
	}
	if size < least || size > math.MaxInt32 {
		return fmt.Errorf("%d is not from %d to %d", size, least, math.MaxInt32)
	}
	*dst = size
	return nil
}

// mostOutputs is the largest number of outputs: a model without features or
// support rows says it in one line, and would have a reader make as many scores a
// row of it.
const mostOutputs = 1 << 20

func (b *builder) outputs(value string) error {
	if err := b.size(&b.v, value, 1); err != nil {
		return err
	}
	if b.v > mostOutputs {
		return fmt.Errorf("%d is more than %d", b.v, mostOutputs)
	}
	return nil
}

// need checks that the entries that a block depends on came before it.
func (b *builder) need(keys ...string) error {
	for _, key := range keys {
		if !b.seen[key] {
			return fmt.Errorf("comes before %s", key)
		}
	}
	return nil
}

// room checks that a block of so many lines, each of so many fields of at
// least two bytes, fits into what is left of the file: before memory is taken
// for it.
func (b *builder) room(lines, fields int) error {
	if float64(lines)*max(1, 2*float64(fields)) > float64(len(b.rest)) {
		return errEarly
	}
	return nil
}

func (b *builder) names() (err error) {
	if err := b.need("features"); err != nil {
		return err
	}
	b.model.Names, err = b.strings(b.n, "feature")
	return err
}

// strings reads a JSON string a line, the names of so many of what.
func (b *builder) strings(count int, what string) ([]string, error) {
	if err := b.room(count, 1); err != nil {
		return nil, err
	}
	names := make([]string, count)
	for j := range names {
		line, err := b.line()
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(line), &names[j]); err != nil || line[0] != '"' {
			return nil, fmt.Errorf("the name of %s %d is not a JSON string: %q", what, j+1, clip(line))
		}
	}
	return names, nil
}

func (b *builder) weights() error {
	if err := b.need("kernel", "features", "outputs"); err != nil {
		return err
	}
	if b.spec != (kernel.Linear{}) {
		return fmt.Errorf("weights of a model with kernel %s", b.spec)
	}
	if err := b.room(b.n, b.v); err != nil {
		return err
	}
	w := data.NewDense(b.v, b.n, nil)
	column := make([]float64, b.v)
	for j := range b.n {
		if err := b.numbers(column); err != nil {
			return err
		}
		for o, x := range column {
			w.Data[o*w.Stride+j] = x
		}
	}
	b.model.Linear = &Linear{Weights: w}
	return nil
}

func (b *builder) support(value string) error {
	if err := b.need("kernel", "features", "outputs"); err != nil {
		return err
	}
	storage, count, _ := strings.Cut(value, " ")
	if err := b.size(&b.b, count, 0); err != nil {
		return err
	}
	if _, precomputed := b.spec.(kernel.Precomputed); precomputed != (storage == "rows") {
		return fmt.Errorf("%s support of kernel %s", storage, b.spec)
	}
	if storage == "rows" {
		return b.supportRows()
	}
	x, err := b.matrix(storage, b.b, b.n)
	if err != nil {
		return err
	}
	if x == nil {
		return fmt.Errorf("support is dense, sparse or rows, not %q", clip(storage))
	}
	b.expand.Support = x
	return nil
}

// matrix reads dense or sparse rows, nil for another storage.
func (b *builder) matrix(storage string, rows, cols int) (data.Matrix, error) {
	switch storage {
	case "dense":
		return b.dense(rows, cols)
	case "sparse":
		return b.sparse(rows, cols)
	}
	return nil, nil
}

func (b *builder) dense(rows, cols int) (*data.Dense, error) {
	if err := b.room(rows, cols); err != nil {
		return nil, err
	}
	x := data.NewDense(rows, cols, nil)
	for i := range rows {
		if err := b.numbers(x.Row(i)); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (b *builder) sparse(rows, cols int) (*data.CSR, error) {
	if err := b.room(rows, 0); err != nil {
		return nil, err
	}
	x := &data.CSR{Rows: rows, Cols: cols, Ptr: make([]int, 1, rows+1)}
	for range rows {
		line, err := b.line()
		if err != nil {
			return nil, err
		}
		last := 0
		for line != "" {
			var field string
			field, line, _ = strings.Cut(line, " ")
			index, value, ok := strings.Cut(field, ":")
			j, err := strconv.Atoi(index)
			if !ok || err != nil || j <= last || j > cols {
				return nil, fmt.Errorf("not an ascending index from 1 to %d with its value: %q", cols, clip(field))
			}
			v, err := parseNumber(value)
			if err != nil {
				return nil, err
			}
			x.Col, x.Val, last = append(x.Col, int32(j-1)), append(x.Val, v), j
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	return x, nil
}

func (b *builder) supportRows() error {
	if err := b.room(b.b, 1); err != nil {
		return err
	}
	b.expand.SupportRows = make([]int, b.b)
	for i := range b.b {
		line, err := b.line()
		if err != nil {
			return err
		}
		if b.expand.SupportRows[i], err = parseCount(line); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) coefficients() (err error) {
	if err := b.need("support"); err != nil {
		return err
	}
	if b.expand.Coef, err = b.dense(b.b, b.v); err != nil {
		return err
	}
	b.expand.Kernel = b.spec
	b.model.Kernel = &b.expand
	return nil
}

// numbers reads a line of exactly len(dst) numbers.
func (b *builder) numbers(dst []float64) error {
	line, err := b.line()
	if err != nil {
		return err
	}
	if len(dst) == 0 && line == "" {
		return nil
	}
	for k := range dst {
		field, rest, more := strings.Cut(line, " ")
		if more != (k < len(dst)-1) {
			return fmt.Errorf("a line does not have %d numbers", len(dst))
		}
		if dst[k], err = parseNumber(field); err != nil {
			return err
		}
		line = rest
	}
	return nil
}

// finish checks the model as a whole.
func (b *builder) finish() (*Model, error) {
	m := b.model
	if err := b.complete(); err != nil {
		return nil, err
	}
	if b.version == pairwiseVersion {
		if err := b.finishPairs(); err != nil {
			return nil, err
		}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.Precomputed() && b.n != m.Info.Rows {
		return nil, fmt.Errorf("%d columns of a kernel matrix of %d training rows", b.n, m.Info.Rows)
	}
	return m, nil
}

// complete checks that the entries are there that the version asks for: a model
// of weights or of a kernel is of version 1, stumps are of version 2, a pairwise
// model is of version 3, so that a model has one form.
func (b *builder) complete() error {
	m := b.model
	needed := map[int][]string{
		1:               {"learner", "kernel", "features", "outputs"},
		2:               {"learner", "features", "outputs", "stumps"},
		pairwiseVersion: {"learner", "pairwise", "domains", "row-kernel"},
	}
	for _, key := range needed[b.version] {
		if !b.seen[key] {
			return fmt.Errorf("the entry %s is missing", key)
		}
	}
	if b.version == 1 && m.Linear == nil && m.Kernel == nil {
		return fmt.Errorf("there are neither weights nor coefficients")
	}
	if b.seen["kernel"] && m.Stumps != nil {
		return fmt.Errorf("stumps have no kernel")
	}
	return nil
}
