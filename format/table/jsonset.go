package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/gaps"
	"pairrank/internal/memory"
	"pairrank/internal/npy"
)

// sparseBelow is the share of values from which a matrix is dense, as for SVMlight text.
const sparseBelow = 0.25

// set makes the set of the objects.
func (j *objects) set() (*data.Set, error) {
	if j.g != nil {
		return j.passed()
	}
	g, err := j.begun()
	if err != nil {
		return nil, err
	}
	if err := j.gather(g); err != nil {
		return nil, err
	}
	return g.finish(len(j.lineOf))
}

// begun are no rows yet, of the columns that the objects have.
func (j *objects) begun() (*gathered, error) {
	j.addLacking()
	if j.form != flatForm {
		slices.SortStableFunc(j.cols, func(a, b *member) int {
			switch {
			case a.apart == b.apart:
				return 0
			case b.apart:
				return -1
			}
			return 1
		})
	}
	l, err := lay(j.heading(), j.opts)
	if err != nil {
		return nil, err
	}
	j.opts.check.watch(l)
	return newGathered(l, j.name), nil
}

// gather adds the objects to the rows of g.
func (j *objects) gather(g *gathered) (err error) {
	if err := j.checkAbsent(g); err != nil {
		return err
	}
	switch {
	case j.direct(g):
		g.values = j.vals
	case j.maySparse(g) && float64(len(j.vals)) < sparseBelow*float64(len(j.lineOf))*float64(g.width):
		err = j.sparse(g)
	default:
		err = j.dense(g)
	}
	if err != nil {
		return err
	}
	for k, c := range j.cols {
		if r := g.roles[k]; r == feature || r == ignored {
			continue
		}
		if err := j.cells(g, k, c); err != nil {
			return err
		}
	}
	return nil
}

// addLacking adds the features of a model that no object has, where they may be missing.
func (j *objects) addLacking() {
	among := j.at
	if j.form == namedForm {
		among = j.inside
	}
	if j.form == listForm || slices.Contains(j.opts.Names, "") {
		return
	}
	levels := map[string]bool{}
	if s := j.opts.Schema; s != nil {
		for _, f := range s.Factors {
			for _, level := range f.Levels {
				levels[f.FeatureName(level)] = true
			}
		}
	}
	for at, name := range j.opts.Names {
		if among[name] == nil && !levels[name] && j.opts.missingIn(name, at) != data.MissingError {
			among[name] = j.add(name, j.form == namedForm)
		}
	}
}

func (j *objects) heading() *heading {
	h := &heading{count: len(j.cols), apart: j.form != flatForm, bare: j.form == listForm}
	for _, c := range j.cols {
		if h.names = append(h.names, c.name); h.apart && !c.apart {
			h.lead++
		}
	}
	if h.first = h.names; h.bare {
		h.first = h.names[:h.lead]
	}
	h.fault = func(_ int, err error, format string, args ...any) error {
		return &data.SyntaxError{File: j.name, Msg: fmt.Sprintf(format, args...), Err: err}
	}
	return h
}

// fault is an error about a column in row i.
func (j *objects) cellFault(g *gathered, i, k int, text string, err error) error {
	return &data.SyntaxError{File: j.name, Line: int(j.lineOf[i]), Col: 1, Text: data.ClipText(text), Err: err,
		Msg: fmt.Sprintf("%s: %v", quotedID(g.called(k)), err)}
}

// checkAbsent refuses features that a row lacks, where no rule fills them in.
func (j *objects) checkAbsent(g *gathered) error {
	for k, c := range j.cols {
		if g.roles[k] != feature || c.rows == len(j.lineOf) {
			continue
		}
		if g.missing = true; g.missingOf(k) != data.MissingError {
			continue
		}
		for i := range j.lineOf {
			if !j.lacks(c, i) {
				continue
			}
			if err := j.opts.check.pass(cellfault.Missing, j.cellFault(g, i, k, "", errMissing)); err != nil {
				return err
			}
		}
	}
	return nil
}

// lacks reports whether row i has no value of a member.
func (j *objects) lacks(c *member, i int) bool {
	if c.plain {
		return i >= len(c.texts) || c.texts[i] == ""
	}
	lo, hi := j.row(i)
	for e := lo; e < hi; e++ {
		if _, text := j.others[e]; j.slotOf(e, lo) == c.slot && (text || !math.IsNaN(j.vals[e])) {
			return false
		}
	}
	return true
}

// direct reports whether the entries are the features as they stand.
func (j *objects) direct(g *gathered) bool {
	if j.varied || len(j.others) > 0 || g.width != j.wide {
		return false
	}
	for k, c := range j.cols {
		if c.slot < 0 && g.roles[k] == feature || c.slot >= 0 && (g.roles[k] != feature || g.places[k] != c.slot) {
			return false
		}
	}
	return true
}

