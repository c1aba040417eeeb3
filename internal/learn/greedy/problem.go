package greedy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// Criterion is what is left out to judge a set of features.
type Criterion = string

const (
	// Queries leaves each query out, Rows each row, and Pairs each pair of rows of a single list with different
	// labels.
	Queries Criterion = "lqo"
	Rows    Criterion = "loo"
	Pairs   Criterion = "lpo"
)

// Search is the kind of steps.
type Search = string

const (
	// Forward adds the best feature in each step.
	Forward Search = "forward"
	// Backward starts with all features and takes one away in each step.
	Backward Search = "backward"
	// Floating is forward, and after each step takes features away as long as this makes the best set of its
	// size so far (Pudil, Novovičová and Kittler 1994, Floating search methods in feature selection).
	Floating Search = "floating"
)

// Problem is rows with features and one label each.
type Problem struct {
	X data.Matrix
	Y []float64
	// Queries are the parts of the rows that are ranked together.
	Queries *data.Partition
	// Regression fits the label of each row, instead of the differences within queries.
	Regression bool
	// Weight is the weight of the pairs of a query; "" is pref.Pairs. It is not for Regression.
	Weight pref.Weight
	// Weights are those of the rows, above 0: a pair counts the product of two. nil is 1 for each.
	Weights []float64
	// Baseline are features, by their numbers from 0, that are in every set without a penalty.
	Baseline []int
	// Groups are the columns of X of each feature, all of which come in or leave together, as a feature of a spline
	// with its hinges; nil where a feature is a column. The features are then the groups, by their numbers, and there
	// is no baseline.
	Groups [][]int
	// Name is the name of a feature in errors; nil is its number from 1.
	Name func(feature int) string
}

// Options are the options of Select.
type Options struct {
	// Lambda is λ, greater than 0, in the unit of the objective.
	Lambda float64
	// Features is the largest number of selected features, at least 1.
	Features int
	// Criterion judges; "" is Rows for regression, Queries for several queries, and Pairs for one.
	Criterion Criterion
	// Search is the kind of steps; "" is Forward.
	Search Search
	// Progress, unless nil, receives the number of selected features.
	Progress func(done, total int)
}

// FewFeaturesError reports that fewer features can be selected than were requested.
type FewFeaturesError struct {
	Requested, Usable int
	// Constant is the number of features that are constant within every query, and First the name of the first
	// one; Explained is the number of features that the baseline determines.
	Constant, Explained int
	First               string
}

func (e *FewFeaturesError) Error() string {
	text, more := fmt.Sprintf("%s cannot be selected: there are %d to choose from", plural(e.Requested), e.Usable), " more"
	if e.Usable == 0 {
		text, more = "there are no features to choose from", ""
	}
	if e.Constant > 0 {
		text += fmt.Sprintf("; %d%s do not vary within any query, first %s", e.Constant, more, e.First)
	}
	if e.Explained > 0 {
		text += fmt.Sprintf("; the baseline determines %d%s", e.Explained, more)
	}
	return text
}

func plural(features int) string {
	if features == 1 {
		return "1 feature"
	}
	return fmt.Sprint(features, " features")
}

// Default returns the criterion that Select uses for "", in O(queries).
func (p *Problem) Default() Criterion {
	switch {
	case p.Regression:
		return Rows
	case withRows(p.Queries).Len() > 1:
		return Queries
	}
	return Pairs
}

// withRows is a partition without its empty parts.
func withRows(p *data.Partition) *data.Partition {
	number, next := make([]int32, p.Len()), int32(0)
	for q := range number {
		number[q] = next
		if len(p.Part(q)) > 0 {
			next++
		}
	}
	if int(next) == p.Len() {
		return p
	}
	of := make([]int32, len(p.Rows))
	for i, q := range p.Of() {
		of[i] = number[q]
	}
	return data.NewPartition(of, int(next))
}

