package pairrank

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/knots"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// normalizeFeatures normalises the features if the options ask for it.
func (t *trainer) normalizeFeatures() error {
	if t.o.Normalize == data.NormalizeNone {
		return nil
	}
	norm, err := data.FitNormalizer(t.o.Normalize, t.problem.Set)
	if err != nil {
		return fault.As(fault.Data, "", err)
	}
	if err := t.normalize(norm); err != nil || !t.clinical() {
		return err
	}
	t.o.Kernels, err = toldClinical(t.o.Kernels, t.problem.Set, t.x, norm)
	return err
}

// normalize maps the features of training, and those of rows for validation in the same way.
func (t *trainer) normalize(norm *data.Normalizer) error {
	set := t.problem.Set
	moved := *set
	if !t.o.InPlace {
		moved.X = data.Clone(set.X)
	}
	if err := norm.Apply(&moved); err != nil {
		return fault.As(fault.Data, "", err)
	}
	valid := t.valid
	if valid != nil {
		other := *valid
		if !t.o.InPlace {
			other.X = data.Clone(valid.X)
		}
		if err := norm.Apply(&other); err != nil {
			return fault.As(fault.Data, codes.FaultValidation, err)
		}
		valid = &other
	}
	t.norm, t.sample = norm, t.withFeatures(moved.X, nil, valid)
	return nil
}

// withFeatures is the same rows, and those for validation, with other features, from which off was subtracted; nil is
// none.
func (r *sample) withFeatures(x data.Matrix, off *offset, valid *data.Set) *sample {
	other := *r
	other.x, other.offset, other.valid = x, off, valid
	return &other
}

// warnFar warns of features that are so far from 0 beside their deviation that scores, which are sums of weights times
// features, are rounded by more than fewDigits of what the features tell apart.
func (t *trainer) warnFar() {
	if _, stumps := t.learner.(RankBoost); stumps || !t.linear() || random(t.o.Kernels) {
		return
	}
	t.eachFar(fewDigits/0x1p-53, func(j int, ratio float64) {
		t.journal.Add(event.Note{Warning: true, Code: codes.NoteDigits,
			Text: fmt.Sprintf("%s is %.1g times as far from 0 as "+
				"its values are from their mean: scores of a model are rounded by %.1g of what it tells apart", t.featureName(j),
				ratio, ratio*0x1p-53), Remedy: "subtract a constant from the feature, or normalise it"})
	})
}

// eachFar calls tell for the features of dense rows whose mean is more than so many times their deviation, if that is
// not 0, with the ratio. It costs two passes over the rows.
func (t *trainer) eachFar(far float64, tell func(j int, ratio float64)) {
	x := t.x
	if _, bends := t.z.(*kernel.SplineMap); bends {
		x = data.ToDense(t.origin.x) // a hinge is 0 on one of 65 rows: its mean is at most eight times its deviation
	}
	m, n := x.Dims()
	if _, sparse := x.(*data.CSR); sparse || m == 0 {
		return
	}
	const some = 256
	mean, squares, varies, first := meanOf(x), make([]float64, n), make([]bool, n), make([]float64, n)
	over := make([]float64, n) // 1/mean: so that squares of tiny values are above 0
	for j, v := range mean {
		over[j] = 1 / v
	}
	x.RowTo(first, 0)
	for lo := 0; lo < m; lo += some {
		rows := data.ToDense(data.Slice(x, lo, min(m, lo+some)))
		for i := range rows.Rows {
			for j, v := range rows.Row(i) {
				d := (v - mean[j]) * over[j]
				squares[j] += d * d
				varies[j] = varies[j] || v != first[j]
			}
		}
	}
	for j, v := range mean {
		if ratio := math.Sqrt(float64(m) / squares[j]); varies[j] && v != 0 && ratio > far {
			tell(j, ratio)
		}
	}
}

// errZeroKernel reports a basis on which no function distinguishes rows.
var errZeroKernel = fault.As(fault.Data, "",
	errors.New("the kernel of the basis rows is 0 everywhere, so every row would get the same score"))

// featureName is the number of a feature with its name, if it has one.
func (t *trainer) featureName(j int) string {
	if names := t.problem.Set.Names; j < len(names) && names[j] != "" {
		return fmt.Sprintf("feature %d (%s)", j+1, names[j])
	}
	return fmt.Sprintf("feature %d", j+1)
}

