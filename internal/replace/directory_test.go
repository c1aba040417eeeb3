package replace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestLockDirectory(t *testing.T) {
	dir := t.TempDir()
	probe, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer probe.Close()
	release, err := LockDirectory(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	locked := tryLock(probe)
	if errors.Is(locked, errors.ErrUnsupported) {
		t.Skip("there are no locks here")
	}
	if !errors.Is(locked, errLocked) {
		t.Fatalf("another one gets the lock, too: %v", locked)
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := LockDirectory(over, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ends with %v", err)
	}
	entered := make(chan error)
	go func() {
		again, err := LockDirectory(t.Context(), dir)
		again()
		entered <- err
	}()
	release()
	if err := <-entered; err != nil {
		t.Error(err)
	}
	if err := tryLock(probe); err != nil {
		t.Errorf("the lock is kept: %v", err)
	}
}

func TestLockOfNoDirectory(t *testing.T) {
	release, err := LockDirectory(t.Context(), filepath.Join(t.TempDir(), "none"))
	if err != nil {
		t.Error(err)
	}
	release()
}
