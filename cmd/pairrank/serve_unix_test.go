//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/model"
)

// constant writes a model of one feature with that weight.
func constant(t *testing.T, path string, weight float64) {
	t.Helper()
	m := &model.Model{Info: model.Info{Learner: "rls"}, Scorer: &model.Linear{Weights: data.NewDense(1, 1,
		[]float64{weight})}}
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
}

// SIGHUP has the server read its models again, and SIGTERM ends it with 0.
func TestServeObeysSignals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.model")
	constant(t, path, 1)
	cmd := exec.Command("pairrank", "serve", path, "--listen", "127.0.0.1:0", "--log-format", "json")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	lines := bufio.NewScanner(log)
	until := func(text string) string {
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return lines.Text()
			}
		}
		t.Fatalf("the log ends without %q: %v", text, cmd.Wait())
		return ""
	}
	url := regexp.MustCompile(`http://[0-9.:]+`).FindString(until("serving"))
	score := func() string {
		answer, err := http.Post(url+"/v1/models/m/score", "application/json", strings.NewReader(`{"rows":[[2]]}`))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		_, scores, _ := strings.Cut(string(text), `"scores":`)
		return strings.TrimSpace(scores)
	}
	if got := score(); got != "[2]}" {
		t.Errorf("scores %s", got)
	}
	constant(t, path, 5)
	cmd.Process.Signal(syscall.SIGHUP)
	until("model reloaded")
	if got := score(); got != "[10]}" {
		t.Errorf("scores %s after the signal", got)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	until("ended")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
}

// What keeps a server from its start is told, and which kind it is.
func TestServeRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.model")
	constant(t, path, 1)
	for _, c := range []struct {
		args string
		code int
		text string
	}{
		{"serve", cli.ExitUsage, "MODEL is missing"},
		{"serve -", cli.ExitUsage, "cannot be the name|standard input"},
		{"serve m=-", cli.ExitUsage, "standard input"},
		{"serve " + path + " " + path, cli.ExitData, "two models are called m"},
		{"serve " + path + " --golden x=y", cli.ExitUsage, "no model \"x\""},
		{"serve a=" + path + " b=" + path + " --rows r", cli.ExitUsage, "write NAME=FILE"},
		{"serve " + path + " --listen nowhere", cli.ExitUsage, "host:port"},
		{"serve " + path + " --max-body 0", cli.ExitUsage, "--max-body"},
		{"serve " + path + " --drain 0s", cli.ExitUsage, "--drain is greater than 0"},
		{"serve " + path + " --poll -1s", cli.ExitUsage, "--poll is at least 0"},
		{"serve " + path + " --tls-key k", cli.ExitUsage, "--tls-key needs --tls-cert"},
		{"serve " + path + ".none", cli.ExitRuntime, "check the name"},
		{"serve " + path + " --token-file " + path + ".none", cli.ExitRuntime, "no such file"},
		{"serve " + path + " --rows " + path, cli.ExitData, "not pairs"},
	} {
		var stderr bytes.Buffer
		err := run(t.Context(), strings.Fields(c.args), strings.NewReader(""), io.Discard, &stderr)
		if cli.ExitCode(err) != c.code || !regexp.MustCompile(c.text).MatchString(stderr.String()) {
			t.Errorf("%s: %d, %s", c.args, cli.ExitCode(err), &stderr)
		}
	}
}