// maySparse reports whether features that are absent are all 0, so that the matrix is sparse where few are there.
func (j *objects) maySparse(g *gathered) bool {
	zero := j.opts.Missing == data.MissingZero ||
		j.opts.Missing == data.MissingModel && gaps.All(j.opts.Substitutes) == data.MissingZero
	if !j.varied || !zero || j.opts.MissingIn != nil || g.has(factor) {
		return false
	}
	for k, c := range j.cols {
		if c.plain && g.roles[k] == feature {
			return false
		}
	}
	return true
}

// columnOf is the column of each slot.
func (j *objects) columnOf() []int {
	of := make([]int, j.slots)
	for k, c := range j.cols {
		if c.slot >= 0 {
			of[c.slot] = k
		}
	}
	return of
}

// value is the number of entry e, of row i and column k.
func (j *objects) value(g *gathered, e, i, k int) (float64, error) {
	if len(j.others) > 0 {
		if text, is := j.others[e]; is {
			return j.number(g, i, k, text)
		}
	}
	if !math.IsNaN(j.vals[e]) {
		j.opts.check.number(k)
	}
	return j.vals[e], nil
}

// number is the value of a feature that a text has, NaN where a check goes on after an error.
func (j *objects) number(g *gathered, i, k int, text string) (float64, error) {
	x, ok := parseNumber(text)
	if !ok {
		x, ok = truth(text)
	}
	if ok {
		j.opts.check.number(k)
		return x, nil
	}
	x, err := j.noNumber(g, i, k, text)
	return x, j.opts.check.passCell(k, err)
}

// noNumber is the value of a feature that a text has which is no number.
func (j *objects) noNumber(g *gathered, i, k int, text string) (float64, error) {
	switch {
	case gaps.IsMissing(text) && g.missingOf(k) != data.MissingError:
		g.missing = true
		return math.NaN(), nil
	case gaps.IsMissing(text):
		return math.NaN(), j.cellFault(g, i, k, text, errMissing)
	case infinite(text):
		return math.NaN(), j.cellFault(g, i, k, text, noNumber(text))
	}
	return math.NaN(), j.cellFault(g, i, k, text, newTextError(g.called(k), text))
}

// sparse makes the matrix of what is there.
func (j *objects) sparse(g *gathered) error {
	column := j.columnOf()
	b := newRowsBuilder(len(j.lineOf), g.width, 0)
	for i := range j.lineOf {
		lo, hi := j.row(i)
		for e := lo; e < hi; e++ {
			k := column[j.slotOf(e, lo)]
			if g.roles[k] != feature {
				continue
			}
			x, err := j.value(g, e, i, k)
			if err != nil {
				return err
			}
			if !math.IsNaN(x) {
				b.add(int32(g.places[k]), x)
			}
		}
		if err := b.end(); err != nil {
			return err
		}
	}
	g.sparse, g.missing = &b.CSR, false
	return nil
}

// dense makes the matrix with NaN for what is missing.
func (j *objects) dense(g *gathered) error {
	m := len(j.lineOf)
	what := fmt.Sprintf("a dense matrix of %d × %d", m, g.width)
	if err := memory.Ask(8*float64(m)*float64(g.width), what); err != nil {
		return j.lack(err)
	}
	g.values = make([]float64, m*g.width)
	column := j.columnOf()
	for i := range j.lineOf {
		row := g.values[i*g.width : (i+1)*g.width]
		for k, c := range j.cols {
			if g.roles[k] != feature {
				continue
			}
			row[g.places[k]] = math.NaN()
			if !c.plain || i >= len(c.texts) || c.texts[i] == "" {
				continue
			}
			var err error
			if row[g.places[k]], err = j.number(g, i, k, c.texts[i]); err != nil {
				return err
			}
		}
		lo, hi := j.row(i)
		for e := lo; e < hi; e++ {
			k := column[j.slotOf(e, lo)]
			if g.roles[k] != feature {
				continue
			}
			var err error
			if row[g.places[k]], err = j.value(g, e, i, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// cells takes the texts of column k, which is no feature.
func (j *objects) cells(g *gathered, k int, c *member) error {
	texts := c.texts
	if !c.plain {
		texts = j.textsOf(c)
	}
	before := 0
	if g.passing != nil {
		before = g.passing.rows
	}
	for i := range j.lineOf {
		text := ""
		if i < len(texts) {
			text = texts[i]
		}
		if err := g.cell(k, before+i, text); err != nil {
			if err := j.opts.check.passCell(k, j.cellFault(g, i, k, text, err)); err != nil {
				return err
			}
			g.blank(k)
		}
	}
	return nil
}

// textsOf are the texts of a member that was taken for a feature.
func (j *objects) textsOf(c *member) []string {
	texts := make([]string, len(j.lineOf))
	for i := range texts {
		lo, hi := j.row(i)
		for e := lo; e < hi; e++ {
			if j.slotOf(e, lo) != c.slot {
				continue
			}
			text, is := j.others[e]
			switch {
			case is:
			case math.Abs(j.vals[e]) >= npy.ExactInteger: // with an exponent, as textline.LostDigits finds it
				text = strconv.FormatFloat(j.vals[e], 'e', 17, 64)
			default:
				text = textOf(j.vals[e])
			}
			texts[i] = text
		}
	}
	return texts
}
