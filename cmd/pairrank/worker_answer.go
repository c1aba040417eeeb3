package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/held"
	"pairrank/internal/memory"
	"pairrank/internal/npy"
)

// answer is the end of a request. The bytes of the files follow it.
type answer struct {
	Exit    int          `json:"exit"`
	Files   []npy.Member `json:"files,omitempty"`
	Missing []string     `json:"missing,omitempty"`
	Last    bool         `json:"last,omitempty"`
}

// answer runs a request and writes what came of it. The worker ends after a request that was stopped: its work may
// still go on. It ends after one whose files it does not take, since it does not know where the next request begins.
func (w *worker) answer(r *incoming) (last bool, err error) {
	var out bytes.Buffer
	a := answer{Missing: r.missing}
	if a.Missing == nil {
		a.Exit = w.run(r, &out)
	}
	a.Last = a.Exit == cli.ExitInterrupted || r.refused != nil
	for _, f := range r.Files {
		if known := w.files[f.Sum]; known != nil {
			known.kept = held.Kept(f.Name)
		}
	}
	texts := [][]byte{out.Bytes()}
	a.Files = []npy.Member{{Name: "-", Bytes: int64(out.Len())}}
	for _, name := range r.Outputs {
		if text := held.Written(name); text != nil {
			a.Files = append(a.Files, npy.Member{Name: name, Bytes: int64(len(text))})
			texts = append(texts, text)
		}
	}
	held.Clear() // before anybody can ask again
	if err = w.frame(a, texts...); err == nil {
		err = w.out.Flush()
	}
	if r.large {
		memory.Release()
	}
	if w.ready == nil {
		w.ready = prepare(r.Args)
	}
	return a.Last, err
}

// frame writes a line of JSON, and bytes after it.
func (w *worker) frame(v any, texts ...[]byte) error {
	line, err := json.Marshal(v)
	if err != nil {
		panic("pairrank: an answer is not JSON: " + err.Error())
	}
	for _, text := range append([][]byte{append(line, '\n')}, texts...) {
		if _, err := w.out.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// run runs the verb of a request.
func (w *worker) run(r *incoming, out io.Writer) (code int) {
	if runtime.GOMAXPROCS(0) != w.threads {
		runtime.GOMAXPROCS(w.threads) // --threads of the request before
	}
	lines := &lineFrames{w: w, sent: time.Now()}
	defer lines.end()
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(lines, "pairrank: a bug of the program: %v\n%s", fault, debug.Stack())
			code = cli.ExitRuntime
		}
	}()
	if r.refused != nil {
		fmt.Fprintf(lines, "pairrank: %v\n", r.refused)
		return cli.ExitData
	}
	if len(r.Args) > 0 && (r.Args[0] == "worker" || r.Args[0] == "serve") {
		fmt.Fprintf(lines, "pairrank: a worker does not run the verb %s\n", r.Args[0])
		return cli.ExitUsage
	}
	p := w.ready
	if w.ready = nil; p == nil || !p.fits(r.Args) {
		p = prepare(r.Args)
	}
	code = cli.ExitCode(p.run(r.ctx, r.Args, strings.NewReader(""), out, lines))
	if p.again != nil {
		w.ready = p
	}
	return code
}

// lineFrame is the frame of a line of standard error.
type lineFrame struct {
	Line string `json:"line"`
}

// lineFrames writes lines as frames of their own. One goroutine writes at a time. Where frames cannot be written
// nobody reads the answer either, whose error counts.
type lineFrames struct {
	w    *worker
	part []byte // of a line that has not ended
	sent time.Time
}

func (l *lineFrames) Write(p []byte) (int, error) {
	l.part = append(l.part, p...)
	for {
		line, rest, found := bytes.Cut(l.part, []byte("\n"))
		if !found {
			return len(p), nil
		}
		l.frame(line)
		l.part = append(l.part[:0], rest...)
	}
}

func (l *lineFrames) frame(line []byte) {
	_ = l.w.frame(lineFrame{string(line)})
	if time.Since(l.sent) > sendEvery {
		_ = l.w.out.Flush()
		l.sent = time.Now()
	}
}

// sendEvery is how often lines are sent on: those of short work go with the answer.
const sendEvery = 50 * time.Millisecond

// end writes what is left of a line.
func (l *lineFrames) end() {
	if len(l.part) > 0 {
		l.frame(l.part)
	}
}
