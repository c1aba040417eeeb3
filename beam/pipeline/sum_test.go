package pipeline

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pairrank"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/kernel"
	"pairrank/pref"
	"pairrank/stream"
)

// variants are the statistics of the tests.
func variants() map[string]stream.Options {
	half := 0.5
	return map[string]stream.Options{
		"rankrls": {},
		"rls":     {Learner: pairrank.LeastSquares{Regression: true}},
		"unit":    {Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: pref.Unit}}, Folds: 3},
		"size": {Learner: pairrank.LeastSquares{Pairs: pref.Options{Weight: pref.Size}},
			Normalize: data.NormalizeQueryMinMax},
		"threshold": {Threshold: &half, Folds: 2},
		"spline":    {Map: &stream.Mapping{Kernel: kernel.Spline{Knots: 2, Bends: 1}, Knots: [][]float64{{4, 5}, nil, {5}}}},
	}
}

// train runs a training, and returns the files of its sums and its model.
func train(t *testing.T, in Input, lambdas []float64) (sums, model string, err error) {
	t.Helper()
	folder := t.TempDir()
	model = filepath.Join(folder, "model.txt")
	sums = model + ".moments"
	result, err := run(t, func(s beam.Scope) {
		sum, err := Sum(s, in)
		if err != nil {
			t.Fatal(err)
		}
		Train(s, sum, Training{Model: model, KeepMoments: true, Lambdas: lambdas})
	})
	if err == nil && Outputs(result) != 1 {
		t.Errorf("the job tells of %d files, not of 1", Outputs(result))
	}
	if left, _ := filepath.Glob(model + ".moments.*"); left != nil {
		t.Errorf("%v is left", left)
	}
	return sums, model, err
}

// Sums and model on Beam equal those of one process, bit for bit.
func TestSumsAreThoseOfOneProcess(t *testing.T) {
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 14))
			files := whole(t, queries(r, 40), 5)
			lambdas := []float64{0.5, 2, 8}
			sums, model, err := train(t, Input{Files: files, Statistics: o}, lambdas)
			if err != nil {
				t.Fatal(err)
			}
			want := sumParts(t, files, o, svmlight.Options{})
			same(t, "sums", sums, encoded(t, want))
			same(t, "model", model, modelOf(t, want, lambdas, encoded(t, want)))
		})
	}
}

// Sums of tables with weights, some of them 0, are those of one process, for which files are read in the same way.
func TestWeightsReachTheWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 45))
	folder := t.TempDir()
	var files []string
	for k, end := range []string{"csv", "csv.gz", "tsv"} {
		lines := []string{"label,qid,mass,x1,x2"}
		for i := range 60 {
			lines = append(lines, fmt.Sprintf("%d,q%d,%d,%.3f,%.3f", r.IntN(3), 10*k+i/6, r.IntN(4), r.NormFloat64(),
				r.NormFloat64()))
		}
		if end == "tsv" { // and with its columns in another order
			for i, line := range lines {
				f := strings.Split(line, ",")
				lines[i] = strings.Join([]string{f[4], f[2], f[0], f[1], f[3]}, "\t")
			}
		}
		files = append(files, write1(t, folder, fmt.Sprintf("part%d.%s", k, end), lines))
	}
	o := stream.Options{Weights: true, Names: []string{"x1", "x2"}}
	columns := table.Options{Weight: "mass"}
	sums, model, err := train(t, Input{Files: files, Statistics: o, Columns: columns}, []float64{1, 4})
	if err != nil {
		t.Fatal(err)
	}
	columns.Names, columns.Features = o.Names, 2
	var parts []stream.Part
	for _, name := range files {
		parts = append(parts, stream.Part{Name: name, Each: func(ctx context.Context, add func(data.Query) error) error {
			return table.EachQuery(ctx, name, columns, add)
		}})
	}
	want, err := stream.Sum(t.Context(), parts, o)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "sums", sums, encoded(t, want))
	same(t, "model", model, modelOf(t, want, []float64{1, 4}, encoded(t, want)))
	zeros := write1(t, folder, "zeros.csv", []string{"label,qid,mass,x1,x2", "1,a,0,1,2", "0,a,0,2,1"})
	for _, wrong := range []Input{{Files: []string{zeros}, Statistics: o, Columns: table.Options{Weight: "mass"}},
		{Files: files[:1], Statistics: stream.Options{Names: o.Names}, Columns: table.Options{Weight: "mass"}}} {
		if _, _, err := train(t, wrong, []float64{1}); err == nil || !strings.Contains(Cause(err), "weight") {
			t.Errorf("%v: %v", wrong.Files, err)
		}
	}
}

