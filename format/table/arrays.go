package table

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/npy"
)

// readArrays reads a Set from .npz or .npy.
func readArrays(path string, format Format, opts Options) (*data.Set, error) {
	trained := opts.Missing == data.MissingModel && opts.Substitutes != nil
	nan := !refuses(opts.Missing) || trained || len(opts.MissingIn) > 0 || opts.check != nil || opts.MayLackLabel
	late, ended := opts.Rows.each != nil && opts.Features > 0, opts.watchEach()
	arrays := map[string]*npy.Array{}
	var err error
	if format == NPY {
		arrays["X"], err = npy.ReadFile(path, nan, late)
		if err == nil && !opts.NoLabel && !opts.MayLackLabel && opts.Label == "" {
			err = &data.SyntaxError{File: path, Msg: "an .npy file has no labels; an .npz file holds X and y", Err: ErrNoLabel}
		}
	} else {
		arrays, err = npy.ReadArchive(path, nan, late, opts.HasNames)
	}
	if err != nil {
		return nil, err
	}
	set, err := setOf(path, arrays, opts)
	if err != nil && !*ended {
		err = arraysFault(path, arrays["X"], err)
	}
	return set, err
}

// arraysFault is what is wrong with arrays: a fault of entries that are not read yet comes before an error of setOf.
func arraysFault(path string, x *npy.Array, err error) error {
	if fault := x.Check(nil); fault != nil {
		return fault
	}
	var syntax *data.SyntaxError
	if !errors.As(err, &syntax) {
		err = &data.SyntaxError{File: path, Msg: err.Error(), Err: err}
	}
	return err
}

// setOf makes a Set of the arrays of an archive: X (m × n) or those of a sparse matrix, names (n
// texts; optional), the levels of factors, and the arrays of roles, m entries each.
func setOf(file string, arrays map[string]*npy.Array, opts Options) (*data.Set, error) {
	x, err := featuresOf(arrays)
	if err != nil {
		return nil, err
	}
	m, n := x.Dims()
	h, opts, err := headingOf(file, arrays, m, n, opts)
	if err != nil {
		return nil, err
	}
	if n == 0 && opts.Label == "" {
		return nil, fmt.Errorf("the array X has no features") // and any number of rows by its header alone
	}
	known := opts
	if h.count == h.lead {
		known.Features = 0 // the features are not among the columns
	}
	l, err := lay(h, known)
	if err != nil {
		return nil, err
	}
	l.opts = opts
	g := newGathered(l, file)
	for k := range h.lead {
		if err := g.take(k, arrays[h.names[k]], m); err != nil {
			return nil, err
		}
	}
	if arrays["X"].IsLater() {
		return g.finishLater(arrays["X"])
	}
	return g.finishBlock(x, arrays["X"] != nil && arrays["X"].Finite)
}

// featuresOf is the matrix of rows × features of an archive.
func featuresOf(arrays map[string]*npy.Array) (data.Matrix, error) {
	x := arrays["X"]
	switch {
	case x == nil && arrays["format"] != nil:
		return sparseOf(arrays)
	case x == nil || x.Strings != nil || len(x.Shape) != 2:
		return nil, fmt.Errorf("there is no array X of rows × features: the arrays are %s", listedArrays(arrays))
	}
	if m := x.Shape[0]; m == 0 || m > math.MaxInt32 {
		return nil, fmt.Errorf("the array X has %d rows", m)
	}
	if x.IsLater() {
		return &data.CSR{Rows: x.Shape[0], Cols: x.Shape[1]}, nil
	}
	return data.NewDense(x.Shape[0], x.Shape[1], x.Data), nil
}

// listedArrays are the names of the arrays with their shapes.
func listedArrays(arrays map[string]*npy.Array) string {
	names := slices.Sorted(maps.Keys(arrays))
	return listed(len(names), ", ", func(k int) string {
		shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(arrays[names[k]].Shape), " ", "×"), "[]")
		return fmt.Sprintf("%s (%s)", data.ClipText(names[k]), shape)
	})
}

// arraysOf are the names of arrays that may have a role, the first one first.
func (o *Options) arraysOf(r role) []string {
	if asked := o.asked(r); asked != "" {
		return []string{asked}
	}
	if roleTable[r].given {
		return []string{o.remembered(r)}
	}
	return []string{o.remembered(r), roleTable[r].array}
}

// HasNames reports whether an array of an archive may hold the names of queries, rows, groups or folds.
func (o Options) HasNames(array string) bool {
	holds := func(r role) bool { return slices.Contains(o.arraysOf(r), array) }
	return !holds(label) && slices.ContainsFunc(named, func(r role) bool { return r.names() && holds(r) })
}

