package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/internal/realdata"
)

// TestBaselines reads averages and folds of the test parts, and nothing of the others.
func TestBaselines(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, study.OHSUMED2.Folder), 0o777); err != nil {
		t.Fatal(err)
	}
	const head = "Performance on the test set\t\t\n"
	text := "## sheet Average\n" + head + "Algorithms\tNDCG@1\tNDCG@2\nRankBoost\t0.5\t0.6\nRankSVM\t0.7\t0.8\n" +
		"## sheet RankSVM\n" + head + "Trials\tNDCG@1\tNDCG@2\n1\t0.6\t0.7\n2\t0.8\t0.9\nAverage\t0.7\t0.8\n" +
		"Trials\tMAP\t\n1\t0.1\n2\t0.2\nPerformance of the selected model on the training set\t\t\n" +
		"Trials\tNDCG@1\n1\t0.99\n## sheet RankBoost\n" + head + "Trials\tNDCG@1\n1\t0.4\n"
	if err := os.WriteFile(filepath.Join(dir, study.OHSUMED2.Folder, "baselines.tsv"), []byte(text),
		0o666); err != nil {
		t.Fatal(err)
	}
	found, err := baselines(dir)
	if err != nil {
		t.Fatal(err)
	}
	for measure, want := range map[string]baseline{
		"ndcg@1": {0.7, []float64{0.6, 0.8}}, "ndcg@2": {0.8, []float64{0.7, 0.9}}, "map": {0, []float64{0.1, 0.2}},
	} {
		if b := found["RankSVM"][measure]; b == nil || b.average != want.average || !slices.Equal(b.folds, want.folds) {
			t.Errorf("%s: %+v, not %+v", measure, b, want)
		}
	}
	if b := found["RankBoost"]["ndcg@1"]; b.average != 0.5 || !slices.Equal(b.folds, []float64{0.4}) {
		t.Errorf("RankBoost: %+v", b)
	}
}

// TestQuotedBaselines has the paper's columns of RankSVM and RankBoost as the means of the
// folds that were published.
func TestQuotedBaselines(t *testing.T) {
	realdata.Path(t, study.OHSUMED2.Folder, "baselines.tsv")
	published, err := baselines(realdata.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for measure, row := range paper2007 {
		for column, learner := range quoted {
			none := measured{folds: make([]float64, 5)}
			if _, err := byFold(none, published[learner][measure], row[column]); err != nil {
				t.Errorf("%s, %s: %v", learner, measure, err)
			}
		}
	}
}

// TestByFold subtracts fold by fold, and refuses folds that are not of the paper's number.
func TestByFold(t *testing.T) {
	theirs := &baseline{folds: []float64{0.4, 0.6}}
	d, err := byFold(measured{folds: []float64{0.5, 0.5}}, theirs, 0.5)
	if err != nil || math.Abs(d[0]-0.1) > 1e-12 || math.Abs(d[1]+0.1) > 1e-12 {
		t.Errorf("%v, %v", d, err)
	}
	if _, err := byFold(measured{folds: []float64{0.5, 0.5}}, theirs, 0.501); err == nil {
		t.Error("no error for a mean of 0.5 where the paper has 0.501")
	}
	if _, err := byFold(measured{folds: []float64{0.5}}, theirs, 0.5); err == nil {
		t.Error("no error for another number of folds")
	}
}

// TestSameQueries holds for values that are as far apart as they can be.
func TestSameQueries(t *testing.T) {
	ours, theirs := make([]float64, 100), make([]float64, 100)
	for q := range ours {
		if q < 50 {
			ours[q] = 1
		} else {
			theirs[q] = 1
		}
	}
	d := make([]float64, len(ours))
	for q := range d {
		d[q] = ours[q] - theirs[q]
	}
	within, _ := sameQueries(experiment.StdErr(ours), experiment.Mean(theirs), len(ours))
	if least := 2 * experiment.StdErr(d); within < least*(1-1e-12) {
		t.Errorf("%v, but two standard errors of the differences are %v", within, least)
	}
}
