package survival

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The estimate at every time is the product over all times of events until then.
func TestCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		m := rng.IntN(30)
		times, censored := make([]float64, m), make([]bool, m)
		var rows []int32
		for i := range times {
			times[i], censored[i] = float64(rng.IntN(12)), rng.IntN(3) == 0
			if rng.IntN(4) > 0 {
				rows = append(rows, int32(i))
			}
		}
		c := New(times, censored, rows)
		for at := -0.5; at < 13; at += 0.5 {
			share, sum, events, risk := 1.0, 0.0, 0, 0
			for u := 0.0; u <= at; u++ {
				n, d := 0.0, 0.0
				for _, i := range rows {
					if times[i] >= u {
						n++
					}
					if times[i] == u && !censored[i] {
						d++
					}
				}
				if d > 0 {
					share, sum, events = share*(1-d/n), sum+d/n/(n-d), events+int(d)
				}
			}
			for _, i := range rows {
				if times[i] >= at {
					risk++
				}
			}
			s, stdErr := c.At(at), share*math.Sqrt(sum)
			if events == 0 {
				stdErr = math.NaN()
			}
			if math.Abs(s.Survival-share) > 1e-14 || s.Events != events || c.AtRisk(at) != risk ||
				math.IsNaN(s.StdErr) != math.IsNaN(stdErr) || math.Abs(s.StdErr-stdErr) > 1e-14 {
				t.Fatalf("at %v: %+v and %d at risk, want %v %v %v %d", at, s, c.AtRisk(at), share, stdErr, events, risk)
			}
		}
	}
}

// The estimate, its standard error and its interval are those of R: survfit(Surv(time, event) ~ 1, conf.type =
// "log-log") of 200 problems.
func TestCurveAsR(t *testing.T) {
	text, err := os.ReadFile("testdata/survfit.tsv")
	if err != nil {
		t.Fatal(err)
	}
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return math.NaN()
		}
		return x
	}
	steps := 0
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		var times []float64
		var censored []bool
		var rows []int32
		events := strings.Split(f[1], ",")
		for i, x := range strings.Split(f[0], ",") {
			times, censored, rows = append(times, number(x)), append(censored, events[i] == "0"), append(rows, int32(i))
		}
		c := New(times, censored, rows)
		for k := 2; k < len(f); k++ {
			want := strings.Split(f[k], ",")
			s := c.At(number(want[0]))
			lo, hi, ok := s.Interval()
			if !ok {
				lo, hi = math.NaN(), math.NaN()
			}
			for j, got := range []float64{float64(c.AtRisk(number(want[0]))), s.Survival, s.StdErr, lo, hi} {
				if w := number(want[1+j]); !math.IsNaN(w) && math.Abs(got-w) > 1e-12 {
					t.Errorf("%s: number %d at %s is %v, and %v by R", line, j, want[0], got, w)
				}
			}
			steps++
		}
	}
	if steps != 974 {
		t.Errorf("%d steps", steps)
	}
}

func TestThirds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		m := 1 + rng.IntN(40)
		scores, parts := make([]float64, m), make([][]int32, 2)
		for i := range scores {
			scores[i] = float64(rng.IntN(1 + rng.IntN(60)))
			parts[i%2] = append(parts[i%2], int32(i))
		}
		thirds := Thirds(scores, parts)
		all := 0
		for third, rows := range thirds {
			all += len(rows)
			for _, i := range rows {
				below, equal := 0, 0
				for _, j := range parts[i%2] {
					if scores[j] < scores[i] {
						below++
					} else if scores[j] == scores[i] {
						equal++
					}
				}
				mid := (float64(below) + float64(equal)/2) / float64(len(parts[i%2]))
				if mid < float64(third)/3-1e-12 || mid > float64(third+1)/3+1e-12 {
					t.Fatalf("a score at %v of the scores is in third %d", mid, third)
				}
			}
		}
		if all != m {
			t.Fatalf("%d of %d rows", all, m)
		}
	}
}
