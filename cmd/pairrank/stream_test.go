package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"pairrank/cmd/pairrank/internal/cli"
)

// Ctrl-C ends the reading of an input that waits, and leaves no model.
func TestStreamEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	defer out.Close()
	path := filepath.Join(t.TempDir(), "m.txt")
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, words("stream train - --progress none -o "+path), in, io.Discard, io.Discard)
	}()
	if _, err := io.WriteString(out, "1 qid:1 1:1\n0 qid:1 1:2\n1 qid:2 1:1\n"); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) || cli.ExitCode(err) != 130 {
			t.Errorf("error %v", err)
		}
	case <-time.After(time.Minute): // only where it hangs
		t.Fatal("stream train does not end")
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a model was written: %v", err)
	}
}

var qidNumber = regexp.MustCompile(` qid:(\d+)`)

// renumber IN N OUT copies LETOR text with N more in each qid.
func renumber(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: renumber IN N OUT")
	}
	more, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := qidNumber.ReplaceAllStringFunc(ts.ReadFile(args[0]), func(field string) string {
		n, err := strconv.Atoi(strings.TrimPrefix(field, " qid:"))
		ts.Check(err)
		return fmt.Sprintf(" qid:%d", n+more)
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o666))
}

// join OUT IN… writes files one after the other.
func join(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: join OUT IN…")
	}
	var text strings.Builder
	for _, name := range args[1:] {
		text.WriteString(ts.ReadFile(name))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text.String()), 0o666))
}
