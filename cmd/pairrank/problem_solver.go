package main

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/memory"
	"pairrank/kernel"
	"pairrank/pref"
)

// chooseSolver settles --solver auto: the cheapest exact solver whose memory
// fits, for a single λ also conjugate gradients. It refuses what does not fit,
// with the way out.
func (p *trainProblem) chooseSolver() (reason string, err error) {
	m := p.rows()
	free := memory.Free()
	if p.plan.keepsBest() {
		return p.chooseIterative(free)
	}
	if p.plan.solver != "auto" {
		if need := p.memory(p.plan.solver); need > free {
			return "", p.tooLarge(p.plan.solver, need, free)
		}
		if p.plan.changed("solver") {
			return "asked for", nil
		}
		return map[string]string{"sparse": "a basis of some rows", "dual": "a kernel matrix"}[p.plan.solver], nil
	}
	_, n := p.x.Dims()
	best, why := "primal", fmt.Sprintf("no more features (%d) than rows (%d)", n, m)
	if n > m {
		best, why = "dual", fmt.Sprintf("fewer rows (%d) than features (%d)", m, n)
	} else if free := m - p.queries.Len(); p.plan.learner == "rankrls" && p.edges == nil && p.plan.pairs == "query" && n > free {
		// Scores within a query are compared: m rows have m − q directions, and
		// where the features fill them all the primal form loses its digits.
		best, why = "dual", fmt.Sprintf("fewer rows less queries (%d) than features (%d)", free, n)
	}
	if need := p.memory(best); need > free {
		if !p.plan.single {
			return "", p.tooLarge(best, need, free)
		}
		if other := p.memory("cg"); other > free {
			return "", p.tooLarge("cg", other, free)
		}
		best, why = "cg", fmt.Sprintf("%s would take %s of memory", best, memory.Size(need))
	}
	p.plan.solver = best
	return why, nil
}

// chooseIterative tells how ranksvm and rankboost are trained, and refuses a
// kernel map that does not fit in memory.
func (p *trainProblem) chooseIterative(free float64) (reason string, err error) {
	how := map[string]string{
		"bundle": "cutting planes", "newton": "truncated Newton steps", "boosting": "a decision stump a round",
	}[p.plan.solver]
	if !p.plan.mapped() {
		if need := p.featureMemory(); need > free {
			return "", manyFeatures(p.x, need, free)
		}
		return how, nil
	}
	m, b := float64(p.rows()), float64(len(p.basis))
	if need := 8 * (2*m*b + 3*b*b); need > free {
		return "", withHint(fmt.Errorf("the kernel map of %.0f basis rows would take about %s of memory, and %s are free", b, memory.Size(need), memory.Size(free)),
			"--basis 500 trains on the map of fewer rows")
	}
	return fmt.Sprintf("%s on the kernel map of %s", how, plural(len(p.basis), "row")), nil
}

// memory estimates the bytes that a solver takes beside the data: the matrices
// of its factorisation, fewer where one λ needs no eigenvectors.
func (p *trainProblem) memory(solver string) float64 {
	return p.matrixMemory(solver) + p.pairMemory() + p.featureMemory()
}

// featureMemory is that of vectors as long as there are features: weights, and of
// ranksvm its cutting planes, ten as a guess, or the vectors of its Newton steps.
func (p *trainProblem) featureMemory() float64 {
	if p.plan.precomputed || (p.plan.kernel != kernel.Linear{}) {
		return 0
	}
	_, n := p.x.Dims()
	vectors := map[string]float64{"bundle": 17, "newton": 16, "boosting": 9}[p.plan.solver]
	if vectors == 0 {
		vectors = 2
	}
	return 8 * vectors * float64(n)
}

// pairMemory is that of a Laplacian without structure: the relative cost keeps
// the weight of every pair of a query.
func (p *trainProblem) pairMemory() float64 {
	if p.plan.learner != "rankrls" || p.plan.goal.Cost != pref.Relative || p.edges != nil {
		return 0
	}
	queries := p.queries
	if p.plan.pairs == "all" {
		queries = pref.OneList(p.rows())
	}
	sum := 0.0
	for g := range queries.Len() {
		h := float64(len(queries.Part(g)))
		sum += h * h
	}
	return 8 * sum
}

func (p *trainProblem) matrixMemory(solver string) float64 {
	m := float64(p.rows())
	matrices := 7.0
	if p.plan.single && p.plan.noSelection {
		matrices = 2.5
	}
	switch solver {
	case "primal":
		_, n := p.x.Dims()
		return 8 * matrices * float64(n) * float64(n)
	case "dual":
		return 8 * matrices * m * m
	case "sparse":
		b := float64(p.plan.basis)
		return 8 * (2*m*b + matrices*b*b)
	}
	_, n := p.x.Dims()
	return 8 * (8*float64(n) + 3*m)
}

func (p *trainProblem) tooLarge(solver string, need, free float64) error {
	if need := p.featureMemory(); need > free {
		return manyFeatures(p.x, need, free)
	}
	err := fmt.Errorf("the %s solver would take about %s of memory, and %s are free", solver, memory.Size(need), memory.Size(free))
	if p.pairMemory() > free/2 {
		return withHint(err, "the relative cost keeps a weight for every pair of a query; --cost magnitude and unit do not")
	}
	if (p.plan.kernel == kernel.Linear{}) && !p.plan.precomputed {
		return withHint(err, "--solver cg --lambda F trains on sparse rows without a matrix; --basis 500 trains on a subset of regressors")
	}
	return withHint(err, "--basis 500 trains on a subset of regressors")
}

// countIdle counts the queries of one row, and those of more rows with a single
// label: they have nothing to compare.
func countIdle(set *data.Set) (single, alike int) {
	for g := range set.Queries.Len() {
		rows := set.Queries.Part(g)
		if len(rows) == 1 {
			single++
			continue
		}
		equal := true
		for _, i := range rows {
			equal = equal && set.Y[i] == set.Y[rows[0]]
		}
		if equal {
			alike++
		}
	}
	return single, alike
}
