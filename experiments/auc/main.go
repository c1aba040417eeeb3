// Command auc estimates the area under the ROC curve on the sets of the UCI
// repository and on two microarrays, in the ways that Pahikkala, Tsivtsivadze,
// Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to rank
// from preference graphs, section 4.1, weighs against each other:
//
//   - leave-pair-out at the λ and γ that leave-pair-out chooses, which is too
//     high by what the choice gained from chance
//   - ten outer folds, each predicted by a choice by leave-pair-out on the other
//     rows: the pairs of rows of one fold, the mean of the AUC of the folds, and
//     all rows pooled into one ranking
//
// with the linear and the Gaussian kernel, RankRLS over all pairs, λ of 2^-15 …
// 2^15 and, for n features, γ of 2^-10/n, 2^-8/n, … 2^4/n. On the microarrays
// follow a permutation test and a control: what the estimates say of shuffled
// labels, about which nothing can be known.
//
//	go run ./experiments/auc -data DIR
//
// DIR has uci and microarray; by default it is looked for in $PAIRRANK_DATA, or
// ../shared/data. Features get mean 0 and variance 1: over all rows for
// leave-pair-out, the permutations and the control, over the training rows of
// each outer fold for the others. Labels take no part in that.
//
// Files: main.go the sets and the table; learner.go choosing, training and
// predicting; chance.go permutations and the control.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/experiments/internal/experiment"
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

// settings are what the flags say.
type settings struct {
	dir, only    string
	seed         uint64
	permutations int
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "uci and microarray")
	flag.StringVar(&s.only, "only", "", "names of sets, with commas; empty: all")
	flag.Uint64Var(&s.seed, "seed", 1, "of the folds, the subsample and the permutations")
	flag.IntVar(&s.permutations, "permutations", 1000, "of the labels")
	experiment.Main("auc", func(ctx context.Context) error { return run(ctx, s) })
}

func run(ctx context.Context, s settings) error {
	began := time.Now()
	var names []string
	if s.only != "" {
		names = strings.Split(s.only, ",")
	}
	var later []func() error
	fmt.Println("| set (positive) | rows, positive | features | kernel | chosen | leave-pair-out | interval | nested, pairs of a fold | averaged | pooled |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, c := range collections {
		if names != nil && !slices.Contains(names, c.name) {
			continue
		}
		set, err := c.load(ctx, s.dir)
		if err != nil {
			return err
		}
		for _, l := range learners {
			if err := c.row(ctx, l, set, s.seed); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		if c.chance {
			later = append(later, func() error { return chance(ctx, c.name, set, s) })
		}
	}
	if len(later) > 0 {
		fmt.Print(chanceHead)
	}
	for _, f := range later {
		if err := f(); err != nil {
			return err
		}
	}
	fmt.Printf("\nseconds %.0f\n", time.Since(began).Seconds())
	return nil
}

// load reads a set and makes its labels 1 and 0.
func (c collection) load(ctx context.Context, dir string) (*data.Set, error) {
	set, err := svmlight.ReadFile(ctx, filepath.Join(dir, c.file+".svm.gz"), svmlight.Options{Storage: svmlight.StoreDense})
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

// row prints one row of the table.
func (c collection) row(ctx context.Context, l learner, set *data.Set, seed uint64) error {
	if l.name == "Gaussian" && c.most > 0 {
		set = subsample(set, c.most, seed)
	}
	whole, err := standardised(set)
	if err != nil {
		return err
	}
	chosen, err := l.choose(ctx, whole)
	if err != nil {
		return err
	}
	n, err := l.nested(ctx, set, seed)
	if err != nil {
		return err
	}
	lo, hi, _ := cv.AUCInterval(1-chosen.point.Error, chosen.point.StdErr.Value)
	_, features := set.X.Dims()
	fmt.Printf("| %s (%s) | %d, %d | %d | %s | %s | %.3f | %.3f–%.3f | %.3f ± %.3f | %.3f ± %.3f | %.3f |\n",
		c.name, c.positive, len(set.Y), positives(set.Y), features, l.name, chosen,
		1-chosen.point.Error, lo, hi, 1-n.pairs.Error, n.pairs.StdErr.Value, n.averaged, n.spread, n.pooled)
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
