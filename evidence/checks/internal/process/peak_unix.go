//go:build unix

package process

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory that a process had, in bytes: ru_maxrss of getrusage(2),
// which Darwin has in bytes and the others in kilobytes.
func peak(s *os.ProcessState) int {
	usage, known := s.SysUsage().(*syscall.Rusage)
	if !known {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int(usage.Maxrss)
	}
	return 1024 * int(usage.Maxrss)
}
