package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/internal/held"
)

func newWorker(a *app) *cobra.Command {
	return a.Bind(&cobra.Command{
		Use:   "worker",
		Short: "answer requests on standard input, for packages of other languages",
		Long: `worker runs the other verbs for a program that holds its data in memory. A
request on standard input is a line of JSON, followed by the bytes of its files:
  {"id":1,"args":["train","X.npz","-o","model.txt"],
   "files":[{"name":"X.npz",
             "members":[{"name":"X","bytes":928}]}],
   "outputs":["model.txt"]}
A file has members, arrays in the NumPy format, or bytes, and then it may have a
sum; a file with a sum alone is one that an earlier request has brought.
{"cancel":1} stops request 1. The answer on standard output is a line
{"line":…} for each line of standard error, and then
  {"exit":0,"files":[{"name":"-","bytes":12},
                     {"name":"model.txt","bytes":700}]}
with the bytes of standard output and of the outputs. "missing" has files that are
not here; "last" says that the worker ends, as it does after a request that was
stopped. Its end of input stops it and its work, and so does the end of the
program that started it.`,
		Example: `  pairrank worker
  (printf '{"id":1,"args":["version"]}\n'; sleep 1) | pairrank worker`,
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error { return a.work(os.Exit) },
	}, func() cli.Targets { return nil })
}

// request is what the program asks for. The bytes of its files follow it.
type request struct {
	ID      int           `json:"id"`
	Args    []string      `json:"args"`
	Files   []requestFile `json:"files"`
	Outputs []string      `json:"outputs"`
	Cancel  int           `json:"cancel"` // number of the request to stop; then there is nothing else
}

// requestFile is a file of a request: arrays, or a text, which the worker remembers by its sum where it has one.
type requestFile struct {
	Name    string         `json:"name"`
	Members []table.Member `json:"members"`
	Bytes   int64          `json:"bytes"`
	Sum     string         `json:"sum"`
}

// answer is the end of a request. The bytes of the files follow it.
type answer struct {
	Exit    int            `json:"exit"`
	Files   []table.Member `json:"files,omitempty"`
	Missing []string       `json:"missing,omitempty"`
	Last    bool           `json:"last,omitempty"`
}

// remembered is a file that requests bring once, and what a verb made of it.
type remembered struct {
	text []byte
	kept any
}

// mostRemembered is how many files a worker remembers.
const mostRemembered = 64

// worker runs one request after the other. One goroutine reads, so that a request can be stopped; it is never more
// than a request ahead, since who asks waits for the answer.
type worker struct {
	in      *bufio.Reader
	out     *bufio.Writer
	threads int
	files   map[string]*remembered // by sum
	order   []string               // sums, the oldest first
	ready   *prepared              // a run of the verb before, which is likely to be asked for again

	mu      sync.Mutex
	running int // number of the request that runs, or runs next
	cancel  context.CancelFunc
}

// work answers requests until standard input ends. exit ends the program when that is not enough.
func (a *app) work(exit func(code int)) error {
	ctx, cancel := context.WithCancel(a.Ctx)
	defer cancel()
	w := &worker{in: bufio.NewReaderSize(a.In, 1<<16), out: bufio.NewWriterSize(a.Out, 1<<16),
		threads: runtime.GOMAXPROCS(0), files: map[string]*remembered{}}
	defer held.Clear()
	go endWithParent(ctx, exit)
	requests, ended := make(chan *incoming), make(chan error, 1)
	go func() {
		err := w.read(ctx, requests)
		asked := w.asked()
		ended <- err
		cancel()
		if asked {
			time.AfterFunc(endsWithin, func() { exit(cli.ExitInterrupted) })
		}
	}()
	for {
		select {
		case r := <-requests:
			if last, err := w.answer(r); last || err != nil {
				return err
			}
		case err := <-ended:
			if err == io.EOF {
				return a.Ctx.Err()
			}
			return cli.AsData(fmt.Errorf("%s: %w", cli.StdinName, err))
		case <-a.Ctx.Done():
			return a.Ctx.Err()
		}
	}
}

// asked reports whether there was a request, which may still run.
func (w *worker) asked() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running != 0
}

// endsWithin is how long a request may take to stop once nobody waits for it.
const endsWithin = 2 * time.Second

