package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"pairrank/data"
	"pairrank/internal/jsonrows"
	"pairrank/internal/spell"
)

// request is the body of a request to score, rank or explain, except for the data in the job.
type request struct {
	set     *data.Set // the rows, or nil
	ids     []string  // of the rows or pairs, or nil
	pairs   [][2]string
	row     []int32 // of the nodes of pairs that are explained, as their places are found
	col     []int32
	given   *string
	top     int // 0 for all
	compare [][2]int
}

// deepest is how deep lists and objects lie in each other: the object, the list of rows,
// a row.
const deepest = 3

// request reads the body: a matrix by itself, or any other form, with further fields that
// only golden scores have.
func (j *job) request(l *loaded, further map[string]func([]byte) *Problem) (*request, *Problem) {
	if p := j.takeMatrix(); p != nil {
		return nil, p
	}
	if j.matrix.ReadBody(j.body) {
		if l.pairs != nil {
			return nil, l.wrongKind("rows")
		}
		q := &request{}
		rules := rowRules{l.limits.ignore, l.limits.missing}
		var p *Problem
		q.set, p = l.setOfMatrix(j, rules)
		return q, p
	}
	if p := j.takeFields(l.limits.rows); p != nil {
		return nil, p
	}
	fields, p := j.fields()
	if p != nil {
		return nil, p
	}
	d := decoder{l: l, j: j, q: &request{}, rules: rowRules{l.limits.ignore, l.limits.missing}}
	return d.read(fields, further)
}

// field is a field of the body.
type field struct {
	name  string
	value []byte
}

// fields takes a body apart that is not a matrix alone.
func (j *job) fields() ([]field, *Problem) {
	if jsonrows.Depth(j.body, deepest) > deepest {
		return nil, malformed("lists and objects are nested more than %d deep", deepest)
	}
	if !utf8.Valid(j.body) {
		return nil, malformed("the body is not UTF-8")
	}
	if !json.Valid(j.body) {
		return nil, syntaxProblem(j.body)
	}
	if !jsonrows.IsObject(j.body) {
		return nil, malformed("the body is not an object").hint(`send {"rows":[[…],…]}`)
	}
	var fields []field
	for name, value := range jsonrows.Fields(j.body) {
		for _, f := range fields {
			if f.name == name {
				return nil, malformed("the field appears twice").at(name)
			}
		}
		if fields = append(fields, field{name, value}); len(fields) > len(fieldNames)+2 {
			return nil, malformed("there are too many fields")
		}
	}
	return fields, nil
}

// syntaxProblem says where a body stops being JSON.
func syntaxProblem(body []byte) *Problem {
	if len(body) == 0 {
		return malformed("the body is empty").hint(`send {"rows":[[…],…]}`)
	}
	var raw json.RawMessage
	err := json.Unmarshal(body, &raw)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return malformed("the body is not JSON: %v, at byte %d", err, syntax.Offset)
	}
	return malformed("the body is not JSON: %v", err)
}

// fieldNames are the fields of a body.
var fieldNames = []string{"rows", "ids", "pairs", "given", "top", "compare", "extra_features", "missing"}

// decoder reads the fields of a body.
type decoder struct {
	l     *loaded
	j     *job
	q     *request
	rules rowRules
	rows  []byte
}

// rowRules says how to treat features unknown to the training and missing ones.
type rowRules struct {
	ignore  bool
	missing data.Missing
}

func (d *decoder) read(fields []field, further map[string]func([]byte) *Problem) (*request, *Problem) {
	readers := map[string]func([]byte) *Problem{
		"rows":    func(value []byte) *Problem { d.rows = value; return nil },
		"ids":     d.ids,
		"pairs":   d.pairs,
		"given":   d.given,
		"top":     d.top,
		"compare": d.compare,
		"extra_features": func(v []byte) *Problem {
			return d.choice(v, "extra_features", "error", "ignore", &d.rules.ignore)
		},
		"missing": func(v []byte) *Problem {
			by, err := missingBy(jsonrows.Text(v))
			if err != nil || string(v) == `""` {
				return malformed("must be %q, %q or %q", byModel, byError, byZero).at("missing")
			}
			d.rules.missing = by
			return nil
		},
	}
	for _, f := range fields {
		read := readers[f.name]
		if read == nil {
			read = further[f.name]
		}
		if read == nil {
			p := malformed("there is no field %q", clip(f.name)).at(f.name)
			if near := spell.Nearest(f.name, fieldNames); near != "" {
				return nil, p.hint("did you mean %s?", near)
			}
			return nil, p.hint("the fields are %s", strings.Join(fieldNames, ", "))
		}
		if p := read(f.value); p != nil {
			return nil, p
		}
	}
	return d.q, d.finish()
}

// finish reads the rows, which needs the rules, and checks the combination of fields.
func (d *decoder) finish() *Problem {
	q, l := d.q, d.l
	asked := 0
	for name, is := range map[string]bool{"rows": d.rows != nil, "pairs": q.pairs != nil, "given": q.given != nil} {
		if !is {
			continue
		}
		if asked++; (name == "rows") != (l.pairs == nil) {
			return l.wrongKind(name)
		}
	}
	switch {
	case asked == 0 && l.pairs == nil:
		return malformed("the rows are missing").at("rows").hint(`send {"rows":[[…],…]}`)
	case asked == 0:
		return malformed("the pairs are missing").at("pairs").
			hint(`send {"pairs":[[row id, column id],…]} or {"given":row id}`)
	case asked > 1:
		return malformed("a request has pairs or a given node, not both").at("given")
	case q.ids != nil && q.given != nil:
		return malformed("a given node takes no ids: its columns have theirs").at("ids")
	}
	if d.rows != nil {
		var p *Problem
		if q.set, p = l.readRows(d.j, q, d.rows, d.rules); p != nil {
			return p
		}
	}
	if n := q.count(); q.ids != nil && len(q.ids) != n {
		return malformed("%d ids for %d rows", len(q.ids), n).at("ids")
	}
	return q.checkCompare()
}

