package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/workers"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/format/trec"
	"pairrank/model"
)

// formatExamples are the fenced examples of the pages of formats by their kind.
func formatExamples(t *testing.T) map[string][]string {
	t.Helper()
	examples := map[string][]string{}
	for _, name := range []string{"formats", "formats-output", "formats-model"} {
		page, err := os.ReadFile("../../docs/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
			examples[found[1]] = append(examples[found[1]], found[2])
		}
	}
	return examples
}

// Every example of the pages of formats is read and means what its page says.
func TestFormatExamples(t *testing.T) {
	examples := formatExamples(t)
	file := func(kind, ending string) string {
		path := filepath.Join(t.TempDir(), "example"+ending)
		if err := os.WriteFile(path, []byte(examples[kind][0]), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	readers := map[string]func() (bool, error){
		"svmlight": func() (bool, error) {
			set, err := svmlight.ReadFile(t.Context(), file("svmlight", ".txt"), svmlight.Options{KeepComments: true})
			return err == nil && set.Queries.Len() == 2 && set.DocID(0) == "D7" &&
				slices.Equal(set.Y, []float64{2, 0, 1}), err
		},
		"csv": func() (bool, error) {
			set, err := table.ReadSet(file("csv", ".csv"), table.Options{})
			return err == nil && set.Queries.Len() == 2 && slices.Equal(set.Names, []string{"bm25", "length, words"}),
				err
		},
		"jsonl": func() (bool, error) {
			set, err := table.ReadSet(file("jsonl", ".jsonl"), table.Options{Missing: data.MissingZero})
			return err == nil && set.Queries.Len() == 2 && slices.Equal(set.IDs, []string{"D7", "D8", "D7"}) &&
				slices.Equal(set.Names, []string{"bm25", "length, words"}) &&
				slices.Equal(set.X.(*data.Dense).Data, []float64{0.5, 120, 0.1, 0, 0.25, 0}), err
		},
		"preferences": func() (bool, error) {
			list, err := table.ReadPreferences(file("preferences", ".tsv"), 3)
			return err == nil && slices.Equal(list, []table.Preference{{I: 0, J: 2, Magnitude: 1, Weight: 1},
				{I: 0, J: 1, Magnitude: 2.5, Weight: 1}, {I: 1, J: 2, Magnitude: 1, Weight: 0.5}}), err
		},
		"scores": func() (bool, error) {
			_, _, scores, err := table.ReadScores(strings.NewReader(examples["scores"][0]), "scores")
			return slices.Equal(scores, []float64{0.25, -1.5, 3e-7}), err
		},
		"named": func() (bool, error) {
			set := &data.Set{X: data.NewDense(2, 1, nil), IDs: []string{"D7", "D9"}, HasQID: true,
				Queries: data.NewQueries([]int32{0, 0}, []string{"q1"})}
			var b strings.Builder
			err := table.WriteNamedScores(&b, '\t', set, []float64{0.25, -1.5}, 1)
			return b.String() == examples["named"][0], err
		},
		"qrels": func() (bool, error) {
			list, err := trec.ReadQrels(strings.NewReader(examples["qrels"][0]), "qrels")
			return len(list) == 3 && list[0].Relevance == 2, err
		},
		"run": func() (bool, error) {
			run, err := trec.ReadRun(strings.NewReader(examples["run"][0]), "run")
			return err == nil && len(run.Docs) == 3 && run.Tag == "ours", err
		},
		"kernel": func() (bool, error) {
			m, err := table.ReadMatrix(file("kernel", ".csv"), table.MatrixOptions{})
			return err == nil && m.X.Rows == 2 && m.X.Cols == 3 && slices.Equal(m.RowNames, []string{"N1", "N2"}), err
		},
		"manifest": func() (bool, error) {
			dir := filepath.Dir(file("manifest", ".json"))
			if err := os.Rename(filepath.Join(dir, "example.json"),
				filepath.Join(dir, workers.ManifestName)); err != nil {
				return false, err
			}
			d, err := workers.Open(dir)
			return err == nil && len(d.Files) == 2 && d.Files[1] == workers.File{Name: "two.txt", Bytes: 14960} &&
				maps.Equal(d.Options, usualUnitOptions(t)), err
		},
		"record": func() (bool, error) {
			var r workers.Record
			d := json.NewDecoder(strings.NewReader(examples["record"][0]))
			d.DisallowUnknownFields()
			err := d.Decode(&r)
			return r.File == "one.txt" && r.Rows == 129 && r.Queries == 9 && len(r.Unit) == 64, err
		},
	}
	for kind, read := range readers {
		if len(examples[kind]) != 1 {
			t.Fatalf("%d examples of %s", len(examples[kind]), kind)
		}
		if ok, err := read(); err != nil || !ok {
			t.Errorf("%s: read as meant: %v, error %v", kind, ok, err)
		}
	}
	if len(examples) != len(readers)+1 {
		t.Errorf("there are examples of %d kinds, this test knows %d and the model", len(examples), len(readers))
	}
}

// wavesOfPage is the score of a row by weights of random features, as the page says it.
func wavesOfPage(gamma float64, seed uint64, x, w []float64) float64 {
	pairs := len(w) / 2
	angles := make([]float64, pairs)
	for j, v := range x {
		key := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, seed), uint64(j))
		r := rand.NewChaCha8([32]byte(append(key, "pairrank.fourier"...)))
		for p := range angles {
			u := (float64(r.Uint64()>>12) + 0.5) / (1 << 52)
			angles[p] += v * math.Sqrt(2*gamma) * math.Sqrt2 * math.Erfinv(2*u-1)
		}
	}
	score := 0.0
	for p, angle := range angles {
		score += (w[p]*math.Cos(angle) + w[pairs+p]*math.Sin(angle)) / math.Sqrt(float64(pairs))
	}
	return score
}

