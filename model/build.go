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
	model   *Model
	seen    map[string]bool
	spec    kernel.Kernel
	n, v, b int // features, outputs, support rows
	expand  Kernel
}

// entry reads the rest of what the line "key value" begins.
func (b *builder) entry(key, value string) error {
	for _, e := range entries {
		if e.key == key {
			return e.set(&b.model.Info, value)
		}
	}
	switch key {
	case "fact":
		return b.fact(value)
	case "kernel":
		return b.kernel(value)
	case "features":
		return b.size(&b.n, value, 0)
	case "outputs":
		return b.size(&b.v, value, 1)
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

func (b *builder) names() error {
	if err := b.need("features"); err != nil {
		return err
	}
	if err := b.room(b.n, 1); err != nil {
		return err
	}
	b.model.Names = make([]string, b.n)
	for j := range b.model.Names {
		line, err := b.line()
		if err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(line), &b.model.Names[j]); err != nil || line[0] != '"' {
			return fmt.Errorf("the name of feature %d is not a JSON string: %q", j+1, clip(line))
		}
	}
	return nil
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
	w := data.NewDense(b.v, b.n)
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
	switch storage {
	case "dense":
		return b.denseSupport()
	case "sparse":
		return b.sparseSupport()
	case "rows":
		return b.supportRows()
	}
	return fmt.Errorf("support is dense, sparse or rows, not %q", clip(storage))
}

func (b *builder) denseSupport() error {
	if err := b.room(b.b, b.n); err != nil {
		return err
	}
	x := data.NewDense(b.b, b.n)
	for i := range b.b {
		if err := b.numbers(x.Row(i)); err != nil {
			return err
		}
	}
	b.expand.Support = x
	return nil
}

func (b *builder) sparseSupport() error {
	if err := b.room(b.b, 0); err != nil {
		return err
	}
	x := &data.CSR{Rows: b.b, Cols: b.n, Ptr: make([]int, 1, b.b+1)}
	for range b.b {
		line, err := b.line()
		if err != nil {
			return err
		}
		last := 0
		for line != "" {
			var field string
			field, line, _ = strings.Cut(line, " ")
			index, value, ok := strings.Cut(field, ":")
			j, err := strconv.Atoi(index)
			if !ok || err != nil || j <= last || j > b.n {
				return fmt.Errorf("not an ascending index from 1 to %d with its value: %q", b.n, clip(field))
			}
			v, err := parseNumber(value)
			if err != nil {
				return err
			}
			x.Col, x.Val, last = append(x.Col, int32(j-1)), append(x.Val, v), j
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	b.expand.Support = x
	return nil
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

func (b *builder) coefficients() error {
	if err := b.need("support"); err != nil {
		return err
	}
	if err := b.room(b.b, b.v); err != nil {
		return err
	}
	b.expand.Coef = data.NewDense(b.b, b.v)
	for i := range b.b {
		if err := b.numbers(b.expand.Coef.Row(i)); err != nil {
			return err
		}
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
	for _, key := range []string{"learner", "kernel", "features", "outputs"} {
		if !b.seen[key] {
			return nil, fmt.Errorf("the entry %s is missing", key)
		}
	}
	m := b.model
	if m.Linear == nil && m.Kernel == nil {
		return nil, fmt.Errorf("there are neither weights nor coefficients")
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.Precomputed() && b.n != m.Info.Rows {
		return nil, fmt.Errorf("%d columns of a kernel matrix of %d training rows", b.n, m.Info.Rows)
	}
	return m, nil
}
