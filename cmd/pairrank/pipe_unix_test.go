//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
)

// TestInterruptedAtAPipe: whatever file is a pipe that nobody writes to, the end of
// the run does not wait for it.
func TestInterruptedAtAPipe(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rows, nodes := file("rows.txt", "1 1:1\n2 1:2\n"), file("nodes.tsv", "id\tx\na\t1\nb\t2\n")
	edges, out := file("edges.tsv", "a\ta\t1\na\tb\t2\n"), filepath.Join(dir, "model.txt")
	linear, pairs := filepath.Join(dir, "linear.txt"), filepath.Join(dir, "pairs.txt")
	for _, args := range []string{"train " + rows + " --lambda 1 -o " + linear, "relation train " + edges + " --rows " +
		nodes + " --lambda 1 -o " + pairs} {
		if err := run(t.Context(), strings.Fields(args), nil, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	for k, args := range []string{
		"train PIPE -o " + out, "check PIPE", "predict PIPE " + rows, "predict " + linear + " PIPE", "evaluate " +
			rows + " --scores PIPE",
		"relation train PIPE --rows " + nodes + " -o " + out, "relation train " + edges + " --rows PIPE -o " + out,
		"relation train " + edges + " --rows " + nodes + " --lambda 1 --early-stop PIPE -o " + out,
		"predict " + pairs + " --rows PIPE", "predict " + pairs + " --rows " + nodes + " --edges PIPE",
		"relation check PIPE --rows " + nodes, "relation check " + edges + " --rows PIPE", "relation rank PIPE --given a",
		"train " + rows + " --lambda 1 --preferences PIPE -o " + out, "train " + rows +
			" --lambda 1 --kernel-matrix PIPE -o " + out,
		"train " + rows + " --lambda 1 --names PIPE -o " + out, "train " + rows + " --lambda 1 --basis-rows PIPE -o " +
			out, "cv " + rows + " --labels PIPE",
		"train " + rows + " --labels PIPE -o " + out, "train " + rows + " --valid PIPE -o " + out,
		"predict " + linear + " " + rows + " -o PIPE", "train " + rows + " --lambda 1 -o PIPE",
	} {
		pipe := filepath.Join(dir, fmt.Sprint("pipe", k)) // whose other end nobody has
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, interrupt)
		done := make(chan error, 1)
		go func() {
			done <- run(ctx, strings.Fields(strings.ReplaceAll(args, "PIPE", pipe)), nil, io.Discard, io.Discard)
		}()
		select {
		case err := <-done:
			if cli.ExitCode(err) != cli.ExitInterrupted {
				t.Errorf("%s: %v", args, err)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: waits for the pipe", args)
		}
		interrupt()
	}
}
