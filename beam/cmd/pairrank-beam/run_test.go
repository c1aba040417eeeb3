package main

import (
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pairrank/internal/exit"
	"pairrank/model"
)

// One test of the whole: training and scoring give the model and scores of pairrank, to the byte,
// in this process, on Prism as a separate process with the worker here, and with workers that Prism
// starts.
func TestEveryRunnerGivesTheModelOfOneProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	parts := files(t, 4, 15)
	folder := t.TempDir()
	want := filepath.Join(folder, "want.txt")
	reference(t, append([]string{"stream", "train", "-o", want}, parts...)...)
	config, _ := worker(t)
	for name, flags := range map[string][]string{
		"here": {"--beam_strict"},
		"loopback": {"--beam_strict", "--runner=universal", "--endpoint=" + jobServer(t),
			"--environment_type=LOOPBACK"},
		"process": {"--beam_strict", "--runner=universal", "--endpoint=" + jobServer(t), "--environment_type=PROCESS",
			"--environment_config=" + config},
	} {
		t.Run(name, func(t *testing.T) {
			model, scores := filepath.Join(t.TempDir(), "model.txt"), t.TempDir()
			succeeds(t, append(append([]string{"train", "-o", model}, parts...), flags...)...)
			sameFile(t, model, want)
			succeeds(t, append(append([]string{"score", model, "-o", scores}, parts...), flags...)...)
			for _, part := range parts {
				predicted := filepath.Join(t.TempDir(), "predicted")
				reference(t, "predict", want, part, "-o", predicted)
				sameFile(t, filepath.Join(scores, filepath.Base(part)+".scores"), predicted)
			}
		})
	}
}

