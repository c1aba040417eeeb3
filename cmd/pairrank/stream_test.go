package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

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
