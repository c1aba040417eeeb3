package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/npy"
)

// client asks a worker.
type client struct {
	t     *testing.T
	to    *io.PipeWriter
	from  *bufio.Reader
	ended chan error
	exits chan int
	id    int
}

func startWorker(t *testing.T) *client {
	in, to := io.Pipe()
	from, out := io.Pipe()
	c := &client{t: t, to: to, from: bufio.NewReader(from), ended: make(chan error, 1), exits: make(chan int, 2)}
	a := &app{&cli.App{Ctx: t.Context(), In: in, Out: out, Err: io.Discard}}
	go func() {
		c.ended <- a.work(func(code int) { c.exits <- code })
		out.Close()
	}()
	t.Cleanup(func() { to.Close() })
	return c
}

// arraysFile is a file of arrays, and their bytes.
func arraysFile(t *testing.T, name string, arrays ...any) (requestFile, []byte) {
	var all bytes.Buffer
	f := requestFile{Name: name}
	for k := 0; k < len(arrays); k += 2 {
		before := all.Len()
		if err := npy.Write(&all, arrays[k+1].(*npy.Array)); err != nil {
			t.Fatal(err)
		}
		f.Members = append(f.Members, npy.Member{Name: arrays[k].(string), Bytes: int64(all.Len() - before)})
	}
	return f, all.Bytes()
}

// send sends a request and the bytes of its files.
func (c *client) send(r request, bytes ...[]byte) {
	c.t.Helper()
	c.id++
	r.ID = c.id
	line, err := json.Marshal(r)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, part := range append([][]byte{append(line, '\n')}, bytes...) {
		if _, err := c.to.Write(part); err != nil {
			c.t.Fatal(err)
		}
	}
}

// answer reads an answer, its files and the lines before it.
func (c *client) answer() (a answer, files map[string]string, lines []string) {
	c.t.Helper()
	files = map[string]string{}
	for {
		text, err := c.from.ReadBytes('\n')
		if err != nil {
			c.t.Fatal(err)
		}
		var frame struct {
			Line *string `json:"line"`
			answer
		}
		if err := json.Unmarshal(text, &frame); err != nil {
			c.t.Fatal(err)
		}
		if frame.Line != nil {
			lines = append(lines, *frame.Line)
			continue
		}
		for _, f := range frame.Files {
			b := make([]byte, f.Bytes)
			if _, err := io.ReadFull(c.from, b); err != nil {
				c.t.Fatal(err)
			}
			files[f.Name] = string(b)
		}
		return frame.answer, files, lines
	}
}

// exampleRows are arrays of 40 rows in 4 queries, C order.
func exampleRows() (x, y, qid *npy.Array) {
	x, y = &npy.Array{Shape: []int{40, 3}}, &npy.Array{Shape: []int{40}}
	qid = &npy.Array{Shape: []int{40}, Strings: []string{}}
	for i := range 40 {
		a, b, c := float64(i*7%11), float64(i*5%13), float64(i*3%17)
		x.Data = append(x.Data, a, b, c)
		y.Data = append(y.Data, a-b+float64(i*i%5))
		qid.Strings = append(qid.Strings, fmt.Sprint("q", i%4))
	}
	return x, y, qid
}