// headingOf is the columns of an archive: the arrays with roles, then the features. The options
// that it returns name these arrays.
func headingOf(file string, arrays map[string]*npy.Array, m, n int, opts Options) (*heading, Options, error) {
	h := &heading{apart: true, bare: true}
	h.fault = func(_ int, err error, format string, args ...any) error {
		return &data.SyntaxError{File: file, Msg: fmt.Sprintf(format, args...), Err: err}
	}
	h.names = opts.takeArrays(arrays)
	if opts.Label == "" && opts.Times.Column == "" && !opts.NoLabel && !opts.MayLackLabel {
		return nil, opts, &arrayError{ErrNoLabel, fmt.Sprintf("there is no array y of %d labels: the arrays are %s", m,
			listedArrays(arrays))}
	}
	h.lead = len(h.names)
	names := arrays["names"]
	switch {
	case names != nil && len(names.Strings) != n:
		return nil, opts, fmt.Errorf("the array names does not have %d texts", n)
	case names != nil:
		h.bare, h.names = false, append(h.names, names.Strings...)
	case opts.selects(h.names):
		h.names = append(h.names, make([]string, n)...)
	}
	h.levels = levelsOf(arrays, h.names, h.lead)
	h.count, h.first = len(h.names), h.names
	return h, opts, nil
}

// takeArrays finds the arrays with roles, and sets the options to name them.
func (o *Options) takeArrays(arrays map[string]*npy.Array) []string {
	found := []string{}
	for _, r := range named {
		if r == label && (o.NoLabel || o.Times.Column != "") {
			continue
		}
		which := o.arraysOf(r)
		k := slices.IndexFunc(which, func(name string) bool { return arrays[name] != nil && !isFeatures(name) })
		if k >= 0 && (o.asked(r) != "" || !o.asksFor(which[k])) {
			*roleTable[r].option(o) = which[k]
			found = append(found, which[k])
		}
	}
	return found
}

// levelsOf are the levels of the columns that are factors: the array levels.NAME of a column has them.
func levelsOf(arrays map[string]*npy.Array, names []string, lead int) [][]string {
	var all [][]string
	for k := lead; k < len(names); k++ {
		if a := arrays["levels."+names[k]]; a != nil && a.Strings != nil {
			if all == nil {
				all = make([][]string, len(names))
			}
			all[k] = a.Strings
		}
	}
	return all
}

// entry is the text that a number of a column of a matrix stands for: a level, by its place from 0, or itself.
func (h *heading) entry(k int, v float64) (string, error) {
	if h.levels == nil || h.levels[k] == nil || math.IsNaN(v) {
		return textOf(v), nil
	}
	if v != math.Trunc(v) || v < 0 || v >= float64(len(h.levels[k])) {
		return "", fmt.Errorf("%s is no level of column %s, which has %d, counted from 0", textOf(v), quotedID(h.names[k]),
			len(h.levels[k]))
	}
	return h.levels[k][int(v)], nil
}

// isFeatures reports whether an array of this name holds, or names, features.
func isFeatures(name string) bool {
	return name == "X" || name == "names" || slices.Contains(sparseArrays, name)
}

// selects reports whether options, or a model, are about single features. Roles are those of arrays.
func (o *Options) selects(arrays []string) bool {
	for _, r := range named {
		if which := o.asked(r); which != "" && !slices.Contains(arrays, which) {
			return true
		}
	}
	return o.Ignore != nil || o.Only != nil || o.Factors != nil || o.MissingIn != nil ||
		o.Schema != nil && (o.Schema.Ignored != nil || o.Schema.Factors != nil)
}

// arrayError is a text about arrays that wraps another error.
type arrayError struct {
	error
	text string
}

func (e *arrayError) Error() string { return e.text }
func (e *arrayError) Unwrap() error { return e.error }

// take takes the m entries of an array as column k.
func (g *gathered) take(k int, a *npy.Array, m int) error {
	name := g.heading.names[k]
	if a.Len() != m {
		return fmt.Errorf("%s has %d entries for %d rows", name, a.Len(), m)
	}
	if positive, _ := g.positive(); g.roles[k] == label && a.Strings == nil && positive == "" {
		return g.takeLabels(name, a.Data)
	}
	text, last := "", math.NaN()
	var digits error
	for i := range m {
		if a.Strings != nil {
			if text = a.Strings[i]; text == "NaN" {
				text = ""
			}
		} else if x := a.Data[i]; i == 0 || math.Float64bits(x) != math.Float64bits(last) {
			last, text = x, textOf(x)
			digits = g.checkDigits(k, x, cmp.Or(a.Most, npy.ExactInteger))
		}
		err := digits
		if err == nil {
			err = g.cell(k, i, text)
		}
		if err != nil {
			err = fmt.Errorf("%s of row %d: %w", name, i+1, err)
			if err := g.opts.check.pass(cellfault.Of(err), err); err != nil {
				return err
			}
			g.blank(k)
		}
	}
	return nil
}

// takeLabels takes an array of labels that are numbers.
func (g *gathered) takeLabels(name string, y []float64) error {
	for i := range y {
		if math.IsNaN(y[i]) && !g.opts.MayLackLabel {
			err := fmt.Errorf("%s of row %d: %w", name, i+1, errNoLabel)
			if err := g.opts.check.pass(cellfault.Unlabelled, err); err != nil {
				return err
			}
		}
	}
	g.y = y
	return nil
}

// textOf is the name that a number is, "" for a missing one.
func textOf(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
