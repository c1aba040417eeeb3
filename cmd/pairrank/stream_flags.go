package main

import (
	"fmt"
	"strconv"
	"strings"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/internal/spell"
	"pairrank/stream"
)

// statisticsOptions are what is summed by the flags.
func (a *app) statisticsOptions(f *trainFlags) (o stream.Options, err error) {
	f.solver = solverAuto
	if o, err = f.streamOptions(); err != nil {
		return o, err
	}
	if o.Map, err = a.streamMap(f); err != nil {
		return o, err
	}
	if o.Folds = 1; f.selectBy != "none" {
		if o.Folds, err = f.streamFolds(); err != nil {
			return o, err
		}
	}
	if o.Names, err = a.readStreamNames(f.names); err != nil {
		return o, err
	}
	o, err = o.Resolved()
	return o, (&advice.Run{}).Error(err)
}

// summedOptions are the values of the options that sums know, as flags; an option that was not given has none, or its
// default.
func summedOptions(o stream.Options) map[string]string {
	pairs := o.Learner.Pairs
	flags := map[string]string{
		"learner": o.Learner.Name(), "cost": string(pairs.Cost), "ties": pairs.Ties,
		"query-weight": string(pairs.Weight), "normalize": o.Normalize, "select": "none", "kernel": "linear",
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
	if o.KeepQueries {
		flags[keepQueriesName] = "true"
	}
	if n := len(o.Names); n > 0 {
		const digits = 16
		flags["names"] = fmt.Sprintf("%s with SHA-256 %s…", spell.Plural(n, "name"),
			sha256Hex([]byte(strings.Join(o.Names, "\n")))[:digits])
	}
	return flags
}

// checkChoice refuses a figure of a choice where nothing is chosen.
func (f *trainFlags) checkChoice(chooses bool) error {
	if !chooses && f.pages.figure != "" {
		return cli.Usagef("--figure shows the held-out errors of a choice, and nothing is held out")
	}
	return nil
}

// errNoneOfSeveral refuses --select none where there are several values of λ.
func errNoneOfSeveral() error {
	return cli.WithHint(cli.Usagef("--select none chooses nothing among several values of λ"),
		"give one value: --lambda 1")
}
