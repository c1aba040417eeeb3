package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/evidence/checks/internal/process"
)

// sample is one run.
type sample struct {
	process.Usage
	ended bool   // by its limit
	made  []byte // what it wrote
}

// commands measures the rows that are commands.
func (m *measurement) commands(ctx context.Context) error {
	head, rows := false, commandRows
	if m.defaults {
		folder, err := filepath.Abs(m.data)
		if err != nil {
			return err
		}
		rows = defaultRows(folder)
	}
	for _, row := range rows {
		if !m.chosen(row.name) {
			continue
		}
		if err := m.provide(ctx, row); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "speed: %s is skipped: %v\n", row.name, err)
			continue
		} else if err != nil {
			return err
		}
		for k, threads := range m.counts {
			if row.work == (work{}) {
				break
			}
			m.best[k] = measureSpeeds(threads, m.best[k])
		}
		samples, err := m.repeat(ctx, row)
		if err != nil && m.defaults && ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "speed: %s: %v\n", row.name, err)
			m.worse = append(m.worse, row.name+": ends with an error")
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
		if !head {
			fmt.Print(m.commandHead())
			head = true
		}
		fmt.Print(m.commandLine(row, samples))
		m.bound(row, samples)
		m.late(row, samples)
	}
	fmt.Print(m.boundsTable())
	return nil
}

// late notes a default of the tree measured last that takes more than ten seconds of the clock.
func (m *measurement) late(row commandRow, samples map[variant][]sample) {
	const most = 10
	for _, threads := range m.counts {
		took := clock(samples[variant{m.trees[len(m.trees)-1], threads}])
		if m.defaults && took > most {
			m.worse = append(m.worse, fmt.Sprintf("%s, %d threads: %.1f s", row.name, threads, took))
		}
	}
}

// repeat runs a row in all rounds. A command that its limit ended once is not run again.
func (m *measurement) repeat(ctx context.Context, row commandRow) (map[variant][]sample, error) {
	samples := map[variant][]sample{}
	for round := range m.rounds {
		for _, v := range m.variants(round) {
			done := samples[v]
			if len(done) > 0 && done[len(done)-1].ended {
				continue
			}
			one, err := m.once(ctx, v, row)
			if err != nil && ctx.Err() == nil && len(m.trees) == 2 && v.tree == m.trees[0] {
				fmt.Fprintf(os.Stderr, "speed: %s has no %s: %v\n", v.name, row.name, err)
				samples[v] = []sample{}
				continue
			}
			if err != nil {
				return nil, err
			}
			if len(done) > 0 {
				done[len(done)-1].made = nil // the last is compared
			}
			samples[v] = append(done, one)
		}
	}
	return samples, nil
}

// once runs a command and waits for its end, or its limit.
func (m *measurement) once(ctx context.Context, v variant, row commandRow) (sample, error) {
	limited, cancel := context.WithTimeout(ctx, row.limit)
	defer cancel()
	args := strings.Fields(row.args)
	var used process.Usage
	var printed []byte
	var err error
	if args[0] == "python" {
		args[0] = filepath.Join(m.trees[len(m.trees)-1].dir, "evidence", "checks", "speed", "python.py")
		env := append(os.Environ(), "PYTHONPATH="+filepath.Join(v.dir, "python"), "PYTHONDONTWRITEBYTECODE=1",
			"PAIRRANK_PROGRAM="+v.command(), fmt.Sprintf("OMP_NUM_THREADS=%d", v.threads))
		used, printed, err = process.Run(limited, m.work, env, m.python, append(args, strconv.Itoa(v.threads))...)
	} else {
		args = append(args, "--threads", strconv.Itoa(v.threads), "--progress", "none")
		used, printed, err = process.Run(limited, m.work, nil, v.command(), args...)
	}
	one := sample{Usage: used, ended: limited.Err() != nil}
	switch {
	case ctx.Err() != nil:
		return one, ctx.Err()
	case one.ended:
		return one, nil
	case err != nil:
		return one, fmt.Errorf("%s: %w", v.name, err)
	}
	one.made, err = m.result(row, printed)
	return one, err
}

// provide makes the files of a row that are not there yet.
func (m *measurement) provide(ctx context.Context, row commandRow) error {
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
