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
	if o.Times {
		flags["censored"] = "negative"
	}
	if pairs.CensoringWeights {
		flags["censoring-weights"] = "true"
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
	return cli.WithHint(cli.Usagef("--select none cannot choose among several values of λ"),
		"give one value: --lambda 1")
}

// streamKernel is the kernel that streamed rows are learnt by.
func (f *trainFlags) streamKernel() (kernel.Kernel, error) {
	kernels, err := f.approximate(f.kernels)
	if err != nil {
		return nil, err
	}
	k, basis := kernels[0], f.basisData != ""
	_, random := k.(kernel.Fourier)
	_, gaussian := k.(kernel.Gaussian)
	_, clinical := k.(kernel.Clinical)
	none := cli.Usagef("--kernel %s cannot be summed: kernel values are of pairs of rows, and one query at a time "+
		"is read", k)
	switch {
	case len(kernels) > 1:
		return nil, cli.Usagef("--kernel stands for %d kernels, and the features of one are summed: train each "+
			"by itself", len(kernels))
	case clinical, kernel.Learns(k), k == kernel.Kernel(kernel.Precomputed{}):
		return nil, none
	case k == kernel.Kernel(kernel.Linear{}) && basis:
		return nil, cli.Usagef("--basis-data is for kernels: the linear one learns from the features themselves")
	case random, basis, k == kernel.Kernel(kernel.Linear{}):
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
	k, err := f.streamKernel()
	if err != nil || k == kernel.Kernel(kernel.Linear{}) {
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
