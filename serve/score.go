package serve

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// score sets the job's scores to those of a request.
func (l *loaded) score(j *job, q *request) *Problem {
	if l.pairs != nil {
		return l.scoreNodes(j, q)
	}
	scores, err := l.rows.Score(q.set)
	if err != nil {
		return unfit("unfit", "%v", err).at("rows")
	}
	j.scores, j.rows = scores, q.count()
	return q.finite(scores, l.outputs())
}

// outputs is how many scores a row has.
func (l *loaded) outputs() int {
	if l.pairs != nil {
		return 1
	}
	return l.rows.Outputs()
}

// finite refuses a score that overflows, which JSON has no form for.
func (q *request) finite(scores []float64, outputs int) *Problem {
	for k, v := range scores {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			continue
		}
		field := "rows"
		if q.pairs != nil {
			field = "pairs"
		}
		if q.given != nil {
			return unfit("overflow", "the score of column %d overflows double precision: it is %v", k, v).at("given")
		}
		i := k / outputs
		return unfit("overflow", "the score of %s overflows double precision: it is %v", q.describe(i), v).at(field, i)
	}
	return nil
}

// answerScores writes the answer to score and rank; name is the name of the model.
func (l *loaded) answerScores(j *job, q *request, name string, ranked bool) {
	j.out = append(j.out[:0], `{"model":`...)
	j.out = appendText(j.out, name)
	j.out = append(append(j.out, `,"version":"`...), l.version...)
	j.out = append(j.out, '"')
	if q.given != nil {
		j.out = appendText(append(j.out, `,"given":`...), *q.given)
		j.out = appendTexts(append(j.out, `,"columns":`...), l.nodes.cols.ids)
	}
	if q.ids != nil {
		j.out = appendTexts(append(j.out, `,"ids":`...), q.ids)
	}
	v := l.outputs()
	j.out = appendScores(append(j.out, `,"scores":`...), j.scores, v)
	if ranked {
		j.out = append(j.out, `,"order":`...)
		j.rank(v, q.top)
	}
	j.out = append(j.out, '}', '\n')
}

// rank appends the order of the rows by falling score, equal ones as they came, of each
// output where there are several.
func (j *job) rank(v, top int) {
	rows := len(j.scores) / v
	if cap(j.order) < rows {
		j.order = make([]int, 0, rows)
	}
	if v > 1 {
		j.out = append(j.out, '[')
	}
	for o := range v {
		j.order = j.order[:0]
		for i := range rows {
			j.order = append(j.order, i)
		}
		slices.SortStableFunc(j.order, func(a, b int) int { return cmp.Compare(j.scores[b*v+o], j.scores[a*v+o]) })
		if o > 0 {
			j.out = append(j.out, ',')
		}
		j.out = append(j.out, '[')
		for k, i := range j.order {
			if top > 0 && k == top {
				break
			}
			if k > 0 {
				j.out = append(j.out, ',')
			}
			j.out = strconv.AppendInt(j.out, int64(i), 10)
		}
		j.out = append(j.out, ']')
	}
	if v > 1 {
		j.out = append(j.out, ']')
	}
}

// appendScores appends a list of scores, for several outputs v a list for each row.
func appendScores(dst []byte, scores []float64, v int) []byte {
	dst = append(dst, '[')
	for k, s := range scores {
		if k > 0 {
			dst = append(dst, ',')
		}
		if v > 1 && k%v == 0 {
			dst = append(dst, '[')
		}
		dst = appendNumber(dst, s)
		if v > 1 && k%v == v-1 {
			dst = append(dst, ']')
		}
	}
	return append(dst, ']')
}

// appendNumber appends a finite number as encoding/json writes it: the shortest decimal
// that reads back as the same float64.
func appendNumber(dst []byte, v float64) []byte {
	if a := math.Abs(v); a == 0 || a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, v, 'e', -1, 64)
	if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' { // e-09 becomes e-9
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for k, text := range texts {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, text)
	}
	return append(dst, ']')
}

// appendText appends a text in quotes.
func appendText(dst []byte, text string) []byte {
	for k := range len(text) {
		if c := text[k]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, err := json.Marshal(text)
			if err != nil {
				panic(err) // a text
			}
			return append(dst, quoted...)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}
