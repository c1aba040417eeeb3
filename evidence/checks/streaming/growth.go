package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"pairrank/evidence/checks/internal/process"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
)

// numbers of features of the curve, each with rows of about as much text.
var features = []int{10, 46, 136, 350, 700}

// growth draws the cost over rows, features and workers, and the price that follows.
func growth(ctx context.Context, s *settings) (found experiment.Result, err error) {
	t := experiment.NewTable("rows", "%.0f", "features", "%.0f", "CPU s of stream train, one thread", "%.2f",
		"of parsing alone", "%.2f", "µs a row", "%.2f", "peak memory, MB", "%.0f")
	byRows, err := s.overRows(ctx, t)
	if err != nil {
		return found, err
	}
	byFeatures, seconds, bytes, err := s.overFeatures(ctx, t)
	if err != nil {
		return found, err
	}
	byWorkers, table, err := s.overWorkers(ctx)
	if err != nil {
		return found, err
	}
	drawing := figure.Figure{
		Title: "The cost grows with the rows; that of a row grows faster than its features, and more slowly than " +
			"their square",
		Panels: []figure.Panel{byRows, byFeatures, byWorkers},
	}
	found.Draw("streaming-cost.svg", "CPU seconds of a pass over rows and features, and rows a second over workers",
		drawing.SVG())
	found.Add(t)
	found.Add(table)
	s.machine.prices(&found, []int{features[1], features[len(features)-1]},
		[]float64{seconds[1], seconds[len(seconds)-1]}, []float64{bytes[1], bytes[len(bytes)-1]})
	return found, nil
}

// point measures one pass of each kind on one thread, and puts it into the table.
func (s *settings) point(ctx context.Context, t *experiment.Table, h shape) (stream, parse process.Usage, err error) {
	files, err := s.parts(ctx, h)
	if err != nil {
		return stream, parse, err
	}
	used, err := inTurn(ctx, s.runs, []way{
		{fmt.Sprintf("stream of %d × %d", h.rows, h.features), 1,
			func(ctx context.Context) (process.Usage, error) { return s.stream(ctx, 1, files) }},
		{"parsing alone", 1, func(ctx context.Context) (process.Usage, error) { return s.parse(ctx, 1, files) }},
	})
	if err != nil {
		return stream, parse, err
	}
	t.Row(h.rows, h.features, used[0].CPU, used[1].CPU, used[0].CPU/float64(h.rows)*1e6, float64(used[0].Peak)/1e6)
	return used[0], used[1], nil
}

// overRows is the panel of rows.
func (s *settings) overRows(ctx context.Context, t *experiment.Table) (figure.Panel, error) {
	p := figure.Panel{Title: "rows, 46 features", Unit: "CPU time, log scale", Below: "rows, log scale",
		X: figure.Thousands, Y: figure.Seconds, Direct: true,
		Series: []figure.Series{{Name: "stream train"}, {Name: "parsing", Style: 1}}}
	for rows := max(s.most/32, 1000); rows <= s.most; rows *= 2 {
		stream, parse, err := s.point(ctx, t, shape{rows: rows, features: 46, queries: rows / 250, files: 4})
		if err != nil {
			return p, err
		}
		p.Series[0].Points = append(p.Series[0].Points, [2]float64{float64(rows), stream.CPU})
		p.Series[1].Points = append(p.Series[1].Points, [2]float64{float64(rows), parse.CPU})
	}
	return p, nil
}

// overFeatures is the panel of features, with the seconds and the bytes of a row of each
// number of them. The cost of a row is the difference of two sets, one with twice the
// rows of the other, so that what is done once is not in it.
func (s *settings) overFeatures(ctx context.Context,
	t *experiment.Table) (p figure.Panel, seconds, bytes []float64, err error) {
	p = figure.Panel{Title: "features", Unit: "CPU time of a row, log scale", Below: "features, log scale",
		X: figure.Plain, Y: figure.Seconds, Direct: true,
		Series: []figure.Series{{Name: "stream train"}, {Name: "parsing", Style: 1}}}
	for _, n := range features {
		rows := max(s.most/8*46/n/1000, 1) * 1000
		var stream, parse [2]float64
		for k := range 2 {
			h := shape{rows: rows << k, features: n, queries: (rows << k) / 250, files: 4}
			streamed, parsed, err := s.point(ctx, t, h)
			if err != nil {
				return p, nil, nil, err
			}
			stream[k], parse[k] = streamed.CPU, parsed.CPU
		}
		row, alone := (stream[1]-stream[0])/float64(rows), (parse[1]-parse[0])/float64(rows)
		p.Series[0].Points = append(p.Series[0].Points, [2]float64{float64(n), row})
		p.Series[1].Points = append(p.Series[1].Points, [2]float64{float64(n), alone})
		files, err := s.parts(ctx, shape{rows: rows, features: n, queries: rows / 250, files: 4})
		if err != nil {
			return p, nil, nil, err
		}
		text, err := size(files)
		if err != nil {
			return p, nil, nil, err
		}
		seconds, bytes = append(seconds, row), append(bytes, float64(text)/float64(rows))
	}
	return p, seconds, bytes, nil
}

// overWorkers is the panel of workers, each a process of `pairrank stats` with one thread,
// and their table; there are no more cores here than two.
func (s *settings) overWorkers(ctx context.Context) (figure.Panel, *experiment.Table, error) {
	p := figure.Panel{Title: "workers of one thread", Unit: "rows/s", Below: "workers", X: figure.Plain,
		Y: figure.Thousands, Linear: true, Direct: true,
		Series: []figure.Series{{Name: "stats"}}}
	t := experiment.NewTable("workers of pairrank stats, one thread each", "%.0f", "s of all of them", "%.2f",
		"rows/s", "%.0f", "s of merge", "%.2f")
	h := shape{rows: s.most / 4, features: 46, queries: s.most / 1000, files: 16}
	files, err := s.parts(ctx, h)
	if err != nil {
		return p, nil, err
	}
	for _, workers := range []int{1, 2, 4} {
		var seconds, merging []float64
		for range s.runs {
			took, merge, err := s.workers(ctx, workers, files)
			if err != nil {
				return p, nil, err
			}
			seconds, merging = append(seconds, took), append(merging, merge)
		}
		took := experiment.Median(seconds)
		p.Series[0].Points = append(p.Series[0].Points, [2]float64{float64(workers), float64(h.rows) / took})
		t.Row(workers, took, float64(h.rows)/took, experiment.Median(merging))
	}
	return p, t, nil
}

// workers runs so many workers at once, and merges what they made.
func (s *settings) workers(ctx context.Context, workers int, files []string) (seconds, merging float64, err error) {
	if err := os.RemoveAll(filepath.Join(s.work, "units")); err != nil {
		return 0, 0, err
	}
	errs := make([]error, workers)
	began := time.Now()
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			args := []string{"stream", "stats", "-o", "units", "--index", strconv.Itoa(k), "--count", strconv.Itoa(workers)}
			_, errs[k] = s.command(ctx, 1, append(args, files...)...)
		})
	}
	group.Wait()
	seconds = time.Since(began).Seconds()
	for _, err := range errs {
		if err != nil {
			return 0, 0, err
		}
	}
	merge, err := s.command(ctx, 1, "merge", "units", "-o", "units.model")
	return seconds, merge.Seconds, err
}
