package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/kernel"
	"pairrank/relation"
	"pairrank/relation/pairwise"
)

// edgeFlags are the flags of every verb that reads labelled edges between nodes.
type edgeFlags struct {
	edges, edgeFormat    string
	rowNodes, colNodes   string // files
	rowKernel, colKernel string
	transpose            bool
}

// relationFlags are the flags of learning from edges between nodes.
type relationFlags struct {
	edgeFlags
	relation, pairKernel string
	setting              string
	lambdaCols           string
	sample               string
	symmetrize, unit     bool
	psdFix               string
	earlyStop, curve     string
	patience             int
}

var (
	relationNames   = named([]relation.Kind{relation.Arbitrary, relation.Symmetric, relation.Reciprocal})
	edgeFormatNames = []string{"auto", "triplets", "matrix"}
	psdFixNames     = []string{"none", "clip", "shift"}
)

// register adds the flags that train and cv share.
func (f *relationFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.edges, "edges", "", "`FILE` of labelled edges between nodes, instead of DATA: row_id col_id value, or a matrix")
	cli.EnumFlag(cmd, &f.edgeFormat, "edge-format", "auto", edgeFormatNames, "how --edges is written")
	transposeFlag(cmd, &f.transpose)
	flags.StringVar(&f.rowNodes, "rows", "", "`FILE` of the row nodes: id and features, or a similarity matrix for --row-kernel precomputed")
	flags.StringVar(&f.colNodes, "cols", "", "`FILE` of the column nodes (default: the row nodes, one domain)")
	flags.StringVar(&f.rowKernel, "row-kernel", "linear", "`KERNEL` of the row nodes: one of those of --kernel")
	flags.StringVar(&f.colKernel, "col-kernel", "", "`KERNEL` of the column nodes (default: that of the rows)")
	cli.EnumFlag(cmd, &f.relation, "relation", string(relation.Arbitrary), relationNames, "what is known of the values of (u,v) and (v,u)")
	cli.EnumFlag(cmd, &f.pairKernel, "pair-kernel", "", named(pairwise.Kernels), "pairwise kernel (default: that of the relation)")
	cli.EnumFlag(cmd, &f.setting, "setting", string(relation.Pairs), named(relation.Settings), "what is new when an edge is predicted, and so held out: the edge, its row, its column, or both")
	flags.StringVar(&f.lambdaCols, "lambda-cols", "", "λ of the columns of --learner two-step, `F` greater than 0 (default: 1)")
	flags.StringVar(&f.sample, "pairs-sample", "auto",
		"`N` pairs that leave-pair-out of a single list, or of edges, draws by --seed for each λ, or all; auto is "+
			"all where they take some seconds")
	flags.BoolVar(&f.symmetrize, "symmetrize", false, "take the mean of a similarity matrix and its transpose")
	flags.BoolVar(&f.unit, "normalize-kernel", false, "divide kernel values k(u,v) by the root of k(u,u) k(v,v)")
	cli.EnumFlag(cmd, &f.psdFix, "psd-fix", "none", psdFixNames, "negative eigenvalues of a similarity matrix: an error, set to 0, or shifted up")
}

// transposeFlag adds --transpose to a verb that reads edges.
func transposeFlag(cmd *cobra.Command, target *bool) {
	cmd.Flags().BoolVar(target, "transpose", false, "exchange rows and columns of the edges as they are read: col_id row_id value, or columns × rows")
}

// relationOnly are the flags that need --edges, and relationToo the others that may
// stand beside it.
var (
	relationOnly = []string{"edge-format", "transpose", "rows", "cols", "row-kernel", "col-kernel", "relation", "pair-kernel", "setting",
		"lambda-cols", "symmetrize", "normalize-kernel", "psd-fix", "early-stop", "patience", "curve"}
	relationToo = []string{"edges", "output", "learner", "lambda", "lambdas", "select", "method", "pairs-sample", "metric", "solver", "loss", "seed",
		"tolerance", "max-iterations", "binarize", "held-out", "interval", "report", "figure", "nested", "permutations", "max-line", "json", "progress", "threads", "help"}
)

// dataOr returns the name of DATA, or "" where --edges is given instead. Flags that do not
// go with the one of the two that is given are refused.
func (f *relationFlags) dataOr(cmd *cobra.Command, args []string) (path string, err error) {
	switch {
	case f.edges != "" && len(args) > 0:
		return "", cli.Usagef("--edges takes the place of DATA, and both were given")
	case f.edges == "" && len(args) == 0:
		return "", cli.WithHint(cli.Usagef("DATA is missing"), "the form is pairrank %s", cmd.Use)
	case len(args) > 0:
		path = args[0]
	}
	return path, f.checkRelational(cmd.Flags())
}

// checkRelational refuses flags of edges where there are rows, and of rows where there
// are edges.
func (f *relationFlags) checkRelational(flags *pflag.FlagSet) error {
	var wrong error
	flags.Visit(func(flag *pflag.Flag) {
		only, too := slices.Contains(relationOnly, flag.Name), slices.Contains(relationToo, flag.Name)
		switch {
		case wrong != nil:
		case f.edges == "" && only:
			wrong = cli.Usagef("--%s is about edges between nodes, and there is no --edges FILE", flag.Name)
		case f.edges != "" && !only && !too:
			wrong = cli.Usagef("--%s is not for edges between nodes", flag.Name)
		}
	})
	return wrong
}

// fromFiles refuses standard input for what is read from named files.
func fromFiles(paths ...string) error {
	if slices.Contains(paths, "-") {
		return cli.Usagef("edges and nodes are read from files, not from standard input")
	}
	return nil
}

// nodes are the nodes that will be read, with their files and kernels.
func (f *edgeFlags) nodes() (p relation.Problem, err error) {
	of, err := kernel.Parse(f.rowKernel)
	if err != nil {
		return p, cli.AsUsage(err)
	}
	p.Rows = &relation.Nodes{Source: f.rowNodes, Kernel: of}
	if f.colKernel != "" {
		if f.colNodes == "" {
			return p, cli.Usagef("--col-kernel is for the nodes of --cols FILE")
		}
		of, err = kernel.Parse(f.colKernel)
	}
	if f.colNodes != "" {
		p.Cols = &relation.Nodes{Source: f.colNodes, Kernel: of}
	}
	return p, cli.AsUsage(err)
}
