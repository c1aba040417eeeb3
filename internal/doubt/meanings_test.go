package doubt

import (
	"math"
	"strings"
	"testing"

	"pairrank/data"
)

func TestMeanings(t *testing.T) {
	x := data.NewDense(3, 6, []float64{
		1, 20210131, -999, -999, 0.5, 20210131,
		2, 20210201, 4, -998, 0.25, 20210132,
		3, 19991231, 5, -997, 0.5, 20210201,
	})
	s := &data.Set{X: x, Y: []float64{1, 2, 3}, Queries: data.OneList(3), Schema: &data.Schema{Label: "Rank"},
		Names: []string{"Sample.Weight", "day", "a", "b", "clicks", "c"}}
	want := []string{`the label "Rank" has a name`, `feature 1 ("Sample.Weight"): the name is often that of how much`,
		`feature 5 ("clicks"): the name is often that of what people did`, `feature 3 ("a"): the least value is -999`,
		`feature 2 ("day"): all values are dates`}
	got := meanings(s)
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for k := range want {
		if !strings.HasPrefix(got[k].Text, want[k]) {
			t.Errorf("%q, want %q", got[k].Text, want[k])
		}
	}
	for i := range x.Rows {
		x.Row(i)[1] = math.NaN()
	}
	if got := meanings(s); len(got) != len(want)-1 {
		t.Errorf("of no values: %v", got)
	}
	s.Schema.Selected = true // by a range: of names alone nothing is asked any more
	if got := meanings(s); len(got) != 2 || got[0].Kind != DoubtLabelOrder || got[1].Kind != DoubtSentinel {
		t.Errorf("selected: %v", got)
	}
	s.Schema = &data.Schema{Label: "y", Accepted: s.Names}
	if got := meanings(s); got != nil {
		t.Errorf("accepted: %v", got)
	}
}

// Names are looked at alone where a matrix is sparse, and census is no censoring.
func TestNames(t *testing.T) {
	s := &data.Set{X: &data.CSR{Rows: 1, Cols: 4, Ptr: []int{0, 0}},
		Names: []string{"censoring", "census", "IPCW", "surv.time"}}
	got := meanings(s)
	if len(got) != 3 || got[0].Kind != DoubtWeight || got[1].Features[0] != 3 || got[2].Features[0] != 0 {
		t.Errorf("%v", got)
	}
	if got := Names(s.Names, func(j int) bool { return j != 1 }); got != nil {
		t.Errorf("accepted: %v", got)
	}
}
