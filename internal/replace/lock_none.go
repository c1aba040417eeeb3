//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package replace

import (
	"errors"
	"os"
)

// errLocked says that another one has the lock; here nobody has.
var errLocked = errors.New("locked")

// tryLock tells that there are no locks: what was left behind stays.
func tryLock(*os.File) error { return errors.ErrUnsupported }
