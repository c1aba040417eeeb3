package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/ostat"
)

// learners are the trainings at each size, in the order of the columns: the
// hinge loss with each counter, the squared one, and that over pairs that are kept.
var learners = []struct {
	name string
	loss ranksvm.Loss
	way  ostat.Counting
}{
	{"default", ranksvm.Hinge, ostat.Auto},
	{"red-black tree", ranksvm.Hinge, ostat.Tree},
	{"all pairs", ranksvm.Hinge, ostat.Direct},
	{"squared hinge", ranksvm.SquaredHinge, ostat.Auto},
	{"PRSVM", ranksvm.SquaredHinge, ostat.Auto},
}

// The numbers of the learners, of the counters and of the styles of lines.
const (
	byDefault = iota
	byTree
	byPairs
	squared
	keptPairs
	numLearners
	another = numLearners // the style of a line that is no learner's
)

// scaled are the trainings at one size, nil where there was none.
type scaled struct {
	rows, pairs int
	trained     [numLearners]*trained
}

// seconds of a training.
func (t *trained) seconds() float64 {
	if t == nil {
		return none
	}
	return t.Seconds
}

// trains says whether a learner trains with so many rows, after the default one: loops
// over pairs take time, and PRSVM the memory of the paper's computer for pairs, margins
// and the matrix.
func (s settings) trains(learner int, r scaled) bool {
	switch learner {
	case byPairs:
		return r.rows <= s.pairs
	case keptPairs:
		return r.rows <= s.pairs && pairBytes*r.pairs+r.trained[byDefault].Matrix <= paperMemory
	}
	return true
}

// scaling are the trainings of one collection.
type scaling struct {
	*collection
	rows []scaled
}

// trainings are figures 2, 3 and 4, and all times on one axis.
func trainings(ctx context.Context, s study) (found experiment.Result, err error) {
	folder, err := os.MkdirTemp("", "treersvm")
	if err != nil {
		return found, err
	}
	defer os.RemoveAll(folder)
	var all []scaling
	for _, c := range s.collections {
		path := filepath.Join(folder, c.name)
		if err := store(path, c.set); err != nil {
			return found, err
		}
		l := scaling{collection: c}
		for _, m := range c.sizes {
			row, err := c.train(ctx, s.settings, path, m)
			if err != nil {
				return found, fmt.Errorf("%s: %w", c.name, err)
			}
			tell("%s, %d rows: a training takes %s s", c.name, m, experiment.Digits(row.trained[byDefault].Seconds))
			l.rows = append(l.rows, row)
		}
		all = append(all, l)
	}
	drawTrainings(&found, all)
	for _, l := range all {
		l.timeTable(&found, s.fit)
	}
	besidePaper(&found, all[len(all)-1])
	peersTable(&found)
	agreements(&found, all)
	for _, l := range all {
		l.memoryTable(&found)
	}
	for _, l := range all {
		l.errorTable(&found)
	}
	return found, nil
}

// train has every learner trained with the first m rows.
func (c *collection) train(ctx context.Context, s settings, path string, m int) (scaled, error) {
	out := scaled{rows: m, pairs: c.pairsOf(m)}
	for k, l := range learners {
		if !s.trains(k, out) {
			continue
		}
		j := job{File: path, Rows: m, TestFrom: c.largest(), Loss: l.loss, Counter: l.way, Lambda: c.lambda,
			Runs: s.runs, Patience: s.patience}
		if k == keptPairs {
			j.Pairs = out.pairs
		}
		t, err := j.send(ctx)
		if err != nil {
			return out, err
		}
		out.trained[k] = t
		first := out.trained[byDefault]
		if l.loss == ranksvm.Hinge && (t.Objective != first.Objective || t.Evaluations != first.Evaluations) {
			return out, fmt.Errorf("counting by %s gives J = %v after %d evaluations, not %v after %d",
				l.name, t.Objective, t.Evaluations, first.Objective, first.Evaluations)
		}
		if k == keptPairs {
			if err := same(t, out.trained[squared]); err != nil {
				return out, fmt.Errorf("PRSVM and ranksvm: %w", err)
			}
		}
	}
	return out, nil
}

// column is a number of every size, none where there was no training.
func (l scaling) column(value func(scaled) float64) (sizes []int, values []float64) {
	for _, r := range l.rows {
		sizes, values = append(sizes, r.rows), append(values, value(r))
	}
	return sizes, values
}

// growth is how the seconds of a learner grow.
func (l scaling) growth(learner, from int) power {
	sizes, values := l.column(func(r scaled) float64 { return r.trained[learner].seconds() })
	return growth(sizes, values, from)
}

