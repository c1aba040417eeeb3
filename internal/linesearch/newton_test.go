package linesearch

import (
	"errors"
	"testing"
)

// TestHalve: the first share at which the objective falls is taken, or a last one that is tiny, or that of an error.
func TestHalve(t *testing.T) {
	for _, c := range []struct {
		first, most, want float64
		falls             bool
	}{{1, 2, 1, true}, {1, 0.3, 0.25, true}, {0.6, 0.1, 0.075, true}, {1, 0, 0x1p-20, false}} {
		last, falls, err := halve(c.first, func(share float64) (bool, error) { return share <= c.most, nil })
		if last != c.want || falls != c.falls || err != nil {
			t.Errorf("from %v: %v, %v, %v, want %v, %v", c.first, last, falls, err, c.want, c.falls)
		}
	}
	broken := errors.New("broken")
	if last, falls, err := halve(1, func(share float64) (bool, error) {
		if share < 0.5 {
			return true, broken
		}
		return false, nil
	}); last != 0.25 || !falls || err != broken {
		t.Errorf("an error at 0.25: %v, %v, %v", last, falls, err)
	}
}
