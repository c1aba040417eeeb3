package cv_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pairrank/eval/cv"
	"pairrank/internal/naive"
)

// tiny bounds the rounding in sums of a few dozen terms of size 1.
const tiny = 1e-12

// scored are m scores with ties and two labels, each of at least least rows.
func scored(r *rand.Rand, m, least int) (scores, y []float64) {
	scores, y = make([]float64, m), make([]float64, m)
	positives := least + r.IntN(m-2*least+1)
	levels := 1 + r.IntN(2*m)
	for x, i := range r.Perm(m) {
		if x < positives {
			y[i] = 3
		} else {
			y[i] = -1
		}
		scores[i] = float64(r.IntN(levels)) - 2
	}
	return scores, y
}

func curve(t *testing.T, scores, y []float64) *cv.ROC {
	t.Helper()
	roc, err := cv.NewROC(scores, y)
	if err != nil {
		t.Fatal(err)
	}
	return roc
}

// TestROCIsWhatThresholdsGive counts, for each point, the rows that reach its threshold, and
// compares the area and the trapezoids with the share of pairs.
func TestROCIsWhatThresholdsGive(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for range 500 {
		m := 2 + r.IntN(20)
		scores, y := scored(r, m, 1)
		roc := curve(t, scores, y)
		disagreement, pairs := naive.Disagreement(y, scores, make([]int, m))
		if math.Abs(roc.AUC-(1-disagreement)) > tiny || roc.Positives*roc.Negatives != pairs {
			t.Fatalf("AUC %v of %d×%d, want %v of %d pairs",
				roc.AUC, roc.Positives, roc.Negatives, 1-disagreement, pairs)
		}
		area, last := 0.0, roc.Points[0]
		distinct := map[float64]bool{}
		for _, s := range scores {
			distinct[s] = true
		}
		if len(roc.Points) != len(distinct)+1 || !math.IsInf(last.Threshold, 1) {
			t.Fatalf("%d points of %d scores", len(roc.Points), len(distinct))
		}
		for x, p := range roc.Points {
			called := [2]int{}
			for i, s := range scores {
				if s >= p.Threshold && y[i] == 3 {
					called[0]++
				} else if s >= p.Threshold {
					called[1]++
				}
			}
			want := cv.ROCPoint{Threshold: p.Threshold, TruePositives: called[0], FalsePositives: called[1],
				Sensitivity:       float64(called[0]) / float64(roc.Positives),
				FalsePositiveRate: float64(called[1]) / float64(roc.Negatives)}
			if p != want || x > 0 && !(p.Threshold < last.Threshold) {
				t.Fatalf("point %d: %+v, want %+v", x, p, want)
			}
			area += (p.FalsePositiveRate - last.FalsePositiveRate) * (p.Sensitivity + last.Sensitivity) / 2
			last = p
		}
		if last.Sensitivity != 1 || last.FalsePositiveRate != 1 || math.Abs(area-roc.AUC) > tiny {
			t.Fatalf("the points end at %+v with area %v, AUC %v", last, area, roc.AUC)
		}
	}
}

// deLong is the standard error by its definition, over explicit pairs.
func deLong(scores, y []float64) float64 {
	shares := func(of, among float64) (v []float64) {
		for i, s := range scores {
			if y[i] != of {
				continue
			}
			sum, n := 0.0, 0.0
			for j, u := range scores {
				if y[j] != among {
					continue
				}
				n++
				switch {
				case s == u:
					sum += 0.5
				case (s > u) == (of > among):
					sum++
				}
			}
			v = append(v, sum/n)
		}
		return v
	}
	variance := func(v []float64) float64 {
		mean, sum := 0.0, 0.0
		for _, x := range v {
			mean += x / float64(len(v))
		}
		for _, x := range v {
			sum += (x - mean) * (x - mean)
		}
		return sum / float64(len(v)-1) / float64(len(v))
	}
	return math.Sqrt(variance(shares(3, -1)) + variance(shares(-1, 3)))
}

func TestDeLongIsItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for range 500 {
		scores, y := scored(r, 4+r.IntN(20), 2)
		roc := curve(t, scores, y)
		if want := deLong(scores, y); !roc.StdErr.Defined || math.Abs(roc.StdErr.Value-want) > tiny {
			t.Fatalf("%+v, want %v", roc.StdErr, want)
		}
	}
}

// TestROCLaws: the curve does not change with the order of rows nor, but for its
// thresholds, with an increasing function of the scores; labels or scores the
// other way round mirror it.
func TestROCLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	for range 300 {
		m := 4 + r.IntN(20)
		scores, y := scored(r, m, 2)
		roc := curve(t, scores, y)
		shuffled, labels := make([]float64, m), make([]float64, m)
		for to, from := range r.Perm(m) {
			shuffled[to], labels[to] = scores[from], y[from]
		}
		if other := curve(t, shuffled, labels); !reflect.DeepEqual(other, roc) {
			t.Fatalf("rows in another order: %+v, want %+v", other, roc)
		}
		raised, negated, flipped := make([]float64, m), make([]float64, m), make([]float64, m)
		for i, s := range scores {
			raised[i], negated[i], flipped[i] = math.Exp(s/10), -s, -y[i]
		}
		other := curve(t, raised, y)
		for x := range other.Points {
			other.Points[x].Threshold = roc.Points[x].Threshold
		}
		if !reflect.DeepEqual(other, roc) {
			t.Fatalf("increasing function: %+v, want %+v", other, roc)
		}
		for name, other := range map[string]*cv.ROC{"negated scores": curve(t, negated, y),
			"flipped labels": curve(t, scores, flipped)} {
			if math.Abs(other.AUC-(1-roc.AUC)) > tiny || math.Abs(other.StdErr.Value-roc.StdErr.Value) > tiny {
				t.Fatalf("%s: %v ± %v, want the mirror of %v ± %v", name, other.AUC, other.StdErr, roc.AUC, roc.StdErr)
			}
			if roc.Interval.Defined && math.Abs(other.Interval.Lo-(1-roc.Interval.Hi)) > tiny {
				t.Fatalf("%s: %+v, want the mirror of %+v", name, other.Interval, roc.Interval)
			}
		}
		if both := curve(t, negated, flipped); math.Abs(both.AUC-roc.AUC) > tiny {
			t.Fatalf("both the other way round: %v, want %v", both.AUC, roc.AUC)
		}
	}
}