// The worker's model, document and scores are those of the command on the same archive.
func TestWorkerIsTheCommand(t *testing.T) {
	x, y, qid := exampleRows()
	dir := t.TempDir()
	var archive, model, want bytes.Buffer
	if err := npy.WriteArchive(&archive, map[string]*npy.Array{"X": x, "y": y, "qid": qid}); err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join(dir, "X.npz")
	if err := os.WriteFile(rows, archive.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for _, args := range [][]string{{"train", rows, "-o", filepath.Join(dir, "m.txt")},
		{"predict", filepath.Join(dir, "m.txt"), rows}} {
		out := io.Writer(&model)
		if args[0] == "predict" {
			out = &want
		}
		if err := run(ctx, args, strings.NewReader(""), out, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "m.txt"))
	if err != nil {
		t.Fatal(err)
	}

	c := startWorker(t)
	f, b := arraysFile(t, "X.npz", "X", x, "y", y, "qid", qid)
	c.send(request{Args: []string{"train", "X.npz", "-o", "model.txt", "--threads", "1"}, Files: []requestFile{f},
		Outputs: []string{"model.txt"}}, b)
	a, files, lines := c.answer()
	if a.Exit != 0 || files["model.txt"] != string(text) || !strings.Contains(strings.Join(lines, "\n"), "columns") {
		t.Errorf("%+v, model %.200q\n%s", a, files["model.txt"], lines)
	}
	f, b = arraysFile(t, "X.npz", "X", x)
	predict := []string{"predict", "model.txt", "X.npz"}
	kept := requestFile{Name: "model.txt", Sum: "s", Bytes: int64(len(text))}
	for range 2 { // the second time the model is not sent
		c.send(request{Args: predict, Files: []requestFile{kept, f}}, text, b)
		if a, files, lines := c.answer(); a.Exit != 0 || files["-"] != want.String() {
			t.Errorf("%+v %.200q %s", a, files["-"], lines)
		}
		kept.Bytes, text = 0, nil
	}
	if _, err := os.Stat("model.txt"); err == nil {
		t.Error("the worker wrote a file")
	}
	c.send(request{Args: predict, Files: []requestFile{{Name: "model.txt", Sum: "other"}, f}}, b)
	if a, _, _ := c.answer(); len(a.Missing) != 1 || a.Missing[0] != "model.txt" {
		t.Errorf("a file that was never sent: %+v", a)
	}
	c.to.Close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

// predict runs with arguments that are checked, as often as they are the same ones: each answer is that of a new
// process, after errors, for other models under the name, and for the help.
func TestWorkerRunsPredictAgain(t *testing.T) {
	x, y, qid := exampleRows()
	c, models := startWorker(t), []string{}
	f, b := arraysFile(t, "X.npz", "X", x, "y", y, "qid", qid)
	for _, more := range []string{"--lambda=1", "--lambda=5", "--kernel=precomputed"} {
		train := request{Args: []string{"train", "X.npz", "-o", "model.txt", more}, Files: []requestFile{f},
			Outputs: []string{"model.txt"}}
		if more == "--kernel=precomputed" {
			k := &npy.Array{Shape: []int{40, 40}, Data: make([]float64, 1600)}
			for i := range 40 {
				k.Data[41*i] = 1
			}
			kernel, kb := arraysFile(t, "K.npy", "K", k)
			train.Args[4], train.Files = "--kernel-matrix=K.npy", append(train.Files, kernel)
			c.send(train, b, kb)
		} else {
			c.send(train, b)
		}
		a, files, lines := c.answer()
		if a.Exit != 0 {
			t.Fatal(lines)
		}
		models = append(models, files["model.txt"])
	}
	bad := &npy.Array{Shape: []int{40, 2}, Data: x.Data[:80]}
	for k, step := range []struct {
		model int
		x     *npy.Array
		args  []string
		exit  int
	}{{0, x, nil, 0}, {0, x, nil, 0}, {1, x, nil, 0}, {0, bad, nil, cli.ExitData}, {0, x, nil, 0},
		{2, x, nil, cli.ExitUsage}, {1, x, nil, 0}, {0, x, []string{"--missing=mean"}, 0}, {0, x, nil, 0},
		{0, x, []string{"--help"}, 0}, {0, x, []string{"--help"}, 0}, {0, x, []string{"--threads=1"}, 0},
		{0, x, []string{"--threads=1"}, 0}, {0, x, nil, 0}} {
		f, b := arraysFile(t, "X.npz", "X", step.x)
		text := models[step.model]
		r := request{Args: append([]string{"predict", "model.txt", "X.npz"}, step.args...),
			Files: []requestFile{{Name: "model.txt", Bytes: int64(len(text))}, f}}
		c.send(r, []byte(text), b)
		a, files, lines := c.answer()
		other := startWorker(t)
		other.send(r, []byte(text), b)
		want, theirs, told := other.answer()
		if a.Exit != step.exit || want.Exit != step.exit || files["-"] != theirs["-"] ||
			strings.Join(lines, "\n") != strings.Join(told, "\n") {
			t.Errorf("step %d: exit codes %d and %d, not %d\n%q\n%q", k, a.Exit, want.Exit, step.exit, lines, told)
		}
	}
}

// Errors have the exit codes of the command; the worker goes on after them.
func TestWorkerErrors(t *testing.T) {
	c := startWorker(t)
	x, y, _ := exampleRows()
	bad, b := arraysFile(t, "X.npz", "X", x, "y", y)
	copy(b[bad.Members[0].Bytes:], "garbage")
	for _, test := range []struct {
		r    request
		b    []byte
		exit int
		text string
	}{
		{request{Args: []string{"trian"}}, nil, cli.ExitUsage, "did you mean pairrank train?"},
		{request{Args: []string{"train", "X.npz", "-o", "m", "--solvr", "cg"}}, nil, cli.ExitUsage,
			"did you mean --solver?"},
		{request{Args: []string{"train", "absent.npz", "-o", "m"}, Outputs: []string{"m"}}, nil, cli.ExitRuntime,
			"absent.npz: no such file"},
		{request{Args: []string{"train", "X.npz", "-o", "m"}, Files: []requestFile{bad}, Outputs: []string{"m"}}, b,
			cli.ExitData, "X.npz:y.npy: not a .npy array"},
		{request{Args: []string{"worker"}}, nil, cli.ExitUsage, "does not run the verb worker"},
		{request{Args: []string{"version"}}, nil, cli.ExitOK, ""},
	} {
		c.send(test.r, test.b)
		a, files, lines := c.answer()
		if a.Exit != test.exit || !strings.Contains(strings.Join(lines, "\n"), test.text) {
			t.Errorf("%v: exit %d, %q", test.r.Args, a.Exit, lines)
		}
		if _, written := files["m"]; written {
			t.Errorf("%v wrote an output", test.r.Args)
		}
	}
	c.to.Write([]byte("no JSON\n"))
	if err := <-c.ended; cli.ExitCode(err) != cli.ExitData {
		t.Errorf("a line that is no request: %v", err)
	}
}

// slow is a request that takes minutes.
func slow(t *testing.T) (request, []byte) {
	x, y, _ := exampleRows()
	f, b := arraysFile(t, "X.npz", "X", x, "y", y)
	return request{Args: []string{"train", "X.npz", "-o", "m", "--learner", "rankboost", "--rounds", "100000000",
		"--progress", "json"}, Files: []requestFile{f}, Outputs: []string{"m"}}, b
}

// A request that is stopped answers with the code of Ctrl-C, and the worker ends; a stop that comes late does nothing.
func TestWorkerIsStopped(t *testing.T) {
	c := startWorker(t)
	c.send(request{Args: []string{"version"}})
	c.answer()
	c.to.Write([]byte(`{"cancel":1}` + "\n"))
	r, b := slow(t)
	c.send(r, b)
	c.to.Write([]byte(`{"cancel":2}` + "\n"))
	if a, _, _ := c.answer(); a.Exit != cli.ExitInterrupted || !a.Last {
		t.Errorf("%+v", a)
	}
	<-c.ended
}

// A request that comes before the answer to another one waits its turn, and both are answered.
func TestWorkerTakesTurns(t *testing.T) {
	c := startWorker(t)
	x, y, _ := exampleRows()
	f, b := arraysFile(t, "X.npz", "X", x, "y", y)
	train := request{Args: []string{"train", "X.npz", "-o", "m"}, Files: []requestFile{f}, Outputs: []string{"m"}}
	for range 20 {
		c.send(train, b)
		c.send(request{Args: []string{"version"}})
		if a, files, lines := c.answer(); a.Exit != 0 || files["m"] == "" {
			t.Fatalf("%+v %s", a, lines)
		}
		if a, files, _ := c.answer(); a.Exit != 0 || !strings.Contains(files["-"], "pairrank") {
			t.Fatalf("%+v %s", a, files)
		}
	}
}

// The end of the input stops the work, and ends the program if the work does not stop.
func TestWorkerEndsWithItsInput(t *testing.T) {
	c := startWorker(t)
	r, b := slow(t)
	c.send(r, b)
	go io.Copy(io.Discard, c.from)
	c.to.Close()
	select {
	case <-c.ended:
	case <-time.After(time.Minute):
		t.Fatal("the work goes on")
	}
	if code := <-c.exits; code != cli.ExitInterrupted {
		t.Errorf("exit code %d", code)
	}
	c = startWorker(t)
	c.to.Write([]byte(`{"id":1,"args":["version"],"files":[{"name":"x","bytes":5}]}` + "\nab"))
	c.to.Close()
	if err := <-c.ended; err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Errorf("an input that ends within a file: %v", err)
	}
}

// The threads of a request are not those of the next one.
func TestWorkerThreads(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	c := startWorker(t)
	for _, args := range [][]string{{"version", "--threads", "1"}, {"version"}} {
		c.send(request{Args: args})
		c.answer()
	}
	if now := runtime.GOMAXPROCS(0); now != before {
		t.Errorf("%d threads, not %d", now, before)
	}
}

// A file that claims a number of bytes that none has, or that no memory holds, is refused before a byte of it came, and
// the worker ends: nobody knows where the next request begins.
func TestWorkerRefusesClaims(t *testing.T) {
	for _, f := range []requestFile{
		{Name: "x", Bytes: -1}, {Name: "x", Bytes: 1 << 62},
		{Name: "x.npz", Members: []npy.Member{{Name: "X", Bytes: -1}}},
		{Name: "x.npz", Members: []npy.Member{{Name: "X", Bytes: 1 << 61}, {Name: "y", Bytes: 1 << 62}}},
	} {
		c := startWorker(t)
		c.send(request{Args: []string{"version"}, Files: []requestFile{f}})
		a, _, lines := c.answer()
		if a.Exit != cli.ExitData || !a.Last || len(lines) != 1 {
			t.Errorf("%+v: %+v, %q", f, a, lines)
		}
		if err := <-c.ended; err != nil {
			t.Errorf("%+v: the worker ends with %v", f, err)
		}
	}
}
