package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/internal/spell"
)

// Importance is the part of an Estimate about the importance of each feature.
type Importance struct {
	Choice                       // the choice with the error Value
	Value    Number              `json:"value"` // the error, or the metric, with all features
	Features []ImportanceFeature `json:"features"`
	Left     int                 `json:"left"` // features that were not left out
}

// ImportanceFeature is the importance of one feature.
type ImportanceFeature struct {
	Feature int    `json:"feature"` // from 1
	Name    string `json:"name,omitempty"`
	Without Number `json:"without"` // the error, or the metric, without it
	Worse   Number `json:"worse"`   // Without is worse by this much
	StdErr  Number `json:"stderr"`  // of Worse, paired over the held-out units
	Size    Number `json:"size"`    // |weight| times standard deviation; null for kernels
	// Again is the best candidate without the feature, if the candidates were chosen again.
	Again *ImportanceAgain `json:"again,omitempty"`
}

// ImportanceAgain is a candidate chosen without a feature.
type ImportanceAgain struct {
	Choice
	Value Number `json:"value"`
}

// figure adds the features by falling importance, and returns their figure, nil if it was not requested. metric is the
// name of the metric that chose, or "".
func (i *Importance) figure(v *View, metric string) *Figure {
	if i == nil {
		return nil
	}
	what, all := cmp.Or(metric, "error"), i.Features
	v.fact(Detail, "importance", "%s %s with all features, at %s %s; without each:", what, i.Value, i.of(), i.at())
	t := &Table{Caption: "The features by importance", Len: min(len(all), mostWeights)}
	feature := t.add("feature", 0, func(l int) string { return numbered(all[l].Feature, all[l].Name) })
	feature.OnPage = func(l int) string { return featureName(all[l].Name, all[l].Feature) }
	digits := t.digits(func(l int) (n, unsure Number) { return 0, all[l].StdErr })
	t.add("without", 0, func(l int) string { return all[l].Without.to(digits) }).Page = what + " without"
	t.add("worse", 0, func(l int) string { return all[l].Worse.to(digits) }).OnPage = func(l int) string {
		return typeset(all[l].Worse.signed(digits))
	}
	t.add("stderr", 0, func(l int) string { return all[l].StdErr.unsure(digits) }).Page = "standard error"
	if slices.ContainsFunc(all, func(f ImportanceFeature) bool { return !math.IsNaN(float64(f.Size)) }) {
		t.add("|w| sd", 0, func(l int) string { return shortNumber(float64(all[l].Size)) })
	}
	if len(all) > 0 && all[0].Again != nil {
		again := func(l int) ImportanceAgain {
			if a := all[l].Again; a != nil {
				return *a
			}
			return ImportanceAgain{Choice{Lambda: Number(math.NaN())}, Number(math.NaN())}
		}
		c := t.add(string(i.of())+" again", 0, func(l int) string { return again(l).at() })
		c.Page, c.OnPage = "chosen again", func(l int) string {
			if all[l].Again == nil {
				return "–"
			}
			return candidate(again(l).Choice)
		}
		t.add(what, 0, func(l int) string { return again(l).Value.String() })
	}
	lines := false
	for _, f := range all {
		p := Spot{Value: float64(f.Worse)}
		if se := float64(f.StdErr); se > 0 && !math.IsInf(se, 0) && !math.IsNaN(p.Value) {
			p.Lo, p.Hi, lines = p.Value-se, p.Value+se, true
		}
		if p.Value < 0 {
			p.Style = 1
		}
		t.points = append(t.points, p)
	}
	f := &Figure{Table: t, Desc: "A point for each feature, and a vertical line at 0.", Rows: &Rows{Column: 2,
		Label: fmt.Sprintf("how much worse the held-out %s is without the feature", what), Rules: []float64{0}}}
	i.leftOut(t, f)
	v.tell(t)
	if len(all) == 0 {
		return nil
	}
	f.Title = fmt.Sprintf("The %s is not worse without any single one of the tested features", what)
	if t.points[0].Value > 0 {
		f.Title = fmt.Sprintf("%s is the most important feature: without it the %s is worse by %s", t.name(0), what,
			typeset(all[0].Worse.to(digits)))
	}
	f.Text = []string{fmt.Sprintf("With all features the held-out %s is %s, at %s. Each feature is left out alone, at "+
		"the same value. If two features carry the same information, both have importance 0, since the other one remains.",
		what, number(i.Value), candidate(i.Choice))}
	if lines {
		f.Text = append(f.Text, "The lines are ± one standard error of the difference over the same held-out pairs. The "+
			"standard error takes the held-out predictions as given and is not a confidence interval: its coverage was not "+
			"measured, and selection biases the largest of many differences upwards.")
	}
	return f
}

// leftOut counts the features that are not shown, and those that were not left out.
func (i *Importance) leftOut(t *Table, f *Figure) {
	if n := len(i.Features) - t.Len; n > 0 {
		few := spell.Plural(n, "less important feature")
		t.Below = []string{few + " not listed; the JSON document has all"}
		f.Left = fmt.Sprintf("Not shown: %s; cv --json prints all. ", few)
	}
	if i.Left > 0 {
		t.Below = append(t.Below, spell.Plural(i.Left, "more feature")+" not tested")
		f.Left += fmt.Sprintf("Not tested: %s.", spell.Plural(i.Left, "more feature"))
	}
}
