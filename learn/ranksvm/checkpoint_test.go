package ranksvm

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/pref"
)

// resumed trains on parts, from the checkpoint of o where there is one.
func resumed(t *testing.T, parts []share, lambda float64, o Options) (fits []*Fit, from []*Progress, errs []error) {
	t.Helper()
	size := len(parts)
	fits, from, errs = make([]*Fit, size), make([]*Progress, size), make([]error, size)
	done := make(chan int)
	for process, member := range NewInProcess(size) {
		go func() {
			defer func() { done <- process }()
			defer member.Leave(nil)
			o := o
			o.Processes = member
			s, err := New(parts[process].x, parts[process].y, parts[process].queries, o)
			if err == nil {
				from[process], err = s.Resume(lambda)
			}
			if err == nil {
				fits[process], err = s.Train(t.Context(), lambda)
			}
			errs[process] = err
		}()
	}
	for range size {
		<-done
	}
	return fits, from, errs
}

// interruptedAt trains alone until some iteration, and leaves a checkpoint.
func interruptedAt(t *testing.T, p gen.Problem, lambda float64, o Options, iteration int) *Fit {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Progress = func(p Progress) {
		if p.Iteration == iteration {
			cancel()
		}
	}
	s, err := New(rowsOf(p, false), p.Y, queriesOf(p), o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Train(ctx, lambda)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the training ended in %d iterations: %v", f.Iterations, err)
	}
	return f
}

// A training that was interrupted goes on from its checkpoint, on any number of processes, to
// the optimum, in fewer iterations than from the start; it never is behind where it was.
func TestResume(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := rand.New(rand.NewPCG(71, 72))
	for _, loss := range Losses {
		p := gen.New(r, gen.Options{MaxRows: 150, MaxFeatures: 20})
		const lambda = 1e-3
		o := Options{Loss: loss, Epsilon: gapOver}
		want := fit(t, p, lambda, o, false)
		for size := 1; size <= 3; size++ {
			o.Checkpoints.Path = filepath.Join(t.TempDir(), "run.ckpt")
			at := max(1, want.Iterations/2)
			f := interruptedAt(t, p, lambda, o, at)
			parts := shares(p, size, r)
			got, from, errs := resumed(t, parts, lambda, o)
			for process, err := range errs {
				if err != nil || from[process] == nil || from[process].Iteration != at ||
					from[process].Objective != f.Objective {
					t.Fatalf("%s on %d processes: process %d: %+v, %v", loss, size, process, from[process], err)
				}
				if off := math.Abs(got[process].Objective-want.Objective) / want.Objective; off > sameOptimum ||
					!slices.Equal(got[process].Weights, got[0].Weights) {
					t.Errorf("%s on %d processes, process %d: J is off by %v", loss, size, process, off)
				}
				if got[process].Iterations >= want.Iterations {
					t.Errorf("%s: %d iterations after %d, and %d without a checkpoint", loss, got[process].Iterations,
						at, want.Iterations)
				}
			}
			// what is there now is that of the end
			got, _, errs = resumed(t, parts, lambda, o)
			if errs[0] != nil || got[0].Iterations > 2 ||
				math.Abs(got[0].Objective-want.Objective) > sameOptimum*want.Objective {
				t.Errorf("%s: from the end %+v, %v", loss, got[0], errs[0])
			}
		}
	}
}

// Without a file a training begins at the start, and one is written as often as is said.
func TestCheckpointsAreWritten(t *testing.T) {
	p := gen.New(rand.New(rand.NewPCG(73, 74)), gen.Options{MaxRows: 150, MaxFeatures: 20})
	for _, loss := range Losses {
		for _, c := range []struct {
			each Checkpoints
			want func(iteration int) int // of the last write
		}{
			{Checkpoints{Iterations: 1}, func(i int) int { return i }},
			{Checkpoints{Iterations: 3}, func(i int) int { return i / 3 * 3 }},
			{Checkpoints{Every: time.Nanosecond}, func(i int) int { return i }},
			{Checkpoints{Every: time.Hour}, func(int) int { return 0 }},
			{Checkpoints{}, func(int) int { return 0 }},
		} {
			o := Options{Loss: loss, Epsilon: 1e-6, Checkpoints: c.each}
			o.Checkpoints.Path = filepath.Join(t.TempDir(), "run.ckpt")
			var s *Solver
			o.Progress = func(now Progress) { checkWritten(t, s, now, c.want(now.Iteration)) }
			s, err := newSolver(p, o, &s)
			if err != nil {
				t.Fatal(err)
			}
			if from, err := s.Resume(0.01); from != nil || err != nil {
				t.Errorf("there is no file, and %+v, %v", from, err)
			}
			f, err := s.Train(t.Context(), 0.01)
			if err != nil {
				t.Fatal(err)
			}
			st, err := s.read(0.01)
			if err != nil || st.iteration != f.Iterations || !slices.Equal(st.w, f.Weights) ||
				len(st.slopes) != f.Planes {
				t.Errorf("%s, %+v: at the end there is %+v, %v of %+v", loss, c.each, st, err, f)
			}
		}
	}
}

