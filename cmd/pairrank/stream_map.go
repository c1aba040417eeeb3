package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/kernel"
	"pairrank/stream"
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
	none := cli.Usagef("--kernel %s cannot be summed: kernel values are of pairs of rows, and one query at a time "+
		"is read", f.kernel)
	switch {
	case len(kernels) > 1:
		return nil, cli.Usagef("--kernel %s stands for %d kernels, and the features of one are summed: train each "+
			"by itself", f.kernel, len(kernels))
	case k == kernel.Kernel(kernel.Precomputed{}):
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
