package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"pairrank/evidence/papers/experiment"
	"pairrank/model"
)

// small is the set of the table of ways, and lambda the λ of all of them: 2¹⁰.
var small = shape{rows: 100_000, features: 46, queries: 400, files: 21}

const lambda = "1024"

// trained is a model and how it came about.
type trained struct {
	way, file string
}

// ways is the table of all ways to the same model.
func ways(ctx context.Context, s *settings) (found experiment.Result, err error) {
	parts, err := s.parts(ctx, small)
	if err != nil {
		return found, err
	}
	var all []trained
	for _, make := range []func(context.Context, []string) ([]trained, error){s.inMemory, s.streamed, s.merged,
		s.updated, s.beamed} {
		some, err := make(ctx, parts)
		if err != nil {
			return found, err
		}
		all = append(all, some...)
	}
	t := experiment.NewTable("way", "%s", "largest difference of a weight, of the largest weight", "%.1e",
		"weights beside stream train", "%s")
	whole, err := weights(filepath.Join(s.work, all[0].file))
	if err != nil {
		return found, err
	}
	streamed, err := weights(filepath.Join(s.work, "stream.model"))
	if err != nil {
		return found, err
	}
	for _, m := range all {
		w, err := weights(filepath.Join(s.work, m.file))
		if err != nil {
			return found, err
		}
		same := fmt.Sprintf("%.1e", difference(w, streamed))
		if slices.Equal(w, streamed) {
			same = "the same bits"
		}
		t.Row(m.way, difference(w, whole), same)
	}
	found.Text("%d rows × %d features in %d queries and %d files, λ = 2¹⁰.", small.rows, small.features, small.queries,
		small.files)
	found.Add(t)
	return found, nil
}

// weights are those of a linear model.
func weights(file string) ([]float64, error) {
	m, err := model.ReadFile(file)
	if err != nil {
		return nil, err
	}
	linear, ok := m.Scorer.(*model.Linear)
	if !ok {
		return nil, fmt.Errorf("%s is not a linear model", file)
	}
	return linear.Weights.Row(0), nil
}

// difference is the largest one of two vectors, relative to the largest number.
func difference(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	largest, scale := 0.0, 0.0
	for j, v := range b {
		largest, scale = max(largest, math.Abs(a[j]-v)), max(scale, math.Abs(v))
	}
	return largest / scale
}

// inMemory trains from all rows in one file.
func (s *settings) inMemory(ctx context.Context, parts []string) ([]trained, error) {
	if err := join(filepath.Join(s.work, "all.txt"), parts); err != nil {
		return nil, err
	}
	_, err := s.command(ctx, 2, "train", "all.txt", "--lambda", lambda, "-o", "memory.model")
	return []trained{{"train, in memory", "memory.model"}}, err
}

// join writes files after each other.
func join(to string, parts []string) error {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	for _, name := range parts {
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		if in.Close(); err != nil {
			return err
		}
	}
	return out.Close()
}

// streamed trains in one pass, on one thread and on two.
func (s *settings) streamed(ctx context.Context, parts []string) (all []trained, err error) {
	for _, threads := range []int{2, 1} {
		file := map[int]string{1: "stream-1.model", 2: "stream.model"}[threads]
		if _, err := s.command(ctx, threads,
			append([]string{"stream", "train", "--lambda", lambda, "-o", file}, parts...)...); err != nil {
			return nil, err
		}
		all = append(all, trained{fmt.Sprintf("stream train --threads %d", threads), file})
	}
	return all, nil
}

// merged has workers make the statistics of the files, in any order, and merges them.
func (s *settings) merged(ctx context.Context, parts []string) (all []trained, err error) {
	var first []byte
	for _, workers := range []int{1, 3, 7} {
		folder, file := fmt.Sprintf("units-%d", workers), fmt.Sprintf("merge-%d.model", workers)
		if err := os.RemoveAll(filepath.Join(s.work, folder)); err != nil {
			return nil, err
		}
		for _, index := range rand.New(rand.NewPCG(seed, uint64(workers))).Perm(workers) {
			args := []string{"stream", "stats", "-o", folder, "--index", strconv.Itoa(index), "--count", strconv.Itoa(workers)}
			if _, err := s.command(ctx, 1, append(args, parts...)...); err != nil {
				return nil, err
			}
		}
		if _, err := s.command(ctx, 1, "merge", folder, "--lambda", lambda, "-o", file); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(filepath.Join(s.work, file))
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = text
		}
		name := fmt.Sprintf("stats with --count %d, workers in any order, and merge", workers)
		if !bytes.Equal(text, first) {
			name += " (another file than with --count 1)"
		}
		all = append(all, trained{name, file})
	}
	return all, nil
}

// updated trains from the first files and adds the others in ten portions, and adds and
// forgets the last file.
func (s *settings) updated(ctx context.Context, parts []string) ([]trained, error) {
	portions := [][]string{parts[:len(parts)-20]}
	for rest := parts[len(parts)-20:]; len(rest) > 0; rest = rest[2:] {
		portions = append(portions, rest[:2])
	}
	for k, portion := range portions {
		args := []string{"stream", "update", "update.model", "--lambda", lambda, "-o", "update.model"}
		if k == 0 {
			args = []string{"stream", "train", "--keep-moments", "--lambda", lambda, "-o", "update.model"}
		}
		if _, err := s.command(ctx, 2, append(args, portion...)...); err != nil {
			return nil, err
		}
	}
	all := []trained{{fmt.Sprintf("update in %d portions", len(portions)-1), "update.model"}}
	extra, err := s.parts(ctx, shape{rows: 20_000, features: small.features, queries: 80, files: 1})
	if err != nil {
		return nil, err
	}
	other := filepath.Join(s.work, "other.txt")
	if err := rename(other, extra[0]); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"update.model", other}, {"forget.model", other, "--forget"}} {
		args = append([]string{"stream", "update", "--lambda", lambda, "-o", "forget.model"}, args...)
		if _, err := s.command(ctx, 2, args...); err != nil {
			return nil, err
		}
	}
	return append(all, trained{"… another 20,000 rows added and forgotten", "forget.model"}), nil
}

// rename copies rows, with other names of the queries.
func rename(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, bytes.ReplaceAll(text, []byte(" qid:"), []byte(" qid:other-")), 0o666)
}
