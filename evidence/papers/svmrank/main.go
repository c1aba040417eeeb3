// Command svmrank compares the optimum that RankSVM reaches here for the hinge loss with that of SVMrank (Joachims
// 2006, Training linear SVMs in linear time) on ten problems: the folds of MQ2008 of LETOR 4.0 and of OHSUMED of LETOR
// 3.0. SVMrank minimises
//
//	½‖w‖² + (C/Q) Σ max(0, 1 − (f_i − f_j))
//
// over the N pairs y_i > y_j of the Q queries of the file. Q counts queries without a pair, too. This objective is CN/Q
// times the objective here at λ = Q/(2CN).
//
//	go -C evidence/papers run ./svmrank -o .
//
// The program looks for svmrank_reference, mq2008_letor4 and ohsumed_letor3 in $PAIRRANK_DATA, or ../shared/data.
//
// The files:
//
//   - main.go: the problems
//   - loss.go: loss and errors over explicit pairs
//   - reference.go: the solutions of SVMrank
//   - tables.go: the tables
package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"pairrank"

	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/model"
)

// epsilon is the gap that ends a training, in units where J(0) = 1.
const epsilon = 1e-6

func main() {
	var dir string
	experiment.DataFlag(&dir, "svmrank_reference, mq2008_letor4 and ohsumed_letor3")
	out := experiment.OutputFlags("svmrank", experiment.Names(sections))
	experiment.Main("svmrank", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, dir) })
}

var sections = []experiment.Section[string]{{Name: "tables", Make: tables}}

// collections are the data sets of the table.
var collections = map[string]study.Collection{"Mq2008": study.MQ2008, "OHSUMED": study.OHSUMED3}

// fit is what became of one problem.
type fit struct {
	reference
	lambda  float64
	scale   float64 // CN/Q, from the objective here to SVMrank's
	svm     pairrank.Training
	seconds float64

	own, ownTest     evaluation // the weights found here, on the training and the test rows
	their, theirTest evaluation // SVMrank's weights
}

// objective is J in the units of SVMrank.
func (f *fit) objective() float64 { return f.scale * f.svm.Minimum }

// theirObjective is that of SVMrank's weights.
func (f *fit) theirObjective() float64 { return f.scale * f.their.objective(f.lambda) }

// tables solves the problems of a folder.
func tables(ctx context.Context, dir string) (found experiment.Result, err error) {
	references, err := readTable(filepath.Join(dir, "svmrank_reference", "table.tsv"))
	if err != nil {
		return found, err
	}
	var fits []*fit
	folds := map[string][]study.Split{}
	for _, r := range references {
		if folds[r.dataset] == nil {
			c, known := collections[r.dataset]
			if !known {
				return found, fmt.Errorf("the table has data set %q, which is not known", r.dataset)
			}
			parts, err := c.Parts(ctx, dir)
			if err != nil {
				return found, err
			}
			folds[r.dataset] = study.Rotations(parts)
		}
		f, err := solve(ctx, dir, r, folds[r.dataset][r.fold-1])
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
func solve(ctx context.Context, dir string, r reference, fold study.Split) (*fit, error) {
	train, test := fold.Set, fold.Test
	_, n := train.X.Dims()
	file := fmt.Sprintf("%s_Fold%d_final_model", r.dataset, r.fold)
	weights, err := readModel(filepath.Join(dir, "svmrank_reference", file), n)
	if err != nil {
		return nil, err
	}
	f := &fit{reference: r, their: evaluate(train, weights), theirTest: evaluate(test, weights)}
	if q := train.Queries.Len(); f.their.pairs != r.pairs || q != r.queries {
		return nil, fmt.Errorf("%d queries and %d pairs, and the table has %d and %d",
			q, f.their.pairs, r.queries, r.pairs)
	}
	f.scale = r.c * float64(r.pairs) / float64(r.queries)
	f.lambda = 1 / (2 * f.scale)

	fold.Valid = nil // λ is given
	learner := study.Learner{Name: "RankSVM", Options: []pairrank.Options{
		{Learner: pairrank.RankSVM{Epsilon: epsilon}, Lambdas: []float64{f.lambda}}}}
	began := time.Now()
	trained, err := learner.Train(ctx, fold)
	if err != nil {
		return nil, err
	}
	f.seconds, f.svm = time.Since(began).Seconds(), trained.Training
	w := trained.Model.Scorer.(*model.Linear).Weights.Data
	f.own, f.ownTest = evaluate(train, w), evaluate(test, w)
	if j := f.own.objective(f.lambda); !(math.Abs(j-f.svm.Minimum) <= rounding*(1+j)) {
		return nil, fmt.Errorf("the objective is said to be %v, and over explicit pairs it is %v", f.svm.Minimum, j)
	}
	return f, nil
}

// rounding is what two ways to add up half a million pairs may differ by.
const rounding = 1e-9
