package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank"
	"pairrank/internal/spell"
)

// Chosen is the selection of features of a training or an estimate.
type Chosen struct {
	// Names are the names of the selected features, or their numbers from 1, in the order in which they came in.
	Names []any `json:"features_chosen,omitempty"`
	// Criterion is what the search minimised, at the selected features.
	Criterion *ChosenCriterion `json:"features_criterion,omitempty"`
	// Again compares them with the features that were selected in rounds of holding out; nil without rounds.
	Again *ChosenRounds `json:"features_rounds,omitempty"`
}

// ChosenCriterion is the held-out error and the held-out squared loss that a search minimised. They are too low to be
// estimates, since the features were selected by them.
type ChosenCriterion struct {
	Method string `json:"method"`
	Error  Number `json:"error"`
	Loss   Number `json:"loss"`
}

// ChosenRounds are rounds of holding out that each selected features anew.
type ChosenRounds struct {
	Method    string          `json:"method"` // how the rounds left rows out
	Nested    bool            `json:"nested"` // they chose λ and the number of features, too
	Rounds    int             `json:"rounds"`
	Stability *Stability      `json:"stability"` // null for a single round, and if all features are selected
	Features  []ChosenFeature `json:"features"`
	Others    []ChosenCount   `json:"others"` // features that came up in some round, by falling count
}

// Stability is the index of Nogueira, Sechidis and Brown 2018, with its 95 % interval over the rounds.
type Stability struct {
	Value Number `json:"value"`
	CI95  Range  `json:"ci95"`
}

// ChosenCount is the number of rounds that selected a feature.
type ChosenCount struct {
	Feature int    `json:"feature"` // from 1
	Name    string `json:"name,omitempty"`
	Count   int    `json:"count"`
}

// ChosenFeature is a selected feature.
type ChosenFeature struct {
	ChosenCount
	// StandIns are features that came up in rounds without it, each with the number of these rounds.
	StandIns []ChosenCount `json:"stand_ins"`
}

// newChosen converts a selection, nil if features are not selected, of features with these names.
func newChosen(s *pairrank.Selection, names []string) (c Chosen) {
	if s == nil {
		return c
	}
	count := func(feature, rounds int) ChosenCount {
		out := ChosenCount{Feature: feature + 1, Count: rounds}
		if feature < len(names) {
			out.Name = names[feature]
		}
		return out
	}
	r := &ChosenRounds{Method: s.Outer.String(), Nested: s.Nested, Rounds: s.Rounds, Features: []ChosenFeature{},
		Others: []ChosenCount{}}
	for _, f := range s.Features {
		next := ChosenFeature{count(f.Feature, f.Rounds), []ChosenCount{}}
		for _, other := range f.StandIns {
			next.StandIns = append(next.StandIns, count(other.Feature, other.Rounds))
		}
		r.Features = append(r.Features, next)
		if next.Name != "" {
			c.Names = append(c.Names, next.Name)
		} else {
			c.Names = append(c.Names, next.Feature)
		}
	}
	c.Criterion = &ChosenCriterion{string(s.Criterion), Number(s.Error), Number(s.Loss)}
	if s.Rounds == 0 {
		return c
	}
	for _, other := range s.Others {
		r.Others = append(r.Others, count(other.Feature, other.Rounds))
	}
	if i := s.Index; i.Defined {
		r.Stability = &Stability{Number(i.Value), Range{Number(i.Lo), Number(i.Hi)}}
	}
	c.Again = r
	return c
}

// label is the number of the feature, with its name.
func (c *ChosenCount) label() string { return numbered(c.Feature, c.Name) }

// numbered is the number of a feature, with its name.
func numbered(feature int, name string) string {
	return strings.TrimSpace(fmt.Sprint(feature, " ", strings.Map(printable, name)))
}

// labels lists features, each with its number of rounds.
func labels(counts []ChosenCount) string {
	texts := make([]string, len(counts))
	for k := range counts {
		texts[k] = fmt.Sprintf("%s (%d)", counts[k].label(), counts[k].Count)
	}
	return strings.Join(texts, ", ")
}

// list is the selected features on one line.
func (c *Chosen) list() string {
	texts := make([]string, len(c.Names))
	for k, f := range c.Names {
		texts[k] = strings.Map(printable, fmt.Sprint(f))
	}
	return strings.Join(texts, ", ")
}