// endWithParent ends the program when the one that started it has ended, whoever else holds its standard input open.
func endWithParent(ctx context.Context, exit func(code int)) {
	for parent := os.Getppid(); os.Getppid() == parent; time.Sleep(time.Second) {
		if ctx.Err() != nil {
			return
		}
	}
	exit(cli.ExitInterrupted)
}

// incoming is a request whose files are here, but for those that are missing.
type incoming struct {
	*request
	ctx     context.Context
	missing []string
	large   bool
}

// read reads requests, with their files, and stops the one that runs where that is asked for, or where the input ends.
func (w *worker) read(ctx context.Context, requests chan<- *incoming) error {
	for {
		r := &request{}
		text, err := w.in.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(text, r)
		} else if len(text) > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		w.mu.Lock()
		if r.Cancel != 0 {
			if r.Cancel == w.running {
				w.cancel()
			}
			w.mu.Unlock()
			continue
		}
		got := &incoming{request: r}
		got.ctx, w.cancel = context.WithCancel(ctx)
		w.running = r.ID
		w.mu.Unlock()
		if err := w.takeAll(got); err != nil {
			return err
		}
		select {
		case requests <- got:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// takeAll holds the files of a request.
func (w *worker) takeAll(r *incoming) error {
	for _, f := range r.Files {
		err := w.take(r, f)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
	}
	for _, name := range r.Outputs {
		held.Output(name)
	}
	return nil
}

// largeRequest is how many bytes make it worth to give memory back to the system afterwards.
const largeRequest = 16 << 20

// take holds a file of a request.
func (w *worker) take(r *incoming, f requestFile) error {
	if f.Members != nil {
		for _, m := range f.Members {
			r.large = r.large || m.Bytes > largeRequest
		}
		return table.Hold(f.Name, f.Members, w.in)
	}
	known := w.files[f.Sum]
	if f.Sum == "" || f.Bytes > 0 {
		known = &remembered{text: make([]byte, f.Bytes)}
		if _, err := io.ReadFull(w.in, known.text); err != nil {
			return err
		}
		if f.Sum != "" {
			w.remember(f.Sum, known)
		}
	}
	if known == nil {
		r.missing = append(r.missing, f.Name)
		return nil
	}
	held.Text(f.Name, known.text)
	held.Keep(f.Name, known.kept)
	return nil
}

// remember remembers a file, and forgets the oldest one.
func (w *worker) remember(sum string, f *remembered) {
	if w.files[sum] == nil {
		w.order = append(w.order, sum)
	}
	w.files[sum] = f
	if len(w.order) > mostRemembered {
		delete(w.files, w.order[0])
		w.order = w.order[1:]
	}
}

// answer runs a request and writes what came of it. The worker ends after a request that was stopped: its work may
// still go on.
func (w *worker) answer(r *incoming) (last bool, err error) {
	var out bytes.Buffer
	a := answer{Missing: r.missing}
	if a.Missing == nil {
		a.Exit = w.run(r, &out)
	}
	a.Last = a.Exit == cli.ExitInterrupted
	for _, f := range r.Files {
		if known := w.files[f.Sum]; known != nil {
			known.kept = held.Kept(f.Name)
		}
	}
	texts := [][]byte{out.Bytes()}
	a.Files = []table.Member{{Name: "-", Bytes: int64(out.Len())}}
	for _, name := range r.Outputs {
		if text := held.Written(name); text != nil {
			a.Files = append(a.Files, table.Member{Name: name, Bytes: int64(len(text))})
			texts = append(texts, text)
		}
	}
	held.Clear() // before anybody can ask again
	if err = w.frame(a, texts...); err == nil {
		err = w.out.Flush()
	}
	if r.large {
		debug.FreeOSMemory()
	}
	w.ready = prepare(r.Args)
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
	if len(r.Args) > 0 && (r.Args[0] == "worker" || r.Args[0] == "serve") {
		fmt.Fprintf(lines, "pairrank: a worker does not run the verb %s\n", r.Args[0])
		return cli.ExitUsage
	}
	p := w.ready
	if w.ready = nil; p == nil || !p.fits(r.Args) {
		p = prepare(r.Args)
	}
	return cli.ExitCode(p.run(r.ctx, r.Args, strings.NewReader(""), out, lines))
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
	_ = l.w.frame(map[string]string{"line": string(line)})
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
