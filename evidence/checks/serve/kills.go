package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// kills kills servers during reloads and training while it writes, again and again: the file
// of the model must be whole every time.
func (r *run) kills() error {
	random := rand.New(rand.NewPCG(3, 3))
	if err := r.killServers(random); err != nil {
		return err
	}
	return r.killTraining(random)
}

// killServers kills servers that read their models without end.
func (r *run) killServers(random *rand.Rand) error {
	if err := r.gaussian("m.model", 300, 46); err != nil {
		return err
	}
	before, err := os.ReadFile(r.path("m.model"))
	if err != nil {
		return err
	}
	text := body(5, 46, 6)
	var want []float64
	const count = 20
	for k := range count {
		s, err := r.serve("m.model", "--poll", "1ms")
		if err != nil {
			return fmt.Errorf("after %d kills: %w", k, err)
		}
		scores, err := s.scores(text)
		if err != nil {
			return err
		}
		if want == nil {
			want = scores
		}
		if fmt.Sprint(scores) != fmt.Sprint(want) {
			return fmt.Errorf("after %d kills the scores are %v, and were %v", k, scores, want)
		}
		until := time.Now().Add(time.Duration(random.IntN(40)) * time.Millisecond)
		for time.Now().Before(until) {
			s.post("/-/reload", "")
		}
		go s.post("/-/reload", "")
		time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
		s.kill()
	}
	after, err := os.ReadFile(r.path("m.model"))
	r.finding(err == nil && string(after) == string(before),
		"%d servers killed during reloads: the model is the same to the last byte, and so are its scores", count)
	return err
}

// killTraining kills training that writes over a model which is served.
func (r *run) killTraining(random *rand.Rand) error {
	if err := r.rows("train.txt", 400, 46); err != nil {
		return err
	}
	train := func(lambda string) *exec.Cmd {
		cmd := exec.CommandContext(r.ctx, r.program, "train", "train.txt", "--kernel", "gaussian:gamma=0.02",
			"--lambda", lambda, "-o", "m.model", "--progress", "none")
		cmd.Dir = r.dir
		return cmd
	}
	began := time.Now()
	if out, err := train("1").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	took := time.Since(began)
	s, err := r.serve("m.model", "--poll", "5ms")
	if err != nil {
		return err
	}
	defer s.kill()
	text := body(5, 46, 6)
	killed, finished := 0, 0
	const count = 40
	for k := range count {
		cmd := train([]string{"1", "2"}[k%2])
		if err := cmd.Start(); err != nil {
			return err
		}
		// Mostly in the later part of its time, when it writes.
		timer := time.AfterFunc(time.Duration((0.3+0.7*random.Float64())*float64(took)), func() { cmd.Process.Kill() })
		if cmd.Wait() == nil {
			finished++
		} else {
			killed++
		}
		timer.Stop()
		if out, err := exec.CommandContext(r.ctx, r.program, "inspect",
			r.path("m.model")).CombinedOutput(); err != nil {
			return fmt.Errorf("after %d kills the model is not whole: %s", killed, out)
		}
		if _, err := s.scores(text); err != nil {
			return fmt.Errorf("after %d kills: %w", killed, err)
		}
	}
	failures, err := s.gauge(`pairrank_model_reloads_total{model="m",result="ok"}`)
	if err != nil {
		return err
	}
	_, refused := s.gauge(`pairrank_model_reloads_total{model="m",result="error"}`) // an error where there is none
	left, err := filepath.Glob(r.path("*m.model*"))
	r.finding(refused != nil && killed > 0,
		"training killed %d times and finished %d times over a model that is served: whole every time, %.0f reads of "+
			"it, none refused; %d files of it in the folder", killed, finished, failures, len(left))
	return err
}
