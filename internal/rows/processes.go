package rows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/internal/procedure"
	"pairrank/internal/processes"
	"pairrank/kernel"
	"pairrank/learn/ranksvm"
)

// TrainProcesses is pairrank.TrainProcesses.
func TrainProcesses(ctx context.Context, group ranksvm.AllReducer, p Problem, o Plan) (*Result, error) {
	t, err := newSpreadTask(&p, o, group)
	if err = ranksvm.Agree(group, err); err != nil {
		return nil, err
	}
	if err := t.sameWidth(group); err != nil {
		return nil, err
	}
	err = t.normalizeOver(group)
	if err == nil {
		t.solution, err = t.learner.chooseSolver(t)
	}
	if err = ranksvm.Agree(group, err); err != nil {
		return nil, err
	}
	all, err := t.total(group)
	if err != nil {
		return nil, err
	}
	if all.single+all.alike > 0 && p.Set.HasQID {
		t.journal.Note(NoteIdleQueries, "%.0f of %.0f queries have nothing to compare: %.0f with one row, %.0f "+
			"with one label", all.single+all.alike, all.queries, all.single, all.alike)
	}
	t.centreAs(all)
	r, stopped := t.train(ctx, spreadSource{newSource(t)})
	if r != nil {
		r.Training.Rows, r.Training.Queries = int(all.rows), int(all.queries)
		r.Model.Info = r.Training.Facts
	}
	return r, stopped
}

// spreadSource is the rows of one process in a training on the rows of all.
type spreadSource struct{ *source }

// Doubt notes the doubts of a fit about the rows of all processes.
func (s spreadSource) Doubt(learnt procedure.Fit, _ *procedure.Choice) {
	learnt.(*fit).outcome.(svmEnd).doubtOptimum(s.journal)
}

// newSpreadTask checks everything that one process can check alone, and prepares its rows.
func newSpreadTask(p *Problem, o Plan, group ranksvm.AllReducer) (*task, error) {
	learner, is := o.Learner.(RankSVM)
	if err := fault.Refuse(!is, "Learner", "is a RankSVM where the rows are spread over processes"); err != nil {
		return nil, err
	}
	learner.processes = group
	o.Learner = learner
	if err := cmp.Or(p.check(), refuseOverProcesses(p, &o, learner)); err != nil {
		return nil, err
	}
	t, err := begin(p, o)
	if err != nil {
		return nil, err
	}
	t.binarize()
	t.fingerprint = t.learner.fingerprint(t)
	return t, nil
}

// refuseOverProcesses refuses options that need more than sums over rows.
func refuseOverProcesses(p *Problem, o *Plan, l RankSVM) error {
	var other error
	if o.AllPairs || p.Kernel != nil || p.Valid != nil {
		other = fault.As(fault.Use, "",
			errors.New("several processes compare rows of a query by their features: there are neither pairs of all "+
				"rows, nor a kernel matrix, nor rows for validation"))
	}
	linear := !slices.ContainsFunc(o.Kernels, func(k kernel.Kernel) bool { return k != nil && !isLinear(k) })
	return cmp.Or(
		fault.Refuse(len(o.Lambdas) != 1, "Lambdas", "are one value where the rows are spread over processes, not %d",
			len(o.Lambdas)),
		fault.Refuse(o.Method != nil || o.Metric != nil, "Method",
			"and Metric choose, and over processes there is one λ"),
		fault.Refuse(!linear || len(o.Kernels) > 1, "Kernels",
			"are the linear one where the rows are spread over processes"),
		fault.Refuse(l.Basis.given(), "Basis", "is of rows of a single process"),
		other,
	)
}

// totals describe the rows of all processes.
type totals struct {
	rows, queries, single, alike float64
	dense                        bool      // on every process
	mean                         []float64 // of each feature, if all processes are dense
}

// sums is the sum over a group, with its error as that of this process. A process that is alone adds nothing.
func sums(group ranksvm.AllReducer) (size, process int, sum func(v []float64) error) {
	if group == nil {
		return 1, 0, func([]float64) error { return nil }
	}
	size, process = group.Size(), group.Rank()
	return size, process, func(v []float64) error {
		if err := group.Sum(v); err != nil {
			return processes.Lost(group, err)
		}
		return nil
	}
}

