package policy

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// actionSteps returns the scripts of action.yml by the names of their steps.
func actionSteps(t *testing.T) map[string]string {
	t.Helper()
	_, text, _ := strings.Cut(read(t, "action.yml"), "\n  steps:\n")
	steps := map[string]string{}
	for _, step := range strings.Split(text, "    - name: ")[1:] {
		name, rest, _ := strings.Cut(step, "\n")
		_, script, found := strings.Cut(rest, "      run: |\n")
		if !found || !strings.Contains(rest, "      shell: bash\n") {
			t.Fatalf("the step %s has no script for bash", name)
		}
		steps[name] = strings.ReplaceAll("\n"+script, "\n        ", "\n")
	}
	return steps
}

// What a user gives reaches a script by its environment alone, and each input is used.
func TestActionInputs(t *testing.T) {
	text := read(t, "action.yml")
	for name, script := range actionSteps(t) {
		if strings.Contains(script, "${{") {
			t.Errorf("the script of step %s has an expression", name)
		}
	}
	_, list, _ := strings.Cut(text, "\ninputs:\n")
	list, _, _ = strings.Cut(list, "\noutputs:\n")
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+):$`).FindAllStringSubmatch(list, -1) {
		if !strings.Contains(text, "${{ inputs."+m[1]+" }}") {
			t.Errorf("input %s is not used", m[1])
		}
	}
}

// actionRun is a runner: it runs a step in a folder with examples/, and returns its exit code.
type actionRun struct {
	dir, path string
}

func (a *actionRun) step(t *testing.T, script string, env ...string) (code int, told string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir = a.dir
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+filepath.Join(a.dir, "temp"), "RUNNER_OS=Linux", "RUNNER_ARCH=X64",
		"GITHUB_PATH="+filepath.Join(a.dir, "path"), "GITHUB_OUTPUT="+filepath.Join(a.dir, "output"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(a.dir, "summary"),
		"PATH="+a.path+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	} else if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}

// take returns what a file of the runner holds, and removes it.
func (a *actionRun) take(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(a.dir, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func newActionRun(t *testing.T) *actionRun {
	t.Helper()
	for _, program := range []string{"bash", "xargs", "sed"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program + " here to run the steps of action.yml")
		}
	}
	a := &actionRun{dir: t.TempDir(), path: filepath.Dir(build(t))}
	if err := os.CopyFS(filepath.Join(a.dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(a.dir, "temp"), 0o777); err != nil {
		t.Fatal(err)
	}
	return a
}

// The action ends with the exit code of the gate, and the summary has the table and the verdict.
func TestActionRuns(t *testing.T) {
	a, script := newActionRun(t), actionSteps(t)["Run"]
	const board = "leaderboard examples/evaluations/results.csv --cluster suite --against old "
	train := exec.CommandContext(t.Context(), build(t), "train", "examples/letor/train.txt", "-o", "new model.txt")
	train.Dir = a.dir
	if out, err := train.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const compared = "compare examples/letor/test.txt --model 'new model.txt' --scores zeros -m ndcg@10 "
	if err := os.WriteFile(filepath.Join(a.dir, "zeros"), []byte(strings.Repeat("0\n", 303)), 0o666); err != nil {
		t.Fatal(err)
	}
	const measured = "evaluate examples/letor/test.txt --model 'new model.txt' -m ndcg@10 --fail-under ndcg@10="
	for _, test := range []struct {
		run, undecided string
		exit, program  int // exit codes of the step, and of the program
		summary        string
	}{
		{board + "--fail-worse new=0.01", "fail", 0, 0, "### pairrank leaderboard: passed\n"},
		{board + "--fail-worse tiny=0.01", "pass", 4, 4, "### pairrank leaderboard: missed\n"},
		{board + "\n  --fail-unless \"new beats old\"", "fail", 7, 7, "### pairrank leaderboard: undecided\n"},
		{board + "--fail-unless 'new beats old'", "pass", 0, 7, "### pairrank leaderboard: undecided\n"},
		{compared + "--fail-unless 'A beats B'", "fail", 0, 0, "### pairrank compare: passed\n"},
		{compared + "--fail-unless 'B beats A'", "pass", 4, 4, "### pairrank compare: missed\n"},
		{measured + "0.5", "fail", 0, 0, "### pairrank evaluate: passed\n"},
		{measured + "0.99", "fail", 4, 4, "### pairrank evaluate: missed\n"},
		{board + "--nosuch '$(touch ran)' `touch ran`", "pass", 2, 2, "### pairrank leaderboard: failed\n"},
	} {
		code, told := a.step(t, script, "RUN="+test.run, "UNDECIDED="+test.undecided)
		summary, output := a.take(t, "summary"), a.take(t, "output")
		if code != test.exit || output != fmt.Sprintf("exit-code=%d\n", test.program) {
			t.Errorf("%s: exit code %d, %q\n%s", test.run, code, output, told)
		}
		for line := range strings.Lines(told) {
			if line = strings.TrimRight(line, "\n"); line != "" && !strings.Contains(summary, "\n    "+line+"\n") {
				t.Errorf("%s: the summary lacks %q:\n%s", test.run, line, summary)
			}
		}
		if !strings.HasPrefix(summary, test.summary) || strings.Count(told, "\n") < 1 {
			t.Errorf("%s: the summary is\n%s", test.run, summary)
		}
	}
	if _, err := os.Stat(filepath.Join(a.dir, "ran")); err == nil {
		t.Error("a command within the words of run was run")
	}
	for _, env := range [][]string{{"RUN=serve model.txt", "UNDECIDED=fail"}, {"RUN=" + board, "UNDECIDED=maybe"}} {
		if code, told := a.step(t, script, env...); code != 2 || a.take(t, "summary") != "" {
			t.Errorf("%q: exit code %d\n%s", env, code, told)
		}
	}
}

// The action takes the archive of a version and refuses another one; of a branch it builds the source.
func TestActionInstalls(t *testing.T) {
	a, script := newActionRun(t), actionSteps(t)["Install"]
	for _, program := range []string{"curl", "tar", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program + " here")
		}
	}
	folder := filepath.Join(a.dir, "releases", "v1.2.3")
	const name = "pairrank-v1.2.3-linux-amd64"
	program := []byte("#!/bin/sh\necho it is this program\n")
	if err := os.MkdirAll(filepath.Join(folder, name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name, "pairrank"), program, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "tar", "-C", folder, "-czf", filepath.Join(folder, name+".tar.gz"),
		name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	archive, err := os.ReadFile(filepath.Join(folder, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sums := fmt.Sprintf("%x  other.tar.gz\n%x  %s.tar.gz\n", sha256.Sum256(nil), sha256.Sum256(archive), name)
	env := []string{"VERSION=v1.2.3", "RELEASES=file://" + filepath.Join(a.dir, "releases"), "SOURCE=/nowhere"}
	for _, test := range []struct {
		sums string
		exit int
	}{{sums, 0}, {strings.Replace(sums, fmt.Sprintf("%x", sha256.Sum256(archive)), strings.Repeat("0", 64), 1), 1},
		{"", 1}} {
		if err := os.WriteFile(filepath.Join(folder, "pairrank-v1.2.3.sha256"), []byte(test.sums), 0o666); err != nil {
			t.Fatal(err)
		}
		code, told := a.step(t, script, env...)
		path := strings.TrimSpace(a.take(t, "path"))
		if code != test.exit || (path == "") != (code != 0) {
			t.Errorf("exit code %d, path %q\n%s", code, path, told)
		}
		if code != 0 {
			continue
		}
		if out, err := exec.CommandContext(t.Context(), filepath.Join(path, "pairrank")).Output(); err != nil ||
			!bytes.Contains(out, []byte("it is this program")) {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if err := os.RemoveAll(filepath.Join(a.dir, "temp", "pairrank")); err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	code, told := a.step(t, script, "VERSION=main", "RELEASES=file:///nowhere", "SOURCE="+source)
	out, err := exec.CommandContext(t.Context(), filepath.Join(strings.TrimSpace(a.take(t, "path")), "pairrank"),
		"version").Output()
	if code != 0 || err != nil || !bytes.HasPrefix(out, []byte("pairrank ")) {
		t.Errorf("exit code %d, %v\n%s%s", code, err, told, out)
	}
}
