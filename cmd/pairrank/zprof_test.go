package main

import (
	"os"
	"strings"
	"testing"
	"context"
	"io"
)

func TestZProf(t *testing.T) {
	args := strings.Fields(os.Getenv("ZARGS"))
	run(context.Background(), args, os.Stdin, io.Discard, os.Stderr)
}
