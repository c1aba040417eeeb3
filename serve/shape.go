package serve

import (
	"fmt"
	"slices"
)

// shape is what the requests to a model rely on.
type shape struct {
	kind  string
	n, v  int      // numbers that a row has, and outputs
	names []string // of features, or nil
}

func (l *loaded) shape() shape {
	if l.pairs != nil {
		return shape{kind: "pairs of nodes", v: 1}
	}
	s := shape{kind: "rows of features", n: l.rows.Features(), v: l.outputs()}
	if l.rows.Precomputed() {
		s.kind = "rows of kernel values"
	}
	if l.places != nil {
		s.names = l.rows.Names
	}
	return s
}

// fits reports how a model differs from the one that serves in what requests rely on: valid
// requests would fail, or get the scores of other features.
func (l *loaded) fits(old *loaded) error {
	a, b := old.shape(), l.shape()
	var how string
	switch {
	case a.kind != b.kind:
		how = fmt.Sprintf("scores %s, and the one that serves %s", b.kind, a.kind)
	case a.n != b.n:
		how = fmt.Sprintf("takes rows of %d numbers, and the one that serves of %d", b.n, a.n)
	case a.v != b.v:
		how = fmt.Sprintf("has %d outputs, and the one that serves %d", b.v, a.v)
	case (a.names == nil) != (b.names == nil):
		which := map[bool]string{true: "names", false: "no names"}
		how = fmt.Sprintf("has %s of features, and the one that serves %s", which[b.names != nil],
			which[a.names != nil])
	case !slices.Equal(a.names, b.names):
		j := 0
		for a.names[j] == b.names[j] {
			j++
		}
		how = fmt.Sprintf("has %q as feature %d, and the one that serves %q", clip(b.names[j]), j+1, clip(a.names[j]))
	default:
		return nil
	}
	return &shapeError{how}
}

// shapeError is why a model cannot take the place of the one that serves.
type shapeError struct{ how string }

func (e *shapeError) Error() string {
	return "the model in the file " + e.how + ": requests that are valid now would fail or mean something else"
}
