package serve

import (
	"encoding/json"
	"fmt"
	"math"

	"pairrank/internal/jsonrows"
)

// goldenEnding is appended to the name of a model file to name the file of its golden scores.
const goldenEnding = ".golden.json"

// goldenTolerance is how far a score may be from its golden one, relative to the latter
// or to 1: the last digits depend on the processor, and no more than that should change.
const goldenTolerance = 1e-9

// goldenFacts are the facts of golden scores that a model reproduced.
type goldenFacts struct {
	Scores     int     `json:"scores"`     // that were compared
	Difference float64 `json:"difference"` // the largest, relative to the golden score or to 1
	Tolerance  float64 `json:"tolerance"`
}

// verify scores the rows of a file of golden scores and compares. The file is the body of a request
// to score, with the scores of its answer as a further field "scores" and, where they need not
// agree to goldenTolerance, a field "tolerance".
func (l *loaded) verify(path string) (*goldenFacts, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	facts, err := l.compare(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return facts, nil
}

func (l *loaded) compare(text []byte) (*goldenFacts, error) {
	j := &job{body: text}
	want, tolerance := []float64(nil), goldenTolerance
	fields := map[string]func([]byte) *Problem{
		"scores": func(value []byte) (p *Problem) {
			want, p = flatScores(value)
			return p
		},
		"tolerance": func(value []byte) *Problem {
			v, ok := jsonrows.Number(value)
			if !ok || v < 0 {
				return malformed("the tolerance is not a number of at least 0").at("tolerance")
			}
			tolerance = v
			return nil
		},
	}
	q, p := j.request(l, fields)
	if p == nil && want == nil {
		p = malformed("the golden scores are missing").at("scores")
	}
	if p == nil {
		p = l.score(j, q)
	}
	if p != nil {
		return nil, p
	}
	if len(want) != len(j.scores) {
		return nil, fmt.Errorf("%d golden scores, but the model gives %d", len(want), len(j.scores))
	}
	facts := &goldenFacts{Scores: len(want), Tolerance: tolerance}
	for k, v := range want {
		d := math.Abs(j.scores[k]-v) / math.Max(1, math.Abs(v))
		if !(d <= tolerance) {
			return nil, fmt.Errorf("golden score %d is %v, but the model gives %v: model and golden scores do not "+
				"belong together", k+1, v, j.scores[k])
		}
		facts.Difference = max(facts.Difference, d)
	}
	return facts, nil
}

// flatScores are scores as an answer has them: a list, or for several outputs a list for
// each row.
func flatScores(value []byte) ([]float64, *Problem) {
	wrong := func() *Problem { return malformed("the golden scores are not a list of numbers").at("scores") }
	if !jsonrows.IsList(value) {
		return nil, wrong()
	}
	scores := []float64{}
	for _, element := range jsonrows.Elements(value) {
		if !jsonrows.IsList(element) {
			element = append(append([]byte{'['}, element...), ']')
		}
		for _, number := range jsonrows.Elements(element) {
			v, ok := jsonrows.Number(number)
			if !ok || !json.Valid(number) {
				return nil, wrong()
			}
			scores = append(scores, v)
		}
	}
	return scores, nil
}
