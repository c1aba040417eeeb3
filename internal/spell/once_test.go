package spell

import (
	"slices"
	"testing"
)

// A text about several subjects appears once, in the order of the first.
func TestOnce(t *testing.T) {
	var o Once
	for _, said := range [][2]string{{"map", "is undefined"}, {"ndcg", "differs on 2"}, {"p@5", "is undefined"},
		{"mrr", "is undefined"}} {
		o.Add(said[0], said[1])
	}
	want := []string{"map, p@5 and mrr are undefined", "ndcg differs on 2"}
	if got := o.Sentences(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := new(Once).Sentences(); got != nil {
		t.Errorf("nothing says %q", got)
	}
}
