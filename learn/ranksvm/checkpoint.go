package ranksvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"pairrank/internal/processes"
	"pairrank/internal/replace"
)

// Checkpoints say where a training writes its state, and how often. It writes only the weights, 8n
// bytes, and for the hinge loss the planes, 8n+8 bytes each. Resuming costs a product with X for
// the scores, and the inner products of the planes. The lower bound on J, which the planes give, is
// kept. An unfinished Newton step is lost.
//
// Only process 0 writes and reads the file. Either all processes have a Path, or none.
type Checkpoints struct {
	// Path is the file, which is replaced atomically; "" is none.
	Path string
	// Every is the least time between two writes; 0 is a minute if Iterations is 0, too.
	Every time.Duration
	// Iterations is the number of iterations between two writes; 0 does not count them.
	Iterations int
	// Fingerprint identifies the rows of this process; 0 is the Fingerprint of the rows given to
	// New. Set it where the rows were shifted before training by a number that rounds differently
	// on another number of processes, such as their mean.
	Fingerprint uint64
}

// everyDefault is the default time between writes.
const everyDefault = time.Minute

// ErrCheckpoint is returned, with the cause, by New and Train of process 0 where a checkpoint
// cannot be written.
var ErrCheckpoint = errors.New("checkpoint")

// CheckpointError says that a checkpoint does not belong to this training.
type CheckpointError struct {
	Path   string
	Reason string
}

// Error names the file.
func (e *CheckpointError) Error() string {
	return "checkpoint " + e.Path + " " + e.Reason + ": remove it to begin anew"
}

// state is the state of a training, which a checkpoint holds.
type state struct {
	lambda    float64
	iteration int
	objective float64
	w         []float64
	slopes    [][]float64
	offsets   []float64
}

// writes are the checkpoints of one training.
type writes struct {
	lambda  float64
	last    time.Time
	written int // the iteration of the last one
	now     Progress
	err     error // of writing
}

// unless is a context that also ends with an error of writing.
type unless struct {
	context.Context
	writes *writes
}

func (u unless) Err() error { return cmp.Or(u.writes.err, u.Context.Err()) }

// begin begins the checkpoints of a training.
func (c *writes) begin(ctx context.Context, lambda float64) context.Context {
	*c = writes{lambda: lambda, last: time.Now(), written: -1}
	return unless{ctx, c}
}

// due reports whether it is time for another checkpoint.
func (c *writes) due(o Checkpoints) bool {
	every := o.Every
	if every == 0 && o.Iterations == 0 {
		every = everyDefault
	}
	it := c.now.Iteration
	return it > 0 && (o.Iterations > 0 && it%o.Iterations == 0 || every > 0 && time.Since(c.last) >= every)
}

// progress runs after each iteration. A checkpoint that cannot be written ends the training of all
// processes.
func (s *Solver) progress(p Progress) {
	if c := &s.writes; s.writing() && c.err == nil {
		if c.now = p; c.due(s.o.Checkpoints) {
			s.write()
		}
	}
	if s.o.Progress != nil {
		s.o.Progress(p)
	}
}

// writing reports whether this process writes checkpoints.
func (s *Solver) writing() bool { return s.o.Checkpoints.Path != "" && s.group.First() }

// finish writes the last checkpoint of a training that ended with err, and returns its
// error. All processes wait until it is written.
func (s *Solver) finish(err error) error {
	c := &s.writes
	known := !errors.Is(err, ErrNumerical) && !errors.Is(err, ErrDiffer)
	if s.writing() && c.err == nil && known && c.now.Iteration > c.written {
		s.write()
	}
	own := c.err
	if s.o.Checkpoints.Path != "" && !s.group.Lost() {
		own = Agree(s.o.Processes, own)
	}
	return cmp.Or(c.err, err, own)
}

func (s *Solver) write() {
	c := &s.writes
	st := state{lambda: c.lambda, iteration: c.now.Iteration, objective: c.now.Objective}
	if s.newton != nil {
		st.w = s.newton.w
	} else {
		st.w, st.slopes, st.offsets = s.planes.State()
	}
	c.err = replace.File(s.o.Checkpoints.Path, func(w io.Writer) error { return st.write(w, s.identity()) })
	if c.err != nil {
		c.err = fmt.Errorf("%w: %w", ErrCheckpoint, c.err)
	}
	c.last, c.written = time.Now(), c.now.Iteration
}

// Resume makes the first Train continue from the checkpoint of Options.Checkpoints: it starts from
// the saved weights, in place of Options.Start, with the saved planes. Resume returns the progress
// of that training; nil where there is no file yet. The group may have another size, and other
// processes may have the queries, as long as all queries together are the same. Epsilon, counter
// and line search may differ.
//
// All processes call it. It returns a *CheckpointError for a file that is damaged, cut short, not a
// checkpoint, or from other data, another loss, weighting or λ. It also returns the errors of
// reading, and ErrElsewhere on the other processes. It panics after a Train. It costs the reading,
// and with several processes a message of n+1 numbers per plane.
func (s *Solver) Resume(lambda float64) (*Progress, error) {
	if s.planes != nil || s.newton != nil {
		panic("ranksvm: Resume is called before Train")
	}
	var st *state
	var err error
	if s.group.First() {
		st, err = s.read(lambda)
	}
	if err := Agree(s.o.Processes, err); err != nil {
		return nil, err
	}
	if st, err = s.share(st); st == nil || err != nil {
		return nil, err
	}
	s.saved = st
	return &Progress{Lambda: lambda, Iteration: st.iteration, Objective: st.objective, Planes: len(st.slopes)}, nil
}

// read returns the state in the file; nil where there is no file.
func (s *Solver) read(lambda float64) (*state, error) {
	path := s.o.Checkpoints.Path
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	st, reason := parse(text, s.identity())
	if reason == "" && st.lambda != lambda {
		reason = other("λ", st.lambda, lambda)
	}
	if reason != "" {
		return nil, &CheckpointError{path, reason}
	}
	return st, nil
}

// share gives the state of process 0 to all processes: a sum in which the others have zeros.
func (s *Solver) share(st *state) (*state, error) {
	group := processes.New(s.o.Processes)
	if group == nil {
		return st, nil
	}
	_, n := s.x.Dims()
	head := make([]float64, 4) // there is one, iteration, objective, planes
	if st != nil {
		copy(head, []float64{1, float64(st.iteration), st.objective, float64(len(st.slopes))})
	}
	if group.Sum(head); group.Err() != nil || head[0] == 0 {
		return nil, group.Err()
	}
	if st == nil {
		st = &state{iteration: int(head[1]), objective: head[2], w: make([]float64, n),
			offsets: make([]float64, int(head[3]))}
		for range st.offsets {
			st.slopes = append(st.slopes, make([]float64, n))
		}
	}
	group.Sum(st.w)
	for _, a := range st.slopes {
		group.Sum(a)
	}
	group.Sum(st.offsets)
	return st, group.Err()
}

// start returns the weights from which the first training begins.
func (s *Solver) start() []float64 {
	if s.saved != nil {
		return s.saved.w
	}
	return s.o.Start
}
