package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/spell"
	"pairrank/relation"
	"pairrank/report"
)

// checkEdgesFlags gives check the flags about edges.
func checkEdgesFlags(cmd *cobra.Command, f *edgeFlags) {
	flags := cmd.Flags()
	flags.StringVar(&f.edges, "edges", "", "`FILE` of edges between nodes, instead of DATA")
	cli.EnumFlag(cmd, &f.edgeFormat, "edge-format", "auto", edgeFormatNames, "how --edges is written")
	transposeFlag(cmd, &f.transpose)
	flags.StringVar(&f.rowNodes, "rows", "", "`FILE` of the row nodes")
	flags.StringVar(&f.colNodes, "cols", "", "`FILE` of the column nodes (default: the row nodes)")
	flags.StringVar(&f.rowKernel, "row-kernel", "linear", "`KERNEL`: precomputed where --rows is a similarity matrix")
	flags.StringVar(&f.colKernel, "col-kernel", "", "`KERNEL`: precomputed where --cols is one (default: as the rows)")
}

// checkEdges is check --edges.
func (a *app) checkEdges(flags *pflag.FlagSet, f *edgeFlags) error {
	if err := cli.RefuseOthers(flags, "edges between nodes", "edges", "edge-format", "transpose", "rows", "cols", "row-kernel", "col-kernel"); err != nil {
		return err
	}
	if f.rowNodes == "" {
		return cli.Usagef("--rows FILE of the nodes is missing")
	}
	if err := fromFiles(f.edges, f.rowNodes, f.colNodes); err != nil {
		return err
	}
	nodes, err := f.nodes()
	if err != nil {
		return err
	}
	p, err := a.readProblem(f, nodes, nil)
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
			problems = append(problems, fmt.Sprintf("%s is not symmetric: --symmetrize takes the mean of (i,j) and (j,i), which differ by up to %.3g of the largest", n.Source, s.Asymmetry))
		}
		if s != nil && s.Indefinite() {
			problems = append(problems, fmt.Sprintf("%s has an eigenvalue of %.3g: --psd-fix clip or shift mends it", n.Source, s.Smallest))
		}
	}
	if !sum.Ordered {
		problems = append(problems, "no two edges of a row have different labels, so nothing can be learnt about their order")
	}
	return problems
}
