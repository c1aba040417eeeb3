package main

import (
	"fmt"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/spell"
	"pairrank/relation"
	"pairrank/report"
)

// checkEdges is check --edges.
func (a *app) checkEdges(f *edgeFlags) error {
	p, err := a.readProblem(f, f.nodes(), nil)
	if err != nil {
		return err
	}
	sum, err := cli.AwaitFor(a.Ctx, func() (*relation.Summary, error) { return relation.Summarize(&p.Problem), nil })
	if err != nil {
		return err
	}
	problems := edgeFaults(p, sum)
	if err := a.Print(a.Ctx, report.NewEdgeCheck(sum, p.unobserved, problems)); err != nil || len(problems) == 0 {
		return err
	}
	return cli.AsData(fmt.Errorf("%s", spell.Plural(len(problems), "problem")))
}

// edgeFaults lists what would stop a training on the edges and their nodes.
func edgeFaults(p *edgeProblem, sum *relation.Summary) (problems []string) {
	summaries := []*relation.NodeSummary{&sum.Rows, sum.Cols}
	for k, n := range p.sides() {
		for _, text := range append(notUTF8("node", n.ID), notUTF8("feature", n.Names)...) {
			problems = append(problems, n.Source+": "+text)
		}
		s := summaries[k].Similarity
		if s != nil && s.Asymmetric() {
			problems = append(problems, fmt.Sprintf("%s is not symmetric: --symmetrize takes the mean of (i,j) and "+
				"(j,i), which differ by up to %.3g of the largest", n.Source, s.Asymmetry))
		}
		if s != nil && s.Indefinite() {
			problems = append(problems, fmt.Sprintf("%s has an eigenvalue of %.3g: --psd-fix clip or shift mends it",
				n.Source, s.Smallest))
		}
	}
	if !sum.Ordered {
		problems = append(problems, "no two edges of a row have different labels, so nothing can be learnt about "+
			"their order")
	}
	return problems
}
