package main

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pairrank/evidence/papers/experiment"
)

const folds = 10

// write writes the training and the test rows of each fold, and returns their files. Ordered texts become 1, 2, 3, and
// events 0 and 1; a text that is not known is missing. An ordered column gets another name, since one called grade
// might be the labels.
func (of set) write(from, to string) (files [folds][2]string, err error) {
	rows, err := read(filepath.Join(from, of.file))
	if err != nil {
		return files, err
	}
	of.number(rows)
	header := rows[0]
	for k := range folds {
		parts := [2][][]string{{header}, {header}}
		for i, row := range rows[1:] {
			at := 0
			if i%folds == k {
				at = 1
			}
			parts[at] = append(parts[at], row)
		}
		for at, part := range parts {
			files[k][at] = filepath.Join(to, fmt.Sprintf("%s-%d-%s.csv", of.name, k, []string{"train", "test"}[at]))
			var b bytes.Buffer
			if err := csv.NewWriter(&b).WriteAll(part); err != nil {
				return files, err
			}
			if err := os.WriteFile(files[k][at], b.Bytes(), 0o666); err != nil {
				return files, err
			}
		}
	}
	return files, nil
}

// number makes numbers of texts that have an order, and of events, in rows below their header.
func (of set) number(rows [][]string) {
	header := rows[0]
	for _, row := range rows[1:] {
		for j, name := range header {
			if texts, is := of.ordered[name]; is {
				at := slices.Index(texts, row[j]) + 1
				if row[j] = strconv.Itoa(at); at == 0 {
					row[j] = ""
				}
			}
			if name == of.event && row[j] != "0" && row[j] != "1" {
				row[j] = map[bool]string{true: "1", false: "0"}[row[j] == "dead"]
			}
		}
	}
	for j, name := range header {
		if of.ordered[name] != nil {
			header[j] = "ordered " + name
		}
	}
}

func read(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	return csv.NewReader(r).ReadAll()
}

// counts are the comparable pairs of each fold, and the right ones.
type counts [folds]struct{ pairs, right float64 }

//go:embed cox.tsv
var coxTSV string

// readCounts are the counts of a file by the data set and the model.
func readCounts(name, text string) (map[string]*counts, error) {
	all := map[string]*counts{}
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fields := strings.Split(line, "\t")
		if fields[0] == "set" || line == "" {
			continue
		}
		if len(fields) < 5 {
			return nil, fmt.Errorf("%s:%d: %q", name, n+1, line)
		}
		fold, err1 := strconv.Atoi(fields[2])
		pairs, err2 := strconv.ParseFloat(fields[3], 64)
		right, err3 := strconv.ParseFloat(fields[4], 64)
		if err1 != nil || err2 != nil || err3 != nil || fold < 0 || fold >= folds {
			return nil, fmt.Errorf("%s:%d: %q", name, n+1, line)
		}
		key := fields[0] + " " + fields[1]
		if all[key] == nil {
			all[key] = &counts{}
		}
		all[key][fold].pairs, all[key][fold].right = pairs, right
	}
	return all, nil
}

// kept are the counts that the file of earlier runs has.
func (s settings) kept() (map[string]*counts, error) {
	text, err := os.ReadFile(s.keep)
	if s.keep == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readCounts(s.keep, string(text))
}

// add adds counts to the file.
func (s settings) add(set, model string, c *counts) error {
	if s.keep == "" {
		return nil
	}
	f, err := os.OpenFile(s.keep, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	for k, of := range c {
		fmt.Fprintf(f, "%s\t%s\t%d\t%.0f\t%.1f\n", set, model, k, of.pairs, of.right)
	}
	return f.Close()
}

// measured measures a model on the folds of a set, and keeps its counts.
func (s settings) measured(ctx context.Context, of set, m model, files [folds][2]string, ridge *counts) (*counts,
	error) {
	c, err := of.measure(ctx, s.program, files, m.flags, ridge)
	if err == nil {
		err = s.add(of.name, m.name, c)
	}
	return c, err
}

// measure trains and evaluates each fold. The pairs of a fold are those of R.
func (of set) measure(ctx context.Context, program string, files [folds][2]string, flags []string,
	r *counts) (*counts, error) {
	columns := []string{"--time", of.time, "--event", of.event, "--factor-columns", of.factors}
	if of.ignored != "" {
		columns = append(columns, "--ignore-columns", of.ignored)
	}
	c, saved := &counts{}, files[0][0]+".model"
	for k, f := range files {
		train := slices.Concat([]string{"train", f[0], "-o", saved, "--missing", "mean", "--select", "kfold:10", "--json"},
			columns, flags)
		if _, err := run(ctx, program, train); err != nil {
			return nil, err
		}
		out, err := run(ctx, program, []string{"evaluate", f[1], "--model", saved, "-m", "c-index", "--json",
			"--time", of.time, "--event", of.event})
		if err != nil {
			return nil, err
		}
		var d struct {
			Metrics map[string]struct{ Mean float64 }
		}
		if err := json.Unmarshal(out, &d); err != nil {
			return nil, err
		}
		right := d.Metrics["c-index"].Mean * r[k].pairs
		if twice := 2 * right; math.Abs(twice-math.Round(twice)) > 1e-6 {
			return nil, fmt.Errorf("fold %d has %g right pairs of %g: R counts other pairs", k, right, r[k].pairs)
		}
		c[k].pairs, c[k].right = r[k].pairs, math.Round(2*right)/2
	}
	return c, nil
}

func run(ctx context.Context, program string, args []string) ([]byte, error) {
	var errs bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("pairrank %s: %w: %s", strings.Join(args, " "), err, errs.Bytes())
	}
	return out, nil
}

// share is the c-index over all folds but one; −1 leaves out none.
func (c *counts) share(without int) float64 {
	pairs, right := 0.0, 0.0
	for k, f := range c {
		if k != without {
			pairs, right = pairs+f.pairs, right+f.right
		}
	}
	return right / pairs
}

// jackknife is the standard error of a statistic that leaves out folds.
func jackknife(of func(without int) float64) float64 {
	var v [folds]float64
	mean, sum := 0.0, 0.0
	for k := range v {
		v[k] = of(k)
		mean += v[k] / folds
	}
	for _, x := range v {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum * (folds - 1) / folds)
}

// interval is the c-index with its 95 % interval, on the logit scale by Student's distribution.
func (c *counts) interval() string {
	v := c.share(-1)
	half := experiment.HalfInterval(jackknife(c.share)/(v*(1-v)), folds-1)
	logit := math.Log(v / (1 - v))
	at := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	return fmt.Sprintf("%.3f (%.3f–%.3f)", v, at(logit-half), at(logit+half))
}

// less is the difference of two c-indices on the same folds, ± half a 95 % interval.
func (c *counts) less(other *counts) string {
	of := func(without int) float64 { return c.share(without) - other.share(without) }
	return fmt.Sprintf("%+.3f ± %.3f", of(-1), experiment.HalfInterval(jackknife(of), folds-1))
}
