package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/spell"
	"pairrank/report/page"
	"pairrank/stream"
)

// streamLearners are the learners that are trained from sums.
var streamLearners = []string{"rankrls", "rls"}

// streamNormals are the normalisations that need no other query.
var streamNormals = []string{data.NormalizeNone, data.NormalizeQueryMinMax}

// summedFlags gives a verb the flags that decide what is summed, and how files are read.
func (a *app) summedFlags(cmd *cobra.Command, f *trainFlags) {
	flags := cmd.Flags()
	cli.EnumFlag(cmd, &f.learner, "learner", streamLearners[0], streamLearners, "what will be learnt")
	cli.EnumFlag(cmd, &f.cost, "cost", "magnitude", costNames, "target of a preferred pair: the difference of the labels; 1; or the difference, weighted by 1/its square")
	cli.EnumFlag(cmd, &f.ties, "ties", "include", tiesNames, "whether tied pairs are compared (default: include for magnitude, else exclude)")
	cli.EnumFlag(cmd, &f.weight, "query-weight", "pairs", weightNames, "weight of a pair: 1; 1/(rows of its query); 1/(pairs of its query)")
	cli.EnumFlag(cmd, &f.normalize, "normalize", data.NormalizeNone, streamNormals, "normalisation of the features, kept in the model")
	flags.StringVar(&f.kernel, "kernel", "linear", "`KERNEL` that will be learnt: linear, or gaussian:gamma=G by --random-features, or any by --basis-data")
	flags.IntVar(&f.randomFeatures, "random-features", 0, "`N` random features, an even number, in the place of a gaussian kernel; drawn by --seed")
	flags.StringVar(&f.basisData, "basis-data", "", "`FILE` of rows, of the form of FILE…, that are the basis of a kernel")
	flags.Uint64Var(&f.seed, "seed", 1, "seed `N` of --random-features")
	flags.StringVar(&f.binarize, "binarize", "", "labels of at least `F` become 1, others 0")
	flags.StringVar(&f.selectBy, "select", "kfold:10", "`METHOD` that will judge λ: kfold:K, K folds of queries, or none, for one λ")
	flags.StringVar(&f.names, "names", "", "`FILE` with the feature names, one a line")
	keepQueriesFlag(cmd, f, "the sums")
	f.rows = a.streamRowsFlags(cmd)
}

// streamRowsFlags gives a verb the flags of reading rows query by query, of SVMlight text.
func (a *app) streamRowsFlags(cmd *cobra.Command) *setFlags {
	f := &setFlags{format: "auto"}
	cli.EnumFlag(cmd, &f.missing, "missing", "error", missingNames[:2], "what a missing value (NaN, NULL, empty) becomes")
	cmd.Flags().BoolVar(&f.zeroBased, "zero-based", false, "indices start at 0")
	a.MaxLineFlag(cmd)
	return f
}

// statisticsOptions are what is summed by the flags.
func (a *app) statisticsOptions(f *trainFlags) (o stream.Options, err error) {
	f.solver = solvers[0].name
	if f.changed("seed") && !f.changed("random-features") {
		return o, cli.Usagef("--seed draws --random-features, and nothing else is random")
	}
	if o, err = f.streamOptions(); err != nil {
		return o, err
	}
	if err := cli.FilesOnly(f.basisData); err != nil {
		return o, err
	}
	if o.Map, err = a.streamMap(f); err != nil {
		return o, err
	}
	if o.Folds = 1; f.selectBy != "none" {
		if o.Folds, err = f.streamFolds(nil); err != nil {
			return o, err
		}
	}
	if o.Names, err = a.readStreamNames(f.names); err != nil {
		return o, err
	}
	o, err = o.Resolved()
	return o, (&advice.Run{}).Error(err)
}

// summedOptions are the options of sums as flags and their values.
func summedOptions(o stream.Options) map[string]string {
	pairs := o.Learner.Pairs
	flags := map[string]string{
		"learner": o.Learner.Name(), "cost": string(pairs.Cost), "ties": pairs.Ties, "query-weight": string(pairs.Weight),
		"normalize": o.Normalize, "select": "none", "binarize": "", "names": "", "kernel": "linear", "basis-data": "",
	}
	if m := o.Map; m != nil {
		flags["kernel"] = m.Kernel.String()
		if m.Basis != nil {
			flags["basis-data"] = basisText(m.Basis)
		}
	}
	if o.Folds > 1 {
		flags["select"] = cv.Method{Kind: cv.KFold, Folds: o.Folds}.String()
	}
	if o.Threshold != nil {
		flags["binarize"] = strconv.FormatFloat(*o.Threshold, 'g', -1, 64)
	}
	if o.KeepQueries { // no key of units that were made before there was the flag
		flags[keepQueriesName] = "true"
	}
	if n := len(o.Names); n > 0 {
		const digits = 16
		flags["names"] = fmt.Sprintf("%s with SHA-256 %s…", spell.Plural(n, "name"), sha256Hex([]byte(strings.Join(o.Names, "\n")))[:digits])
	}
	return flags
}

// choiceFlags gives a verb that trains from sums the flags of the choice and of the output.
func (a *app) choiceFlags(cmd *cobra.Command, f *trainFlags) {
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`FILE` for the model (needed); .gz and .zst compress")
	flags.StringVar(&f.lambda, "lambda", "", "one λ, `F` greater than 0")
	flags.StringVar(&f.lambdas, "lambdas", "", "`LIST` of λ to choose from: a,b,c, or a geometric grid LO:HI:N (default: 31 values that span the eigenvalues of the problem)")
	f.pages.add(cmd, "the error over λ, and the choice", page.ErrorFigure)
}

// checkChoice refuses a figure of a choice where there is none.
func (f *trainFlags) checkChoice(lambdas []float64) error {
	if len(lambdas) == 1 && f.pages.figure != "" {
		return cli.Usagef("--figure shows the errors by which a choice is made, and nothing is held out")
	}
	return nil
}
