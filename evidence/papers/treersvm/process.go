package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/ostat"
)

// job is what a process has to do: to train with the first rows of a file, and
// to test with all from another on.
type job struct {
	File     string
	Rows     int
	TestFrom int
	Loss     ranksvm.Loss
	Counter  ostat.Counting
	Pairs    int // that are formed by PRSVM; 0: by the solver of ranksvm
	Lambda   float64
	Runs     int
	Patience time.Duration
}

// trained is what it found. Bytes are 0 where the system does not tell.
type trained struct {
	Matrix                            int // bytes
	PeakRead                          int // of the process when the rows were read,
	Peak                              int // and after the first training
	Seconds                           float64
	Iterations, Evaluations, Products int
	Objective, Gap                    float64
	Wrong                             float64 // the part of the pairs of test rows in the wrong order, a tie ½
}

// send has a job done by a separate process.
func (j job) send(ctx context.Context) (*trained, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "-child")
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", runtime.GOMAXPROCS(0)))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("training with %d rows: %w", j.Rows, err)
	}
	t := new(trained)
	return t, json.Unmarshal(out, t)
}

// serve is that process.
func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	t, err := j.do(ctx)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(t)
}

func (j job) do(ctx context.Context) (*trained, error) {
	set, err := load(j.File, 0, j.Rows)
	if err != nil {
		return nil, err
	}
	t := &trained{Matrix: bytesOf(set.X), PeakRead: peak()}
	var fit *ranksvm.Fit
	t.Seconds, err = repeat(j.Runs, j.Patience, func() error {
		if fit, err = j.train(ctx, set); err != nil {
			return err
		}
		if t.Peak == 0 {
			t.Peak = peak()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !fit.Converged {
		return nil, fmt.Errorf("not converged after %d iterations: %v left", fit.Iterations, fit.Left)
	}
	t.Iterations, t.Evaluations, t.Products, t.Objective, t.Gap = fit.Iterations, fit.Evaluations, fit.Products,
		fit.Objective, fit.Gap
	test, err := load(j.File, j.TestFrom, -1)
	if err != nil {
		return nil, err
	}
	t.Wrong, err = wrong(test, fit.Weights)
	return t, err
}

// train is one training.
func (j job) train(ctx context.Context, set *data.Set) (*ranksvm.Fit, error) {
	if j.Pairs > 0 {
		return newPRSVM(set.X, set.Y, j.Pairs).train(ctx, j.Lambda)
	}
	s, err := ranksvm.New(set.X, set.Y, data.OneList(len(set.Y)),
		ranksvm.Options{Loss: j.Loss, Counter: j.Counter, Epsilon: epsilon})
	if err != nil {
		return nil, err
	}
	return s.Train(ctx, j.Lambda)
}

// wrong is the part of the pairs in the wrong order.
func wrong(s *data.Set, w []float64) (float64, error) {
	f := make([]float64, len(s.Y))
	s.X.MulVecTo(f, w)
	report, err := metric.Evaluate(metric.Input{Labels: s.Y, Scores: f}, []metric.Metric{metric.Disagreement},
		metric.Options{})
	if err != nil {
		return 0, err
	}
	return report.Results[0].Mean.Value, nil
}

// peak is the most memory that this process had, VmHWM of Linux; 0 on others.
func peak() int {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.TrimSpace(strings.SplitN(rest, "kB", 2)[0]))
	if err != nil {
		return 0
	}
	return 1024 * kilobytes
}
