package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One test of the whole: trained and scored in this process, on Prism as a process of its
// own with the worker here, and with workers that it starts, the model and the scores are
// those of pairrank, to the byte.
func TestEveryRunnerGivesTheModelOfOneProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	parts := files(t, 4, 15)
	folder := t.TempDir()
	want := filepath.Join(folder, "want.txt")
	reference(t, append([]string{"train", "--stream", "-o", want}, parts...)...)
	config, _ := worker(t)
	for name, flags := range map[string][]string{
		"here":     {"--beam_strict"},
		"loopback": {"--beam_strict", "--runner=universal", "--endpoint=" + jobServer(t), "--environment_type=LOOPBACK"},
		"process":  {"--beam_strict", "--runner=universal", "--endpoint=" + jobServer(t), "--environment_type=PROCESS", "--environment_config=" + config},
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

// The sums that are written are those that pairrank trains on.
func TestStatisticsAreThoseOfPairrank(t *testing.T) {
	parts := files(t, 2, 8)
	folder := t.TempDir()
	first, second := filepath.Join(folder, "a.stats"), filepath.Join(folder, "b.stats")
	succeeds(t, append([]string{"train", "--statistics", first}, parts...)...)
	succeeds(t, append([]string{"train", "--statistics", second, "-o", filepath.Join(folder, "m.txt"), "--lambdas", "1,2"}, parts...)...)
	sameFile(t, second, first)
}

// Wrong calls and wrong data end with the exit code that says so, and name what is wrong.
func TestErrors(t *testing.T) {
	part := files(t, 1, 2)[0]
	folder := t.TempDir()
	bad := filepath.Join(folder, "bad.txt")
	if err := os.WriteFile(bad, []byte("1 qid:z 1:1\n0 qid:z 1:one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(folder, "model.txt")
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no verb":         {nil, exitUsage, "train or score"},
		"another verb":    {[]string{"fit"}, exitUsage, "train or score"},
		"help":            {[]string{"help"}, 0, "pairrank-beam train"},
		"help of a verb":  {[]string{"train", "--help"}, 0, "Flags of Beam"},
		"no model":        {[]string{"train", part}, exitUsage, "-o MODEL"},
		"no file":         {[]string{"train", "-o", out}, exitUsage, "files"},
		"unknown flag":    {[]string{"train", part, "-o", out, "--lamdba", "1"}, exitUsage, "lamdba"},
		"unknown learner": {[]string{"train", part, "-o", out, "--learner", "svm"}, exitUsage, "rankrls"},
		"unknown cost":    {[]string{"train", part, "-o", out, "--cost", "odd"}, exitUsage, "odd"},
		"wrong lambda":    {[]string{"train", part, "-o", out, "--lambdas", "1,x"}, exitUsage, "x"},
		"idle buckets":    {[]string{"train", part, "-o", out, "--buckets", "3"}, exitUsage, "--scattered"},
		"missing mean":    {[]string{"train", part, "-o", out, "--missing", "mean"}, exitUsage, "mean"},
		"log":             {[]string{"train", part, "-o", out, "--log", "much"}, exitUsage, "much"},
		"no such file":    {[]string{"train", part + "x", "-o", out}, exitFault, "part-0.txtx"},
		"twice":           {[]string{"train", part, filepath.Dir(part) + "/*", "-o", out}, exitFault, "twice"},
		"bad data":        {[]string{"train", part, bad, "-o", out}, exitFault, "bad.txt:2"},
		"no folder":       {[]string{"train", part, "-o", filepath.Join(folder, "no", "m.txt")}, exitFault, "no"},
		"no scores":       {[]string{"score", bad, part}, exitUsage, "-o FOLDER"},
		"no model file":   {[]string{"score", out + "x", part, "-o", folder}, exitFault, "model.txtx"},
		"no job server":   {[]string{"train", part, "-o", out, "--runner", "universal"}, exitFault, "--endpoint"},
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
