package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/export"
	"pairrank/format/foreign"
	"pairrank/format/svmlight"
	"pairrank/model"
)

func learnersTable(ctx context.Context, s settings) (found experiment.Result, err error) {
	found, err = readersTable(ctx, s, []reader{{"LIBLINEAR, liblinear-predict", "liblinear-predict", byLiblinear}},
		"linear")
	if err != nil {
		return found, err
	}
	table, err := svmrankTable(ctx, s.data)
	if err != nil {
		found.Text("SVMrank's own models are skipped: %v.", err)
		return found, nil
	}
	found.Text("Model files that SVMrank wrote, read, written again and read: the weights that the text has, added " +
		"up by another reader, and the scores of the rows of MQ2008.")
	found.Add(table)
	return found, nil
}

// svmlightText writes rows with all digits.
func svmlightText(path string, x *data.Dense) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	for i := range x.Rows {
		w.WriteString("0")
		for j, v := range x.Row(i) {
			w.WriteString(" " + strconv.Itoa(j+1) + ":" + strconv.FormatFloat(v, 'g', -1, 64))
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}

// byLiblinear predicts by LIBLINEAR's own program, which prints 17 digits or fewer.
func byLiblinear(ctx context.Context, folder string, c rowsCase) ([]float64, error) {
	if err := exported(folder, "model", c.m, export.LIBLINEAR, export.Options{}); err != nil {
		return nil, err
	}
	if err := svmlightText(filepath.Join(folder, "rows"), c.x); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "liblinear-predict", "-q", "rows", "model", "scores")
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	out, err := os.ReadFile(filepath.Join(folder, "scores"))
	if err != nil {
		return nil, err
	}
	return lines(out)
}

// svmrankTable reads the models that SVMrank wrote.
func svmrankTable(ctx context.Context, dir string) (*experiment.Table, error) {
	files, err := filepath.Glob(filepath.Join(dir, "svmrank_reference", "Mq2008_*_final_model"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there is no svmrank_reference in %s", dir)
	}
	parts, err := filepath.Glob(filepath.Join(dir, "mq2008_letor4", "S1.txt*"))
	if err != nil || len(parts) == 0 {
		return nil, fmt.Errorf("there is no mq2008_letor4 in %s", dir)
	}
	set, err := svmlight.ReadFile(ctx, parts[0], svmlight.Options{Storage: svmlight.StoreDense})
	if err != nil {
		return nil, err
	}
	table := experiment.NewTable("model", "%s", "features", "%.0f", "weights", "%.1e", "scores, written again", "%.1e",
		"scores, the way of LIBLINEAR", "%.1e")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		m, _, err := foreign.Read(bytes.NewReader(text), file, foreign.SVMrank)
		if err != nil {
			return nil, err
		}
		weights, _ := difference(m.Scorer.(*model.Linear).Weights.Row(0), plainWeights(string(text), m.Features()))
		row := []any{filepath.Base(file), m.Features(), weights}
		want, err := m.Score(set)
		if err != nil {
			return nil, err
		}
		for _, way := range []struct {
			target export.Target
			format foreign.Format
		}{{export.SVMrank, foreign.SVMrank}, {export.LIBLINEAR, foreign.LIBLINEAR}} {
			again, err := there(m, way.target, way.format)
			if err != nil {
				return nil, err
			}
			got, err := again.Score(set)
			if err != nil {
				return nil, err
			}
			each, _ := difference(got, want)
			row = append(row, each)
		}
		table.Row(row...)
	}
	return table, nil
}

// there is a model written for another program and read back.
func there(m *model.Model, t export.Target, f foreign.Format) (*model.Model, error) {
	return thereBy(m, t, f, export.Options{})
}

func thereBy(m *model.Model, t export.Target, f foreign.Format, o export.Options) (*model.Model, error) {
	var b bytes.Buffer
	if _, err := export.Write(&b, m, t, o); err != nil {
		return nil, err
	}
	again, _, err := foreign.Read(&b, string(t), f)
	return again, err
}

// plainWeights are the "index:weight" of the last line of a compact model.
func plainWeights(text string, n int) []float64 {
	weights := make([]float64, n)
	all := slices.Collect(strings.Lines(text))
	for _, field := range strings.Fields(all[len(all)-1]) {
		left, right, found := strings.Cut(field, ":")
		j, err := strconv.Atoi(left)
		v, bad := strconv.ParseFloat(right, 64)
		if found && err == nil && bad == nil {
			weights[j-1] = v
		}
	}
	return weights
}
