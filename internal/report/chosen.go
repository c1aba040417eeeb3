package report

import (
	"cmp"
	"fmt"
	"slices"
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

// Text is the criterion in words.
func (c *ChosenCriterion) Text() string {
	return fmt.Sprintf("%s error %.5f, squared loss %.4g: no estimate, since the features were selected by it",
		c.Method, float64(c.Error), float64(c.Loss))
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

// Of says which rounds these are.
func (r *ChosenRounds) Of() string {
	text := fmt.Sprintf("%s of %s, each with its own selection", spell.Plural(r.Rounds, "round"), r.Method)
	if r.Nested {
		text = fmt.Sprintf("%s of the nested %s, each with its own selection, λ and number of features",
			spell.Plural(r.Rounds, "round"), r.Method)
	}
	return text
}

// Text is the index in words.
func (s *Stability) Text() string {
	return fmt.Sprintf("%.3f [%.3f, %.3f] over the rounds, which share rows (Nogueira and others 2018): 1 is the same "+
		"features in each, 0 is chance", float64(s.Value), float64(s.CI95[0]), float64(s.CI95[1]))
}

// Label is the number of a feature, with its name.
func (c *ChosenCount) Label() string {
	return strings.TrimSpace(fmt.Sprint(c.Feature, " ", strings.Map(printable, c.Name)))
}

// Instead lists the features that stood in for one.
func (f *ChosenFeature) Instead() string {
	var texts []string
	for _, other := range f.StandIns {
		texts = append(texts, fmt.Sprintf("%s (%d)", other.Label(), other.Count))
	}
	return strings.Join(texts, ", ")
}

// List is the selected features on one line.
func (c *Chosen) List() string {
	texts := make([]string, len(c.Names))
	for k, f := range c.Names {
		texts[k] = strings.Map(printable, fmt.Sprint(f))
	}
	return strings.Join(texts, ", ")
}

// write writes the selected features with the number of rounds that selected them.
func (c *Chosen) write(l *lines) {
	if len(c.Names) == 0 {
		return
	}
	if c.Again == nil {
		l.line("features", "%s", c.List())
		c.writeCriterion(l)
		return
	}
	r := c.Again
	l.line("features", "in the order in which they came in, and their count in %s", r.Of())
	head := []string{"  feature", "rounds"}
	stands := slices.ContainsFunc(r.Features, func(f ChosenFeature) bool { return len(f.StandIns) > 0 })
	if stands {
		head = append(head, "in rounds without it")
	}
	rows := [][]string{head}
	for _, f := range r.Features {
		row := []string{"  " + f.Label(), fmt.Sprint(f.Count)}
		if stands {
			row = append(row, cmp.Or(f.Instead(), "-"))
		}
		rows = append(rows, row)
	}
	l.WriteString("\n")
	_ = writeColumns(&l.Builder, rows) // a Builder returns no errors
	const most = 5
	if n := len(r.Others); n > 0 {
		var texts []string
		for _, other := range r.Others[:min(n, most)] {
			texts = append(texts, fmt.Sprintf("%s (%d)", other.Label(), other.Count))
		}
		fmt.Fprintf(l, "  %s came up in some round, most often %s\n", spell.Plural(n, "other feature"),
			strings.Join(texts, ", "))
	}
	l.WriteString("\n")
	if r.Stability != nil {
		l.line("stability", "%s", r.Stability.Text())
	}
	c.writeCriterion(l)
}

// writeCriterion writes what the search minimised.
func (c *Chosen) writeCriterion(l *lines) {
	if c.Criterion != nil {
		l.line("criterion", "%s", c.Criterion.Text())
	}
}
