package main

import (
	"context"
	"fmt"
	"path/filepath"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/papers/experiment"
)

// collection is a folder with S1.txt.gz … S5.txt.gz.
type collection struct {
	name, folder string
	features     int
}

// The paper's collection, and two of the same kind beside it.
var (
	ohsumed2 = collection{"OHSUMED, LETOR 2.0", "ohsumed_letor2", 25}
	ohsumed3 = collection{"OHSUMED, LETOR 3.0", "ohsumed_letor3/QueryLevelNorm", 45}
	mq2008   = collection{"MQ2008, LETOR 4.0", "mq2008_letor4", 46}
)

// load reads the parts, with features scaled to [0,1] within each query; prepare, if
// it is not nil, changes the labels.
func (c collection) load(ctx context.Context, dir string, prepare func(y []float64)) ([]*data.Set, error) {
	parts := make([]*data.Set, 5)
	for p := range parts {
		path := filepath.Join(dir, filepath.FromSlash(c.folder), fmt.Sprintf("S%d.txt.gz", p+1))
		set, err := svmlight.ReadFile(ctx, path, svmlight.Options{Storage: svmlight.StoreDense, Features: c.features})
		if err != nil {
			return nil, err
		}
		if prepare != nil {
			prepare(set.Y)
		}
		norm, err := data.FitNormalizer(data.NormalizeQueryMinMax, set)
		if err != nil {
			return nil, err
		}
		if err := norm.Apply(set); err != nil {
			return nil, err
		}
		parts[p] = set
	}
	return parts, nil
}

// rotation is one of the five ways to deal the parts.
type rotation struct{ train, valid, test *data.Set }

// rotations are the folds of LETOR: three parts train, the next one chooses and the
// last one tests.
func rotations(parts []*data.Set) (all []rotation) {
	for fold := range parts {
		at := func(k int) *data.Set { return parts[(fold+k)%len(parts)] }
		all = append(all, rotation{experiment.Join(at(0), at(1), at(2)), at(3), at(4)})
	}
	return all
}
