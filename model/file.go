package model

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/modelfile"
	"pairrank/internal/replace"
	"pairrank/kernel"
)

// Version is the latest version of the file format. Write writes the earliest version that can hold
// the model: 2 for Stumps, 4 for Fourier, 6 for a clinical kernel, 7 for Spline, 8 for a sum of kernels, else 1.
// Versions 3 and 5 hold models of pairs.
const Version = modelfile.Version

const clinicalVersion, sumVersion = 6, 8

// WriteFile writes the model to the file at path through a temporary file that is then renamed, so
// that the file is never half-written. It returns the errors of Write and of the file.
func (m *Model) WriteFile(path string) error { return replace.File(path, m.Write) }

// Write writes the model as text, about 20 bytes a number: the cost is linear in their
// number. It returns the errors of w. For a model that Read would not read back it
// returns an error and writes nothing: a weight that is not finite, a kernel that
// kernel.Parse does not know, a text of two lines.
func (m *Model) Write(w io.Writer) error {
	if err := m.Check(); err != nil {
		return err
	}
	return modelfile.Write(w, m.Scorer.version(), &m.Info, m.write)
}

func (m *Model) write(w *modelfile.Writer) {
	if spec := m.KernelSpec(); spec != "" {
		w.Line("kernel", spec)
	}
	w.Line("features", strconv.Itoa(m.Features()))
	w.Line("outputs", strconv.Itoa(m.Outputs()))
	if m.Names != nil {
		w.Line("names")
		w.Strings(m.Names)
	}
	writeNormalizer(w, m.Normalizer)
	m.Scorer.write(w)
}

