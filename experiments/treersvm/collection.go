package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/experiments/internal/experiment"
	"pairrank/format/svmlight"
	"pairrank/internal/ostat"
	"pairrank/internal/synth"
)

// collection is one list of rows: those to train on first, as many as the
// largest training takes, then those to test on.
type collection struct {
	name   string
	set    *data.Set
	sizes  []int // 1000, 2000, …
	search int   // rows for line search and path
	lambda float64
}

const (
	leastRows  = 1000
	houseRows  = 16_000 // to train on
	houseTests = 4000
	houseNames = 8 // features
)

// doubled are 1000, 2000, 4000, … up to most.
func doubled(most int) (sizes []int) {
	for m := leastRows; m <= most; m *= 2 {
		sizes = append(sizes, m)
	}
	return sizes
}

// cadata reads the houses, or makes some where the file is not there. The file
// is in the order of places: the rows are drawn. Features get mean 0 and variance
// 1 over the rows of the largest training.
func cadata(ctx context.Context, s settings) (*collection, error) {
	path := filepath.Join(s.dir, "cadata", "cadata.svm.gz")
	c := &collection{name: "cadata", lambda: s.lambdaHouses, sizes: doubled(min(s.most, houseRows))}
	set, err := svmlight.ReadFile(ctx, path, svmlight.Options{Storage: svmlight.StoreDense, Features: houseNames})
	if errors.Is(err, fs.ErrNotExist) {
		tell("%s is not there: rows are made in its place", path)
		c.name = "cadata-like"
		set, err = synth.Houses{Rows: houseRows + houseTests, Seed: s.seed}.Set()
	}
	if err != nil {
		return nil, err
	}
	rows := rand.New(rand.NewPCG(s.seed, 0x686f75736573)).Perm(len(set.Y))
	c.search = c.sizes[len(c.sizes)-1]
	if len(rows) < c.search+houseTests {
		return nil, fmt.Errorf("%s: %d rows, and %d are needed", path, len(rows), c.search+houseTests)
	}
	norm, err := data.FitNormalizer(data.NormalizeZScore, set.Subset(rows[:c.search]))
	if err != nil {
		return nil, err
	}
	c.set = set.Subset(rows[:c.search+houseTests])
	return c, norm.Apply(c.set)
}

// rcv1 makes documents.
func rcv1(s settings) (*collection, error) {
	c := &collection{name: "RCV1-like", lambda: s.lambdaReuters, sizes: doubled(s.most)}
	largest := c.sizes[len(c.sizes)-1]
	c.search = min(s.search, largest)
	var err error
	c.set, err = synth.News{Rows: largest + s.test, Seed: s.seed}.Set()
	return c, err
}

// first is the first m rows: a view.
func (c *collection) first(m int) (data.Matrix, []float64) {
	return data.Slice(c.set.X, 0, m), c.set.Y[:m:m]
}

// bytesOf is the memory of a matrix.
func bytesOf(x data.Matrix) int {
	if x, sparse := x.(*data.CSR); sparse {
		return 8*len(x.Ptr) + 4*len(x.Col) + 8*len(x.Val)
	}
	return 8 * data.Stored(x)
}

// describe is the table of the data.
func describe(_ context.Context, _ settings, collections []*collection) (string, error) {
	var b strings.Builder
	b.WriteString(`| data | rows to train | rows to test | features | not zero in a row | different labels | pairs of the largest training | λ |
|---|---|---|---|---|---|---|---|
`)
	for _, c := range collections {
		largest := c.sizes[len(c.sizes)-1]
		x, y := c.first(largest)
		_, n := x.Dims()
		levels := len(slices.Compact(slices.Sorted(slices.Values(y))))
		var counter ostat.Counter
		counter.SetLabels(y)
		fmt.Fprintf(&b, "| %s | %d … %d | %d | %d | %.1f | %d | %s million | %g |\n", c.name, c.sizes[0], largest, len(c.set.Y)-largest, n,
			data.Density(x)*float64(n), levels, experiment.Digits(float64(counter.Comparable())/1e6), c.lambda)
	}
	fmt.Fprintf(&b, "\nThreads: %d. %s, %s/%s.\n", runtime.GOMAXPROCS(0), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return b.String(), nil
}
