package study

import (
	"context"
	"fmt"
	"path/filepath"

	"pairrank/data"
	"pairrank/format/svmlight"
)

// Collection is a folder of LETOR with S1.txt.gz … S5.txt.gz.
type Collection struct {
	Name, Folder string
	Features     int
}

// The collections of LETOR: that of the papers, and two of the same kind.
var (
	OHSUMED2 = Collection{"OHSUMED, LETOR 2.0", "ohsumed_letor2", 25}
	OHSUMED3 = Collection{"OHSUMED, LETOR 3.0", "ohsumed_letor3/QueryLevelNorm", 45}
	MQ2008   = Collection{"MQ2008, LETOR 4.0", "mq2008_letor4", 46}
)

// Parts reads the five parts.
func (c Collection) Parts(ctx context.Context, dir string) ([]*data.Set, error) {
	parts := make([]*data.Set, 5)
	for p := range parts {
		path := filepath.Join(dir, filepath.FromSlash(c.Folder), fmt.Sprintf("S%d.txt.gz", p+1))
		var err error
		o := svmlight.Options{Storage: svmlight.StoreDense, Features: c.Features}
		if parts[p], err = svmlight.ReadFile(ctx, path, o); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// Rotations are the five folds of LETOR: three parts train, the next one chooses and the last one tests.
func Rotations(parts []*data.Set) (all []Split) {
	for fold := range parts {
		at := func(k int) *data.Set { return parts[(fold+k)%len(parts)] }
		s := Split{Test: at(4)}
		s.Set, s.Valid = Join(at(0), at(1), at(2)), at(3)
		all = append(all, s)
	}
	return all
}

// Join is the rows of several dense sets of the same features, which share no query.
func Join(sets ...*data.Set) *data.Set {
	_, n := sets[0].X.Dims()
	x := data.NewDense(0, n, nil)
	out := &data.Set{HasQID: true}
	var of []int32
	var ids []string
	for _, s := range sets {
		x.Data = append(x.Data, s.X.(*data.Dense).Data...)
		x.Rows += len(s.Y)
		out.Y = append(out.Y, s.Y...)
		for _, g := range s.Queries.Of() {
			of = append(of, g+int32(len(ids)))
		}
		for g := range s.Queries.Len() {
			ids = append(ids, s.Queries.ID(g))
		}
	}
	out.X, out.Queries = x, data.NewQueries(of, ids)
	return out
}
