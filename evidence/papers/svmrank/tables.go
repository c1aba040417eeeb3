package main

import (
	"fmt"
	"math"

	"pairrank/evidence/papers/experiment"
)

// optima is the table of the two solvers.
func optima(found *experiment.Result, fits []*fit) {
	t := experiment.NewTable("data set", "%s", "fold", "%.0f", "C", "%g", "λ", "%.4g", "J of SVMrank", "%.6f",
		"J here", "%.6f", "at or below", "%s",
		"gap", "%.1e", "iterations", "%.0f", "seconds", "%.2f", "‖w‖ of SVMrank", "%.4f", "here", "%.4f")
	below, least, most := 0, math.Inf(1), 0.0
	for _, f := range fits {
		verdict := "no"
		if f.objective() <= f.reference.objective {
			verdict = "yes"
			below++
		}
		above := f.reference.objective/f.objective() - 1
		least, most = min(least, above), max(most, above)
		t.Row(f.dataset, f.fold, f.c, f.lambda, f.reference.objective, f.objective(), verdict, f.scale*f.svm.Gap,
			f.svm.Iterations, f.seconds, f.norm, f.own.norm())
		found.Find(experiment.Finding{Paper: "Joachims 2006",
			Place: fmt.Sprintf("SVMrank, %s, fold %d", f.dataset, f.fold), What: "objective",
			Format: "%.6f", Theirs: f.reference.objective, Ours: f.objective(), AtMost: true})
	}
	found.Add(t)
	found.Text("J here is at or below that of SVMrank in %d of %d problems. J of SVMrank is larger by a factor of 1 + "+
		"%.2g to 1 + %.2g.", below,
		len(fits), least, most)
}

// confirmed is the table of what the weights of both are worth.
func confirmed(found *experiment.Result, fits []*fit) {
	t := experiment.NewTable("data set", "%s", "fold", "%.0f", "J of SVMrank", "%.6f", "of its weights, here", "%.6f",
		"wrong test pairs, SVMrank", "%.5f",
		"its weights, here", "%.5f", "weights here", "%.5f", "mean of the queries, SVMrank", "%.5f",
		"its weights, here", "%.5f", "weights here", "%.5f")
	var objective, norm, wrong float64
	for _, f := range fits {
		t.Row(f.dataset, f.fold, f.reference.objective, f.theirObjective(), f.test.pairs, f.theirTest.wrong.pairs,
			f.ownTest.wrong.pairs,
			f.test.queries, f.theirTest.wrong.queries, f.ownTest.wrong.queries)
		objective = max(objective, math.Abs(f.theirObjective()-f.reference.objective))
		norm = max(norm, math.Abs(f.their.norm()-f.norm))
		wrong = max(wrong, f.train.distance(f.their.wrong), f.test.distance(f.theirTest.wrong))
	}
	found.Add(t)
	found.Text("For the weights of SVMrank, the published table and this program differ by at most %.1e in J, %.1e in "+
		"‖w‖ and %.1e in the errors on training and test rows: the table has six, six and five decimals.", objective,
		norm, wrong)
}

// distance is the larger difference.
func (a mistakes) distance(b mistakes) float64 {
	return max(math.Abs(a.pairs-b.pairs), math.Abs(a.queries-b.queries))
}
