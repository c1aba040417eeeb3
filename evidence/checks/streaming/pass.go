package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"pairrank/evidence/checks/internal/process"
	"pairrank/evidence/papers/experiment"
)

// median is what a process took in several runs: the median of each.
func median(runs []process.Usage) process.Usage {
	var seconds, cpu, peak []float64
	for _, u := range runs {
		seconds, cpu, peak = append(seconds, u.Seconds), append(cpu, u.CPU), append(peak, float64(u.Peak))
	}
	return process.Usage{Seconds: experiment.Median(seconds), CPU: experiment.Median(cpu),
		Peak: int(experiment.Median(peak))}
}

// way is a pass over files.
type way struct {
	name    string
	threads int
	run     func(context.Context) (process.Usage, error)
}

// inTurn runs all ways one after the other, so many times, and returns the median of each.
func inTurn(ctx context.Context, runs int, ways []way) ([]process.Usage, error) {
	all := make([][]process.Usage, len(ways))
	for range runs {
		for k, w := range ways {
			used, err := w.run(ctx)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(os.Stderr, "streaming: %s, %d threads: %.1f s\n", w.name, w.threads, used.Seconds)
			all[k] = append(all[k], used)
		}
	}
	medians := make([]process.Usage, len(ways))
	for k := range ways {
		medians[k] = median(all[k])
	}
	return medians, nil
}

// stream trains from files in one pass.
func (s *settings) stream(ctx context.Context, threads int, files []string) (process.Usage, error) {
	return s.command(ctx, threads, append([]string{"stream", "train", "-o", "stream.model"}, files...)...)
}

// parse reads files and does nothing else.
func (s *settings) parse(ctx context.Context, threads int, files []string) (process.Usage, error) {
	program, err := os.Executable()
	if err != nil {
		return process.Usage{}, err
	}
	used, _, err := process.Run(ctx, s.work, append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(threads)), program,
		append([]string{parseOnly}, files...)...)
	return used, err
}

// pass is the table of one pass over the large set.
func pass(ctx context.Context, s *settings) (found experiment.Result, err error) {
	files, err := s.parts(ctx, s.shape)
	if err != nil {
		return found, err
	}
	bytes, err := size(files)
	if err != nil {
		return found, err
	}
	var ways []way
	for _, threads := range []int{1, 2} {
		ways = append(ways,
			way{"stream train", threads,
				func(ctx context.Context) (process.Usage, error) { return s.stream(ctx, threads, files) }},
			way{"parsing alone", threads,
				func(ctx context.Context) (process.Usage, error) { return s.parse(ctx, threads, files) }})
	}
	medians, err := inTurn(ctx, s.runs, ways)
	if err != nil {
		return found, err
	}
	t := experiment.NewTable("pass", "%s", "threads", "%.0f", "s", "%.1f", "rows/s", "%.0f", "MB/s of text", "%.0f",
		"CPU s", "%.1f", "peak memory, MB", "%.0f")
	for k, u := range medians {
		t.Row(ways[k].name, ways[k].threads, u.Seconds, float64(s.shape.rows)/u.Seconds, float64(bytes)/1e6/u.Seconds,
			u.CPU, float64(u.Peak)/1e6)
	}
	found.Text("%d rows × %d features in %d queries, %d files of %.1f GB together; ten folds and 31 λ from the same "+
		"pass; medians of %d runs in turn. The files have been read before, so that the disk is not measured.",
		s.shape.rows, s.shape.features, s.shape.queries, s.shape.files, float64(bytes)/1e9, s.runs)
	found.Add(t)
	found.Text("Two threads are %.2f × as fast as one; training takes %.2f and %.2f of the time that parsing alone "+
		"takes, on one and two threads.",
		medians[0].Seconds/medians[2].Seconds, medians[0].Seconds/medians[1].Seconds,
		medians[2].Seconds/medians[3].Seconds)
	return found, nil
}
