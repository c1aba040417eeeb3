package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// sample is one run.
type sample struct {
	seconds, cpu float64
	peak         int  // bytes, 0 where the system does not tell
	ended        bool // by its limit
}

// commands measures the rows that are commands.
func (m measurement) commands(ctx context.Context) error {
	head := false
	for _, row := range commandRows {
		if !m.chosen(row.name) {
			continue
		}
		if err := m.provide(ctx, row); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "speed: %s is skipped: %v\n", row.name, err)
			continue
		} else if err != nil {
			return err
		}
		samples, err := m.repeat(ctx, row)
		if err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
		if !head {
			fmt.Print(m.commandHead())
			head = true
		}
		fmt.Print(m.commandLine(row, samples))
	}
	return nil
}

// repeat runs a row in all rounds. What its limit ended once is not run again.
func (m measurement) repeat(ctx context.Context, row commandRow) (map[variant][]sample, error) {
	samples := map[variant][]sample{}
	for round := range m.rounds {
		for _, v := range m.variants(round) {
			done := samples[v]
			if len(done) > 0 && done[len(done)-1].ended {
				continue
			}
			one, err := m.once(ctx, v, row)
			if err != nil {
				return nil, err
			}
			samples[v] = append(done, one)
		}
	}
	return samples, nil
}

// once runs a command and waits for its end, or its limit.
func (m measurement) once(ctx context.Context, v variant, row commandRow) (sample, error) {
	limited, cancel := context.WithTimeout(ctx, row.limit)
	defer cancel()
	args := append(strings.Fields(row.args), "--threads", strconv.Itoa(v.threads), "--progress", "none")
	cmd := exec.CommandContext(limited, v.command(), args...)
	cmd.Dir = m.work
	var said strings.Builder
	cmd.Stderr = &said
	began := time.Now()
	err := cmd.Run()
	one := sample{seconds: time.Since(began).Seconds(), ended: limited.Err() != nil}
	if ctx.Err() != nil {
		return one, ctx.Err()
	}
	if err != nil && !one.ended {
		return one, fmt.Errorf("%s, pairrank %s: %w: %s", v.name, strings.Join(args, " "), err, said.String())
	}
	one.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	one.peak = peak(cmd.ProcessState)
	return one, nil
}

// provide makes the files of a row that are not there yet.
func (m measurement) provide(ctx context.Context, row commandRow) error {
	for _, name := range row.files {
		path := filepath.Join(m.work, name)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		fmt.Fprintf(os.Stderr, "speed: making %s\n", name)
		if err := m.makeFile(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
