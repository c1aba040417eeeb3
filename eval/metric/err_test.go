package metric

import (
	"math"
	"strings"
	"testing"
)

// Grades 3, 2, 0, 1 in this order stop with 7/16, 3/16, 0 and 1/16:
// 7/16 + 9/16·3/16/2 + 9/16·13/16·1/16/4.
func TestERRByHand(t *testing.T) {
	want := 7./16 + 9./16*3/16/2 + 9./16*13/16*1/16/4
	q, f := Query{Labels: []float64{0, 1, 3, 2}}, []float64{.2, .1, .9, .5}
	if got := value(t, Default, ERR, q, f); !near(got.Value, want) {
		t.Errorf("err is %v, by hand %v", got, want)
	}
	if got := value(t, Default, ERRAt(2), q, f); !near(got.Value, 7./16+9./16*3/16/2) {
		t.Errorf("err@2 is %v", got)
	}
	// The greatest value there is: the best grade first, then again and again.
	if got := value(t, Default, ERRAt(1), Query{Labels: []float64{4}}, []float64{1}); got.Value != 15./16 {
		t.Errorf("err@1 of grade 4 is %v, want 15/16", got)
	}
}

// A long list of one score: the mean over all orders by the chance of each place
// of its single relevant document.
func TestERROfTiedList(t *testing.T) {
	const m = 1000
	y := make([]float64, m)
	y[17] = 2
	harmonic := 0.0
	for i := 1; i <= m; i++ {
		harmonic += 1 / float64(i)
	}
	if got, want := value(t, Default, ERR, Query{Labels: y}, make([]float64, m)).Value,
		3./16*harmonic/m; math.Abs(got-want) > 1e-13 {
		t.Errorf("err of %d tied rows is %v, want %v", m, got, want)
	}
}

func TestERRRefusesLabels(t *testing.T) {
	e, err := NewEvaluator([]Metric{ERR}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range []float64{-1, 4.5, 5} {
		for _, q := range []Query{{Labels: []float64{1, y}}, {Labels: []float64{1}, Unretrieved: []float64{y}}} {
			if err := e.SetQuery(q); err == nil || !strings.Contains(err.Error(), "is not from 0 to 4, as err needs") {
				t.Errorf("label %v: %v", y, err)
			}
		}
	}
	for _, s := range []Style{TREC, LETOR3, LETOR4, MSLR} {
		if _, err := NewEvaluator([]Metric{ERR}, Options{Style: s}); err == nil {
			t.Errorf("style %s takes err", s)
		}
	}
}
