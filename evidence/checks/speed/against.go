package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"pairrank/evidence/papers/experiment"
)

// worktree checks out a commit of the repository that has the tree to measure, in the work folder, and returns its
// folder and what removes it.
func worktree(ctx context.Context, s settings) (dir string, remove func(), err error) {
	git := func(ctx context.Context, args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", s.after}, args...)...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
		}
		return strings.TrimSpace(string(out)), nil
	}
	commit, err := git(ctx, "rev-parse", "--verify", s.against+"^{commit}")
	if err != nil {
		return "", nil, err
	}
	work, err := filepath.Abs(s.work)
	if err != nil {
		return "", nil, err
	}
	if dir, err = os.MkdirTemp(work, "against"); err != nil {
		return "", nil, err
	}
	if _, err := git(ctx, "worktree", "add", "--force", "--detach", dir, commit); err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, func() {
		if _, err := git(context.WithoutCancel(ctx), "worktree", "remove", "--force", dir); err != nil {
			fmt.Fprintln(os.Stderr, "speed:", err)
		}
	}, nil
}

// verdict compares a quantity of the rounds before and after, of the same length.
type verdict struct {
	median float64 // of after/before of a round
	least  float64 // the least after beside the least before
}

func newVerdict(before, after []float64) verdict {
	ratios := make([]float64, len(before))
	for k := range before {
		ratios[k] = after[k] / before[k]
	}
	return verdict{experiment.Median(ratios), slices.Min(after) / slices.Min(before)}
}

// of is the verdict in a word. Both numbers must agree: other work on the machine makes some rounds long, which the
// least times do not see, and luck makes one round short, which the median does not see.
func (v verdict) of(threshold float64) string {
	switch {
	case min(v.median, v.least) > 1+threshold:
		return "slower"
	case max(v.median, v.least) < 1/(1+threshold):
		return "faster"
	}
	return "same"
}

// judge is the cell of a row about what it took before and after, with each number of threads, and notes what is slower
// or takes more memory.
func (m *measurement) judge(name string, of func(v variant) (took, peak []float64)) string {
	if len(m.trees) < 2 {
		return ""
	}
	var words []string
	for _, threads := range m.counts {
		before, peakBefore := of(variant{m.trees[0], threads})
		after, peakAfter := of(variant{m.trees[1], threads})
		if len(before) == 0 || len(before) != len(after) {
			words = append(words, "not compared")
			continue
		}
		v := newVerdict(before, after)
		word := v.of(m.threshold)
		words = append(words, fmt.Sprintf("%s (%.3f, %.3f)", word, v.median, v.least))
		if word == "slower" {
			m.worse = append(m.worse, fmt.Sprintf("%s, %d threads: slower, %.3f ×", name, threads, v.median))
		}
		const some = 4e6 // bytes that garbage makes of one run and not of another
		if b, a := experiment.Median(peakBefore), experiment.Median(peakAfter); a > b*(1+memoryThreshold)+some {
			words[len(words)-1] += fmt.Sprintf(", memory %.2f", a/b)
			m.worse = append(m.worse, fmt.Sprintf("%s, %d threads: memory %.2f ×", name, threads, a/b))
		}
	}
	return strings.Join(words, "; ")
}

// memoryThreshold is the share by which peaks of memory may grow: garbage is not collected at the same time in every
// run.
const memoryThreshold = 0.1

// gate is the error of a comparison in which a row got worse, and of defaults that take too long.
func (m *measurement) gate() error {
	switch {
	case len(m.worse) == 0 && m.defaults:
		fmt.Print("\nEvery default ends within ten seconds.\n")
		return nil
	case len(m.trees) < 2 && !m.defaults:
		return nil
	case len(m.worse) == 0:
		fmt.Printf("\nNo row is slower by more than %.0f %%.\n", 100*m.threshold)
		return nil
	}
	return fmt.Errorf("%d rows are worse:\n  %s", len(m.worse), strings.Join(m.worse, "\n  "))
}
