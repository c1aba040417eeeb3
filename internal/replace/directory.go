package replace

import (
	"context"
	"errors"
	"os"
	"time"
)

// LockDirectory waits until no other run has the lock of a directory, and takes it, until
// release or the end of the process. It is for files that are replaced together: File
// alone needs no lock. A directory that cannot be opened, or a file system without locks,
// has a lock for everybody. It returns the error of ctx.
func LockDirectory(ctx context.Context, dir string) (release func(), err error) {
	const again = 20 * time.Millisecond
	f, err := os.Open(dir)
	if err != nil {
		return func() {}, ctx.Err()
	}
	for errors.Is(tryLock(f), errLocked) {
		select {
		case <-ctx.Done():
			f.Close()
			return func() {}, ctx.Err()
		case <-time.After(again):
		}
	}
	return func() { f.Close() }, ctx.Err()
}