func (l scaling) timeTable(found *experiment.Result, from int) {
	t := experiment.NewTable(l.name+", s", "%.0f", "hinge: default", "digits", "red-black tree", "digits",
		"all pairs", "digits", "iterations", "%.0f", "evaluations", "%.0f",
		"squared hinge", "digits", "iterations", "%.0f", "products with the Hessian", "%.0f", "PRSVM", "digits",
		"iterations", "%.0f", "products", "%.0f")
	for _, r := range l.rows {
		h, q := r.trained[byDefault], r.trained[squared]
		row := []any{r.rows, h.Seconds, r.trained[byTree].Seconds, r.trained[byPairs].seconds(), h.Iterations,
			h.Evaluations, q.Seconds, q.Iterations, q.Products}
		if p := r.trained[keptPairs]; p != nil {
			row = append(row, p.Seconds, p.Iterations, p.Products)
		} else {
			row = append(row, nil, nil, nil)
		}
		t.Row(row...)
	}
	slope := func(learner int) float64 { return l.growth(learner, from).slope }
	t.Row(fmt.Sprintf("**slope from %d**", from), slope(byDefault), slope(byTree), slope(byPairs), "", "",
		slope(squared), "", "", slope(keptPairs), "", "")
	found.Add(t)
	sizes, _ := l.column(scaled.count)
	tree, pairs := laws(sizes, from)
	place := "theorem 3, " + l.name
	grows(found, place, "a training by the tree", tree, pairs, l.growth(byTree, from), cacheMisses)
	grows(found, place, "a training over all pairs", pairs, tree, l.growth(byPairs, from), fewerIterations)
}

// fewerIterations is why a training may grow by less than an evaluation.
const fewerIterations = "More rows take fewer iterations here, as the table says."

// count is the number of rows.
func (r scaled) count() float64 { return float64(r.rows) }

func (l scaling) memoryTable(found *experiment.Result) {
	t := experiment.NewTable(l.name+", MB", "%.0f", "the matrix", "digits", "process with the rows read", "digits",
		"trained, hinge: default", "digits", "red-black tree", "digits",
		"all pairs", "digits", "squared hinge", "digits", "PRSVM", "digits", "default, beside the matrix", "%.2f",
		"pairs and margins of PRSVM", "digits")
	for _, r := range l.rows {
		first := r.trained[byDefault]
		row := []any{r.rows, megabytes(first.Matrix), megabytes(first.PeakRead)}
		for _, t := range r.trained {
			if t == nil {
				t = new(trained)
			}
			row = append(row, megabytes(t.Peak))
		}
		t.Row(append(row, megabytes(first.Peak)/megabytes(first.Matrix), megabytes(pairBytes*r.pairs))...)
	}
	found.Add(t)
}

func (l scaling) errorTable(found *experiment.Result) {
	t := experiment.NewTable(l.name+", wrong pairs of the test rows", "%.0f", "hinge", "%.5f", "squared hinge", "%.5f",
		"PRSVM", "%.5f")
	for _, r := range l.rows {
		kept := none
		if p := r.trained[keptPairs]; p != nil {
			kept = p.Wrong
		}
		t.Row(r.rows, r.trained[byDefault].Wrong, r.trained[squared].Wrong, kept)
	}
	found.Add(t)
}

// agreements are findings of what trainings say of each other: the counters find one
// optimum, and PRSVM that of the squared hinge, until its pairs do not fit.
func agreements(found *experiment.Result, all []scaling) {
	apart, kept, between, most := 0.0, 0.0, 0.0, 0
	for _, l := range all {
		for _, r := range l.rows {
			if p := r.trained[byPairs]; p != nil {
				apart = max(apart, math.Abs(p.Objective-r.trained[byTree].Objective))
			}
			if p := r.trained[keptPairs]; p != nil {
				q := r.trained[squared]
				kept, most = max(kept, math.Abs(p.Objective/q.Objective-1)), r.rows
				between = max(between, math.Abs(p.Wrong-q.Wrong))
			}
		}
	}
	found.Text("The objective of PRSVM and that of the squared hinge differ by at most %.1e of it, their test errors "+
		"by %.1e. The last of PRSVM is with %d rows.", kept, between, most)
	f := find("section 5.2", "PairRSVM beside TreeRSVM: largest difference of J", "%.6f", 0, apart, 0, "", "")
	f.Says, f.Margin = "“exactly the same solution”", sixDigits
	found.Find(f)
	if all[len(all)-1].largest() == paperRows {
		found.Find(find("section 5.2, RCV1", "rows of the largest training of PRSVM in 8 GB", "%.0f",
			paperPRSVM, float64(most), 0, "", fewerBytes))
	}
}

// sixDigits is how far objectives may be apart that are the same to six digits.
const sixDigits = 5e-7

// fewerBytes is why PRSVM gets farther here.
const fewerBytes = "A pair is two 32-bit row numbers and a margin here; in the paper it is two entries of a sparse " +
	"matrix, and MATLAB copies the entries of the pairs with a loss. With twice the rows pairs, margins and the " +
	"matrix are over 8 " +
	"GB here, too."
