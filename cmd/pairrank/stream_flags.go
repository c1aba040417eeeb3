package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/model"
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
	if readsTwice(o) {
		return o, cli.WithHint(cli.Usagef("--kernel %s has no knots: a unit is read once, and units that are added have "+
			"the same", o.Map.Kernel), "--knots-of MODEL takes those of a model, which stream train --spline makes of one "+
			"file or of all")
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
	const digits = 16 // of a checksum
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
		if m.Knots != nil {
			text := fmt.Sprint(m.Knots)
			flags["knots-of"] = fmt.Sprintf("%s with SHA-256 %s…", spell.Plural(len(m.Knots), "feature"),
				sha256Hex([]byte(text))[:digits])
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
	if o.Times {
		flags["censored"] = "negative"
	}
	if pairs.CensoringWeights {
		flags["censoring-weights"] = "true"
	}
	if n := len(o.Names); n > 0 {
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
	return cli.WithHint(cli.Usagef("--select none cannot choose among several values of λ"),
		"give one value: --lambda 1")
}

// streamKernel is the kernel that streamed rows are learnt by.
func (f *trainFlags) streamKernel() (kernel.Kernel, error) {
	kernels, err := f.asked(f.kernels)
	if err != nil {
		return nil, err
	}
	k, basis := kernels[0], f.basisData != ""
	_, random := k.(kernel.Fourier)
	_, gaussian := k.(kernel.Gaussian)
	_, clinical := k.(kernel.Clinical)
	_, spline := k.(kernel.Spline)
	none := cli.Usagef("--kernel %s cannot be summed: kernel values are of pairs of rows, and one query at a time "+
		"is read", k)
	switch {
	case len(kernels) > 1 && f.changed("spline"):
		return nil, cli.WithHint(cli.Usagef("--spline auto is not for rows that are read once: it compares the held-out "+
			"losses of each query, and sums have those of folds"), "--spline 4 takes 4 knots, and without it there are "+
			"straight lines; each prints its held-out error")
	case len(kernels) > 1:
		return nil, cli.Usagef("--kernel stands for %d kernels, and the features of one are summed: train each "+
			"by itself", len(kernels))
	case clinical, kernel.Learns(k), k == kernel.Kernel(kernel.Precomputed{}):
		return nil, none
	case isLinear(k) && basis:
		return nil, cli.Usagef("--basis-data is for kernels: the linear one learns from the features themselves")
	case spline && basis:
		return nil, cli.Usagef("--basis-data is for kernels of pairs of rows: a spline has knots")
	case random, spline, basis, isLinear(k):
		return k, nil
	case gaussian:
		return nil, cli.WithHint(none, "--random-features 500 makes features of single rows, and so do the rows of "+
			"--basis-data FILE")
	}
	return nil, cli.WithHint(none, "the rows of --basis-data FILE make features of single rows")
}

// streamMap is the map of the rows that the flags ask for, nil for the linear kernel. It
// reads the rows of a basis, and normalises them as streamed rows are.
func (a *app) streamMap(f *trainFlags) (*stream.Mapping, error) {
	if f.knotsOf != "" {
		return a.readKnots(f)
	}
	k, err := f.streamKernel()
	if err != nil || isLinear(k) {
		return nil, err
	}
	if f.basisData == "" {
		return &stream.Mapping{Kernel: k}, nil
	}
	set, err := a.readSet(f.basisData, &f.rows, readOptions{})
	if err != nil {
		return nil, err
	}
	if f.normalize != data.NormalizeNone {
		norm, err := data.FitNormalizer(f.normalize, set)
		if err == nil {
			err = norm.Apply(set)
		}
		if err != nil {
			return nil, cli.AsData(err)
		}
	}
	return &stream.Mapping{Kernel: k, Basis: set.X}, nil
}

// readsTwice reports whether knots are found in a first reading.
func readsTwice(o stream.Options) bool {
	if o.Map == nil || o.Map.Knots != nil {
		return false
	}
	_, is := o.Map.Kernel.(kernel.Spline)
	return is
}

// readKnots reads the knots of --knots-of, of features as they will be read.
func (a *app) readKnots(f *trainFlags) (*stream.Mapping, error) {
	m, err := a.readModel(f.knotsOf)
	if err != nil {
		return nil, err
	}
	of := cli.Shown(f.knotsOf)
	if m.rows == nil {
		return nil, notRows(f.knotsOf, "--spline makes models of rows that have knots")
	}
	spline, is := m.rows.Scorer.(*model.Spline)
	if !is {
		return nil, cli.WithHint(cli.Usagef("--knots-of: %s has no knots", of), "--spline makes models that have some")
	}
	normal := data.NormalizeNone
	if m.rows.Normalizer != nil {
		normal = m.rows.Normalizer.Kind
	}
	switch first := m.rows.Info.First(); {
	case normal != f.normalize:
		return nil, cli.Usagef("--knots-of: the knots of %s are of features with --normalize %s, and here they have "+
			"--normalize %s", of, normal, f.normalize)
	case (first == 0) != f.rows.zeroBased.is:
		return nil, cli.Usagef("--knots-of: the indices of %s start at %d, and here they do not: --zero-based says where "+
			"they start", of, first)
	}
	f.knots = m.rows
	knots := make([][]float64, spline.Map.Inputs())
	for j := range knots {
		knots[j] = spline.Map.Knots(j)
	}
	return &stream.Mapping{Kernel: spline.Map.Kernel(), Knots: knots}, nil
}

// checkKnots refuses features of other names than those of the model with the knots.
func (f *trainFlags) checkKnots(names []string) error {
	if f.knots == nil || f.knots.Names == nil || names == nil {
		return nil
	}
	for j := range max(len(names), len(f.knots.Names)) {
		if name, of := nameAt(names, j), nameAt(f.knots.Names, j); name != of {
			return cli.Usagef("--knots-of: feature %d is %s, and %s in %s", j+1, name, of, cli.Shown(f.knotsOf))
		}
	}
	return nil
}

// nameAt is the name of a feature, quoted.
func nameAt(names []string, j int) string {
	if j >= len(names) {
		return "none"
	}
	return strconv.Quote(data.ClipText(names[j]))
}

// basisText stands for the rows of a basis: their number, and the beginning of the SHA-256 of
// their values.
func basisText(x data.Matrix) string {
	rows, n := x.Dims()
	sum, row, bytes := sha256.New(), make([]float64, n), make([]byte, 0, 8*n)
	for i := range rows {
		x.RowTo(row, i)
		bytes = bytes[:0]
		for _, v := range row {
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
		}
		sum.Write(bytes)
	}
	return fmt.Sprintf("%d×%d with SHA-256 %x…", rows, n, sum.Sum(nil)[:8])
}
