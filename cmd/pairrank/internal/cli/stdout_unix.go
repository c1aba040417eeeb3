//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// closedStdout reports whether a file is what the runtime of Go puts in the place
// of a standard stream that the program was started without (>&-): the null device,
// open for reading and writing. A shell opens /dev/null for writing only.
func closedStdout(f *os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	if err != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
