//go:build linux

package main

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// unread is the number of bytes in a pipe that nobody has read.
func unread(t *testing.T, f *os.File) int {
	t.Helper()
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
