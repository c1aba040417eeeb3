// Command svmrank compares the optimum that package ranksvm finds for the hinge
// loss with that of SVMrank (Joachims 2006, Training linear SVMs in linear time)
// on ten problems: the folds of MQ2008 of LETOR 4.0 and of OHSUMED of LETOR 3.0.
// SVMrank minimises
//
//	½‖w‖² + (C/Q) Σ max(0, 1 − (f_i − f_j))
//
// over the N pairs y_i > y_j of the Q queries of the file, those without a pair
// counted, too. That is CN/Q times the objective here at λ = Q/(2CN).
//
//	go -C papers run ./svmrank -data DIR
//
// DIR has svmrank_reference, mq2008_letor4 and ohsumed_letor3; by default it is
// looked for in $PAIRRANK_DATA, or ../shared/data. With -o the tables also go into
// the page and the record of a folder.
//
// Files: main.go the problems; loss.go loss and errors over explicit pairs;
// reference.go what is known of SVMrank's solutions; tables.go what is printed.
package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/learn/ranksvm"
	"pairrank/papers/experiment"
)

// epsilon is the gap asked for, of which J(0) = 1.
const epsilon = 1e-6

func main() {
	var dir string
	experiment.DataFlag(&dir, "svmrank_reference, mq2008_letor4 and ohsumed_letor3")
	out := experiment.OutputFlags("svmrank", experiment.Names(sections))
	experiment.Main("svmrank", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, dir) })
}

var sections = []experiment.Section[string]{{Name: "tables", Make: tables}}

// collections are the folders of the data sets of the table, and their features.
var collections = map[string]struct {
	folder   string
	features int
}{
	"Mq2008":  {"mq2008_letor4", 46},
	"OHSUMED": {"ohsumed_letor3/QueryLevelNorm", 45},
}

// fit is what became of one problem.
type fit struct {
	reference
	lambda  float64
	scale   float64 // CN/Q, from the objective here to SVMrank's
	svm     *ranksvm.Fit
	seconds float64

	own, ownTest     evaluation // the weights found here, on the training and the test rows
	their, theirTest evaluation // SVMrank's weights
}

// objective is J in the units of SVMrank.
func (f *fit) objective() float64 { return f.scale * f.svm.Objective }

// theirObjective is that of SVMrank's weights.
func (f *fit) theirObjective() float64 { return f.scale * f.their.objective(f.lambda) }

// tables solves the problems of a folder.
func tables(ctx context.Context, dir string) (found experiment.Result, err error) {
	references, err := readTable(filepath.Join(dir, "svmrank_reference", "table.tsv"))
	if err != nil {
		return found, err
	}
	var fits []*fit
	parts := map[string][]*data.Set{}
	for _, r := range references {
		if parts[r.dataset] == nil {
			if parts[r.dataset], err = loadParts(ctx, dir, r.dataset); err != nil {
				return found, err
			}
		}
		f, err := solve(ctx, dir, r, parts[r.dataset])
		if err != nil {
			return found, fmt.Errorf("%s fold %d: %w", r.dataset, r.fold, err)
		}
		fits = append(fits, f)
	}
	optima(&found, fits)
	confirmed(&found, fits)
	return found, nil
}

// solve trains on three parts of a fold and evaluates both solutions.
func solve(ctx context.Context, dir string, r reference, parts []*data.Set) (*fit, error) {
	at := func(k int) *data.Set { return parts[(r.fold-1+k)%5] }
	train, test := experiment.Join(at(0), at(1), at(2)), at(4)
	_, n := train.X.Dims()
	weights, err := readModel(filepath.Join(dir, "svmrank_reference", fmt.Sprintf("%s_Fold%d_final_model", r.dataset, r.fold)), n)
	if err != nil {
		return nil, err
	}
	f := &fit{reference: r, their: evaluate(train, weights), theirTest: evaluate(test, weights)}
	if q := train.Queries.Len(); f.their.pairs != r.pairs || q != r.queries {
		return nil, fmt.Errorf("%d queries and %d pairs, and the table has %d and %d", q, f.their.pairs, r.queries, r.pairs)
	}
	f.scale = r.c * float64(r.pairs) / float64(r.queries)
	f.lambda = 1 / (2 * f.scale)

	began := time.Now()
	s, err := ranksvm.New(train.X, train.Y, train.Queries, ranksvm.Options{Epsilon: epsilon})
	if err != nil {
		return nil, err
	}
	if f.svm, err = s.Train(ctx, f.lambda); err != nil {
		return nil, err
	}
	f.seconds = time.Since(began).Seconds()
	f.own, f.ownTest = evaluate(train, f.svm.Weights), evaluate(test, f.svm.Weights)
	if j := f.own.objective(f.lambda); !(math.Abs(j-f.svm.Objective) <= rounding*(1+j)) {
		return nil, fmt.Errorf("the objective is said to be %v, and over explicit pairs it is %v", f.svm.Objective, j)
	}
	return f, nil
}

// rounding is what two ways to add up half a million pairs may differ by.
const rounding = 1e-9

// loadParts reads S1 … S5 of a data set.
func loadParts(ctx context.Context, dir, dataset string) ([]*data.Set, error) {
	c, known := collections[dataset]
	if !known {
		return nil, fmt.Errorf("the table has data set %q, which is not known", dataset)
	}
	parts := make([]*data.Set, 5)
	for p := range parts {
		path := filepath.Join(dir, filepath.FromSlash(c.folder), fmt.Sprintf("S%d.txt.gz", p+1))
		var err error
		if parts[p], err = svmlight.ReadFile(ctx, path, svmlight.Options{Storage: svmlight.StoreDense, Features: c.features}); err != nil {
			return nil, err
		}
	}
	return parts, nil
}
