package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/internal/memory"
	"pairrank/learn/ranksvm"
)

// rows are the rows of this process.
type rows struct {
	set   *data.Set
	named []named // its queries that have an id
}

// named is a query that has an id, and the number of its file.
type named struct {
	id   string
	file int
}

// read reads the files of this process: every size-th of them.
func read(ctx context.Context, o *options, process, size int) (*rows, error) {
	r := &rows{}
	var sets []*data.Set
	how := svmlight.Options{Features: o.features, ZeroBased: o.zeroBased}
	if o.normalize == data.NormalizeZScore {
		how.Storage = svmlight.StoreDense // a shift leaves no zeros
	}
	for f := process; f < len(o.files); f += size {
		set, err := svmlight.ReadFile(ctx, o.files[f], how)
		if err != nil {
			return nil, contentError(err)
		}
		sets = append(sets, set)
		if set.HasQID {
			for g := range set.Queries.Len() {
				r.named = append(r.named, named{set.Queries.ID(g), f})
			}
		}
	}
	r.set = concatenate(sets)
	return r, nil
}

// concatenate returns the rows of sets one after another, with separate queries for each set. The
// rows are dense where all sets are.
func concatenate(sets []*data.Set) *data.Set {
	if len(sets) == 1 {
		return sets[0]
	}
	all := &data.Set{}
	dense, n := true, 0
	var of []int32
	var ids []string
	for _, s := range sets {
		_, cols := s.X.Dims()
		n = max(n, cols)
		_, is := s.X.(*data.Dense)
		dense = dense && is
		all.Y = append(all.Y, s.Y...)
		all.HasQID = all.HasQID || s.HasQID
		for _, q := range s.Queries.Of() {
			of = append(of, int32(len(ids))+q)
		}
		for g := range s.Queries.Len() {
			ids = append(ids, s.Queries.ID(g))
		}
	}
	all.Queries = data.NewQueries(of, ids)
	if dense {
		x := data.NewDense(len(all.Y), n, nil)
		i := 0
		for _, s := range sets {
			for k := range s.Y {
				s.X.RowTo(x.Row(i), k)
				i++
			}
		}
		all.X = x
		return all
	}
	x := &data.CSR{Cols: n, Ptr: []int{0}}
	for _, s := range sets {
		for k := range s.Y {
			data.Each(s.X, k, func(j int, v float64) { x.Col, x.Val = append(x.Col, int32(j)), append(x.Val, v) })
			x.Ptr = append(x.Ptr, len(x.Val))
			x.Rows++
		}
	}
	all.X = x
	return all
}

// gather has the numbers of each process on all of them: v of this one at its place.
func gather(group ranksvm.AllReducer, v ...float64) ([]float64, error) {
	all := make([]float64, len(v)*group.Size())
	copy(all[len(v)*group.Rank():], v)
	return all, group.Sum(all)
}

// widen gives the rows of all processes the same number of features, the largest.
func (r *rows) widen(group ranksvm.AllReducer) error {
	_, n := r.set.X.Dims()
	widths, err := gather(group, float64(n))
	if err != nil {
		return err
	}
	for _, width := range widths {
		n = max(n, int(width))
	}
	r.set.X = data.Widen(r.set.X, n)
	return nil
}

// checkQueries refuses a query of two files: its pairs over both would not be compared.
// It takes one message of three numbers for each query of all processes.
func (r *rows) checkQueries(group ranksvm.AllReducer, o *options) error {
	counts, err := gather(group, float64(len(r.named)))
	if err != nil {
		return err
	}
	first, total := 0, 0
	for process, c := range counts {
		if process < group.Rank() {
			first += int(c)
		}
		total += int(c)
	}
	v := make([]float64, 3*total)
	mine := map[uint64]string{}
	for g, q := range r.named {
		h := fnv.New64a()
		h.Write([]byte(q.id))
		hash := h.Sum64()
		mine[hash] = q.id
		copy(v[3*(first+g):], []float64{float64(hash >> 32), float64(hash & (1<<32 - 1)), float64(q.file)})
	}
	if err := group.Sum(v); err != nil {
		return err
	}
	in := make(map[uint64]int, total)
	for k := range total {
		hash, file := uint64(v[3*k])<<32|uint64(v[3*k+1]), int(v[3*k+2])
		other, twice := in[hash]
		if !twice {
			in[hash] = file
			continue
		}
		id, known := mine[hash]
		if !known {
			return ranksvm.ErrElsewhere // the processes that have it report it
		}
		return errData{fmt.Errorf("query %s is in %s and in %s: a query has all its rows in one file", id,
			o.files[min(file, other)], o.files[max(file, other)])}
	}
	return nil
}

// errData is an error of the data.
type errData struct{ error }

func (e errData) Unwrap() error { return e.error }

// contentError marks an error of reading as a fault of the data, unless the file system, memory or
// the end of the job caused it.
func contentError(err error) error {
	var path *fs.PathError
	var lack *memory.Lack
	if errors.As(err, &path) || errors.As(err, &lack) || errors.Is(err, context.Canceled) {
		return err
	}
	return errData{err}
}