// TestSensitivityAtSpecificity compares At with its rule over all points, at the attainable
// specificities, between them, and at the ends.
func TestSensitivityAtSpecificity(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	for range 300 {
		scores, y := scored(r, 3+r.IntN(20), 1)
		roc := curve(t, scores, y)
		asked := []float64{0, 0.8, 0.9, 0.95, 1, r.Float64()}
		for n := range roc.Negatives {
			asked = append(asked, float64(n)/float64(roc.Negatives))
		}
		for _, s := range asked {
			best := -1.0
			for _, p := range roc.Points {
				if float64(roc.Negatives-p.FalsePositives)/float64(roc.Negatives) >= s {
					best = max(best, p.Sensitivity)
				}
			}
			got := roc.At(s)
			if got.Sensitivity != best || float64(roc.Negatives-got.FalsePositives)/float64(roc.Negatives) < s {
				t.Fatalf("at specificity %v: %+v, want sensitivity %v", s, got, best)
			}
		}
	}
	roc := curve(t, []float64{5, 4, 3, 2, 1}, []float64{1, 0, 1, 0, 1})
	if p := roc.At(0.5); p.Threshold != 3 || p.Sensitivity != 2.0/3 || p.FalsePositiveRate != 0.5 {
		t.Errorf("at specificity ½: %+v", p)
	}
	if p := roc.At(1); p.Threshold != 5 || p.TruePositives != 1 {
		t.Errorf("at specificity 1: %+v", p)
	}
	defer func() {
		if recover() == nil {
			t.Error("a specificity of NaN does not panic")
		}
	}()
	roc.At(math.NaN())
}

func TestAUCInterval(t *testing.T) {
	for _, bad := range [][2]float64{{0, 0.1}, {1, 0.1}, {0.7, 0}, {0.7, math.NaN()}, {math.NaN(), 0.1},
		{0.7, math.Inf(1)}, {0.7, -0.1}} {
		if lo, hi, ok := cv.AUCInterval(bad[0], bad[1]); ok {
			t.Errorf("AUC %v with standard error %v has interval %v, %v", bad[0], bad[1], lo, hi)
		}
	}
	for _, auc := range []float64{1e-6, 0.2, 0.5, 0.8, 0.999999} {
		last := [2]float64{auc, auc}
		for _, stderr := range []float64{1e-9, 0.01, 0.1, 0.3} {
			lo, hi, ok := cv.AUCInterval(auc, stderr)
			if !ok || !(0 <= lo && lo <= last[0] && last[1] <= hi && hi <= 1) || !(lo < auc && auc < hi) {
				t.Errorf("AUC %v with standard error %v: %v, %v", auc, stderr, lo, hi)
			}
			last = [2]float64{lo, hi}
		}
	}
	// For a small standard error it is the normal interval, to second order.
	if lo, hi, _ := cv.AUCInterval(0.8, 1e-4); math.Abs(lo-(0.8-1.959964e-4)) > 1e-7 ||
		math.Abs(hi-(0.8+1.959964e-4)) > 1e-7 {
		t.Errorf("0.8 ± 0.0001: %v, %v", lo, hi)
	}
}

func TestROCRefuses(t *testing.T) {
	nan := math.NaN()
	for want, bad := range map[string][2][]float64{
		"no rows":                     {nil, nil},
		"all labels are 1":            {{1, 2}, {1, 1}},
		"labels 0, 1 and 2 are three": {{1, 2, 3}, {0, 1, 2}},
		"the score of row 2":          {{1, nan}, {0, 1}},
		"the label of row 1":          {{1, 2}, {nan, 1}},
	} {
		if _, err := cv.NewROC(bad[0], bad[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", bad, err, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("scores and labels of other lengths do not panic")
		}
	}()
	_, _ = cv.NewROC([]float64{1}, []float64{0, 1})
}

// TestROCAsJSON: undefined values are null.
func TestROCAsJSON(t *testing.T) {
	text, err := json.Marshal(curve(t, []float64{2, 1}, []float64{1, 0}))
	want := `{"points":[` +
		`{"threshold":null,"true_positives":0,"false_positives":0,"false_positive_rate":0,"sensitivity":0},` +
		`{"threshold":2,"true_positives":1,"false_positives":0,"false_positive_rate":0,"sensitivity":1},` +
		`{"threshold":1,"true_positives":1,"false_positives":1,"false_positive_rate":1,"sensitivity":1}],` +
		`"auc":1,"standard_error":null,"ci95":null,"positives":1,"negatives":1}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	roc := curve(t, []float64{4, 3, 2, 1}, []float64{1, 0, 1, 0})
	text, err = json.Marshal(roc)
	if err != nil || !roc.Interval.Defined || !strings.Contains(string(text), `"ci95":[0.`) {
		t.Errorf("%s, %v", text, err)
	}
}
