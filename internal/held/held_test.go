package held

import (
	"errors"
	"io"
	"testing"
)

func TestHeldFiles(t *testing.T) {
	t.Cleanup(Clear)
	if Open("a") != nil || Take("a") != nil || Takes("a") || Written("a") != nil {
		t.Error("something is held before anything was")
	}
	Text("a", []byte("text"))
	for range 2 {
		if text, err := io.ReadAll(Open("a")); string(text) != "text" || err != nil {
			t.Errorf("read %q, %v", text, err)
		}
	}
	Keep("a", 5)
	if Keep("absent", 6); Kept("a") != 5 || Kept("absent") != nil {
		t.Error("the value of an input is not kept, or that of no input is")
	}
	Parsed("b", 3)
	if Take("b") != 3 || Take("b") != nil {
		t.Error("a parsed input is not handed over once")
	}
	Output("c")
	if !Takes("c") || Takes("a") || Open("c") != nil || Written("c") != nil {
		t.Error("an output is there before it is written")
	}
	failed := errors.New("x")
	if err := Write("c", func(w io.Writer) error { io.WriteString(w, "half"); return failed }); err != failed ||
		Written("c") != nil {
		t.Errorf("an output that was not finished: %q, %v", Written("c"), err)
	}
	if err := Write("c", func(w io.Writer) error { _, err := io.WriteString(w, "all"); return err }); err != nil ||
		string(Written("c")) != "all" {
		t.Errorf("wrote %q, %v", Written("c"), err)
	}
	if text, _ := io.ReadAll(Open("c")); string(text) != "all" {
		t.Errorf("an output reads back as %q", text)
	}
	Clear()
	if Open("a") != nil || Takes("c") {
		t.Error("files are held after Clear")
	}
}
