package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
)

// reloads exchanges and damages the file of a model while it is asked.
func (r *run) reloads() error {
	if err := r.linear("m.model", 46, 1); err != nil {
		return err
	}
	s, err := r.serve("m.model")
	if err != nil {
		return err
	}
	defer s.kill()
	text := body(20, 46, 6)
	base, err := s.scores(text)
	if err != nil {
		return err
	}
	var answered, wrong atomic.Int64
	var firstWrong atomic.Value
	var stop atomic.Bool
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for !stop.Load() {
				if err := s.oneOf(text, base); err != nil {
					firstWrong.CompareAndSwap(nil, err.Error())
					wrong.Add(1)
				}
				answered.Add(1)
			}
		})
	}
	done, refused, err := r.exchange(s, 200)
	stop.Store(true)
	wait.Wait()
	if err != nil {
		return err
	}
	r.finding(wrong.Load() == 0 && done == 150 && refused == 50,
		"%d reloads and %d refused ones under load: %d requests, %d failed or answered by two models%v", done, refused,
		answered.Load(), wrong.Load(), because(firstWrong.Load()))
	return s.alive()
}

// exchange writes the model of one factor or another, or a damaged one, and has it read.
func (r *run) exchange(s *server, count int) (done, refused int, err error) {
	for k := range count {
		damaged := k%4 == 3
		if damaged {
			err = os.WriteFile(r.path("m.model"), []byte("pairrank model 1\nlearner rankrls\n"), 0o666)
		} else {
			err = r.linear("m.model", 46, float64(1+k%2))
		}
		if err != nil {
			return done, refused, err
		}
		status, answer, err := s.post("/-/reload", "")
		switch {
		case err != nil:
			return done, refused, err
		case status == 200 && !damaged:
			done++
		case status == 409 && damaged:
			refused++
		default:
			return done, refused, fmt.Errorf("reload %d: status %d: %s", k, status, answer)
		}
	}
	return done, refused, nil
}

// because is the first fault, if there is one.
func because(fault any) string {
	if fault == nil {
		return ""
	}
	return fmt.Sprintf(": %v", fault)
}

func (s *server) scores(text string) ([]float64, error) {
	status, answer, err := s.post("/v1/models/m/score", text)
	if err != nil {
		return nil, err
	}
	if status != 200 {
		return nil, fmt.Errorf("status %d: %s", status, answer)
	}
	var a struct{ Scores []float64 }
	err = json.NewDecoder(bytes.NewReader(answer)).Decode(&a)
	return a.Scores, err
}

// oneOf asks, and holds the answer to the scores of one of the two models: base, or twice
// that.
func (s *server) oneOf(text string, base []float64) error {
	scores, err := s.scores(text)
	if err != nil {
		return err
	}
	if len(scores) != len(base) {
		return fmt.Errorf("%d scores for %d rows", len(scores), len(base))
	}
	factor := math.Round(scores[0] / base[0])
	for k, v := range scores {
		if factor != 1 && factor != 2 || math.Abs(v-factor*base[k]) > 1e-9*(1+math.Abs(v)) {
			return fmt.Errorf("score %d is %v, of a model %v", k, v, base[k])
		}
	}
	return nil
}
