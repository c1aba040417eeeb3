package page

import (
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/report"
)

// study is an estimate of a study with a selection of features.
func study() *report.Estimate {
	selected := func(features int, lambda, e float64) report.Result {
		return report.Result{Candidate: report.Candidate{Selection: report.Selection{Pairs: 880, Error: report.Number(e),
			Choice: report.Choice{Lambda: report.Number(lambda), Selected: features}, StdErr: 0.05}}}
	}
	best := selected(2, 4, 0.05)
	return &report.Estimate{Kind: report.KindEstimate, Method: "kfold:10", Rows: 62, Queries: 1, Retrained: true,
		Facts:   report.Facts{Learner: "rankrls", Solver: "greedy", Why: "forward selection by lpo"},
		Results: []report.Result{selected(1, 4, 0.2), best}, Best: &best,
		Chosen: report.Chosen{Names: []any{"g2", "g9"}},
		Tests: report.Tests{Nested: &report.Nested{Outer: "kfold:10", Error: 0.125, StdErr: 0.07, Pairs: 76, Times: 1,
			All: 880, AUC: &report.AUC{Value: 0.875, CI95: &report.Range{0.7, 0.95}}, Halves: report.HalvesOfNest,
			Chosen: []report.NestedChosen{{Lambda: 4, Features: 2, Times: 3}, {Lambda: 8, Features: 1, Times: 7}}},
			Permutation: &report.Permutation{N: 99, Below: 1, Error: 0.05, P: 0.02}},
		Columns: &report.Columns{Schema: data.Schema{Label: "diagnosis", Positive: "tumor", Negative: "normal"}},
		Study: &report.Study{Source: "p.csv", Features: 2000, Positives: 40, Negatives: 22, Labels: [2]float64{-1, 1},
			Normalize: "zscore", Seed: 7, Version: "v9"}}
}

// The section has every item with the numbers of the document, and the sentence for the methods section.
func TestStudySection(t *testing.T) {
	s := study().View().Next
	if s == nil {
		t.Fatal("no section about the study")
	}
	var facts []string
	for _, f := range s.Facts {
		facts = append(facts, f.Key+": "+f.Text)
	}
	text := strings.Join(facts, "\n")
	for _, want := range []string{
		"source of data (4a): p.csv",
		"outcome (6a): the column diagnosis: tumor is 1, normal is 0",
		"predictors (7a): 2000 features, normalised by zscore",
		"sample size (8, 14a): 62 rows, 40 tumor and 22 normal: 880 pairs",
		"missing data (9): none",
		"RankRLS; λ and the number of features chosen from 2 by 10-fold cross-validation; " +
			"features by forward selection by lpo: g2, g9",
		"nested 10-fold cross-validation: the selection of features, the choice of λ and the number of features, and " +
			"the training anew in every outer round; 76 of the 880 pairs held out",
		"AUC, nested (16): AUC 0.88 (95 % 0.70 to 0.95). The interval is from half-samples",
		"AUC, not nested (16): AUC 0.95, by 10-fold cross-validation at the best of 2 choices: too high",
		"test: p = 0.02: 1 of 99 permutations",
		"software: pairrank v9, seed 7",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the section lacks %q:\n%s", want, text)
		}
	}
	want := "“We ranked 62 samples (40 tumor, 22 normal) by RankRLS of 2000 predictors with pairrank v9, seed 7, and " +
		"estimated the AUC by nested 10-fold cross-validation with the selection of features, the choice of λ and the " +
		"number of features, and the training, made anew in every round: AUC 0.88 (95 % 0.70 to 0.95) by " +
		"half-samples, over 76 held-out pairs; a permutation test of the labels gave p = 0.02 (99 permutations).”"
	if !strings.HasSuffix(s.Notes[0], want) {
		t.Errorf("the sentence is %s, not %s", s.Notes[0], want)
	}
	checkPage(t, "study", render(t, study()))
}

