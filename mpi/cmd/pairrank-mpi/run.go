package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/exit"
	"pairrank/internal/replace"
	"pairrank/learn/ranksvm"
)

// program is one process.
type program struct {
	group          ranksvm.AllReducer
	library        string // that carries the messages
	stdout, stderr io.Writer
	lost           bool // the other processes
}

// run is the program: all processes go through it together, and end together.
func (p *program) run(ctx context.Context, args []string) error {
	err := p.train(ctx, args)
	// The first process with an error reports it, and all end with its exit code, since the
	// launcher passes on that of any of them. No process ends before process 0 has written.
	own := 0.0
	if err != nil && !errors.Is(err, ranksvm.ErrElsewhere) {
		own = float64(exitCode(err))
	}
	who, lost := gather(p.group, own)
	p.lost = lost != nil
	teller := p.lost && err != nil && !errors.Is(err, ranksvm.ErrElsewhere)
	for process, code := range who {
		if !p.lost && code > 0 {
			teller = process == p.group.Rank()
			if !teller && err != nil {
				err = errOther{err, int(code)}
			}
			break
		}
	}
	if teller {
		text := words(err)
		if err == context.Canceled {
			text = "interrupted before there was a model"
		}
		fmt.Fprintf(p.stderr, "pairrank-mpi: process %d: %s\n", p.group.Rank(), text)
	}
	if err == nil {
		return lost
	}
	return err
}

// train reads, trains and writes.
func (p *program) train(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err = ranksvm.Agree(p.group, err); err != nil {
		return err
	}
	if o.threads > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.threads))
	}
	if p.group.Rank() == 0 {
		err = replace.Writable(o.output)
	}
	if err = ranksvm.Agree(p.group, err); err != nil {
		return err
	}
	start := time.Now()
	r, err := p.read(ctx, &o)
	if err != nil {
		return err
	}
	read := time.Since(start)
	to := o.training()
	to.Monitor = p.monitor(&o)
	group, begin := &timed{AllReducer: p.group}, processor()
	result, stopped := pairrank.TrainProcesses(ctx, group, pairrank.Problem{Set: r.set}, to)
	if result == nil || errors.Is(stopped, ranksvm.ErrLost) {
		return stopped // the last checkpoint is written
	}
	least, most, err := group.work(begin)
	if err != nil {
		return err
	}
	if p.group.Rank() == 0 {
		err = p.write(&o, result, stopped)
	}
	if err = ranksvm.Agree(p.group, err); err != nil && stopped == nil {
		return err
	}
	if p.group.Rank() == 0 {
		p.report(&o, result, read, time.Since(start))
		fmt.Fprintf(p.stdout, "%-10s %.3g to %.3g s of processor time a process for training, beside messages\n",
			"work", least, most)
	}
	return o.interrupted(stopped)
}

// interrupted says what a cancelled training has left.
func (o *options) interrupted(err error) error {
	switch {
	case !errors.Is(err, context.Canceled) || errors.Is(err, ranksvm.ErrElsewhere):
		return err
	case o.checkpoint == "":
		return fmt.Errorf("interrupted, and %s is the best model so far: %w", o.output, err)
	}
	return fmt.Errorf("interrupted: %s is the best model so far, and the next run goes on from %s: %w", o.output,
		o.checkpoint, err)
}

// read reads the files of this process; an error of one process ends all.
func (p *program) read(ctx context.Context, o *options) (*rows, error) {
	r, err := read(ctx, o, p.group.Rank(), p.group.Size())
	if err = ranksvm.Agree(p.group, err); err != nil {
		return nil, err
	}
	if r.set.X == nil || len(r.set.Y) == 0 {
		r.set.X = data.NewDense(0, 0, nil)
	}
	if err := r.checkQueries(p.group, o); err != nil {
		return nil, err
	}
	return r, r.widen(p.group)
}

// write writes the model, and removes the checkpoint where the training is over.
func (p *program) write(o *options, r *pairrank.Result, stopped error) error {
	if err := r.Model.WriteFile(o.output); err != nil {
		return err
	}
	if o.checkpoint == "" || stopped != nil {
		return nil
	}
	return os.Remove(o.checkpoint)
}

// monitor prints notes at once and progress now and then, on process 0.
func (p *program) monitor(o *options) pairrank.Monitor {
	if p.group.Rank() != 0 {
		return pairrank.Monitor{}
	}
	m := pairrank.Monitor{Note: func(n pairrank.Note) { fmt.Fprintln(p.stderr, "pairrank-mpi:", n.Text) }}
	if o.progress > 0 {
		last := time.Now()
		m.Progress = func(now pairrank.Progress) {
			if now.Text != "" && time.Since(last) >= o.progress {
				last = time.Now()
				fmt.Fprintf(p.stderr, "pairrank-mpi: %s\n", now.Text)
			}
		}
	}
	return m
}

// report prints the training, on process 0.
func (p *program) report(o *options, r *pairrank.Result, read, all time.Duration) {
	t := r.Training
	line := func(name, format string, args ...any) {
		fmt.Fprintf(p.stdout, "%-10s "+format+"\n", append([]any{name}, args...)...)
	}
	line("learner", "ranksvm, kernel linear")
	line("processes", "%d, %s", p.group.Size(), p.library)
	line("data", "%d rows, %d features, %d queries in %d files", t.Rows, t.Features, t.Queries, len(o.files))
	line("pairs", "%.0f compared", t.Pairs)
	line("objective", "%s", t.Objective)
	line("solver", "%s: %s", t.Solver, t.Why)
	line("lambda", "%v", t.Lambda)
	line("optimum", "J = %.17g, at most %.2g above it, after %d iterations", t.Minimum, t.Gap, t.Iterations)
	line("sent", "%d messages, %d bytes by each process", t.Messages, t.Bytes)
	line("seconds", "%.3g reading, %.3g training", read.Seconds(), (all - read).Seconds())
	line("model", "%s", o.output)
}

// errOther is the error of a process when another process reports its error; it has the same exit
// code.
type errOther struct {
	error
	code int
}

func (e errOther) Unwrap() error { return e.error }

// exitCode returns the exit code of an error.
func exitCode(err error) int {
	var other errOther
	var usage errUsage
	var read errData
	var known *pairrank.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &other):
		return other.code
	case errors.Is(err, context.Canceled):
		return exit.Interrupted
	case errors.As(err, &usage):
		return exit.Usage
	case errors.As(err, &read):
		return exit.Data
	case !errors.As(err, &known):
		return exit.Runtime
	}
	return exit.OfKind(known.Kind)
}