// Every training flag means the same as in pairrank stream train.
func TestFlagsOfTraining(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	parts := files(t, 2, 12)
	folder := t.TempDir()
	names := filepath.Join(folder, "names.txt")
	if err := os.WriteFile(names, []byte("a\nb\nc\nd\ne\nf\ng\nh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{
		"--learner=rls", "--cost=unit", "--ties=exclude", "--query-weight=size", "--normalize=query-minmax",
		"--binarize=2",
		"--lambdas=1", "--lambdas=2^-3:2^9:5 --select=kfold:4", "--missing=zero", "--names=" + names,
	} {
		t.Run(flags, func(t *testing.T) {
			args := append(append([]string{"train", "-o", filepath.Join(folder, "got.txt")},
				strings.Fields(flags)...), parts...)
			succeeds(t, args...)
			args[2] = filepath.Join(folder, "want.txt")
			reference(t, append([]string{"stream"}, args...)...)
			sameFile(t, filepath.Join(folder, "got.txt"), args[2])
		})
	}
	zero := filepath.Join(folder, "zero.txt")
	if err := os.WriteFile(zero, []byte("1 qid:a 0:1 2:1\n0 qid:a 0:2 9:1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"train", "-o", filepath.Join(folder, "got.txt"), "--zero-based", "--lambdas=1", zero}
	succeeds(t, args...)
	args[2] = filepath.Join(folder, "want.txt")
	reference(t, append([]string{"stream"}, args...)...)
	sameFile(t, filepath.Join(folder, "got.txt"), args[2])
	if o := call(t, append(args, "--features=5")...); o.code != exit.Data || !strings.Contains(o.stderr, "zero.txt:2") {
		t.Errorf("exit code %d, %s", o.code, o.stderr)
	}
}

// Queries scattered over files train the same model as whole queries, up to the rounding of sums in
// another order.
func TestScattered(t *testing.T) {
	parts := files(t, 3, 12)
	folder := t.TempDir()
	var rows []string
	for _, part := range parts {
		text, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	mixed := make([]string, 3)
	for i := range rows {
		mixed[i%3] += rows[(i*7)%len(rows)] + "\n" // 7 does not divide their number
	}
	if len(rows)%7 == 0 {
		t.Fatal("rows are lost")
	}
	for k := range mixed {
		name := filepath.Join(folder, "mixed-"+string(rune('a'+k)))
		if err := os.WriteFile(name, []byte(mixed[k]), 0o644); err != nil {
			t.Fatal(err)
		}
		mixed[k] = name
	}
	whole, scattered := filepath.Join(folder, "whole.txt"), filepath.Join(folder, "scattered.txt")
	succeeds(t, append([]string{"train", "-o", whole, "--lambdas=2"}, parts...)...)
	for _, buckets := range []string{"1", "5", "64"} {
		succeeds(t,
			append([]string{"train", "-o", scattered, "--lambdas=2", "--scattered",
				"--buckets=" + buckets}, mixed...)...)
		if d := apart(t, whole, scattered); d > sumsInAnotherOrder {
			t.Errorf("%s buckets: the weights differ by %g of the largest", buckets, d)
		}
	}
	if o := call(t, append([]string{"train", "-o", whole, "--lambdas=2"}, mixed...)...); o.code != exit.Data ||
		!strings.Contains(o.stderr, "mixed-") {
		t.Errorf("without --scattered: exit code %d, %s", o.code, o.stderr)
	}
}

// sumsInAnotherOrder is how far weights may differ, relative to the largest, where sums in
// double words are rounded to numbers after they were added in another order: some units
// in the last place, grown by a well-conditioned system of eight features.
const sumsInAnotherOrder = 1e-12

// apart is the largest difference of the weights of two models, relative to the largest
// weight.
func apart(t *testing.T, a, b string) float64 {
	t.Helper()
	weights := func(path string) []float64 {
		m, err := model.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return m.Scorer.(*model.Linear).Weights.Row(0)
	}
	x, y := weights(a), weights(b)
	largest, difference := 0.0, 0.0
	for j := range x {
		largest, difference = max(largest, math.Abs(x[j])), max(difference, math.Abs(x[j]-y[j]))
	}
	return difference / largest
}

// The sums beside a model are the sums of its files, for any training, and the model names them:
// both files equal those of stream train, and update continues from them.
func TestKeptMoments(t *testing.T) {
	parts := files(t, 3, 8)
	last := parts[2]
	parts = parts[:2]
	folder := t.TempDir()
	first, second := filepath.Join(folder, "a.txt"), filepath.Join(folder, "b.txt")
	succeeds(t, append([]string{"train", "--keep-moments", "-o", first}, parts...)...)
	succeeds(t, append([]string{"train", "--keep-moments", "-o", second, "--lambdas", "1,2"}, parts...)...)
	sameFile(t, second+".moments", first+".moments")
	sums, err := os.ReadFile(first + ".moments")
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	want := model.Fact{Name: "moments", Value: fmt.Sprintf("%x", sha256.Sum256(sums))}
	if !slices.Contains(m.Info.Further, want) {
		t.Errorf("the facts %v are without %v", m.Info.Further, want)
	}
	streamed, updated := filepath.Join(folder, "streamed.txt"), filepath.Join(folder, "updated.txt")
	reference(t, append([]string{"stream", "train", "--keep-moments", "-o", streamed}, parts...)...)
	sameFile(t, first, streamed)
	sameFile(t, first+".moments", streamed+".moments")
	reference(t, "stream", "update", first, last, "-o", updated)
	reference(t, append([]string{"stream", "train", "-o", streamed, last}, parts...)...)
	if d := apart(t, streamed, updated); d > sumsInAnotherOrder {
		t.Errorf("after an update the weights differ by %g of the largest", d)
	}
}

// Wrong usage and bad data end with the right exit code, and the message names the fault.
func TestErrors(t *testing.T) {
	part := files(t, 1, 2)[0]
	folder := t.TempDir()
	bad := filepath.Join(folder, "bad.txt")
	if err := os.WriteFile(bad, []byte("1 qid:z 1:1\n0 qid:z 1:one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	alike := filepath.Join(folder, "alike.txt")
	if err := os.WriteFile(alike, []byte("1 qid:z 1:1\n1 qid:z 1:2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(folder, "model.txt")
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no verb":         {nil, exit.Usage, "train or score"},
		"another verb":    {[]string{"fit"}, exit.Usage, "train or score"},
		"help":            {[]string{"help"}, 0, "pairrank-beam train"},
		"help of a verb":  {[]string{"train", "--help"}, 0, "Flags of Beam"},
		"no model":        {[]string{"train", part}, exit.Usage, "-o MODEL"},
		"no file":         {[]string{"train", "-o", out}, exit.Usage, "files"},
		"unknown flag":    {[]string{"train", part, "-o", out, "--lamdba", "1"}, exit.Usage, "lamdba"},
		"unknown learner": {[]string{"train", part, "-o", out, "--learner", "svm"}, exit.Usage, "rankrls"},
		"unknown cost":    {[]string{"train", part, "-o", out, "--cost", "odd"}, exit.Usage, "odd"},
		"wrong lambda":    {[]string{"train", part, "-o", out, "--lambdas", "1,x"}, exit.Usage, "x"},
		"another choice":  {[]string{"train", part, "-o", out, "--select", "lpo"}, exit.Usage, "kfold"},
		"idle choice": {[]string{"train", part, "-o", out, "--select", "kfold:3", "--lambdas", "1"}, exit.Usage,
			"only one"},
		"async":          {[]string{"train", part, "-o", out, "--async"}, exit.Usage, "--endpoint"},
		"another runner": {[]string{"train", part, "-o", out, "--runner", "prims"}, exit.Usage, "flink"},
		"no project":     {[]string{"train", part, "-o", out, "--runner", "dataflow"}, exit.Runtime, "project"},
		"no names": {[]string{"train", part, "-o", out, "--names", out + ".names"}, exit.Usage,
			"model.txt.names"},
		"idle buckets":     {[]string{"train", part, "-o", out, "--buckets", "3"}, exit.Usage, "--scattered"},
		"missing mean":     {[]string{"train", part, "-o", out, "--missing", "mean"}, exit.Usage, "mean"},
		"log":              {[]string{"train", part, "-o", out, "--log", "much"}, exit.Usage, "much"},
		"no such file":     {[]string{"train", part + "x", "-o", out}, exit.Runtime, "part-0.txtx"},
		"twice":            {[]string{"train", part, filepath.Dir(part) + "/*", "-o", out}, exit.Runtime, "twice"},
		"bad data":         {[]string{"train", part, bad, "-o", out}, exit.Data, "bad.txt:2"},
		"bad model":        {[]string{"score", bad, part, "-o", folder}, exit.Data, "not a pairrank model"},
		"nothing to learn": {[]string{"train", alike, "-o", out}, exit.Data, "no two compared rows"},
		"no folder":        {[]string{"train", part, "-o", filepath.Join(folder, "no", "m.txt")}, exit.Runtime, "no"},
		"no scores":        {[]string{"score", bad, part}, exit.Usage, "-o FOLDER"},
		"no model file":    {[]string{"score", out + "x", part, "-o", folder}, exit.Runtime, "model.txtx"},
		"no job server":    {[]string{"train", part, "-o", out, "--runner", "universal"}, exit.Runtime, "--endpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			o := call(t, c.args...)
			if o.code != c.code || !strings.Contains(o.stderr, c.says) {
				t.Errorf("exit code %d, want %d; %q is to say %q", o.code, c.code, o.stderr, c.says)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("there is a model")
			}
		})
	}
}

// Flags may stand before and after the files, and nothing is left behind.
func TestFlagsInAnyOrder(t *testing.T) {
	parts := files(t, 2, 8)
	folder := t.TempDir()
	first, second := filepath.Join(folder, "a.txt"), filepath.Join(folder, "b.txt")
	succeeds(t, "train", "--lambdas=4", "-o", first, parts[0], parts[1])
	c := start(t, program(t, "train", parts[0], "--lambdas", "4", parts[1], "-o", second))
	if o := end(t, c); o.code != 0 {
		t.Fatal(o.stderr)
	}
	sameFile(t, second, first)
	for _, setting := range c.Env {
		if temporary, is := strings.CutPrefix(setting, "TMPDIR="); is && temporary != os.Getenv("TMPDIR") {
			left, err := os.ReadDir(temporary)
			if err != nil || len(left) > 0 {
				t.Errorf("%v is left in %s, %v", left, temporary, err)
			}
		}
	}
}

// Scores are the bytes of pairrank predict for every kind of model and flag.
func TestScoresAreThoseOfPredict(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	part := files(t, 1, 10)[0]
	folder := t.TempDir()
	odd := filepath.Join(folder, "odd.txt")
	if err := os.WriteFile(odd,
		[]byte("1 qid:a 1:1 2:2 3:NaN 4:1\n0 qid:b 0:2 5:1 6:2 7:1 30:4\n2 qid:a 2:-1 3:1 4:2 "+
			"5:3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	model, predicted := filepath.Join(folder, "model.txt"), filepath.Join(folder, "predicted")
	for _, kind := range []string{
		"--lambda=1", "--lambda=1 --normalize=query-minmax", "--lambda=1 --kernel=gaussian:gamma=0.25",
		"--learner=rankboost --rounds=5",
	} {
		t.Run(kind, func(t *testing.T) {
			reference(t, append([]string{"train", part, "-o", model}, strings.Fields(kind)...)...)
			for name, flags := range map[string][]string{
				part: nil, odd: {"--zero-based", "--missing=zero", "--extra-features=ignore"},
			} {
				scores := t.TempDir()
				succeeds(t, append([]string{"score", model, name, "-o", scores}, flags...)...)
				reference(t, append([]string{"predict", model, name, "-o", predicted}, flags...)...)
				sameFile(t, filepath.Join(scores, filepath.Base(name)+".scores"), predicted)
			}
		})
	}
	if o := call(t, "score", model, odd, "-o", folder); o.code != exit.Data ||
		!strings.Contains(o.stderr, "odd.txt:1") {
		t.Errorf("exit code %d, %s", o.code, o.stderr)
	}
	same := filepath.Join(folder, "elsewhere")
	if err := os.Mkdir(same, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(same, "odd.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if o := call(t, "score", model, odd, filepath.Join(same, "odd.txt"), "-o", folder); o.code != exit.Runtime ||
		!strings.Contains(o.stderr, "two folders") {
		t.Errorf("exit code %d, %s", o.code, o.stderr)
	}
}
