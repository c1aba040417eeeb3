package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
)

// Section 4.3 of the paper says "a couple of hundred" iterations and "a few" seconds: these numbers stand for them.
const (
	paperIterations = 200
	paperSeconds    = 3
)

// The λ, and the relative residuals at which trainings end; 10⁻⁶ is the default.
var (
	gradientLambdas = []float64{1, 1 << 5, 1 << 10, 1 << 15}
	tolerances      = []float64{1e-3, 1e-6}
)

// gradients is the test of section 4.3: conjugate gradients on all documents but those
// that the first draw trains on, which measure the AUC here.
func gradients(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := loadTasks(ctx, s.dir)
	if err != nil {
		return found, err
	}
	held, train, _ := draw(all.y, numTopics, trainingSize, leastPositive, s.seed)
	if s.inputs > 0 {
		train = train[:min(s.inputs, len(train))]
	}
	acq := all.labels([]string{"acq"})
	found.Text("%d documents, %d words, %.1f million pairs of a document on acq and another.", len(train), all.x.Cols,
		discordant(some(acq, 1, train))/1e6)
	t := experiment.NewTable("a word in a document", "%s", "λ", "%s", "ends at a residual of", "%.0e",
		"iterations", "%.0f",
		"seconds", "digits", "relative residual", "%.1e", "AUC of the others", "%.4f")
	inWords := map[at]descent{}
	for _, f := range []form{binary, tfidf} {
		x := f.of(all.counts, all.idf)
		known := &data.Set{X: data.Select(x, train), Y: some(acq, 1, train), Queries: data.OneList(len(train))}
		unseen := &data.Set{X: data.Select(x, held), Y: some(acq, 1, held), Queries: data.OneList(len(held))}
		for _, lambda := range gradientLambdas {
			for _, tolerance := range tolerances {
				d, err := descend(ctx, known, unseen, lambda, tolerance)
				if err != nil {
					return found, err
				}
				t.Row(f.name, fmt.Sprintf("2^%.0f", math.Log2(lambda)), tolerance, d.iterations, d.seconds,
					d.residual, d.auc)
				if f.name == binary.name {
					inWords[at{lambda, tolerance}] = d
				}
			}
		}
	}
	found.Add(t)
	findGradients(&found, inWords)
	return found, nil
}

// at is where a training is and ends.
type at struct{ lambda, tolerance float64 }

// descent is a training by conjugate gradients.
type descent struct {
	iterations             int
	seconds, residual, auc float64
}

// descend trains on known documents and measures the AUC of others.
func descend(ctx context.Context, known, unseen *data.Set, lambda, tolerance float64) (d descent, err error) {
	began := time.Now()
	result, err := pairrank.Train(ctx, pairrank.Problem{Set: known},
		pairrank.Options{Learner: pairrank.LeastSquares{Solver: pairrank.CG, Tolerance: tolerance},
			Lambdas: []float64{lambda}})
	if err != nil {
		return d, err
	}
	d = descent{iterations: result.Training.Iterations, seconds: time.Since(began).Seconds(),
		residual: result.Training.Residual}
	scores, err := result.Model.Score(unseen)
	if err != nil {
		return d, err
	}
	roc, err := cv.NewROC(scores, unseen.Y)
	if err == nil {
		d.auc = roc.AUC
	}
	return d, err
}

// discordant is the number of pairs of labels 1 and 0.
func discordant(y []float64) float64 {
	n := positive(y)
	return float64(n) * float64(len(y)-n)
}

// paperOpen is what the paper leaves open.
const paperOpen = "The paper says neither its λ nor where it ends"

// findGradients compares with the paper the trainings in words with the default residual, at the least and the greatest
// λ.
func findGradients(found *experiment.Result, inWords map[at]descent) {
	least, greatest := gradientLambdas[0], gradientLambdas[len(gradientLambdas)-1]
	for _, lambda := range []float64{least, greatest} {
		early, ends := inWords[at{lambda, tolerances[0]}], inWords[at{lambda, tolerances[1]}]
		at := fmt.Sprintf(", λ = 2^%.0f", math.Log2(lambda))
		f := experiment.Finding{Paper: "2009", Place: "section 4.3, conjugate gradients", AtMost: true}
		f.What, f.Says, f.Theirs, f.Format = "iterations"+at, "“a couple of hundred”", paperIterations, "%.0f"
		f.Ours, f.Unlike = float64(ends.iterations), fmt.Sprintf("%s: at a residual of %.0e there are %d here",
			paperOpen, tolerances[0], early.iterations)
		found.Find(f)
		f.What, f.Says, f.Theirs, f.Format = "seconds"+at, "“a few”", paperSeconds, "%.1f"
		f.Ours, f.Unlike = ends.seconds, paperOpen+", and its machine was another"
		found.Find(f)
	}
}
