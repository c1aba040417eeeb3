package replace

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// The name of a temporary file is .NAME.XXXXXXXX.tmp, with eight hexadecimal digits. Its writer
// holds a lock on it, which the system releases when the writer ends in any way. A process that
// gets the lock knows that the file was left behind.

// temporary is a new file, and the lock on it.
type temporary struct {
	*os.File
	lock *os.File // nil where there are no locks
}

// release gives the lock back.
func (t *temporary) release() {
	if t.lock != nil {
		t.lock.Close()
	}
}

// createTemporary makes a new file next to path, with the permissions that the user's file mask gives, or for the user
// alone if it is to get others in the end.
func createTemporary(path string, mode fs.FileMode) (*temporary, error) {
	begin := fs.FileMode(0o666)
	if mode != 0 {
		begin = 0o600
	}
	dir, base := filepath.Split(path)
	for range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, begin)
		switch {
		case err == nil:
			if lock, mine := lockNew(name, f); mine {
				return &temporary{f, lock}, nil
			}
			f.Close() // another run took it for left behind before it was locked
			continue
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, &noDirectory{path}
		}
		return nil, fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	return nil, fmt.Errorf("cannot write %s: no free temporary name", path)
}

// lockNew locks a file that was just made. It is not ours if another run got the lock, or removed
// the name, in between. Where the file system has no locks, lock is nil, and nobody gets one.
func lockNew(name string, f *os.File) (lock *os.File, mine bool) {
	lock, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err != nil {
		return nil, true
	}
	switch err := tryLock(lock); {
	case errors.Is(err, errLocked):
		lock.Close()
		return nil, false
	case err != nil:
		lock.Close()
		return nil, true
	case !names(name, f):
		lock.Close()
		return nil, false
	}
	return lock, true
}

// names reports whether a name belongs to an open file.
func names(name string, f *os.File) bool {
	a, err := os.Lstat(name)
	if err != nil {
		return false
	}
	b, err := f.Stat()
	return err == nil && os.SameFile(a, b)
}

// RemoveLeftovers removes the temporary files of path whose writers are gone, as far as it can. File does so for its
// own path; call it for a file that gets its name by a renaming.
func RemoveLeftovers(path string) {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	entries, _ := d.Readdirnames(-1)
	for _, name := range entries {
		if isTemporary(name, base) {
			removeLeftover(filepath.Join(dir, name))
		}
	}
}

// isTemporary reports whether a name belongs to a temporary file of base.
func isTemporary(name, base string) bool {
	rest, ok := strings.CutPrefix(name, "."+base+".")
	digits, tmp := strings.CutSuffix(rest, ".tmp")
	_, err := hex.DecodeString(digits)
	return ok && tmp && len(digits) == 8 && err == nil
}

func removeLeftover(name string) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if tryLock(f) == nil && names(name, f) {
		_ = os.Remove(name)
	}
}
