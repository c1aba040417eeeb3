package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/internal/spell"
)

// learners are the names of learners in papers.
var learners = map[string]string{"rankrls": "RankRLS", "rls": "regularised least squares", "ranksvm": "RankSVM",
	"rankboost": "RankBoost"}

// study says what was done in the order of the checklist of TRIPOD, whose numbers are in brackets; nil if the document
// has no study.
func (d *Estimate) study() *View {
	if d.Study == nil || d.Nested == nil || d.Nested.AUC == nil {
		return nil
	}
	w := studyWords{d, d.Study, d.Columns}
	v := &View{Title: "What was done, by the checklist of TRIPOD"}
	v.state("source of data (4a)", "%s", w.source())
	v.state("outcome (6a)", "%s", w.outcome())
	v.state("predictors (7a)", "%s", w.predictors())
	v.state("sample size (8, 14a)", "%s", w.size())
	v.state("missing data (9)", "%s", w.missing())
	v.state("model building (10b)", "%s", w.building())
	v.state("internal validation (10b)", "%s", w.validation())
	v.state("performance measure (10d)", "AUC: the share of pairs of rows with different labels that a model trained "+
		"without both ranks in the right order, tied scores counting one half")
	v.state("AUC, nested (16)", "%s. %s", d.Nested.AUC.text(), w.interval())
	v.state("AUC, not nested (16)", "%s", w.plain())
	v.state("test", "%s", w.test())
	v.state("software", "pairrank %s, seed %d", w.Version, w.Seed)
	w.leftOut(v)
	v.Notes = []string{"For the methods section: " + w.sentence(),
		"For you to write: the design, the places and the dates of the study (4), who took part (5), how outcome and " +
			"predictors were measured (6, 7), why so many (8), and what limits the study (18)."}
	return v
}

// studyWords are the facts of a study in words.
type studyWords struct {
	*Estimate
	*Study
	columns *Columns
}

func (w studyWords) source() string {
	text := w.Source
	if c := w.columns; c != nil && len(c.Ignored) > 0 {
		text += fmt.Sprintf(", without %s that were ignored", spell.Plural(len(c.Ignored), "column"))
	}
	return text
}

// labels are the names of the two labels.
func (w studyWords) labels() (positive, negative string) {
	if c := w.columns; c != nil && c.Positive != "" {
		return c.Positive, c.Negative
	}
	return fmt.Sprintf("with label %g", w.Labels[1]), fmt.Sprintf("with label %g", w.Labels[0])
}

func (w studyWords) outcome() string {
	positive, negative := w.labels()
	text := fmt.Sprintf("the label, %g or %g: the larger one is positive", w.Labels[1], w.Labels[0])
	if c := w.columns; c != nil && c.Label != "" {
		text = fmt.Sprintf("the column %s", c.Label)
		if c.Positive != "" {
			text += fmt.Sprintf(": %s is 1, %s is 0", positive, negative)
		}
	}
	return text
}

func (w studyWords) predictors() string {
	if w.Features == 0 {
		return "a kernel matrix of the rows"
	}
	text := spell.Plural(w.Features, "feature")
	switch w.Normalize {
	case "":
		text += ", as they are in the file"
	default:
		text += ", normalised by " + w.Normalize
	}
	return text
}

func (w studyWords) size() string {
	positive, negative := w.labels()
	text := fmt.Sprintf("%s, %d %s and %d %s: %d pairs", spell.Plural(w.Rows, "row"), w.Positives, positive,
		w.Negatives, negative, w.Positives*w.Negatives)
	if w.Groups > 0 {
		text += fmt.Sprintf(", in %s that leave together", spell.Plural(w.Groups, "group"))
	}
	return text
}

func (w studyWords) missing() string {
	if w.columns == nil {
		return "none: every row has every feature"
	}
	if len(w.columns.Filled) == 0 {
		return "none"
	}
	rows, by := 0, []string{}
	for _, f := range w.columns.Filled {
		if rows += f.Rows; !slices.Contains(by, f.By) {
			by = append(by, f.By)
		}
	}
	return fmt.Sprintf("%s of %s, filled by %s over all rows, also those held out", spell.Plural(rows, "value"),
		spell.Plural(len(w.columns.Filled), "feature"), strings.Join(by, ", "))
}

// learner is the name of the learner.
func (w studyWords) learner() string { return cmp.Or(learners[w.Learner], w.Learner) }

// choices says what was chosen from how many.
func (w studyWords) choices() string {
	what := "λ"
	switch {
	case w.Best != nil && w.Best.Rounds > 0:
		what = "the number of rounds"
	case w.selects():
		what = "λ and the number of features"
	case slices.ContainsFunc(w.Results, func(r Result) bool { return r.Kernel != w.Results[0].Kernel }):
		what = "kernel and λ"
	}
	return what
}

// selects reports whether features were selected.
func (w studyWords) selects() bool { return len(w.Names) > 0 }

func (w studyWords) building() string {
	text := fmt.Sprintf("%s; %s", w.learner(), w.chose())
	if w.selects() {
		text += fmt.Sprintf("; features by %s: %s", w.Why, w.list())
	}
	return text
}

