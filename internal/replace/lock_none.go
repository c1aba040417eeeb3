//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package replace

import (
	"errors"
	"os"
)

// errLocked says that another one has the lock; here nobody has.
var errLocked = errors.New("locked")

// tryLock says that there are no locks: leftovers stay.
func tryLock(*os.File) error { return errors.ErrUnsupported }