// usualUnitOptions are the options in a manifest where no flag is given.
func usualUnitOptions(t *testing.T) map[string]string {
	t.Helper()
	t.Chdir(t.TempDir())
	names := writeParts(t, 1)
	mustRun(t, "stream", "stats", names[0], "-o", "units")
	d, err := workers.Open("units")
	if err != nil {
		t.Fatal(err)
	}
	return d.Options
}

// The models of docs/formats-model.md are read, written with the same bytes, and
// score by the formula of the page.
func TestFormatModels(t *testing.T) {
	examples := formatExamples(t)["model"]
	// (x − shift)·scale of the first, ⟨w,x'⟩; Σ c exp(−½‖x−z‖²) of the second
	want := []float64{
		0.5*(2-1.5)*2 - 0.25*(1-120)*0.01,
		0.75*math.Exp(-0.5*(1*1+1.5*1.5)) - 0.25*math.Exp(-0.5*(2*2+1*1)),
		0.75 - 0.25, // of the third: 2 > 0.5, 5 > 4.5, and 1 is not above 1
		wavesOfPage(0.5, 1, []float64{2, 1}, []float64{0.056268006767573826, 0.5325358898776948, 0.6689395294798497,
			-0.4001425593463414}),
	}
	rows := []float64{2, 1, 5}
	if len(examples) != len(want) {
		t.Fatalf("%d models, want %d", len(examples), len(want))
	}
	for k, text := range examples {
		m, err := model.Read(strings.NewReader(text), "example")
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := m.Write(&again); err != nil || again.String() != text {
			t.Errorf("model %d is written as\n%s\nerror %v", k+1, again.String(), err)
		}
		n := m.Features()
		scores, err := m.Score(&data.Set{X: &data.Dense{Rows: 1, Cols: n, Stride: n, Data: slices.Clone(rows[:n])}})
		const roundoff = 1e-15 // a few units in the last place of terms of order one
		if err != nil || !(math.Abs(scores[0]-want[k]) <= roundoff) {
			t.Errorf("model %d scores %v, want %v; error %v", k+1, scores, want[k], err)
		}
	}
}
