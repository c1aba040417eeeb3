package serve

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"pairrank/data"
	"pairrank/model/contribution"
	"pairrank/relation/pairmodel"
)

// mostExplained is how many scores, or differences of two, one request has explained.
const mostExplained = 100

// explainedParts is how many parts of each are listed where the request does not say.
const explainedParts = 20

// explanation is the decomposition of a score, or of the difference of two.
type explanation struct {
	Row       int    `json:"row"`                  // or pair, of the request, from 0
	ID        string `json:"id,omitempty"`         // its id, where the request has ids
	Against   *int   `json:"against,omitempty"`    // row or pair whose score is taken off
	AgainstID string `json:"against_id,omitempty"` // its id
	*contribution.Sum
}

// explained is the answer to explain.
type explained struct {
	Model        string        `json:"model"`
	Version      string        `json:"version"`
	IDs          []string      `json:"ids,omitempty"`
	Explanations []explanation `json:"explanations"`
}

func tooManyExplained() *Problem {
	return problem(http.StatusRequestEntityTooLarge, "too-many-rows",
		"one request explains at most %d scores or differences", mostExplained).
		hint(inSeveral)
}

// answerExplained writes the answer to explain: of every row, or where there is a field
// compare, of its pairs of rows.
func (l *loaded) answerExplained(j *job, q *request, name string) *Problem {
	if q.given != nil {
		return malformed("only pairs can be explained: list them").at("given").
			hint(`send {"pairs":[[row id, column id],…]}`)
	}
	var questions [][2]int // the second is -1 of a row by itself
	field := "compare"
	if q.compare != nil {
		questions = q.compare
	} else {
		field = "rows"
		if q.pairs != nil {
			field = "pairs"
		}
		for i := range q.count() {
			if questions = append(questions, [2]int{i, -1}); len(questions) > mostExplained {
				return tooManyExplained().at(field)
			}
		}
	}
	if p := j.takeParts(l, q); p != nil {
		return p.at(field)
	}
	head := explained{Model: name, Version: l.version, IDs: q.ids, Explanations: []explanation{}}
	text, err := json.Marshal(&head)
	if err != nil {
		panic(err) // texts
	}
	j.out = append(j.out[:0], text[:len(text)-len("]}")]...)
	few, at := l.fewRows(q, questions)
	for k, question := range questions {
		sum, p := l.explain(few, at(question[0]), at(question[1]))
		if p != nil {
			return p.at(field, k)
		}
		e := explanation{Row: question[0], Sum: sum}
		if question[1] >= 0 {
			e.Against = &questions[k][1]
		}
		if q.ids != nil {
			if e.ID = q.ids[e.Row]; e.Against != nil {
				e.AgainstID = q.ids[*e.Against]
			}
		}
		if p := j.tell(&e, k > 0); p != nil {
			return p.at(field, k)
		}
	}
	j.out = append(j.out, "]}\n"...)
	return nil
}

// tell appends an explanation to the answer; further says that another one follows.
func (j *job) tell(e *explanation, further bool) *Problem {
	text, err := json.Marshal(e)
	if err != nil {
		return unfit("overflow", "the score cannot be explained: %v", err)
	}
	const rest = 8 // a comma, and the end of the answer
	if need := len(j.out) + len(text) + rest; need > cap(j.out) {
		size := max(need, 2*cap(j.out))
		if p := j.take(int64(size)); p != nil {
			return p
		}
		before := cap(j.out)
		j.out = append(make([]byte, 0, size), j.out...)
		j.give(int64(before))
	}
	if further {
		j.out = append(j.out, ',')
	}
	j.out = append(j.out, text...)
	return nil
}

// fewRows is the request reduced to the rows of the questions, and their places in it, for a model
// that normalises dense rows by query: otherwise each question would normalise all rows again. Two
// rows with the least and the greatest value of each feature replace the others, since the
// normalised rows depend on nothing else in a query. Any other request is returned unchanged.
func (l *loaded) fewRows(q *request, questions [][2]int) (few *request, at func(int) int) {
	same := func(i int) int { return i }
	if q.set == nil || l.rows.Normalizer == nil || l.rows.Normalizer.Kind != data.NormalizeQueryMinMax {
		return q, same
	}
	x, dense := q.set.X.(*data.Dense)
	if !dense || x.Rows <= 2*len(questions)+2 {
		return q, same
	}
	least, most := slices.Clone(x.Row(0)), slices.Clone(x.Row(0))
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			least[j], most[j] = min(least[j], v), max(most[j], v)
		}
	}
	places := map[int]int{-1: -1}
	var rows []float64
	for _, question := range questions {
		for _, i := range question {
			if _, there := places[i]; !there {
				places[i] = len(places) - 1
				rows = append(rows, x.Row(i)...)
			}
		}
	}
	count := len(places) + 1
	y := data.NewDense(count, x.Cols, append(append(rows, least...), most...))
	return &request{set: &data.Set{X: y}, top: q.top}, func(i int) int { return places[i] }
}

// topParts is how many parts are listed.
func (q *request) topParts() int { return cmp.Or(q.top, explainedParts) }

// explain decomposes the score of row i or, unless b is -1, its difference from that of b.
func (l *loaded) explain(q *request, i, b int) (*contribution.Sum, *Problem) {
	top := q.topParts()
	if l.pairs != nil {
		return l.explainPairs(q, i, b, top)
	}
	if v := l.outputs(); v != 1 {
		return nil, unfit("wrong-kind", "the model has %d outputs; only models of one output can be explained", v)
	}
	var sum *contribution.Sum
	var err error
	if b < 0 {
		sum, err = contribution.Row(l.rows, q.set, i)
	} else {
		sum, err = contribution.Rows(l.rows, q.set, i, b)
	}
	if err != nil {
		return nil, unfit("unfit", "%v", err)
	}
	return sum.Top(top), nil
}

// explainPairs is explain for pairs. Two pairs that are compared share the row node.
func (l *loaded) explainPairs(q *request, i, b, top int) (*contribution.Sum, *Problem) {
	if q.row == nil { // the first question finds all pairs
		var p *Problem
		if q.row, q.col, p = l.nodes.find(q); p != nil {
			return nil, p
		}
	}
	row, col := q.row, q.col
	n, parting := l.nodes, pairmodel.Parting{Top: top}
	var sum *contribution.Sum
	var err error
	switch {
	case b < 0:
		sum, err = l.pairs.Contribution(parting, n.rows.values, n.cols.values, int(row[i]), int(col[i]))
	case row[i] != row[b]:
		return nil, malformed("two compared pairs must have the same row node")
	default:
		sum, err = l.pairs.ContributionBetween(parting, n.rows.values, n.cols.values,
			int(row[i]), int(col[i]), int(col[b]))
	}
	if err != nil {
		return nil, unfit("unfit", "%v", err)
	}
	return sum, nil
}
