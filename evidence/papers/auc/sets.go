package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/format/svmlight"
)

// collection is one set of rows with two labels.
type collection struct {
	name, file, positive string
	most                 int  // rows for the Gaussian kernel; 0: all
	median               bool // labels are numbers, cut at their median
	chance               bool // permutations and control
}

var collections = []collection{
	{name: "ionosphere", file: "uci/ionosphere", positive: "good return"},
	{name: "sonar", file: "uci/sonar", positive: "mine"},
	{name: "parkinsons", file: "uci/parkinsons", positive: "Parkinson's disease"},
	{name: "breastcancer", file: "uci/breastcancer", positive: "malignant"},
	{name: "pima", file: "uci/pimaindiansdiabetes2", positive: "diabetes"},
	{name: "housing", file: "uci/housing", positive: "value ≥ median", median: true},
	{name: "spam", file: "uci/spam", positive: "spam", most: 1000},
	{name: "colon", file: "microarray/alon", positive: "tumour", chance: true},
	{name: "leukaemia", file: "microarray/golub", positive: "AML", chance: true},
}

// chosenSets are those that -sets names.
func (s settings) chosenSets() (all []collection) {
	for _, c := range collections {
		if s.sets == "" || slices.Contains(strings.Split(s.sets, ","), c.name) {
			all = append(all, c)
		}
	}
	return all
}

// sets is the table of the real sets.
func sets(ctx context.Context, s settings) (found experiment.Result, err error) {
	t := experiment.NewTable("set (positive)", "%s", "rows", "%.0f", "positive", "%.0f", "features", "%.0f",
		"kernel", "%s", "chosen", "%s", "leave-pair-out", "%.3f", "interval", "%s",
		"nested, pairs of a fold", "%.3f", "±", "%.3f", "averaged", "%.3f", "±", "%.3f", "pooled", "%.3f")
	for _, c := range s.chosenSets() {
		set, err := c.load(ctx, s.dir)
		if err != nil {
			return found, err
		}
		_, features := set.X.Dims()
		for _, l := range learners(features) {
			if err := c.row(ctx, t, l, set, s.seed); err != nil {
				return found, fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	found.Add(t)
	return found, nil
}

// load reads a set and makes its labels 1 and 0.
func (c collection) load(ctx context.Context, dir string) (*data.Set, error) {
	path := filepath.Join(dir, c.file+".svm.gz")
	set, err := svmlight.ReadFile(ctx, path, svmlight.Options{Storage: svmlight.StoreDense})
	if err != nil {
		return nil, err
	}
	threshold := 1.0
	if c.median {
		y := slices.Sorted(slices.Values(set.Y))
		threshold = (y[(len(y)-1)/2] + y[len(y)/2]) / 2
	}
	data.Binarize(set.Y, threshold)
	return set, nil
}

// row adds one row of the table.
func (c collection) row(ctx context.Context, t *experiment.Table, l study.Learner, set *data.Set, seed uint64) error {
	if l.Name == gaussian && c.most > 0 {
		set = subsample(set, c.most, seed)
	}
	whole := study.Split{Test: set}
	whole.Set = set
	trained, err := l.Train(ctx, whole)
	if err != nil {
		return err
	}
	n, err := nested(ctx, l, set, seed)
	if err != nil {
		return err
	}
	chosen := trained.Choice
	lo, hi, _ := cv.AUCInterval(1-chosen.Error, chosen.StdErr.Value)
	_, features := set.X.Dims()
	t.Row(c.name+" ("+c.positive+")", len(set.Y), positives(set.Y), features, l.Name, describe(chosen, features),
		1-chosen.Error, fmt.Sprintf("%.3f–%.3f", lo, hi), 1-n.pairs.Error, n.pairs.StdErr.Value,
		n.averaged, n.spread, n.pooled)
	return nil
}

// subsample draws rows without replacement, in the order of the set.
func subsample(set *data.Set, m int, seed uint64) *data.Set {
	rows := rand.New(rand.NewPCG(seed, 0x737562)).Perm(len(set.Y))[:m]
	slices.Sort(rows)
	return set.Subset(rows)
}

func positives(y []float64) (n int) {
	for _, label := range y {
		n += int(label)
	}
	return n
}
