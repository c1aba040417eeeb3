package main

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/npy"
)

// sharing is a client with a file that its worker maps.
type sharing struct {
	*client
	file *os.File
}

func startSharing(t *testing.T) *sharing {
	f, err := os.Create(filepath.Join(t.TempDir(), "memory"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return &sharing{startWorker(t), f}
}

// place gives the members of a file places in memory, and asks with that. It returns what is written when the worker
// is ready.
func (c *sharing) place(r request, b []byte) (fill func()) {
	at, places := int64(64), map[int64][]byte{}
	for k := range r.Files[0].Members {
		m := &r.Files[0].Members[k]
		m.At = at
		places[at], b = b[:m.Bytes], b[m.Bytes:]
		at += (m.Bytes + 63) / 64 * 64
	}
	if err := c.file.Truncate(at); err != nil {
		c.t.Fatal(err)
	}
	r.Memory = c.file.Name()
	c.send(r)
	return func() {
		for at, part := range places {
			if _, err := c.file.WriteAt(part, at); err != nil {
				c.t.Fatal(err)
			}
		}
	}
}

// ready waits until the worker asks for the memory, and says that it is filled.
func (c *sharing) ready(fill func(), behind ...[]byte) {
	text, err := c.from.ReadBytes('\n')
	var frame struct{ Ready int }
	if err != nil || json.Unmarshal(text, &frame) != nil || frame.Ready != c.id {
		c.t.Fatalf("%s, %v", text, err)
	}
	fill()
	line, err := json.Marshal(request{Filled: c.id})
	if err != nil {
		c.t.Fatal(err)
	}
	for _, part := range append([][]byte{append(line, '\n')}, behind...) {
		if _, err := c.to.Write(part); err != nil {
			c.t.Fatal(err)
		}
	}
}

// npyBytes is an array of another type or order than WriteNPY writes, with the first number in place of its first.
func npyBytes(t *testing.T, change ...string) []byte {
	x, _, _ := exampleRows()
	_, b := arraysFile(t, "X.npz", "X", x)
	return []byte(strings.NewReplacer(change...).Replace(string(b)))
}

// Arrays in memory give what they give by the pipe, be they used where they lie or converted, and faults in them, too.
func TestWorkerSharesMemory(t *testing.T) {
	x, y, qid := exampleRows()
	nan, inf := *x, *x
	nan.Data, inf.Data = append([]float64{math.NaN()}, x.Data[1:]...), append([]float64{math.Inf(1)}, x.Data[1:]...)
	c := startSharing(t)
	for name, test := range map[string]struct {
		x    *npy.Array
		b    []byte // in place of that of x
		exit int
	}{
		"doubles": {x: x},
		"columns": {x: x, b: npyBytes(t, "'fortran_order': False, ", "'fortran_order': True,  ")},
		"integers": {x: x, b: npyBytes(t, "'<f8'", "'<i8'", string([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}),
			string([]byte{1, 0, 0, 0, 0, 0, 0, 0})), exit: cli.ExitData}, // whose bits are large whole numbers
		"cut off": {x: x, b: npyBytes(t, "(40, 3)", "(41, 3)"), exit: cli.ExitData},
		"longer":  {x: x, b: npyBytes(t, "(40, 3)", "(39, 3)"), exit: cli.ExitData},
		"nan":     {x: &nan, exit: cli.ExitData},
		"inf":     {x: &inf, exit: cli.ExitData},
	} {
		f, b := arraysFile(t, "X.npz", "X", test.x, "y", y, "qid", qid)
		if test.b != nil {
			b = append(test.b, b[f.Members[0].Bytes:]...)
		}
		r := request{Args: []string{"train", "X.npz", "-o", "m", "--lambda", "1"}, Files: []requestFile{f},
			Outputs: []string{"m"}}
		c.send(r, b)
		want, files, lines := c.answer()
		c.ready(c.place(r, b))
		got, shared, told := c.answer()
		if got.Exit != want.Exit || want.Exit != test.exit || files["m"] != shared["m"] ||
			strings.Join(lines, "\n") != strings.Join(told, "\n") {
			t.Errorf("%s: exit codes %d, %d, not %d; lines %q, %q", name, want.Exit, got.Exit, test.exit, lines, told)
		}
	}
	c.to.Close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

// A request for more memory than the file has, or for none, is refused; a line that says nothing of the memory, or the
// end of the input, ends the worker; a stop before the memory is filled stops the request.
func TestWorkerSharesNoOtherMemory(t *testing.T) {
	r, b := slow(t)
	for name, change := range map[string]func(c *sharing, r *request){
		"short":  func(c *sharing, r *request) { r.Files[0].Members[0].At = 1 << 40 },
		"beyond": func(c *sharing, r *request) { r.Files[0].Members[0].At = math.MaxInt64 },
		"before": func(c *sharing, r *request) { r.Files[0].Members[0].At = -8 },
		"none":   func(c *sharing, r *request) { r.Files[0].Members[0].At, r.Memory = 64, "/nowhere" },
	} {
		c, asked := startSharing(t), r
		f := r.Files[0]
		f.Members = append([]npy.Member{}, f.Members...)
		asked.Files, asked.Memory = []requestFile{f}, c.file.Name()
		change(c, &asked)
		c.send(asked)
		if a, _, lines := c.answer(); a.Exit != cli.ExitData || !a.Last || len(lines) != 1 {
			t.Errorf("%s: %+v, %q", name, a, lines)
		}
		<-c.ended
	}
	c := startSharing(t)
	c.place(r, b)
	if _, err := c.from.ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	c.to.Write([]byte(`{"id":7,"args":["version"]}` + "\n"))
	if err := <-c.ended; err == nil || !strings.Contains(err.Error(), "waits for its memory") {
		t.Errorf("another line: %v", err)
	}
	c = startSharing(t)
	c.place(r, b)
	if _, err := c.from.ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	c.to.Close()
	go io.Copy(io.Discard, c.from)
	if err := <-c.ended; err != nil {
		t.Errorf("the end of the input: %v", err)
	}
	c = startSharing(t)
	fill := c.place(r, b)
	c.ready(func() {
		fill()
		c.to.Write([]byte(`{"cancel":1}` + "\n"))
	})
	if a, _, _ := c.answer(); a.Exit != cli.ExitInterrupted {
		t.Errorf("stopped before it began: %+v", a)
	}
	<-c.ended
}

// A worker that ends leaves its memory mapped: the work of a request that was stopped still reads it.
func TestWorkerLeavesMemoryToStoppedWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory")
	if err := os.WriteFile(path, []byte{1, 2, 3}, 0o600); err != nil {
		t.Fatal(err)
	}
	var s sharedMemory
	b, err := s.upTo(path, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer s.unmap()
	if s.leave(); s.file != nil || s.bytes == nil || b[2] != 3 {
		t.Errorf("the file is %v, and %v is mapped", s.file, s.bytes)
	}
}
