package report

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
)

// timedSet has m rows with times, of which half are censored, and their scores.
func timedSet(m int) (*data.Set, []float64) {
	rng := rand.New(rand.NewPCG(4, 4))
	set, scores := &data.Set{Y: make([]float64, m), Censored: make([]bool, m)}, make([]float64, m)
	for i := range scores {
		scores[i] = rng.NormFloat64()
		set.Y[i], set.Censored[i] = rng.ExpFloat64()*math.Exp(scores[i]), rng.IntN(2) == 0
	}
	return set, scores
}

// The steps of a figure are nowhere further from the curve than one can see, and its times have what the curve has.
func TestSurvivalSteps(t *testing.T) {
	for _, m := range []int{3, 40, 20000} {
		set, scores := timedSet(m)
		s := NewSurvival(set, 0, scores)
		if len(s.Thirds) != 3 || s.figure(s.table(), "") == nil {
			t.Fatalf("%d rows: %+v", m, s)
		}
		for _, third := range s.Thirds {
			if len(third.Steps) > 2*mostSteps+2 {
				t.Errorf("%d steps", len(third.Steps))
			}
			for _, at := range third.Times {
				share := 1.0
				for _, step := range third.Steps {
					if step[0] <= at.Time {
						share = float64(step[1])
					}
				}
				if d := share - float64(at.Survival); d < -1e-12 || d > 1./mostSteps {
					t.Errorf("%d rows, %s: %v at %v, and the figure has %v", m, third.Name, at.Survival, at.Time, share)
				}
			}
		}
	}
}

// Equal scores are in one third, and there is no error of rows that belong together.
func TestSurvivalOfTiesAndGroups(t *testing.T) {
	set, scores := timedSet(60)
	clear(scores)
	set.Groups = data.NewPartition(make([]int32, 60), 1)
	s := NewSurvival(set, 1, scores)
	if s.Score != "B" || s.Of != "" || len(s.Thirds) != 1 || s.Thirds[0].Name != "middle" {
		t.Fatalf("%+v", s)
	}
	for _, at := range s.Thirds[0].Times {
		if !math.IsNaN(float64(at.StdErr)) || at.CI95 != nil {
			t.Errorf("%+v", at)
		}
	}
	if f := s.figure(s.table(), ""); !strings.Contains(f.Text[1], "no standard errors") {
		t.Error(f.Text)
	}
}

// A document that others have written has a figure or none.
func TestSurvivalOfOthers(t *testing.T) {
	for _, text := range []string{`{}`, `{"thirds":[{}]}`, `{"thirds":[{"times":[{"time":0},{"time":0}],"last":1}]}`,
		`{"thirds":[{"times":[{"time":0},{"time":1}],"last":1,"steps":[[null,1]]}]}`,
		`{"thirds":[{"times":[{"time":0},{"time":1}],"last":1},{"times":[{"time":0}],"last":1}]}`,
		`{"thirds":[{"times":[{"time":0},{"time":1}],"last":null}]}`} {
		var s Survival
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if s.figure(s.table(), "") != nil {
			t.Errorf("%s has a figure", text)
		}
	}
}