// checkWritten wants the file of a training to be of an iteration; 0 is no file.
func checkWritten(t *testing.T, s *Solver, now Progress, want int) {
	t.Helper()
	st, err := s.read(now.Lambda)
	if err != nil || (st == nil) != (want == 0) {
		t.Errorf("%+v: at iteration %d there is %+v, %v", s.o.Checkpoints, now.Iteration, st, err)
	} else if st != nil && (st.iteration != want || want == now.Iteration && st.objective != now.Objective) {
		t.Errorf("%+v: at iteration %d it is of %d", s.o.Checkpoints, now.Iteration, st.iteration)
	}
}

// newSolver sets *to before its training reports progress.
func newSolver(p gen.Problem, o Options, to **Solver) (*Solver, error) {
	s, err := New(rowsOf(p, false), p.Y, queriesOf(p), o)
	*to = s
	return s, err
}

// refusal has a checkpoint refused.
type refusal struct {
	path string
	r    *rand.Rand
}

// check writes a text as the checkpoint, and wants it to be refused with some words, on
// all processes, and to stay as it is.
func (c refusal) check(t *testing.T, text []byte, p gen.Problem, lambda float64, o Options, want string) {
	t.Helper()
	if err := os.WriteFile(c.path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	_, from, errs := resumed(t, shares(p, 1+c.r.IntN(3), c.r), lambda, o)
	var refused *CheckpointError
	if !errors.As(errs[0], &refused) || refused.Path != c.path || !strings.Contains(errs[0].Error(), want) {
		t.Errorf("want %q: %v", want, errs[0])
	}
	for process, err := range errs {
		if err == nil || process > 0 && err != ErrElsewhere || from[process] != nil {
			t.Errorf("process %d: %v", process, err)
		}
	}
	if left, err := os.ReadFile(c.path); err != nil || !slices.Equal(left, text) {
		t.Errorf("the file has changed")
	}
}

// stoppedAtThree is a problem, with the checkpoint of its third iteration at λ = 0.01.
func stoppedAtThree(t *testing.T) (p gen.Problem, o Options, c refusal, whole []byte) {
	t.Helper()
	c = refusal{filepath.Join(t.TempDir(), "run.ckpt"), rand.New(rand.NewPCG(75, 76))}
	p = gen.New(c.r, gen.Options{MaxRows: 60, MaxFeatures: 8})
	o = Options{Epsilon: 1e-9, Checkpoints: Checkpoints{Path: c.path}}
	interruptedAt(t, p, 0.01, o, 3)
	whole, err := os.ReadFile(c.path)
	if err != nil {
		t.Fatal(err)
	}
	return p, o, c, whole
}

// Every checkpoint that is damaged or cut short is refused.
func TestDamagedCheckpoints(t *testing.T) {
	defer goleak.VerifyNone(t)
	p, o, c, whole := stoppedAtThree(t)
	for size := 0; size < len(whole); size += 1 + len(whole)/50 {
		want := "is cut short"
		if size < len(magic) {
			want = "is not one of RankSVM"
		}
		c.check(t, whole[:size], p, 0.01, o, want)
	}
	for at := 0; at < len(whole); at += 1 + c.r.IntN(20) {
		flipped := slices.Clone(whole)
		flipped[at] ^= 1 << c.r.IntN(8)
		want := "checksum does not match"
		switch {
		case at < 8:
			want = "is not one of RankSVM"
		case at < 16:
			want = "has version"
		case at < 32:
			want = "is " // cut short or damaged, by what the sizes have become
		}
		c.check(t, flipped, p, 0.01, o, want)
	}
	c.check(t, append(slices.Clone(whole), 0), p, 0.01, o, "checksum")
	c.check(t, []byte("learner ranksvm\n"), p, 0.01, o, "is not one of RankSVM")
	later := slices.Clone(whole)
	binary.LittleEndian.PutUint64(later[8:], 2)
	c.check(t, later, p, 0.01, o, "has version 2, and this program reads version 1")
}

// A checkpoint of other options or other data is refused.
func TestForeignCheckpoints(t *testing.T) {
	defer goleak.VerifyNone(t)
	p, o, c, whole := stoppedAtThree(t)
	c.check(t, whole, p, 0.02, o, "its λ is 0.01, and here it is 0.02")
	squared, edges := o, o
	squared.Loss, edges.Weight = SquaredHinge, pref.Edges
	c.check(t, whole, p, 0.01, squared, "its loss is hinge, and here it is squared-hinge")
	c.check(t, whole, p, 0.01, edges, "its query weight is pairs, and here it is edges")
	changed := p
	changed.X = slices.Clone(p.X)
	changed.X[p.N+1] = math.Nextafter(changed.X[p.N+1], 9)
	c.check(t, whole, changed, 0.01, o, "has other data")
	fewer := p
	fewer.M--
	fewer.X, fewer.Y, fewer.Query = p.X[:fewer.M*p.N], p.Y[:fewer.M], p.Query[:fewer.M]
	c.check(t, whole, fewer, 0.01, o, "other ")
	narrow := p
	narrow.N, narrow.X = 1, p.X[:p.M]
	c.check(t, whole, narrow, 0.01, o, "its number of features is ")
}

// FuzzCheckpoint reads any bytes as a checkpoint: what is taken is written as it was.
func FuzzCheckpoint(f *testing.F) {
	id := identity{2, Hinge, pref.Pairs, 3, 4}
	for _, st := range []state{{w: []float64{1, 2}}, {lambda: 1, iteration: 7, objective: 0.5, w: []float64{1, 2},
		slopes: [][]float64{{3, 4}}, offsets: []float64{5}}} {
		var b bytes.Buffer
		if err := st.write(&b, id); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()-1])
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		st, reason := parse(text, id)
		if (st == nil) != (reason != "") {
			t.Fatalf("%+v, %q", st, reason)
		}
		if st == nil {
			return
		}
		var b bytes.Buffer
		if err := st.write(&b, id); err != nil || !bytes.Equal(b.Bytes(), text) {
			t.Fatalf("%v: written as %q, and was %q", err, b.Bytes(), text)
		}
	})
}

