package main

import (
	"fmt"
	"math"
	"strings"
)

// optima is the table of the two solvers.
func optima(fits []*fit) string {
	var b strings.Builder
	b.WriteString(`| data set | fold | C | λ | J of SVMrank | J here | at or below | gap | iterations | seconds | ‖w‖ of SVMrank | here |
|---|---|---|---|---|---|---|---|---|---|---|---|
`)
	below, least, most := 0, math.Inf(1), 0.0
	for _, f := range fits {
		verdict := "no"
		if f.objective() <= f.reference.objective {
			verdict = "yes"
			below++
		}
		above := f.reference.objective/f.objective() - 1
		least, most = min(least, above), max(most, above)
		fmt.Fprintf(&b, "| %s | %d | %g | %.4g | %.6f | %.6f | %s | %.1e | %d | %.2f | %.4f | %.4f |\n",
			f.dataset, f.fold, f.c, f.lambda, f.reference.objective, f.objective(), verdict, f.scale*f.svm.Gap,
			f.svm.Iterations, f.seconds, f.norm, f.own.norm())
	}
	fmt.Fprintf(&b, "\nAt or below SVMrank's in %d of %d problems; SVMrank's is above by %.2g to %.2g of it.\n", below, len(fits), least, most)
	return b.String()
}

// confirmed is the table of what the weights of both are worth.
func confirmed(fits []*fit) string {
	var b strings.Builder
	b.WriteString(`| data set | fold | J of SVMrank | of its weights, here | wrong test pairs, SVMrank | its weights, here | weights here | mean of the queries, SVMrank | its weights, here | weights here |
|---|---|---|---|---|---|---|---|---|---|
`)
	var objective, norm, wrong float64
	for _, f := range fits {
		fmt.Fprintf(&b, "| %s | %d | %.6f | %.6f | %.5f | %.5f | %.5f | %.5f | %.5f | %.5f |\n",
			f.dataset, f.fold, f.reference.objective, f.theirObjective(),
			f.test.pairs, f.theirTest.wrong.pairs, f.ownTest.wrong.pairs,
			f.test.queries, f.theirTest.wrong.queries, f.ownTest.wrong.queries)
		objective = max(objective, math.Abs(f.theirObjective()-f.reference.objective))
		norm = max(norm, math.Abs(f.their.norm()-f.norm))
		wrong = max(wrong, f.train.distance(f.their.wrong), f.test.distance(f.theirTest.wrong))
	}
	fmt.Fprintf(&b, "\nOf SVMrank's weights the table and what is found here differ by at most %.1e in J, %.1e in ‖w‖ and %.1e in the errors, "+
		"those on the training rows, too: the table has six, six and five decimals.\n", objective, norm, wrong)
	return b.String()
}

// distance is the larger difference.
func (a mistakes) distance(b mistakes) float64 {
	return max(math.Abs(a.pairs-b.pairs), math.Abs(a.queries-b.queries))
}
