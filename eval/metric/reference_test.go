package metric

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/realdata"
)

// fiveDigits is how the table of reference models prints errors.
const fiveDigits = 0.5e-5 + 1e-12

// TestReferenceModels computes the two pairwise errors of published linear
// models on the test parts of LETOR and compares them with their table.
func TestReferenceModels(t *testing.T) {
	models := realdata.Path(t, "svmrank_reference")
	sets := map[string]string{
		"Mq2008": realdata.Path(t, "mq2008_letor4"), "OHSUMED": realdata.Path(t, "ohsumed_letor3", "QueryLevelNorm"),
	}
	table, err := os.ReadFile(filepath.Join(models, "table.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		c := strings.Fields(line)
		if c[0] == "dataset" {
			continue
		}
		fold, _ := strconv.Atoi(c[1])
		w := linearModel(t, filepath.Join(models, fmt.Sprintf("%s_Fold%d_final_model", c[0], fold)))
		test := (fold+3)%5 + 1 // fold 1 is tested on S5, fold 2 on S1, …
		in := scoredFile(t, filepath.Join(sets[c[0]], fmt.Sprintf("S%d.txt.gz", test)), w)
		report, err := Evaluate(in, []Metric{PooledDisagreement, Disagreement}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for j, text := range c[9:11] {
			want, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Results[j].Mean.Value; math.Abs(got-want) > fiveDigits {
				t.Errorf("%s fold %d: %s %.6f, want %v (%d queries undefined)",
					c[0], fold, report.Results[j].Metric, got, want, report.Results[j].Undefined)
			}
		}
	}
}

// features reads `index:value` fields up to a comment.
func features(fields []string, visit func(index int, v float64)) {
	for _, f := range fields {
		if strings.HasPrefix(f, "#") {
			return
		}
		index, value, ok := strings.Cut(f, ":")
		i, err := strconv.Atoi(index)
		v, err2 := strconv.ParseFloat(value, 64)
		if ok && err == nil && err2 == nil {
			visit(i, v)
		}
	}
}

// linearModel is the weights of an SVM-light model: its last line.
func linearModel(t *testing.T, path string) []float64 {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	w := make([]float64, 100)
	features(strings.Fields(all[len(all)-1])[1:], func(i int, v float64) { w[i] = v })
	return w
}

// scoredFile is the labels and linear scores of a LETOR file.
func scoredFile(t *testing.T, path string, w []float64) (in Input) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	var bounds []int
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		c := strings.Fields(lines.Text())
		if len(ids) == 0 || ids[len(ids)-1] != c[1] {
			ids = append(ids, c[1])
			bounds = append(bounds, len(in.Labels))
		}
		y, err := strconv.ParseFloat(c[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		score := 0.0
		features(c[2:], func(i int, v float64) { score += w[i] * v })
		in.Labels, in.Scores = append(in.Labels, y), append(in.Scores, score)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	in.Queries = named(data.Consecutive(append(bounds, len(in.Labels))), ids...)
	return in
}