// A checkpoint that cannot be written is an error before a training, and ends one of all processes
// with the best so far.
func TestCheckpointThatCannotBeWritten(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := rand.New(rand.NewPCG(77, 78))
	p := gen.New(r, gen.Options{MaxRows: 100, MaxFeatures: 10})
	for _, loss := range Losses {
		// the iteration after which there is no directory any more; only the last write
		for _, last := range []int{0, 1, 100_000} {
			dir := filepath.Join(t.TempDir(), "some")
			if last > 0 {
				if err := os.Mkdir(dir, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			var once sync.Once
			o := Options{Loss: loss, Epsilon: 1e-9,
				Checkpoints: Checkpoints{Path: filepath.Join(dir, "run.ckpt"), Iterations: 2},
				Progress: func(p Progress) {
					if p.Iteration >= last || p.Left < 1e-9 {
						once.Do(func() { _ = os.RemoveAll(dir) })
					}
				}}
			if last > 1 {
				o.Checkpoints.Iterations = last
			}
			fits, _, errs := resumed(t, shares(p, 3, r), 1e-3, o)
			for process, err := range errs {
				want := []error{fs.ErrNotExist, ErrElsewhere, ErrElsewhere}[process]
				if f := fits[process]; !errors.Is(err, want) || (f == nil) != (last == 0) || last == 1 &&
					f.Iterations > 3 || last > 1 && !f.Converged {
					t.Errorf("%s, process %d: %+v, %v", loss, process, f, err)
				}
			}
		}
	}
}

// The fingerprint is that of rows in queries: their order and storage do not count, and
// every value, label and query does.
func TestFingerprint(t *testing.T) {
	r := rand.New(rand.NewPCG(79, 80))
	for range gen.Count(t, 100) {
		p := gen.New(r, gen.Options{})
		want := Fingerprint(rowsOf(p, false), p.Y, queriesOf(p))
		if got := Fingerprint(rowsOf(p, true), p.Y, queriesOf(p)); got != want {
			t.Fatal("another storage has another fingerprint")
		}
		sum := make([]float64, 4)
		for _, part := range shares(p, 3, r) {
			for i, v := range limbs(Fingerprint(part.x, part.y, part.queries)) {
				sum[i] += v
			}
		}
		if limbed(sum) != want {
			t.Fatal("the fingerprints of parts do not add up")
		}
		order := r.Perm(p.M)
		q := gen.Problem{M: p.M, N: p.N, Queries: p.Queries}
		for _, i := range order {
			q.X, q.Y, q.Query = append(q.X, p.X[i*p.N:(i+1)*p.N]...), append(q.Y, p.Y[i]), append(q.Query, p.Query[i])
		}
		if Fingerprint(rowsOf(q, false), q.Y, queriesOf(q)) != want {
			t.Fatal("another order has another fingerprint")
		}
		q.Y[0]++
		if Fingerprint(rowsOf(q, false), q.Y, queriesOf(q)) == want {
			t.Fatal("another label has the same fingerprint")
		}
		q.Y[0]--
		q.X[r.IntN(len(q.X))] += 0.5
		if Fingerprint(data.ToDense(rowsOf(q, true)), q.Y, queriesOf(q)) == want {
			t.Fatal("another value has the same fingerprint")
		}
	}
}
