// Package held has files in memory that stand before those of the disk, by name. A worker that runs the command for
// another program gives the readers what a request brings, and takes what the writers make, so that no file is on
// the disk and none is left behind. A program that holds nothing opens the files of the disk alone.
package held

import (
	"bytes"
	"io"
	"sync"
)

// file is an input or an output.
type file struct {
	text   []byte
	parsed any // input that is parsed already; handed over once
	kept   any // what a reader made of the text, and never changes
	output bool
}

var (
	mu    sync.Mutex
	files map[string]*file
)

// Text holds an input of this text. The text is only read.
func Text(name string, text []byte) { hold(name, &file{text: text}) }

// Parsed holds an input that is parsed already. Take hands it over.
func Parsed(name string, value any) { hold(name, &file{parsed: value}) }

// Output lets the writers of files keep the file of this name here.
func Output(name string) { hold(name, &file{output: true}) }

func hold(name string, f *file) {
	mu.Lock()
	defer mu.Unlock()
	if files == nil {
		files = map[string]*file{}
	}
	files[name] = f
}

// Open is a reader of the text of an input, or of an output that was written; nil where no text is held.
func Open(name string) io.Reader {
	mu.Lock()
	defer mu.Unlock()
	if f := files[name]; f != nil && f.text != nil {
		return bytes.NewReader(f.text)
	}
	return nil
}

// Take is the parsed input of a name, and lets go of it: who takes it may change it. It is nil where there is none.
func Take(name string) any {
	mu.Lock()
	defer mu.Unlock()
	f := files[name]
	if f == nil {
		return nil
	}
	value := f.parsed
	f.parsed = nil
	return value
}

// Keep keeps what a reader made of the text of an input, for the next one that reads it. Nobody changes the value.
// Of a file of the disk nothing is kept.
func Keep(name string, value any) {
	mu.Lock()
	defer mu.Unlock()
	if f := files[name]; f != nil && !f.output {
		f.kept = value
	}
}

// Kept is the value that is kept of an input, nil where there is none.
func Kept(name string) any {
	mu.Lock()
	defer mu.Unlock()
	if f := files[name]; f != nil {
		return f.kept
	}
	return nil
}

// Takes reports whether the file of a name is an output that is held.
func Takes(name string) bool {
	mu.Lock()
	defer mu.Unlock()
	return files[name] != nil && files[name].output
}

// Write holds what write makes as the text of an output, unless write returns an error.
func Write(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	files[name].text = b.Bytes()
	return nil
}

// Written is the text of an output, nil where it was not written.
func Written(name string) []byte {
	mu.Lock()
	defer mu.Unlock()
	if f := files[name]; f != nil && f.output {
		return f.text
	}
	return nil
}

// Clear lets go of all files.
func Clear() {
	mu.Lock()
	defer mu.Unlock()
	files = nil
}
