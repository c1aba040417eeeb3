package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/internal/held"
	"pairrank/internal/memory"
	"pairrank/internal/npy"
)

func newWorker(a *app) *cobra.Command {
	return a.Bind(&cobra.Command{
		Use:    "worker",
		Hidden: true,
		Short:  "answer requests on standard input, for packages of other languages",
		Long: `worker runs the other verbs for a program that holds its data in memory. A
request on standard input is a line of JSON, followed by the bytes of its files:
  {"id":1,"args":["train","X.npz","-o","model.txt"],
   "files":[{"name":"X.npz",
             "members":[{"name":"X","bytes":928}]}],
   "outputs":["model.txt"]}
A file has members, arrays in the NumPy format, or bytes, and then it may have a
sum; a file with a sum alone is one that an earlier request has brought. On Linux
"memory" may be the path of a file in memory, where members with "at" begin at that
byte. They are written when the answer {"ready":1} has come, and {"filled":1} says
that they are there; the bytes of the other files follow it. {"cancel":1} stops
request 1. The answer on standard output is a line {"line":…} for each line of
standard error, and then
  {"exit":0,"files":[{"name":"-","bytes":12},
                     {"name":"model.txt","bytes":700}]}
with the bytes of standard output and of the outputs. "missing" has files that are
not here; "last" says that the worker ends, as it does after a request that was
stopped, or whose bytes do not fit into memory. Its end of input stops it and its work, and so does the end of the
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
	Memory  string        `json:"memory"` // path of the file of the members that have a place
	Cancel  int           `json:"cancel"` // number of the request to stop; then there is nothing else
	Filled  int           `json:"filled"` // number of the request whose memory is written; then there is nothing else
}

// requestFile is a file of a request: arrays, or a text, which the worker remembers by its sum where it has one.
type requestFile struct {
	Name    string       `json:"name"`
	Members []npy.Member `json:"members"`
	Bytes   int64        `json:"bytes"`
	Sum     string       `json:"sum"`
}

// remembered is a file that requests bring once, and what a verb made of it.
type remembered struct {
	text []byte
	kept any
}

// mostRemembered is how many files a worker remembers.
const mostRemembered = 64

// worker answers one request after the other. The goroutine that reads a request runs it, too: a short one costs no
// change of threads. Where it takes longer than readsOn, another goroutine reads on in its place, so that the request
// can be stopped. One that is brief is not stopped, and its verb needs no goroutine of its own either.
type worker struct {
	in      *bufio.Reader // of the goroutine that reads, with the line that it parsed last: what follows the number
	rest    []byte
	like    request
	ended   chan error // why nobody reads on
	exit    func(code int)
	stopAll context.CancelFunc

	turn    sync.Mutex // of the request that runs, with what follows
	out     *bufio.Writer
	threads int
	shared  sharedMemory
	files   map[string]*remembered // by sum
	order   []string               // sums, the oldest first
	ready   *prepared              // a run of the verb before, which is likely to be asked for again

	mu      sync.Mutex
	running int // number of the request that runs, or ran last
	cancel  context.CancelFunc
}

// work answers requests until standard input ends. exit ends the program when that is not enough.
func (a *app) work(exit func(code int)) error {
	ctx, cancel := context.WithCancel(a.Ctx)
	defer cancel()
	w := &worker{in: bufio.NewReaderSize(a.In, 1<<16), ended: make(chan error, 1), exit: exit, stopAll: cancel,
		out: bufio.NewWriterSize(a.Out, 1<<16), threads: runtime.GOMAXPROCS(0), files: map[string]*remembered{}}
	defer held.Clear()
	defer w.shared.leave()
	go endWithParent(ctx, exit)
	go w.serve(ctx)
	select {
	case err := <-w.ended:
		return cmp.Or(err, a.Ctx.Err())
	case <-a.Ctx.Done():
		return a.Ctx.Err()
	}
}

// readsOn is how long a request runs before another goroutine reads on.
const readsOn = time.Millisecond

// serve reads requests and answers them, until the end or until another goroutine reads in its place.
func (w *worker) serve(ctx context.Context) {
	for {
		r, err := w.read(ctx)
		if err != nil {
			w.endOfInput(err)
			return
		}
		var other *time.Timer
		if !r.brief() {
			other = time.AfterFunc(readsOn, func() { w.serve(ctx) })
		}
		last, err := w.answer(r)
		r.cancel()
		if last || err != nil {
			w.end(err)
		}
		w.turn.Unlock()
		if last || err != nil || other != nil && !other.Stop() {
			return
		}
	}
}

// endOfInput stops the request that runs, for which nobody waits, and ends the program if it does not stop.
func (w *worker) endOfInput(err error) {
	w.stopAll()
	if w.asked() {
		time.AfterFunc(endsWithin, func() { w.exit(cli.ExitInterrupted) })
	}
	w.turn.Lock()
	defer w.turn.Unlock()
	if err != io.EOF {
		w.end(cli.AsData(fmt.Errorf("%s: %w", cli.StdinName, err)))
	}
	w.end(nil)
}

// end ends the work; the first reason counts.
func (w *worker) end(err error) {
	select {
	case w.ended <- err:
	default:
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
	cancel  context.CancelFunc
	missing []string
	large   bool
	refused error // why its files are not taken, and the worker ends
}

// read reads a request with its files, which it takes the turn for. On the way it stops the one that runs where that
// is asked for.
func (w *worker) read(ctx context.Context) (*incoming, error) {
	r, err := w.line()
	if err != nil {
		return nil, err
	}
	w.turn.Lock()
	got := w.begin(ctx, r)
	if err := w.takeAll(got); err != nil {
		w.turn.Unlock()
		return nil, err
	}
	return got, nil
}

// line reads a line that is no stop, and obeys the stops before it.
func (w *worker) line() (*request, error) {
	for {
		text, err := w.in.ReadBytes('\n')
		if err == io.EOF && len(text) > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		r, err := w.parse(text)
		if err != nil || r.Cancel == 0 {
			return r, err
		}
		w.stop(r.Cancel)
	}
}

// parse parses a line. Many requests are like the one before, but for their number, which comes first.
func (w *worker) parse(text []byte) (*request, error) {
	r := &request{}
	number, rest, _ := bytes.Cut(text, []byte(","))
	digits, numbered := bytes.CutPrefix(number, []byte(`{"id":`))
	if id, err := strconv.Atoi(string(digits)); numbered && err == nil && bytes.Equal(rest, w.rest) {
		*r = w.like
		r.ID = id
		return r, nil
	}
	err := json.Unmarshal(text, r)
	if w.rest = nil; err == nil && numbered {
		w.rest, w.like = rest, *r
	}
	return r, err
}

// begin makes a request the one that a stop is for.
func (w *worker) begin(ctx context.Context, r *request) *incoming {
	w.mu.Lock()
	defer w.mu.Unlock()
	got := &incoming{request: r}
	if got.ctx, got.cancel = context.WithoutCancel(ctx), func() {}; !r.brief() {
		got.ctx, got.cancel = context.WithCancel(ctx)
	}
	w.running, w.cancel = r.ID, got.cancel
	return got
}

// stop stops a request if it still runs.
func (w *worker) stop(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if id == w.running {
		w.cancel()
	}
}

// takeAll holds the files of a request.
func (w *worker) takeAll(r *incoming) error {
	r.refused = r.checkBytes()
	shared, err := w.share(r)
	if r.refused != nil || err != nil {
		return err
	}
	for _, f := range r.Files {
		err := w.take(r, f, shared)
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

// share is the memory where members of the request lie, nil where they come behind it. It waits until they are there.
func (w *worker) share(r *incoming) (shared []byte, err error) {
	end := int64(0)
	for _, f := range r.Files {
		for _, m := range f.Members {
			if m.At > 0 {
				end = max(end, m.At+m.Bytes)
			}
		}
	}
	if end == 0 || r.refused != nil {
		return nil, nil
	}
	if shared, r.refused = w.shared.upTo(r.Memory, end); r.refused != nil {
		return nil, nil
	}
	if err = w.frame(map[string]int{"ready": r.ID}); err == nil {
		err = w.out.Flush()
	}
	if err != nil {
		return nil, err
	}
	filled, err := w.line()
	if err == nil && filled.Filled != r.ID {
		err = fmt.Errorf("request %d waits for its memory, and a line does not say that it is filled", r.ID)
	}
	return shared, err
}

// checkBytes refuses files that claim a number of bytes that none has, or that do not fit into memory, before any of
// it is asked for.
func (r *request) checkBytes() error {
	all := 0.0
	for _, f := range r.Files {
		for _, part := range append([]npy.Member{{Bytes: f.Bytes}}, f.Members...) {
			if part.Bytes < 0 || part.At < 0 || part.At > math.MaxInt64-part.Bytes {
				return fmt.Errorf("the file %s claims %d bytes", f.Name, part.Bytes)
			}
			all += float64(part.Bytes)
		}
	}
	if all <= largeRequest {
		return nil
	}
	return memory.Ask(all, "a request")
}

// brief reports whether a request scores so few rows that it takes less than a second with any model: 8,000 numbers and
// 10⁶ rows of a basis are 10¹⁰ operations. Most such requests take some microseconds, and a goroutine as many.
func (r *request) brief() bool {
	size := int64(0)
	for _, f := range r.Files {
		size += f.Bytes
		for _, m := range f.Members {
			size += m.Bytes
		}
	}
	return len(r.Args) > 0 && r.Args[0] == "predict" && size <= 1<<16
}

// largeRequest is how many bytes make it worth to give memory back to the system afterwards.
const largeRequest = 16 << 20

// take holds a file of a request.
func (w *worker) take(r *incoming, f requestFile, shared []byte) error {
	if f.Members != nil {
		r.large = r.large || slices.ContainsFunc(f.Members, func(m npy.Member) bool { return m.Bytes > largeRequest })
		return npy.Hold(f.Name, f.Members, w.in, shared, table.Options{}.HasNames)
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
