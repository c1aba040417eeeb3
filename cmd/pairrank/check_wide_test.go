package main

import (
	"strings"
	"testing"
)

// An index that claims two thousand million features takes no memory for them: check counts, and train refuses.
func TestWideRows(t *testing.T) {
	wide := textFile(t, "wide.txt", "1 1:1 2147483646:1\n0 1:2\n1 1:3\n0 1:4\n")
	if code, out, stderr := program(t, "check", wide); code != 0 || !strings.Contains(out, "2147483646 features") {
		t.Errorf("check: %d, %s%s", code, out, stderr)
	}
	for _, verb := range []string{"cv", "train -o /dev/null"} {
		code, _, stderr := program(t, append(strings.Fields(verb), wide)...)
		if code == 0 || !strings.Contains(stderr, "of memory") {
			t.Errorf("%s: %d, %s", verb, code, stderr)
		}
	}
}
