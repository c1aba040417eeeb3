package cv_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/eval/cv"
)

// naiveHeight is the curve at a false positive rate that no point has, a straight line between its neighbours.
func naiveHeight(roc *cv.ROC, rate float64) float64 {
	for k, p := range roc.Points[1:] {
		if before := roc.Points[k]; before.FalsePositiveRate < rate && rate < p.FalsePositiveRate {
			share := (rate - before.FalsePositiveRate) / (p.FalsePositiveRate - before.FalsePositiveRate)
			return before.Sensitivity + share*(p.Sensitivity-before.Sensitivity)
		}
	}
	panic("a rate of a point")
}

// TestPartialAreas compares the area over a range of specificities with sums over cells of the curve; the area over a
// range of sensitivities is that of the labels and scores the other way round.
func TestPartialAreas(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for range 300 {
		scores, y := scored(r, 3+r.IntN(20), 1)
		roc := curve(t, scores, y)
		for _, of := range []string{"specificity", "sensitivity"} {
			all := roc.Partial(cv.PartialRange{Of: of, From: 0, To: 1})
			if math.Abs(all.Area-roc.AUC) > tiny || math.Abs(all.Standardised-roc.AUC) > tiny {
				t.Fatalf("the whole range of %s: %+v, AUC %v", of, all, roc.AUC)
			}
			cut := 0.05 + 0.9*r.Float64()
			low := roc.Partial(cv.PartialRange{Of: of, From: 0, To: cut})
			high := roc.Partial(cv.PartialRange{Of: of, From: cut, To: 1})
			if math.Abs(low.Area+high.Area-roc.AUC) > tiny {
				t.Fatalf("%s cut at %v: %v and %v, AUC %v", of, cut, low.Area, high.Area, roc.AUC)
			}
		}
		// The curve is straight in a cell of this many, unless a point is within: n and the ends divide them.
		from, to, cells := 0.2, 0.7, 5*roc.Negatives
		area := 0.0
		for k := range cells {
			rate := (float64(k) + 0.5) / float64(cells)
			if 1-to < rate && rate < 1-from {
				area += naiveHeight(roc, rate) / float64(cells)
			}
		}
		if cells%2 == 0 { // else the ends are within cells
			got := roc.Partial(cv.PartialRange{Of: "specificity", From: from, To: to})
			chance := (0.8*0.8 - 0.3*0.3) / 2
			if math.Abs(got.Area-area) > tiny ||
				math.Abs(got.Standardised-(1+(area-chance)/(0.5-chance))/2) > tiny {
				t.Fatalf("%+v, want area %v", got, area)
			}
		}
		negated, flipped := make([]float64, len(y)), make([]float64, len(y))
		for i := range y {
			negated[i], flipped[i] = -scores[i], -y[i]
		}
		mirror := curve(t, negated, flipped).Partial(cv.PartialRange{Of: "specificity", From: from, To: to})
		got := roc.Partial(cv.PartialRange{Of: "sensitivity", From: from, To: to})
		if math.Abs(got.Area-mirror.Area) > tiny || math.Abs(got.Standardised-mirror.Standardised) > tiny {
			t.Fatalf("sensitivity: %+v, the mirror has %+v", got, mirror)
		}
	}
}