// chose says by what the choice was made.
func (w studyWords) chose() string {
	if len(w.Results) < 2 {
		return w.choices() + " given beforehand"
	}
	return fmt.Sprintf("%s chosen from %d by %s", w.choices(), len(w.Results), method(w.Method))
}

// anew says what every outer round made anew.
func (w studyWords) anew() string {
	what := []string{}
	if w.selects() {
		what = append(what, "the selection of features")
	}
	if len(w.Results) > 1 {
		what = append(what, "the choice of "+w.choices())
	}
	if len(what) == 0 {
		return "the training"
	}
	return strings.Join(what, ", ") + ", and the training"
}

func (w studyWords) validation() string {
	n := w.Nested
	text := fmt.Sprintf("nested %s: %s anew in every outer round; ", method(n.Outer), w.anew())
	switch {
	case n.Times > 1:
		text += fmt.Sprintf("%d draws of the folds hold out %d pairs, and the data have %d", n.Times, n.Pairs, n.All)
	case n.Pairs < n.All:
		text += fmt.Sprintf("%d of the %d pairs held out", n.Pairs, n.All)
	default:
		text += "every pair held out"
	}
	if w.Normalize != "" {
		text += "; the normaliser is that of all rows"
	}
	return text
}

func (w studyWords) interval() string {
	switch {
	case w.Nested.AUC.CI95 == nil:
		text := "No interval was made; --interval halves makes one"
		if e := w.Nested.StdErr; !math.IsNaN(float64(e)) {
			text = fmt.Sprintf("Standard error %s, with the trained models as given. %s", e.to(decimals(e)), text)
		}
		return text
	case w.Nested.Halves == HalvesOfNest:
		return "The interval is from half-samples on which all of this was repeated"
	}
	return "The interval is as wide as that of the estimate that is not nested, around the nested AUC"
}

func (w studyWords) plain() string {
	if w.Best == nil {
		return "not known"
	}
	auc := w.Best.AUC
	if auc == nil {
		auc = &AUC{Value: 1 - w.Best.Error}
		if w.Best.CI95 != nil {
			auc.CI95 = w.Best.CI95.complement()
		}
	}
	text := auc.text(w.Nested.AUC.CI95.width())
	if len(w.Results) < 2 {
		return text + ", " + method(w.Method)
	}
	return fmt.Sprintf("%s, by %s at the best of %d choices: too high by what chance added to the choice",
		text, method(w.Method), len(w.Results))
}

func (w studyWords) test() string {
	if w.Permutation == nil {
		return "none was asked for (--permutations)"
	}
	return w.Permutation.text()
}

// leftOut adds the parts of the page that were not made and can be, each with the command that adds it. A page has the
// ROC curve of every estimate that is not trained again.
func (w studyWords) leftOut(v *View) {
	var all []string
	add := func(what []string, flags string) {
		if len(what) > 0 {
			all = append(all, flags)
			v.state("not made", "%s: %s", strings.Join(what, ", "), strings.TrimSpace(w.Command+" "+flags))
		}
	}
	var halves, curve []string
	if w.Nested.AUC.CI95 == nil {
		halves = append(halves, "the interval of the nested AUC")
	}
	switch {
	case w.ROC == nil && w.selects() && w.Study.Groups == 0:
		curve = append(curve, "the ROC curve")
	case w.ROC != nil && len(w.ROC.Band) == 0:
		halves = append(halves, "the band of the ROC curve")
	}
	add(halves, "--interval halves")
	add(curve, "--roc roc.tsv")
	if w.Permutation == nil && w.Study.Groups == 0 && (w.selects() || !w.Retrained) {
		add([]string{"the permutation test"}, "--permutations 99")
	}
	if len(all) > 1 {
		v.state("all of these", "%s", strings.TrimSpace(w.Command+" "+strings.Join(all, " ")))
	}
}

// sentence is the one for a methods section.
func (w studyWords) sentence() string {
	positive, negative := w.labels()
	of := spell.Plural(w.Features, "predictor")
	if w.Features == 0 {
		of = "a kernel matrix"
	}
	text := fmt.Sprintf("“We ranked %d samples (%d %s, %d %s) by %s of %s with pairrank %s, seed %d, ", w.Rows,
		w.Positives, positive, w.Negatives, negative, w.learner(), of, w.Version, w.Seed)
	text += fmt.Sprintf("and estimated the AUC by nested %s with %s, made anew in every round: %s", method(w.Nested.Outer),
		w.anew(), w.Nested.AUC.text())
	if w.Nested.AUC.CI95 != nil {
		text += " by half-samples"
	}
	text += fmt.Sprintf(", over %s", spell.Plural(int(w.Nested.Pairs), "held-out pair"))
	if p := w.Permutation; p != nil {
		text += fmt.Sprintf("; a permutation test of the labels gave p = %s (%d permutations)", pText(p.P), p.N)
	}
	return text + ".”"
}

// text is an area with its interval, or to the digits of another uncertainty.
func (a *AUC) text(unsure ...Number) string { return "AUC " + within(a.Value, a.CI95, unsure...) }