// How the files are read reaches the workers.
func TestReadingReachesTheWorkers(t *testing.T) {
	lines := []string{"2 qid:a 0:1 3:2", "1 qid:a 0:2 2:NaN", "1 qid:b 1:1", "0 qid:b 0:3 9:1"}
	file := write1(t, t.TempDir(), "zero.txt", lines)
	reading := svmlight.Options{ZeroBased: true, Features: 6, Extra: true, Missing: data.MissingZero}
	sums, _, err := train(t, Input{Files: []string{file}, Reading: reading}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "sums", sums, encoded(t, sumParts(t, []string{file}, stream.Options{}, reading)))
}

// A fault of the data is reported with file and line, without Beam's trace.
func TestFaultsNameFileAndLine(t *testing.T) {
	folder := t.TempDir()
	good := write1(t, folder, "good.txt", []string{"1 qid:a 1:1", "0 qid:a 1:2", "1 qid:b 1:1"})
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"bad.txt":      {[]string{"1 qid:x 1:1", "0 qid:x 1:x"}, []string{"bad.txt:2"}},
		"zipped.gz":    {[]string{"1 qid:x 1:1", "0 qid:x 1:x"}, []string{"zipped.gz:2"}},
		"returns.txt":  {[]string{"1 qid:x 1:1", "0 qid:y 1:1", "0 qid:x 1:1"}, []string{"returns.txt:3", "line 1"}},
		"noqid.txt":    {[]string{"1 1:1", "0 1:2"}, []string{"noqid.txt:1", "qid"}},
		"othera.txt":   {[]string{"1 qid:a 1:1", "0 qid:a 1:3"}, []string{"good.txt", "othera.txt"}},
		"nothere.none": {nil, []string{"nothere.none"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, name)
			if c.lines != nil {
				path = write1(t, folder, name, c.lines)
			}
			_, _, err := train(t, Input{Files: []string{good, path}}, nil)
			if err == nil {
				t.Fatal("no error")
			}
			cause := Cause(err)
			for _, want := range c.want {
				if !strings.Contains(cause, want) {
					t.Errorf("%q does not say %q", cause, want)
				}
			}
			if strings.Contains(cause, "bundle") || strings.Contains(cause, saidEnd) {
				t.Errorf("%q is Beam's", cause)
			}
		})
	}
}

// A file whose compressed text ends too early is an error that names it, not fewer rows.
func TestTruncatedFileIsRefused(t *testing.T) {
	files := whole(t, queries(rand.New(rand.NewPCG(2, 14)), 200), 2)
	content := read(t, files[1])
	cut := write1(t, t.TempDir(), "cut.txt", nil)
	overwrite(t, cut, content[:len(content)/2])
	_, _, err := train(t, Input{Files: []string{files[0], cut}}, nil)
	if err == nil || !strings.Contains(Cause(err), "cut.txt") {
		t.Errorf("the error %v does not name the file", err)
	}
}

func TestSumRefusesOptions(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	if _, err := Sum(s, Input{Files: []string{"f"}, Statistics: stream.Options{Normalize: "zscore"}}); err == nil {
		t.Error("a normalisation that needs all rows is taken")
	}
	if _, err := Sum(s, Input{Files: []string{"f"}, Scattered: true, Buckets: -1}); err == nil {
		t.Error("-1 buckets are taken")
	}
	defer func() {
		if recover() == nil {
			t.Error("no files are taken")
		}
	}()
	Sum(s, Input{})
}

// The merger refuses sums that a runner lost or doubled.
func TestMergeNoticesLossAndDoubling(t *testing.T) {
	none, err := stream.New(stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &mergeUnits{Units: 2, Empty: encoded(t, none)}
	for name, times := range map[string][]int{"is lost": {1, 0}, "there twice": {1, 2}, "": {1, 1}} {
		side := func(k int64) func(*unit) bool {
			left := times[k]
			return func(u *unit) bool {
				*u = unit{"part", none}
				left--
				return left >= 0
			}
		}
		err := m.ProcessElement(t.Context(), nil, side, func(unit) {})
		if name == "" && err != nil || name != "" && (err == nil || !strings.Contains(err.Error(), name)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
