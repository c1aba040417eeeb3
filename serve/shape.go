package serve

import (
	"fmt"
	"slices"
)

// shape is the part of a model that requests rely on.
type shape struct {
	kind  string
	n, v  int      // numbers that a row has, and outputs
	names []string // of features, or nil
}

func (l *loaded) shape() shape {
	if l.pairs != nil {
		return shape{kind: "pairs of nodes", v: 1}
	}
	s := shape{kind: "rows of features", n: l.given, v: l.outputs()}
	if l.rows.Precomputed() {
		s.kind = "rows of kernel values"
	}
	if l.places != nil {
		s.names = l.called
	}
	return s
}

// fits reports how a model differs from the serving one in its shape, so that valid requests would
// fail or get the scores of other features.
func (l *loaded) fits(old *loaded) error {
	a, b := old.shape(), l.shape()
	var how string
	switch {
	case a.kind != b.kind:
		how = fmt.Sprintf("scores %s, but the serving one %s", b.kind, a.kind)
	case a.n != b.n:
		how = fmt.Sprintf("takes rows of %d numbers, but the serving one of %d", b.n, a.n)
	case a.v != b.v:
		how = fmt.Sprintf("has %d outputs, but the serving one %d", b.v, a.v)
	case (a.names == nil) != (b.names == nil):
		which := map[bool]string{true: "names", false: "no names"}
		how = fmt.Sprintf("has %s of features, but the serving one %s", which[b.names != nil],
			which[a.names != nil])
	case !slices.Equal(a.names, b.names):
		j := 0
		for a.names[j] == b.names[j] {
			j++
		}
		how = fmt.Sprintf("has %q as feature %d, but the serving one %q", clip(b.names[j]), j+1, clip(a.names[j]))
	default:
		return nil
	}
	return &shapeError{how}
}

// shapeError says why a model cannot replace the serving one.
type shapeError struct{ how string }

func (e *shapeError) Error() string {
	return "the model in the file " + e.how + ": valid requests would fail or change their meaning"
}
