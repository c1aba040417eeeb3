package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// benchmarkLine is what `go test -bench` prints of one benchmark; the end of the
// name that tells the number of threads is not part of the name.
var benchmarkLine = regexp.MustCompile(`(?m)^(Benchmark\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// timings are nanoseconds, by benchmark and variant.
type timings struct {
	names []string // in the order in which they were first seen
	of    map[string]map[variant][]float64
}

// benchmarks measures the rows that are Go benchmarks, of one package after the
// other, so that its rounds are near each other in time.
func (m *measurement) benchmarks(ctx context.Context) error {
	head := false
	for _, row := range benchmarkRows {
		if !m.chosen(row.pkg) {
			continue
		}
		found, err := m.benchmarksOf(ctx, row)
		if err != nil {
			return fmt.Errorf("%s: %w", row.pkg, err)
		}
		if !head {
			fmt.Print(m.benchmarkHead())
			head = true
		}
		fmt.Print(m.benchmarkLines(row, found))
	}
	return nil
}

func (m *measurement) benchmarksOf(ctx context.Context, row benchmarkRow) (timings, error) {
	found := timings{of: map[string]map[variant][]float64{}}
	binary := strings.ReplaceAll(row.pkg, "/", "-") + ".test"
	for _, t := range m.trees {
		if _, err := os.Stat(filepath.Join(t.dir, row.pkg)); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "speed: %s has no %s\n", t.name, row.pkg)
			continue
		}
		if err := t.build(ctx, "test -c", filepath.Join(t.bin, binary), "./"+row.pkg); err != nil {
			return found, err
		}
	}
	for round := range m.rounds {
		for _, v := range m.variants(round) {
			if _, err := os.Stat(filepath.Join(v.bin, binary)); err != nil {
				continue
			}
			out, err := v.benchmark(ctx, row, binary)
			if err != nil {
				return found, err
			}
			found.add(v, out)
		}
	}
	return found, nil
}

// benchmark runs the benchmarks of a package, each for a fifth of a second.
func (v variant) benchmark(ctx context.Context, row benchmarkRow, binary string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(v.bin, binary), "-test.run=^$", "-test.bench="+row.pattern,
		"-test.benchtime=0.2s",
		"-test.cpu="+strconv.Itoa(v.threads))
	cmd.Dir = filepath.Join(v.dir, row.pkg)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", v.name, err, said.String())
	}
	return out, nil
}

// add takes the lines of one run.
func (t *timings) add(v variant, out []byte) {
	for _, line := range benchmarkLine.FindAllSubmatch(out, -1) {
		name := string(line[1])
		nanoseconds, err := strconv.ParseFloat(string(line[2]), 64)
		if err != nil {
			continue
		}
		if t.of[name] == nil {
			t.of[name] = map[variant][]float64{}
			t.names = append(t.names, name)
		}
		t.of[name][v] = append(t.of[name][v], nanoseconds)
	}
}