// Usable returns the number of features that vary within some query, apart from the baseline, or for regression are
// not 0. Those that the baseline determines count, too. It returns a *FewFeaturesError if these are fewer than the
// requested ones, or none. It costs O(mn).
func Usable(p Problem, requested int) (int, error) {
	of, err := newColumns(p)
	if err != nil {
		return 0, err
	}
	if n := len(of.units); n > 0 && n >= requested {
		return n, nil
	}
	few := of.few
	few.Requested, few.Usable = max(1, requested), len(of.units)
	return len(of.units), &few
}

// name is the name of a feature.
func (p *Problem) name(j int) string {
	if p.Name != nil {
		return p.Name(j)
	}
	return fmt.Sprintf("feature %d", j+1)
}

// resolved checks a problem and options, and fills in the defaults. It panics for shapes that do not fit together.
func resolved(p Problem, o Options) (Problem, Options, error) {
	checkShapes(&p, &o)
	p.Weight, o.Search = cmp.Or(p.Weight, pref.Pairs), cmp.Or(o.Search, Forward)
	if o.Criterion == "" {
		o.Criterion = p.Default()
	}
	p.Queries = withRows(p.Queries)
	if err := o.check(&p); err != nil {
		return p, o, err
	}
	for q := range p.Queries.Len() {
		part := p.Queries.Part(q)
		for _, i := range part {
			if p.Y[i] != p.Y[part[0]] {
				return p, o, nil
			}
		}
	}
	return p, o, goals.ErrNothingToLearn
}

// checkShapes panics for shapes that do not fit together, and for a λ that is none.
func checkShapes(p *Problem, o *Options) {
	m, n := p.X.Dims()
	if len(p.Y) != m || p.Queries == nil || len(p.Queries.Rows) != m || p.Weights != nil && len(p.Weights) != m {
		panic(fmt.Sprintf("greedy: %d rows with %d labels, and queries or weights of other rows", m, len(p.Y)))
	}
	if !(o.Lambda > 0) || math.IsInf(o.Lambda, 1) {
		panic(fmt.Sprintf("greedy: λ is %v", o.Lambda))
	}
	if p.Groups != nil && p.Baseline != nil {
		panic("greedy: a baseline of groups of columns")
	}
	seen := make(map[int]bool, len(p.Baseline))
	for _, j := range p.Baseline {
		if j < 0 || j >= n || seen[j] {
			panic(fmt.Sprintf("greedy: baseline feature %d, from 0, of %d, each at most once", j, n))
		}
		seen[j] = true
	}
}

// check refuses options that are unknown, or not for the data.
func (o *Options) check(p *Problem) error {
	m, lists := len(p.Y), p.Queries.Len()
	switch {
	case !slices.Contains([]Criterion{Queries, Rows, Pairs}, o.Criterion):
		return fmt.Errorf("unknown criterion %q: known are lqo, loo, lpo", o.Criterion)
	case !slices.Contains([]Search{Forward, Backward, Floating}, o.Search):
		return fmt.Errorf("unknown search %q: known are forward, backward, floating", o.Search)
	case o.Features < 1:
		return fmt.Errorf("at least 1 feature is selected, not %d", o.Features)
	case o.Criterion == Queries && lists < 2:
		return errors.New("leave-query-out needs at least two queries: a single list has lpo")
	case o.Criterion == Pairs && lists > 1:
		return fmt.Errorf("leave-pair-out selects for a single list, and the data has %d queries", lists)
	case o.Criterion == Rows && lists > 1 && !p.Regression:
		return fmt.Errorf("leave-one-out selects for regression or a single list, and the data has %d queries", lists)
	case !p.LeavesOut(o.Criterion):
		return fmt.Errorf("with weights of rows %s selects for regression or where pairs weigh by size", o.Criterion)
	case o.Criterion != Queries && m < leastRows:
		return fmt.Errorf("%s selects from %d rows or more, and the data has %d", o.Criterion, leastRows, m)
	}
	return nil
}

// LeavesOut reports whether the search can leave out what a criterion says: the rows and pairs of a list whose rows
// have weights each leave another λ, unless the weight is by size.
func (p *Problem) LeavesOut(c Criterion) bool {
	return p.Weights == nil || c == Queries || p.Regression || p.Weight == pref.Size
}

// leastRows is the least number of rows of which one or two can be left out so that a row remains.
const leastRows = 3
