package pipeline

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/model"
	"pairrank/stream"
)

// Every pipeline of the tests passes the strict checks of Beam: no type and no function
// that another process would not know.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("beam_strict", "true"); err != nil {
		panic(err)
	}
	beam.Init()
	folder, err := os.MkdirTemp("", "pairrank-beam-")
	if err != nil {
		panic(err)
	}
	os.Setenv("TMPDIR", folder) // Beam leaves files there
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// run runs a pipeline on Prism, in this process.
func run(t *testing.T, build func(s beam.Scope)) (beam.PipelineResult, error) {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	build(s)
	return prism.Execute(t.Context(), p)
}

// query is the rows of a query as lines.
type query struct {
	id   string
	rows []string
}

// queries are random: labels with ties, features that are left out or 0, one query of one
// row and one with equal labels.
func queries(r *rand.Rand, n int) []query {
	all := make([]query, n)
	for q := range all {
		all[q].id = fmt.Sprintf("q%d", q)
		rows := 1 + r.IntN(7)*min(q, 1)
		for range rows {
			label := r.IntN(3) * min(q-1, 1)
			line := fmt.Sprintf("%d qid:%s", label, all[q].id)
			for f := 1; f <= 1+r.IntN(6); f++ {
				if r.IntN(3) > 0 {
					line += fmt.Sprintf(" %d:%.3g", f, r.NormFloat64()*float64(r.IntN(4)))
				}
			}
			all[q].rows = append(all[q].rows, line+" 7:1")
		}
	}
	return all
}

// write1 writes lines to a file of a folder, compressed where its name ends in .gz.
func write1(t *testing.T, folder, name string, lines []string) string {
	t.Helper()
	content := []byte(strings.Join(lines, "\n") + "\n")
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(content)
		w.Close()
		content = b.Bytes()
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// whole writes queries to files, each whole in one.
func whole(t *testing.T, all []query, files int) []string {
	t.Helper()
	folder := t.TempDir()
	var names []string
	for k := range files {
		var lines []string
		for _, q := range all[k*len(all)/files : (k+1)*len(all)/files] {
			lines = append(lines, q.rows...)
		}
		name := fmt.Sprintf("part-%d.txt", k)
		if k%2 == 1 {
			name += ".gz"
		}
		names = append(names, write1(t, folder, name, lines))
	}
	return names
}

// scattered writes the rows of queries to files, in any order.
func scattered(t *testing.T, r *rand.Rand, all []query, files int) []string {
	t.Helper()
	folder := t.TempDir()
	lines := make([][]string, files)
	var rows []string
	for _, q := range all {
		rows = append(rows, q.rows...)
	}
	for i, at := range r.Perm(len(rows)) {
		k := i % files
		lines[k] = append(lines[k], rows[at])
	}
	var names []string
	for k := range files {
		names = append(names, write1(t, folder, fmt.Sprintf("mixed-%d.txt", k), lines[k]))
	}
	return names
}

// sumParts sums files in this process, without Beam.
func sumParts(t *testing.T, names []string, o stream.Options, reading svmlight.Options) *stream.Statistics {
	t.Helper()
	var parts []stream.Part
	for _, name := range names {
		parts = append(parts, stream.Part{Name: name,
			Each: func(ctx context.Context, add func(data.Query) error) error {
				return svmlight.EachQuery(ctx, name, reading, add)
			}})
	}
	sum, err := stream.Sum(t.Context(), parts, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// encoded are the bytes of statistics.
func encoded(t *testing.T, s *stream.Statistics) []byte {
	t.Helper()
	b, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// modelOf are the bytes of the model of statistics, which names the bytes of sums by their
// SHA-256.
func modelOf(t *testing.T, s *stream.Statistics, lambdas []float64, sums []byte) []byte {
	t.Helper()
	result, err := s.Train(t.Context(), stream.TrainOptions{Lambdas: lambdas})
	if err != nil {
		t.Fatal(err)
	}
	result.Model.Info.Further = append(result.Model.Info.Further,
		model.Fact{Name: "moments", Value: fmt.Sprintf("%x", sha256.Sum256(sums))})
	b, err := written(result.Model.Write)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// same reports bytes that differ from a file.
func same(t *testing.T, what, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes differ from the %d that are wanted", what, len(got), len(want))
	}
}
