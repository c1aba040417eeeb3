//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package replace

import (
	"errors"
	"os"
	"syscall"
)

// errLocked says that another one has the lock.
var errLocked = errors.New("locked")

// tryLock locks an open file until it is closed, or its process ends, and does not
// wait.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
