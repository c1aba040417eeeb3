package main

import (
	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/kernel"
)

// streamKernel is the kernel that streamed rows are learnt by.
func (f *trainFlags) streamKernel() (kernel.Kernel, error) {
	kernels, err := kernel.ParseGrid(f.kernel)
	if err != nil {
		return nil, cli.AsUsage(err)
	}
	if err := f.approximate(kernels); err != nil {
		return nil, err
	}
	k, basis := kernels[0], f.basisData != ""
	_, random := k.(kernel.Fourier)
	_, gaussian := k.(kernel.Gaussian)
	none := cli.Usagef("--kernel %s is not for --stream: kernel values are of pairs of rows, and --stream has one query at a time", f.kernel)
	switch {
	case len(kernels) > 1:
		return nil, cli.Usagef("--kernel %s stands for %d kernels, and --stream sums the features of one: train each by itself", f.kernel, len(kernels))
	case k == kernel.Kernel(kernel.Precomputed{}):
		return nil, none
	case k == kernel.Kernel(kernel.Linear{}) && basis:
		return nil, cli.Usagef("--basis-data is for kernels: the linear one learns from the features themselves")
	case random && basis:
		return nil, cli.Usagef("--basis-data and --random-features are two ways to approximate a kernel: give one of them")
	case random, basis, k == kernel.Kernel(kernel.Linear{}):
		return k, nil
	case gaussian:
		return nil, cli.WithHint(none, "--random-features 500 makes features of single rows, and so do the rows of --basis-data FILE")
	}
	return nil, cli.WithHint(none, "the rows of --basis-data FILE make features of single rows")
}

// streamMap is the map of the rows that the flags ask for, nil for the linear kernel. It
// reads the rows of a basis, and normalises them as streamed rows are.
func (a *app) streamMap(f *trainFlags) (*pairrank.Mapping, error) {
	k, err := f.streamKernel()
	if err != nil || k == kernel.Kernel(kernel.Linear{}) {
		return nil, err
	}
	if f.basisData == "" {
		return &pairrank.Mapping{Kernel: k}, nil
	}
	set, err := a.readSet(f.basisData, f.rows, readOptions{})
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
	return &pairrank.Mapping{Kernel: k, Basis: set.X}, nil
}
