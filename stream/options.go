package stream

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"pairrank"
	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/learn/rls"
	"pairrank/internal/memory"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// Options decide what Statistics sum. Statistics that are merged have the same Options.
type Options struct {
	// Learner is the learner to be trained. Its Regression and Pairs decide what is summed; its other fields
	// must be zero.
	Learner pairrank.LeastSquares
	// Normalize is a normalisation that needs no other query: "", data.NormalizeNone or
	// data.NormalizeQueryMinMax.
	Normalize string
	// Threshold is that of pairrank.Options.
	Threshold *float64
	// Outputs is v, the number of labels of a row; 0 is 1.
	Outputs int
	// Times says that labels are times, and that queries, which are strata, say which are censored.
	Times bool
	// Weights says that rows have weights, those of the queries: a pair counts the product of two, and a row of weight 0
	// is no row.
	Weights bool
	// Folds is the number of folds; QueryFold assigns the queries to them. The held-out error of each λ follows
	// exactly from the folds. 0 is ten, 1 holds nothing out.
	Folds int
	// Names are the names of the first features, in UTF-8, or nil; the other features have none.
	Names []string
	// Schema says what the columns are of the table that the rows come from; nil is none. Models keep it, to read other
	// tables likewise. Of two that are merged, the first counts.
	Schema *data.Schema
	// KeepQueries keeps the sums of each query, too, so that Forget does not need its rows. It takes
	// 4(n+v)(n+v+1) bytes a query and a few more, twice as many for a query of more than 216 rows.
	KeepQueries bool
	// Map replaces the features of the rows by explicit features of a kernel; nil is the linear kernel.
	Map *Mapping
	// Monitor receives the progress of Sum. Statistics do not keep it.
	Monitor event.Monitor
}

// defaultFolds is the default number of folds.
const defaultFolds = 10

// Resolved returns o with its defaults filled in. It returns a *fault.Error for options that are unknown,
// out of range, or contradict each other.
func (o Options) Resolved() (Options, error) {
	o.Outputs, o.Folds = cmp.Or(o.Outputs, 1), cmp.Or(o.Folds, defaultFolds)
	o.Names = slices.Clone(o.Names)
	if o.Threshold != nil {
		o.Threshold = new(*o.Threshold)
	}
	if o.Schema != nil {
		o.Schema = new(*o.Schema)
	}
	var err error
	if o.Map, err = o.Map.resolved(); err != nil {
		return o, err
	}
	if o.Normalize, err = data.ParseNormalize(o.Normalize); err != nil {
		return o, fault.Optionf("Normalize", "is unknown: %w", err)
	}
	l := o.Learner
	if err := cmp.Or(
		fault.Refuse(o.Normalize != data.NormalizeNone && o.Normalize != data.NormalizeQueryMinMax, "Normalize",
			"%s needs all rows before the first is added: query-minmax needs one query", o.Normalize),
		fault.Refuse(l.Solver != pairrank.Auto && l.Solver != pairrank.Primal, "Solver",
			"%s needs all rows: sums over queries are solved in the primal form", l.Solver),
		fault.Refuse(l.Basis.Size > 0 || l.Basis.Rows != nil, "Basis", "is of rows that are in memory"),
		fault.Refuse(l.Tolerance != 0 || l.MaxIterations != 0, "Tolerance",
			"and MaxIterations are for the solver cg, which reads the rows again and again"),
		fault.Refuse(o.Outputs < 1, "Outputs", "are at least 1, not %d", o.Outputs),
		fault.Refuse(o.Times && l.Regression, "Learner", "rls fits the label of each row, and of a censored row only a "+
			"bound is known: rankrls compares times"),
		fault.Refuse(o.Times && o.Threshold != nil, "Threshold", "makes two labels of more, and there are censored times"),
		fault.Refuse(o.Folds < 1, "Folds", "are at least 1, not %d", o.Folds),
		fault.Refuse(slices.ContainsFunc(o.Names, func(name string) bool { return !utf8.ValidString(name) }), "Names",
			"are UTF-8, in which they are written"),
		fault.Refuse(o.Threshold != nil && (math.IsNaN(*o.Threshold) || math.IsInf(*o.Threshold, 0)), "Threshold",
			"is finite"),
	); err != nil {
		return o, err
	}
	o.Learner.Solver = pairrank.Auto
	return o, o.resolvePairs()
}

