package event

import (
	"slices"
	"testing"
)

func TestLateReportsAreDropped(t *testing.T) {
	var heard []Progress
	m := Monitor{Progress: func(p Progress) { heard = append(heard, p) }}
	tell, end := m.Task("x", 0)
	tell(3, 10)
	tell(10, 10)
	tell(9, 10) // of a goroutine that was held up
	tell(10, 10)
	tell(200, 1000) // another total is another count
	end()
	want := []Progress{{Task: "x"}, {Task: "x", Done: 3, Total: 10}, {Task: "x", Done: 10, Total: 10},
		{Task: "x", Done: 10, Total: 10}, {Task: "x", Done: 200, Total: 1000}, {Task: "x", Ended: true}}
	same := func(a, b Progress) bool {
		return a.Task == b.Task && a.Done == b.Done && a.Total == b.Total && a.Ended == b.Ended
	}
	if !slices.EqualFunc(heard, want, same) {
		t.Errorf("heard %+v, want %+v", heard, want)
	}
}
