package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/knots"
	"pairrank/kernel"
)

// bent gives splines the knots of --spline-in. Without --spline other features are straight lines.
func (f *trainFlags) bent(kernels []kernel.Kernel) []kernel.Kernel {
	if !f.changed("spline") {
		kernels = []kernel.Kernel{kernel.Spline{Bends: 1}}
	}
	kernels = slices.Clone(kernels)
	for i, k := range kernels {
		if spline, is := k.(kernel.Spline); is {
			spline.In = f.splineIn
			kernels[i] = spline
		}
	}
	return kernels
}

// checkNumbers refuses splines with knots of numbered features where the numbers of the files start at 0.
func (f *trainFlags) checkNumbers(kernels []kernel.Kernel) error {
	for _, k := range kernels {
		spline, _ := k.(kernel.Spline)
		list, _ := knots.Parse(spline.In) // which reading has checked
		for _, one := range list {
			if _, number := strconv.Atoi(one.Name); number == nil && f.rows.zeroBased.is {
				return cli.WithHint(cli.Usagef("a spline counts features from 1, as %s, and the indices of the files start at 0",
					one.Name), "pairrank convert writes a table, whose columns have names")
			}
		}
	}
	return nil
}

// splineIn reads --spline-in, also in the form that a kernel prints.
func splineIn(text string) (string, error) {
	if in, err := knots.Parse(text); err == nil {
		return in.String(), nil
	}
	items, err := listOf(text)
	if err != nil {
		return "", err
	}
	for i, item := range items {
		name, count, is := cutLast(item, "=")
		if items[i] = strconv.Quote(name) + "=" + count; !is {
			return "", fmt.Errorf("%q is not COLUMN=K", item)
		}
	}
	in, err := knots.Parse(strings.Join(items, ","))
	return in.String(), err
}

// givesKernels is the flag that gives the kernels, "" where it is --kernel.
func (f *trainFlags) givesKernels() string {
	for _, flag := range []string{"spline", "spline-in"} {
		if f.changed(flag) {
			return flag
		}
	}
	return ""
}

// splineKernels reads --spline, which is in the place of --kernel.
func splineKernels(text string) ([]kernel.Kernel, error) {
	const usual = 4
	if text == "auto" {
		return []kernel.Kernel{kernel.Linear{}, kernel.Spline{Knots: usual, Bends: 1}}, nil
	}
	count, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("%q is neither auto nor a whole number of knots", text)
	}
	k := kernel.Spline{Knots: count, Bends: 1}
	return []kernel.Kernel{k}, k.Check()
}