// ReadFile is Read of the file at path. It also returns the error of opening the file.
func ReadFile(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads a model; errors call the input name. The cost is linear in the size of the text, the
// memory in those of text and model. For any fault it returns a *fault.FormatError with the line. The
// error wraps ErrTruncated, ErrAltered or ErrVersion for a file that is cut off, altered or of a
// later version, and ErrPairs for a model of pairs. A text that does not begin like a model is not
// read to its end.
func Read(r io.Reader, name string) (*Model, error) {
	b := &builder{model: &Model{}}
	info, err := modelfile.Read(r, name, func(version int) (modelfile.Content, error) {
		if version == 3 || version == 5 {
			return nil, ErrPairs
		}
		return b, nil
	})
	if err != nil {
		return nil, err
	}
	b.model.Info = *info
	return b.model, nil
}

// builder puts a model together from its lines.
type builder struct {
	model   *Model
	spec    kernel.Kernel
	n, v, b int // features, outputs, support rows
	expand  Kernel
	scorers int // that were read

	frequent *Fourier // without its weights, or nil
	checksum [32]byte // of its frequencies
	bent     *Spline  // without its weights, or nil
}

// Entry reads the rest of the entry that the line "key value" begins.
func (b *builder) Entry(r *modelfile.Reader, key, value string) (err error) {
	switch key {
	case "kernel":
		return b.kernel(r, value)
	case "features":
		return modelfile.Size(&b.n, value, 0)
	case "outputs":
		return b.outputs(value)
	case "names":
		if err = r.Need("features"); err == nil {
			b.model.Names, err = r.Strings(b.n, "feature")
		}
		return err
	case "normalizer":
		if err = r.Need("features"); err == nil {
			b.model.Normalizer, err = readNormalizer(r, value, b.n)
		}
		return err
	case "frequencies":
		if err = r.Need("kernel", "features", "outputs"); err == nil {
			err = b.frequencies(value)
		}
		return err
	case "knots", "seen":
		return b.curves(r, key)
	case "weights":
		return b.weights(r)
	case "support":
		return b.support(r, value)
	case "coefficients":
		return b.coefficients(r)
	case "stumps":
		return b.stumps(r, value)
	}
	return fmt.Errorf("unknown entry")
}

func (b *builder) kernel(r *modelfile.Reader, value string) (err error) {
	if b.spec, err = kernel.Parse(value); err != nil {
		return err
	}
	if kernel.Learns(b.spec) {
		return fmt.Errorf("%s has no weights", modelfile.Clip(value))
	}
	if own := versionOf(b.spec); own != r.Version && max(own, r.Version) > 2 {
		return fmt.Errorf("%s is not in version %d of the format", modelfile.Clip(value), r.Version)
	}
	return nil
}

// versionOf is the version of the format that has a kernel, 1 for those of the first.
func versionOf(k kernel.Kernel) int {
	switch k.(type) {
	case kernel.Fourier:
		return 4
	case kernel.Clinical:
		return clinicalVersion
	case kernel.Sum:
		return sumVersion
	case kernel.Spline:
		return splineVersion
	}
	return 1
}

// mostOutputs is the largest number of outputs: a model without features or
// support rows says it in one line, and would have a reader make as many scores a
// row of it.
const mostOutputs = 1 << 20

func (b *builder) outputs(value string) error {
	if err := modelfile.Size(&b.v, value, 1); err != nil {
		return err
	}
	if b.v > mostOutputs {
		return fmt.Errorf("%d is more than %d", b.v, mostOutputs)
	}
	return nil
}

func (b *builder) weights(r *modelfile.Reader) error {
	if err := r.Need("kernel", "features", "outputs"); err != nil {
		return err
	}
	n := b.n
	switch {
	case b.frequent != nil:
		n = b.frequent.Kernel.Features
	case b.bent != nil:
		n = b.bent.Map.Features()
	case b.spec != kernel.Kernel(kernel.Linear{}):
		return fmt.Errorf("weights of a model with kernel %s", b.spec)
	}
	columns, err := r.Dense(n, b.v)
	if err != nil {
		return err
	}
	w := &data.Dense{Rows: 1, Cols: n, Stride: n, Data: columns.Data}
	if b.v > 1 {
		w = data.NewDense(b.v, n, nil)
		for j := range n {
			for o, x := range columns.Row(j) {
				w.Row(o)[j] = x
			}
		}
	}
	switch {
	case b.frequent != nil:
		return b.fourier(w)
	case b.bent != nil:
		b.bent.Weights = w
		b.scorer(b.bent)
	default:
		b.scorer(&Linear{Weights: w})
	}
	return nil
}

// scorer sets the scorer of the model.
func (b *builder) scorer(s Scorer) {
	b.model.Scorer = s
	b.scorers++
}

func (b *builder) support(r *modelfile.Reader, value string) error {
	if err := r.Need("kernel", "features", "outputs"); err != nil {
		return err
	}
	storage, count, _ := strings.Cut(value, " ")
	if err := modelfile.Size(&b.b, count, 0); err != nil {
		return err
	}
	if _, precomputed := b.spec.(kernel.Precomputed); precomputed != (storage == "rows") {
		return fmt.Errorf("%s support of kernel %s", storage, b.spec)
	}
	if storage == "rows" {
		return b.supportRows(r)
	}
	x, err := r.Matrix(storage, b.b, b.n)
	if err != nil {
		return err
	}
	if x == nil {
		return fmt.Errorf("support is dense, sparse or rows, not %q", modelfile.Clip(storage))
	}
	b.expand.Support = x
	return nil
}

func (b *builder) supportRows(r *modelfile.Reader) error {
	if err := r.Room(b.b, 1); err != nil {
		return err
	}
	b.expand.SupportRows = make([]int, b.b)
	for i := range b.b {
		line, err := r.Line()
		if err != nil {
			return err
		}
		if b.expand.SupportRows[i], err = modelfile.ParseCount(line); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) coefficients(r *modelfile.Reader) (err error) {
	if err := r.Need("support"); err != nil {
		return err
	}
	if b.expand.Coef, err = r.Dense(b.b, b.v); err != nil {
		return err
	}
	b.expand.Kernel = b.spec
	b.scorer(&b.expand)
	return nil
}

func (b *builder) stumps(r *modelfile.Reader, value string) (err error) {
	if r.Version != 2 {
		return fmt.Errorf("needs version 2 of the format, not %d", r.Version)
	}
	if err := r.Need("features", "outputs"); err != nil {
		return err
	}
	if b.v != 1 {
		return fmt.Errorf("stumps have 1 output, not %d", b.v)
	}
	var terms int
	if err := modelfile.Size(&terms, value, 0); err != nil {
		return err
	}
	s, err := readStumps(r, b.n, terms)
	if err == nil {
		b.scorer(s)
	}
	return err
}

// Finish checks the model as a whole. Weights and kernels are version 1, stumps version 2, weights
// of random features version 4, so that a model has one form.
func (b *builder) Finish(r *modelfile.Reader) error {
	needed := []string{"learner", "kernel", "features", "outputs"}
	switch r.Version {
	case 2:
		needed = []string{"learner", "features", "outputs", "stumps"}
	case 4:
		needed = append(needed, "frequencies", "weights")
	case splineVersion:
		needed = append(needed, "knots", "weights")
	}
	if err := r.Complete(needed...); err != nil {
		return err
	}
	m := b.model
	m.Info = r.Info
	if m.Scorer == nil {
		return fmt.Errorf("there are neither weights nor coefficients")
	}
	if r.Has("kernel") && r.Has("stumps") {
		return fmt.Errorf("stumps have no kernel")
	}
	if b.scorers > 1 {
		return fmt.Errorf("a model is linear, a kernel expansion or stumps, exactly one")
	}
	if err := m.check(); err != nil {
		return err
	}
	if m.Precomputed() && b.n != m.Info.Rows {
		return fmt.Errorf("%d columns of a kernel matrix of %d training rows", b.n, m.Info.Rows)
	}
	return nil
}