// prepareSplines takes the knots of splines from the rows.
func (t *trainer) prepareSplines() error {
	for _, k := range t.o.Kernels {
		spline, is := k.(kernel.Spline)
		if !is {
			continue
		}
		m, n := t.x.Dims()
		values := float64(parallel.Workers()) * 2 * float64(m) // of a feature with their weights, to be sorted
		if _, dense := t.x.(*data.Dense); !dense {
			values += float64(m) * float64(n)
		}
		if free, beyond := memory.Beyond(8 * values); beyond {
			return &fault.Error{Kind: fault.Memory, Code: faultSpline, Err: fmt.Errorf("the knots of %d features of %d rows "+
				"would take about %s of memory, and %s are free", n, m, memory.Size(8*values), memory.Size(free))}
		}
		in, err := knots.Parse(spline.In)
		if err == nil {
			_, err = in.Of(n, t.problem.Set.Names, spline.Knots)
		}
		if err != nil {
			return fault.As(fault.Data, "", err)
		}
		made := kernel.NewSplineMap(spline, t.problem.Set.Names, t.x, t.weights, t.levels()...)
		if t.splines == nil {
			t.splines = map[kernel.Spline]*kernel.SplineMap{}
			if text := in.Straight(t.problem.Set.Names, made.Knots); text != "" {
				t.journal.Note(noteSpline, "%s", text)
			}
		}
		t.splines[spline] = made
	}
	return nil
}

// bends reports whether a spline has a knot.
func (p *plan) bends() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(p.splines)), func(s *kernel.SplineMap) bool {
		return s.Features() > s.Inputs()
	})
}

// inputs is the number of features that the rows have, without those of levels.
func (t *trainer) inputs() int {
	_, n := t.problem.Set.X.Dims()
	return n - len(t.levels())
}

// groupsOfColumns are the columns of x of each given feature: itself, the hinges of its spline and the level of its
// missing values; nil where a feature is a column.
func (t *trainer) groupsOfColumns() [][]int {
	for t.z == nil && t.whole != nil {
		t = t.whole
	}
	spline, _ := t.z.(*kernel.SplineMap)
	levels := t.levels()
	if spline == nil && levels == nil {
		return nil
	}
	groups := make([][]int, t.inputs())
	for j := range groups {
		groups[j] = []int{j}
	}
	if spline != nil {
		at := spline.Inputs()
		for j := range groups { // levels have no knots
			for range spline.Knots(j) {
				groups[j] = append(groups[j], at)
				at++
			}
		}
	}
	for k, j := range levels {
		groups[j] = append(groups[j], len(groups)+k)
	}
	return groups
}

// levels are the features whose missing values have a level.
func (p *plan) levels() []int { return p.problem.Set.Substitutes.Levels() }

// prepareBasis sets the rows of a basis: given, or drawn by the seed. For a kernel map without a basis they are
// all rows.
func (t *trainer) prepareBasis() error {
	m := t.rows()
	t.drawBasis()
	basis, mapped := t.learner.basis()
	if err := basis.check(m); err != nil {
		return err
	}
	switch {
	case basis.Rows != nil:
		t.support = slices.Sorted(slices.Values(basis.Rows))
	case basis.Size > 0:
		r := rand.New(rand.NewPCG(t.o.Seed, 0x6261736973))
		t.support = r.Perm(m)[:basis.Size]
		slices.Sort(t.support)
	case mapped:
		t.support = indices(m) // the whole space: the optimum lies in it
	}
	return nil
}

// drawBasis draws a basis where nobody chose a solver, and eigenvectors of a kernel matrix of all rows would take more
// than half a minute of one core; it says so. At 10,000 rows of 8 features 2,000 basis rows change the least held-out
// error of a Gaussian kernel by less than a tenth of its standard error, and take 8 s and 0.65 GB in place of 160 s and
// 4.1 GB. It draws fewer rows where their matrices would not fit into memory. A basis that falls with the rows, so
// that products with it take no longer than for 20,000, was tried: at 50,000 rows 1,264 basis rows take 20 s of cores
// in place of 31 for 2,000 where labels are random, and 11 in place of 24 where they are not, but with γ = 1 the least
// error is .2219 in place of .2157 ± .0016.
func (t *trainer) drawBasis() {
	const (
		longest = 30 * eigenSpeed // multiplications
		most    = 2_000
		entries = 1e8 // of the kernel values of all rows with the basis
	)
	l, squares := t.learner.(LeastSquares)
	if !squares || l.Solver != Auto || l.Basis.given() || t.linear() || t.given != nil || t.o.learnsWeights() ||
		t.oneValue() {
		return
	}
	m := float64(t.rows())
	if eigenWork(m) < longest {
		return
	}
	l.Basis.Size = min(most, int(entries/m))
	for free := memory.Free(); l.Basis.Size > 1 && basisMemory(m, float64(l.Basis.Size)) > free; {
		l.Basis.Size -= (l.Basis.Size + 9) / 10
	}
	t.learner = l
	t.journal.Add(event.Note{Code: codes.NoteDrawnBasis,
		Text: fmt.Sprintf("%d of %.0f rows, drawn by the seed, are the basis of the functions, since all would take some "+
			"%s of one core", l.Basis.Size, m, factorTime(eigenWork(m))),
		Remedy: "the solver dual takes all rows, and so does one λ"})
}