// resolvePairs fills in which pairs are compared; regression compares none.
func (o *Options) resolvePairs() error {
	l := &o.Learner
	if l.Regression {
		plain, err := pref.Options{}.Resolved()
		if pairs, unknown := l.Pairs.Resolved(); l.Pairs != (pref.Options{}) &&
			(err != nil || unknown != nil || pairs != plain) {
			return fault.Optionf("Pairs", "are of rankrls: plain regression compares no rows")
		}
		l.Pairs = pref.Options{}
		return nil
	}
	resolved, err := o.statistics().Resolved()
	if err != nil {
		return fault.As(fault.Use, "", err)
	}
	l.Pairs = resolved.Pairs
	return nil
}

// statistics are the options for the statistics of package rls.
func (o *Options) statistics() rls.StatisticsOptions {
	m := rls.StatisticsOptions{Outputs: o.Outputs, Regression: o.Learner.Regression, Folds: o.Folds, Times: o.Times,
		Weights: o.Weights}
	if !m.Regression {
		m.Pairs = o.Learner.Pairs
	}
	return m
}

// memory is the size in bytes of the sums of rows of n features, for all data and for a part, and of their map.
func (o *Options) memory(n int) float64 {
	const fold = 4096 // counts and slices of a fold, in every lane of a part
	columns := float64(o.Map.width(n) + o.Outputs)
	return float64(o.Folds)*(16*columns*columns+fold) + o.Map.memory(n)
}

// checkMemory refuses sums of rows of n features that need more bytes in addition to the memory in use.
func (o *Options) checkMemory(n int, more float64) error {
	if free, beyond := memory.Beyond(more); beyond {
		return &fault.Error{Kind: fault.Memory, Code: codes.FaultStatisticsMemory,
			Err: fmt.Errorf("the sums of %d features and %s would take about %s of memory, and %s are free",
				o.Map.width(n), spell.Plural(o.Folds, "fold"), memory.Size(o.memory(n)), memory.Size(free))}
	}
	return nil
}

// sameOptions names the difference between the options of s and o.
func (s *Statistics) sameOptions(o *Statistics) error {
	a, b := &s.options, &o.options
	for _, option := range []struct {
		name string
		a, b any
	}{
		{"Learner", a.Learner.Name(), b.Learner.Name()}, {"Pairs.Cost", a.Learner.Pairs.Cost, b.Learner.Pairs.Cost},
		{"Pairs.Ties", a.Learner.Pairs.Ties, b.Learner.Pairs.Ties},
		{"Pairs.Weight", a.Learner.Pairs.Weight, b.Learner.Pairs.Weight}, {"Times", a.Times, b.Times},
		{"Weights", a.Weights, b.Weights},
		{"Pairs.CensoringWeights", a.Learner.Pairs.CensoringWeights, b.Learner.Pairs.CensoringWeights},
		{"Normalize", a.Normalize, b.Normalize}, {"Threshold", thresholdText(a.Threshold), thresholdText(b.Threshold)},
		{"Outputs", a.Outputs, b.Outputs}, {"Folds", a.Folds, b.Folds}, {"KeepQueries", a.KeepQueries, b.KeepQueries},
	} {
		if option.a != option.b {
			return fault.Optionf(option.name, "is %v and %v, and statistics of different options are not added",
				option.a, option.b)
		}
	}
	if !slices.Equal(a.Names, b.Names) {
		return fault.Optionf("Names", "differ: %s", differentNames(a.Names, b.Names))
	}
	return sameMapping(a.Map, b.Map)
}

func thresholdText(t *float64) string {
	if t == nil {
		return "none"
	}
	return fmt.Sprint(*t)
}

// differentNames names the first difference of two lists of names.
func differentNames(a, b []string) string {
	if len(a) != len(b) {
		return fmt.Sprintf("there are %d and %d", len(a), len(b))
	}
	for j, name := range a {
		if name != b[j] {
			return fmt.Sprintf("feature %d is %q and %q", j+1, data.ClipText(name), data.ClipText(b[j]))
		}
	}
	return "they are equal"
}
