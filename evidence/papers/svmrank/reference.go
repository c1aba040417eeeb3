package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// mistakes are the two parts of pairs ordered wrongly, as in evaluation.
type mistakes struct{ pairs, queries float64 }

// reference is a line of the table: a problem and SVMrank's solution.
type reference struct {
	dataset        string
	fold           int
	c              float64
	queries, pairs int
	objective      float64 // SVMrank's, ½‖w‖² + (C/Q) Σ
	norm           float64 // ‖w‖
	train, test    mistakes
}

const columns = "dataset\tfold\tC\tqueries\tpairs\tJ\tw_norm\t" +
	"train_err_pairs\ttrain_err_query\ttest_err_pairs\ttest_err_query"

// readTable reads the table of references.
func readTable(path string) ([]reference, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if strings.TrimSpace(lines[0]) != columns {
		return nil, fmt.Errorf("%s:1: the columns are not %q", path, columns)
	}
	var out []reference
	for k, line := range lines[1:] {
		var r reference
		_, err := fmt.Sscan(line, &r.dataset, &r.fold, &r.c, &r.queries, &r.pairs, &r.objective, &r.norm,
			&r.train.pairs, &r.train.queries, &r.test.pairs, &r.test.queries)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, k+2, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// readModel reads the n weights of a linear SVMrank model: SVM-light text whose
// header ends at the threshold, which does not rank, and whose support vectors
// follow, one a line, with their factor first. The program writes one, the
// weights.
func readModel(path string, n int) ([]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w := make([]float64, n)
	header := true
	for k, line := range strings.Split(string(text), "\n") {
		wrong := func(what string) error { return fmt.Errorf("%s:%d: %s", path, k+1, what) }
		numbers, comment, _ := strings.Cut(line, "#")
		fields := strings.Fields(numbers)
		if header {
			if strings.Contains(comment, "kernel type") && (len(fields) != 1 || fields[0] != "0") {
				return nil, wrong("the kernel is not linear")
			}
			header = !strings.Contains(comment, "threshold b")
			continue
		}
		if len(fields) == 0 {
			continue
		}
		factor, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return nil, wrong(err.Error())
		}
		for _, field := range fields[1:] {
			index, value, _ := strings.Cut(field, ":")
			j, err := strconv.Atoi(index)
			if err != nil || j < 1 || j > n {
				return nil, wrong(fmt.Sprintf("no feature of 1 … %d: %q", n, field))
			}
			v, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return nil, wrong(err.Error())
			}
			w[j-1] += factor * v
		}
	}
	if header {
		return nil, fmt.Errorf("%s: no line with the threshold", path)
	}
	return w, nil
}