// TestSpecificityAtSensitivity compares AtSensitivity with its rule over all points.
func TestSpecificityAtSensitivity(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	for range 300 {
		scores, y := scored(r, 3+r.IntN(20), 1)
		roc := curve(t, scores, y)
		asked := []float64{0, 0.8, 0.95, 1, r.Float64()}
		for n := range roc.Positives {
			asked = append(asked, float64(n)/float64(roc.Positives))
		}
		for _, s := range asked {
			least := math.Inf(1)
			for _, p := range roc.Points {
				if p.Sensitivity >= s {
					least = min(least, p.FalsePositiveRate)
				}
			}
			if got := roc.AtSensitivity(s); got.FalsePositiveRate != least || got.Sensitivity < s {
				t.Fatalf("at sensitivity %v: %+v, want false positive rate %v", s, got, least)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a sensitivity of NaN does not panic")
		}
	}()
	curve(t, []float64{1, 2}, []float64{0, 1}).AtSensitivity(math.NaN())
}

// TestPrecisionRecall compares with counts over all rows at every threshold.
func TestPrecisionRecall(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	for range 300 {
		scores, y := scored(r, 3+r.IntN(20), 1)
		roc := curve(t, scores, y)
		pr, average, recall := roc.PrecisionRecall(), 0.0, 0.0
		for _, p := range pr.Points {
			called, right := 0.0, 0.0
			for i, s := range scores {
				if s >= p.Threshold {
					called++
					if y[i] == 3 {
						right++
					}
				}
			}
			if p.Precision != right/called || p.Recall != right/float64(roc.Positives) {
				t.Fatalf("%+v, want precision %v, recall %v", p, right/called, right/float64(roc.Positives))
			}
			average += (p.Recall - recall) * p.Precision
			recall = p.Recall
		}
		if recall != 1 || math.Abs(pr.AveragePrecision-average) > tiny ||
			pr.Points[len(pr.Points)-1].Precision != pr.Prevalence {
			t.Fatalf("%+v, want average precision %v", pr, average)
		}
	}
}

func TestParsePartialRange(t *testing.T) {
	for _, text := range []string{"specificity=0.9:1", "sensitivity=0.25:0.75", "specificity=0:1"} {
		if p, err := cv.ParsePartialRange(text); err != nil || p.String() != text {
			t.Errorf("%q is read as %q, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "specificity", "specificity=1:0.9", "specificity=0.9:0.9", "precision=0:1",
		"sensitivity=-1:1", "sensitivity=0:2", "sensitivity=NaN:1", "sensitivity=0:1:2"} {
		if p, err := cv.ParsePartialRange(text); err == nil {
			t.Errorf("%q is read as %v", text, p)
		}
	}
}

// TestROCAnswers: the answers are those of the curve; intervals contain their value, and are of the curves of halves.
func TestROCAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(87, 88))
	scores, y := scored(r, 60, 2)
	roc := curve(t, scores, y)
	q := cv.ROCQuestions{Specificities: []float64{0.5, 0.9}, Sensitivities: []float64{0.7},
		Partial: []cv.PartialRange{{Of: "specificity", From: 0.5, To: 1}}, Band: []float64{0.8, 0.4}}
	plain := q.Answer(roc, nil)
	if plain.Sensitivities[1].Value != roc.At(0.9).Sensitivity || plain.Band[0].Interval.Defined ||
		plain.Specificities[0].Value != 1-roc.AtSensitivity(0.7).FalsePositiveRate ||
		plain.Partial[0].PartialArea != roc.Partial(q.Partial[0]) || plain.AveragePrecision.Defined {
		t.Errorf("%+v", plain)
	}
	numbers := q.Numbers(roc)
	halves := &cv.Halves{Mean: numbers, Half: make([]float64, len(numbers)), Units: 60}
	for k := range numbers {
		halves.Half[k] = 0.001 * float64(k+1)
	}
	a := q.Answer(roc, halves)
	width := 0.0
	for k, one := range append(append(a.Sensitivities, a.Specificities...), a.Band...) {
		i := one.Interval
		if !i.Defined || !(i.Lo <= one.Value && one.Value <= i.Hi) {
			t.Errorf("answer %d: %+v", k, one)
		}
		width += i.Hi - i.Lo
	}
	i := a.AveragePrecision
	if ap := a.Curve.AveragePrecision; !i.Defined || !(i.Lo < ap && ap < i.Hi) || width == 0 ||
		!a.Partial[0].Interval.Defined {
		t.Errorf("average precision %v in %+v, partial area %+v", ap, i, a.Partial)
	}
}