// sameWidth refuses processes that differ in their number of features.
func (t *task) sameWidth(group ranksvm.AllReducer) error {
	size, process, sum := sums(group)
	widths := make([]float64, size)
	widths[process] = float64(t.features())
	if err := sum(widths); err != nil {
		return err
	}
	for other, width := range widths {
		if width != widths[0] {
			return fault.Dataf("process 0 has %.0f features and process %d %.0f: all have the same", widths[0], other,
				width)
		}
	}
	return nil
}

// normalizeOver computes the normaliser of the rows of all processes and applies it. Each process in turn sends
// the others the statistics of its columns, 4n+1 numbers; all add them in the order of the processes.
func (t *task) normalizeOver(group ranksvm.AllReducer) error {
	if group == nil || t.o.Normalize != data.NormalizeZScore && t.o.Normalize != data.NormalizeMinMax {
		return t.normalizeFeatures()
	}
	size, process, sum := sums(group)
	n := t.features()
	all, own := data.NewColumns(n), data.ColumnsOf(t.x)
	for other := range size {
		v := make([]float64, 4*n+1)
		if other == process {
			copy(v, slices.Concat(own.Min, own.Max, own.Mean, own.Dev, []float64{own.Rows}))
		}
		if err := sum(v); err != nil {
			return err
		}
		all.Add(&data.Columns{Rows: v[4*n], Min: v[:n], Max: v[n : 2*n], Mean: v[2*n : 3*n], Dev: v[3*n : 4*n]})
	}
	norm, err := all.Normalizer(t.o.Normalize)
	if err != nil {
		return fault.As(fault.Data, "", err)
	}
	return t.normalize(norm)
}

// total adds the totals of the rows over the processes, in two messages.
func (t *task) total(group ranksvm.AllReducer) (all totals, err error) {
	_, _, sum := sums(group)
	rows := []float64{float64(t.rows())}
	if err := sum(rows); err != nil {
		return all, err
	}
	n := t.features()
	all.rows = rows[0]
	v := make([]float64, 4+n)
	parts := t.nonEmpty()
	single, alike := idleQueries(t.y, parts)
	v[0], v[1], v[2] = float64(parts.Len()), float64(single), float64(alike)
	if x, dense := t.x.(*data.Dense); dense {
		meanTo(v[4:], x, all.rows)
	} else {
		v[3] = 1
	}
	if err := sum(v); err != nil {
		return all, err
	}
	all.queries, all.single, all.alike, all.dense, all.mean = v[0], v[1], v[2], v[3] == 0, v[4:]
	return all, nil
}

// nonEmpty are the queries that have rows.
func (t *task) nonEmpty() *data.Partition {
	bounds := slices.Compact(slices.Clone(t.queries.Bounds))
	of := make([]int32, t.rows())
	for g := range len(bounds) - 1 {
		for _, i := range t.queries.Rows[bounds[g]:bounds[g+1]] {
			of[i] = int32(g)
		}
	}
	return data.NewPartition(of, len(bounds)-1)
}

// centreAs is centreFeatures with the mean over all processes.
func (t *task) centreAs(all totals) {
	x, dense := t.x.(*data.Dense)
	if !dense || !all.dense {
		return
	}
	subtract(t.owned(x), all.mean)
}

// resume continues from a checkpoint if there is one.
func (r RankSVM) resume(s *space, solver *ranksvm.Solver, lambda float64) error {
	if r.Checkpoints.Path == "" {
		return nil
	}
	from, err := solver.Resume(lambda)
	if from != nil {
		s.journal.Note(NoteResumed, "goes on from iteration %d in %s, where J was %.6g",
			from.Iteration, r.Checkpoints.Path, from.Objective)
	}
	var other *ranksvm.CheckpointError
	if errors.As(err, &other) {
		return fault.As(fault.Data, "", err)
	}
	if err != nil && !errors.Is(err, ranksvm.ErrElsewhere) {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return err
}
