package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
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
	c.search = c.largest()
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
	largest := c.largest()
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

// pairsOf is the number of pairs of different labels of the first m rows.
func (c *collection) pairsOf(m int) int {
	var counter ostat.Counter
	_, y := c.first(m)
	counter.SetLabels(y)
	return int(counter.Comparable())
}

// largest is the number of rows of the largest training.
func (c *collection) largest() int { return c.sizes[len(c.sizes)-1] }

// describe is the table of the data.
func describe(_ context.Context, s study) (found experiment.Result, err error) {
	t := experiment.NewTable("data", "%s", "rows to train: least", "%.0f", "most", "%.0f", "to test", "%.0f",
		"features", "%.0f", "not zero in a row", "%.1f",
		"different labels", "%.0f", "pairs of the largest training, million", "digits", "λ", "%g")
	for _, c := range s.collections {
		x, y := c.first(c.largest())
		_, n := x.Dims()
		levels := len(slices.Compact(slices.Sorted(slices.Values(y))))
		t.Row(c.name, c.sizes[0], c.largest(), len(c.set.Y)-c.largest(), n, data.Density(x)*float64(n), levels,
			float64(c.pairsOf(c.largest()))/1e6, c.lambda)
	}
	found.Add(t)
	return found, nil
}