// count is how many rows or pairs there are.
func (q *request) count() int {
	if q.set == nil {
		return len(q.pairs)
	}
	rows, _ := q.set.X.Dims()
	return rows
}

// checkCompare refuses rows that there are not.
func (q *request) checkCompare() *Problem {
	if q.compare != nil && q.given != nil {
		return malformed("compare applies to rows or pairs").at("compare")
	}
	for k, pair := range q.compare {
		for e, i := range pair {
			if i < 0 || i >= q.count() {
				return malformed("there is no row %d: rows count from 0 to %d", i, q.count()-1).at("compare", k, e)
			}
		}
	}
	return nil
}

// wrongKind refuses rows for a model of pairs, and pairs for a model of rows.
func (l *loaded) wrongKind(name string) *Problem {
	if l.pairs != nil {
		return unfit("wrong-kind", "the model scores pairs of nodes, not rows").at(name).
			hint(`send {"pairs":[[row id, column id],…]} or {"given":row id}`)
	}
	return unfit("wrong-kind", "the model scores rows, not pairs of nodes").at(name).hint(`send {"rows":[[…],…]}`)
}

// choice reads one of two words.
func (d *decoder) choice(value []byte, name, no, yes string, target *bool) *Problem {
	switch word := jsonrows.Text(value); word {
	case no, yes:
		*target = word == yes
		return nil
	}
	return malformed("must be %q or %q", no, yes).at(name)
}

// texts reads a list of texts, at most as many as there may be rows.
func (d *decoder) texts(value []byte, name string) ([]string, *Problem) {
	if !jsonrows.IsList(value) {
		return nil, malformed("must be a list of strings").at(name)
	}
	list := []string{}
	for k, element := range jsonrows.Elements(value) {
		if len(element) == 0 || element[0] != '"' {
			return nil, malformed("must be a string").at(name, k)
		}
		if len(list) == d.l.limits.rows {
			return nil, d.l.tooMany(name)
		}
		list = append(list, jsonrows.Text(element))
	}
	return list, nil
}

func (d *decoder) ids(value []byte) (p *Problem) {
	d.q.ids, p = d.texts(value, "ids")
	return p
}

func (d *decoder) given(value []byte) *Problem {
	if value[0] != '"' {
		return malformed("must be a string, the id of a row node").at("given")
	}
	id := jsonrows.Text(value)
	d.q.given = &id
	return nil
}

func (d *decoder) pairs(value []byte) *Problem {
	if !jsonrows.IsList(value) {
		return malformed("must be a list of pairs of ids").at("pairs")
	}
	d.q.pairs = [][2]string{}
	for k, element := range jsonrows.Elements(value) {
		if len(d.q.pairs) == d.l.limits.rows {
			return d.l.tooMany("pairs")
		}
		var pair [2]string
		count := 0
		for e, id := range jsonrows.Elements(element) {
			if !jsonrows.IsList(element) || e > 1 || id[0] != '"' {
				return malformed("must be a pair of strings, the ids of a row node and a column node").at("pairs", k)
			}
			pair[e] = jsonrows.Text(id)
			count++
		}
		if count != 2 {
			return malformed("must be a pair of strings, the ids of a row node and a column node").at("pairs", k)
		}
		d.q.pairs = append(d.q.pairs, pair)
	}
	return nil
}

// whole reads a whole number from 0 on.
func whole(value []byte) (int, bool) {
	v, ok := jsonrows.Number(value)
	if !ok || v < 0 || v > 1<<31 || v != float64(int(v)) {
		return 0, false
	}
	return int(v), true
}

func (d *decoder) top(value []byte) *Problem {
	var ok bool
	if d.q.top, ok = whole(value); !ok || d.q.top == 0 {
		return malformed("must be a whole number of at least 1").at("top")
	}
	return nil
}

func (d *decoder) compare(value []byte) *Problem {
	if !jsonrows.IsList(value) {
		return malformed("must be a list of pairs of row numbers, counted from 0").at("compare")
	}
	d.q.compare = [][2]int{}
	for k, element := range jsonrows.Elements(value) {
		var pair [2]int
		count := 0
		if jsonrows.IsList(element) {
			for e, number := range jsonrows.Elements(element) {
				i, ok := whole(number)
				if !ok || e > 1 {
					count = 0
					break
				}
				pair[e] = i
				count++
			}
		}
		if count != 2 {
			return malformed("must be a pair of row numbers, counted from 0").at("compare", k)
		}
		if d.q.compare = append(d.q.compare, pair); len(d.q.compare) > mostExplained {
			return tooManyExplained().at("compare")
		}
	}
	return nil
}

// tooMany refuses too many rows, ids or pairs.
func (l *loaded) tooMany(name string) *Problem {
	return problem(413, "too-many-rows", "there are more than %d %s", l.limits.rows, name).at(name).hint(inSeveral)
}

// describe names row i of a request, for errors.
func (q *request) describe(i int) string {
	switch {
	case q.ids != nil:
		return fmt.Sprintf("row %d, %q", i, clip(q.ids[i]))
	case q.pairs != nil:
		return fmt.Sprintf("row %q with column %q", clip(q.pairs[i][0]), clip(q.pairs[i][1]))
	}
	return fmt.Sprintf("row %d", i)
}
