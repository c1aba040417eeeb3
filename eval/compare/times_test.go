package compare

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/pick"
)

// trial is a study of m patients: the hazard grows as the risk falls, censoring is independent.
func trial(rng *rand.Rand, m int, slope, censored float64) (in metric.Input, good, poor []float64) {
	for range m {
		z := rng.NormFloat64()
		t := rng.ExpFloat64() * math.Exp(slope*z)
		limit := math.Inf(1)
		if censored > 0 {
			limit = rng.ExpFloat64() * (1 - censored) / censored
		}
		in.Labels, in.Censored = append(in.Labels, min(t, limit)), append(in.Censored, limit < t)
		good, poor = append(good, z), append(poor, z+2*rng.NormFloat64())
	}
	return in, good, poor
}

// valueOf is a metric of some rows of a study by the evaluator.
func valueOf(t *testing.T, m metric.Metric, in metric.Input, rows []int32, f []float64) metric.Value {
	r, err := metric.Evaluate(metric.Input{Labels: pick.Rows(in.Labels, rows), Censored: pick.Rows(in.Censored, rows),
		Scores: pick.Rows(f, rows)}, []metric.Metric{m}, metric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Results[0].Mean
}

// The standard error is that of leaving out each unit and measuring the rest, and the difference that of the values.
func TestTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for try := range 120 {
		of, until := metric.CIndex, math.Inf(1)
		if try >= 60 {
			of, until = horizon(t, "c-index@4"), 4
		}
		in, f, g := trial(rng, 8+rng.IntN(20), 1, 0.4)
		m := len(f)
		pairs, strata := make([]int32, m), make([]int32, m)
		for i := range m {
			pairs[i], strata[i] = int32(i/2), int32(i%4)
			in.Labels[i], f[i] = math.Ceil(in.Labels[i]*5), math.Round(f[i]*2)
		}
		var groups *data.Partition
		units := pairs
		if try%3 == 0 {
			units = indicesUpTo(m)
		} else if try%3 == 1 {
			groups = data.NewQueries(pairs, make([]string, (m+1)/2))
		} else {
			in.Queries, units = data.NewQueries(strata, []string{"a", "b", "c", "d"}), strata
		}
		found, err := Times(in, groups, []metric.Metric{of}, f, g)
		if err != nil {
			t.Fatal(err)
		}
		in.Scores = f
		whole, err := metric.Evaluate(in, []metric.Metric{of}, metric.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := found.Values[0]
		if c.Value != whole.Results[0].Mean {
			t.Errorf("%v, and the evaluator has %v", c.Value, whole.Results[0].Mean)
		}
		if d := found.Differences[0]; d.Difference.Defined &&
			math.Abs(d.Difference.Value-c.Value.Value+found.Values[1].Value.Value) > 1e-12 {
			t.Errorf("difference %v of %v", d, found.Values)
		}
		if in.Queries != nil {
			in.Scores = g
			other, err := metric.Evaluate(in, []metric.Metric{of}, metric.Options{})
			if err != nil || other.Results[0].Mean != found.Values[1].Value || found.Of != "query" {
				t.Errorf("%v, and the evaluator has %v, %v", found, other, err)
			}
			continue
		}
		squares, n, defined := 0.0, 0.0, c.Value.Defined
		for u := range units[m-1] + 1 {
			var rest []int32
			for i := range int32(m) {
				if units[i] != u {
					rest = append(rest, i)
				}
			}
			if comparable(in, rest, until) == comparable(in, indicesUpTo(m), until) {
				continue // the unit is in no pair
			}
			v := valueOf(t, of, in, rest, f)
			defined = defined && v.Defined
			squares, n = squares+math.Pow(v.Value-c.Value.Value, 2), n+1
		}
		if want := math.Sqrt(squares * (n - 1) / n); defined && squares > 0 && !(math.Abs(c.StdErr.Value-want) <= 1e-12) {
			t.Errorf("standard error %v, and %v by leaving out", c.StdErr, want)
		}
	}
}

// horizon is a metric by its name.
func horizon(t *testing.T, name string) metric.Metric {
	m, err := metric.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// comparable is the number of pairs of some rows whose shorter time is within a horizon.
func comparable(in metric.Input, rows []int32, until float64) (n int) {
	for _, i := range rows {
		for _, j := range rows {
			if s, t := in.Labels[i], in.Labels[j]; s <= until && !in.Censored[i] && (s < t || s == t && in.Censored[j]) {
				n++
			}
		}
	}
	return n
}

func indicesUpTo(m int) []int32 {
	rows := make([]int32, m)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

func TestTimesRefuses(t *testing.T) {
	in, f, _ := trial(rand.New(rand.NewPCG(3, 4)), 8, 1, 0.4)
	if _, err := Times(in, nil, []metric.Metric{metric.AUC}, f); err == nil || !strings.Contains(err.Error(), "auc does") {
		t.Error(err)
	}
	f[3] = math.NaN()
	if _, err := Times(in, nil, metric.Timed(), f); err == nil || err.Error() != "row 4: score is NaN" {
		t.Error(err)
	}
	for i := range f { // all times tied
		f[i], in.Labels[i], in.Censored[i] = float64(i), 2, false
	}
	c, err := Times(in, nil, metric.Timed(), f, f)
	if err != nil || c.Values[0].Value.Defined || c.Values[1].StdErr.Defined || c.Values[0].Interval.Defined ||
		c.Differences[0].P.Defined {
		t.Error(c, err)
	}
}

// The area at a horizon has an error over three events until then and three rows beyond, and no value without either.
func TestTimeAUCOfFew(t *testing.T) {
	in := metric.Input{Labels: []float64{1, 2, 3, 4, 5, 6, 7}, Censored: make([]bool, 7)}
	f := []float64{1, 5, 3, 2, 4, 7, 6}
	for name, want := range map[string][2]bool{"0.5": {}, "2": {true, false}, "3": {true, true}, "4": {true, true},
		"5": {true, false}, "7": {}} {
		c, err := Times(in, nil, []metric.Metric{horizon(t, "time-auc@"+name)}, f, in.Labels)
		if err != nil {
			t.Fatal(err)
		}
		if v := c.Values[0]; v.Value.Defined != want[0] || v.StdErr.Defined != want[1] || v.Interval.Defined != want[1] {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// Intervals hold the true value in studies of few patients. PAIRRANK_COVERAGE prints all cells, over more draws.
func TestTimesCoverage(t *testing.T) {
	draws, all := 200, os.Getenv("PAIRRANK_COVERAGE") != ""
	if all {
		draws = 1000
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, slope := range []float64{0, 0.7, 2} {
		for _, censored := range []float64{0.3, 0.7} {
			large, f, g := trial(rng, 20000, slope, censored)
			truth, err := Times(large, nil, metric.Timed(), f, g)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []int{40, 80, 200} {
				if !all && (m > 40 || slope == 0.7) {
					continue
				}
				var values, differences, defined [2]float64
				for range draws {
					in, f, g := trial(rng, m, slope, censored)
					c, err := Times(in, nil, metric.Timed(), f, g)
					if err != nil {
						t.Fatal(err)
					}
					for k := range 2 {
						if i := c.Values[2*k].Interval; i.Defined {
							defined[k]++
							if v := truth.Values[2*k].Value.Value; i.Lo <= v && v <= i.Hi {
								values[k]++
							}
							d, e := c.Differences[k].Interval, truth.Differences[k].Difference.Value
							if d.Lo <= e && e <= d.Hi {
								differences[k]++
							}
						}
					}
				}
				t.Logf("slope %v, %v %% censored, %d patients: c-index %.3f, difference %.3f; uno-c %.3f, difference %.3f",
					slope, 100*censored, m, values[0]/defined[0], differences[0]/defined[0], values[1]/defined[1],
					differences[1]/defined[1])
				const least = 0.9 // .93 by more draws
				if min(values[0], differences[0]) < least*defined[0] {
					t.Errorf("too few intervals hold")
				}
			}
		}
	}
}