// featureName is the name of a feature, or its number.
func featureName(name string, number int) string {
	return cmp.Or(name, "feature "+strconv.Itoa(number))
}

// How many features a figure has, and how many others the text and the page name.
const mostWeights, fewOthers, mostOthers = 30, 5, 10

// tell adds the selected features, and returns the figure of their counts in rounds, nil without rounds.
func (c *Chosen) tell(v *View) (f *Figure) {
	if len(c.Names) == 0 {
		return nil
	}
	if c.Again == nil {
		v.state("features", "%s", c.list())
	} else {
		f = c.Again.tell(v)
	}
	if c := c.Criterion; c != nil {
		v.state("criterion", "%s error %s, squared loss %.4g: no estimate, since the features were selected by it",
			c.Method, c.Error, float64(c.Loss))
	}
	return f
}

func (r *ChosenRounds) tell(v *View) *Figure {
	of, own := "%s of %s, each with its own selection", ""
	if r.Nested {
		of, own = "%s of the nested %s, each with its own selection", ", λ and number of features"
	}
	of = fmt.Sprintf(of, spell.Plural(r.Rounds, "round"), r.Method) + own
	v.fact(Detail, "features", "in the order in which they came in, and their count in %s", of)
	all, often := slices.Clone(r.Features), 0
	for _, f := range r.Features {
		if 2*f.Count > r.Rounds {
			often++
		}
	}
	for _, other := range r.Others[:min(len(r.Others), mostOthers)] {
		all = append(all, ChosenFeature{ChosenCount: other})
	}
	t := &Table{Caption: "The selected features, in the order in which they came in, and the most frequent others",
		Len: len(all), Shown: upTo(len(r.Features))}
	t.add("feature", 0, func(l int) string { return all[l].label() }).OnPage = func(l int) string {
		return featureName(all[l].Name, all[l].Feature)
	}
	t.add("rounds", 0, func(l int) string { return strconv.Itoa(all[l].Count) })
	if slices.ContainsFunc(all, func(f ChosenFeature) bool { return len(f.StandIns) > 0 }) {
		t.add("in rounds without it", 0, func(l int) string { return cmp.Or(labels(all[l].StandIns), "-") })
	}
	t.Point = func(l int) Spot {
		p := Spot{Value: float64(all[l].Count)}
		if l >= len(r.Features) {
			p.Style = 1
		}
		return p
	}
	if n := len(r.Others); n > 0 {
		t.Below = []string{fmt.Sprintf("%s came up in some round, most often %s", spell.Plural(n, "other feature"),
			labels(r.Others[:min(n, fewOthers)]))}
	}
	v.tell(t)
	if s := r.Stability; s != nil {
		v.state("stability", "%s over the rounds, which share rows (Nogueira and others 2018): 1 is the same features in "+
			"each, 0 is chance", within(s.Value, &s.CI95))
	}
	if len(r.Features) == 0 {
		return nil
	}
	f := &Figure{Title: fmt.Sprintf("%d of %s came up in more than half of the rounds", often,
		spell.Plural(len(r.Features), "selected feature")), Table: t,
		Desc: "A point for each feature between 0 and the number of rounds.",
		Rows: &Rows{Label: "rounds that selected the feature, of " + fmt.Sprint(r.Rounds),
			Rules: []float64{0, float64(r.Rounds)}},
		Text: []string{"Counts over " + of + ". Features of the second colour are not selected from all rows.",
			"Each round selected from the rows that it did not hold out. A feature that comes up in few rounds can be " +
				"replaced by others with the same information: those that came up instead are in the table. Rounds share " +
				"most of their rows, so the interval of the stability is one over rounds, and not over further data."}}
	if n := len(r.Features); n > mostWeights { // the table has them
		for k := range all {
			if k < mostWeights || k >= n {
				f.Rows.Some = append(f.Rows.Some, k)
			}
		}
		f.Left = fmt.Sprintf("The figure has the first %d of %d selected features.", mostWeights, n)
	}
	if left := len(r.Others) - mostOthers; left > 0 {
		f.Left += fmt.Sprintf(" Not shown: %s that came up; the JSON document has all.", spell.Plural(left, "more feature"))
	}
	return f
}