// What is missing is said, and what the data cannot have is left out: a file without a table, no interval, no test, one
// candidate, a kernel matrix.
func TestStudyWithoutFacts(t *testing.T) {
	d := study()
	d.Columns, d.Permutation, d.Names, d.Study.Features, d.Study.Normalize = nil, nil, nil, 0, ""
	d.Results, d.Nested.AUC.CI95 = d.Results[:1], nil
	d.Nested.Times, d.Nested.Pairs, d.Study.Groups = 12, 900, 31
	s := d.View().Next
	text := ""
	for _, f := range s.Facts {
		text += f.Key + ": " + f.Text + "\n"
	}
	for _, want := range []string{"the label, 1 or -1: the larger one is positive", "a kernel matrix of the rows",
		"40 with label 1 and 22 with label -1: 880 pairs, in 31 groups that leave together", "λ given beforehand",
		"the training anew in every outer round; 12 draws of the folds hold out 900 pairs, and the data have 880",
		"Standard error 0.070, with the trained models as given. No interval was made; --interval halves makes one",
		"none was asked for (--permutations)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the section lacks %q:\n%s", want, text)
		}
	}
	if d.Study = nil; d.View().Next != nil {
		t.Error("a section without a study")
	}
}

// What a page lacks is named with the command that adds it, and not what the estimate cannot have.
func TestStudySaysWhatIsLeftOut(t *testing.T) {
	d := study()
	d.Study.Command = "pairrank cv p.csv --nested --features auto --report r.html"
	lacks := func() (lines []string) {
		for _, f := range d.View().Next.Facts {
			if f.Key == "not made" || f.Key == "all of these" {
				lines = append(lines, strings.ReplaceAll(f.Text, d.Study.Command, "CMD"))
			}
		}
		return lines
	}
	check := func(what string, want ...string) {
		t.Helper()
		if got := lacks(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("without a curve", "the ROC curve: CMD --roc roc.tsv")
	d.ROC = &report.ROC{Points: []cv.ROCPoint{{}, {Sensitivity: 1, FalsePositiveRate: 1}}}
	text := strings.Join(drawnAs(d, report.ROCFigure).Text, " ")
	if !strings.Contains(text, "anew without each pair. All rows chose λ") {
		t.Errorf("the curve of selected features says %s", text)
	}
	check("without a band", "the band of the ROC curve: CMD --interval halves")
	d.Nested.AUC.CI95, d.Permutation = nil, nil
	check("without intervals and test",
		"the interval of the nested AUC, the band of the ROC curve: CMD --interval halves",
		"the permutation test: CMD --permutations 99", "CMD --interval halves --permutations 99")
	d.Study.Groups, d.ROC = 9, nil
	check("rows in groups", "the interval of the nested AUC: CMD --interval halves")
	d.Study.Groups, d.Names = 0, nil
	check("a learner that trains again", "the interval of the nested AUC: CMD --interval halves")
}

// The figure of the choices has the most frequent one first, and none where all rounds chose the same.
func TestChoicesItem(t *testing.T) {
	d := study()
	i := d.View().Figures[len(d.View().Figures)-1]
	if want := "The most frequent choice came up in 7 of 10 outer rounds"; i.Title != want {
		t.Errorf("title %q, not %q", i.Title, want)
	}
	if got := i.Table.PageRows()[0]; got[0] != "1 at λ = 2³" || got[1] != "7" {
		t.Errorf("first row %q", got)
	}
	d.Nested.Chosen = d.Nested.Chosen[:1]
	if f := d.View().Figures; strings.Contains(f[len(f)-1].Title, "choice came up") {
		t.Error("a figure of one choice")
	}
}

// drawnAs is the figure of a document with a name.
func drawnAs(d report.Document, name string) *report.Figure {
	figures := d.View().Figures
	return figures[slices.IndexFunc(figures, func(f *report.Figure) bool { return f.Name == name })]
}
