package guess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pairrank/internal/doubt"
)

// most is how many values a factor may have, and how many columns may name items.
const most = 20

// reading is a guess of rows to learn from.
type reading struct {
	*sheet
	*Guess
	taken                             []bool // columns with a role
	query, group, id, label, or, time *column
	factors, out, lacking             []*column
}

// learnt guesses the roles of rows; nil where no column may be the label.
func (s *sheet) learnt() *Guess {
	r := &reading{sheet: s, Guess: &Guess{Verb: "train"}, taken: make([]bool, len(s.columns))}
	for k, c := range s.columns {
		r.taken[k] = c.given != ""
	}
	r.query, r.group = r.of("query"), r.of("group")
	r.units()
	if !r.times() && !r.labels() {
		return nil
	}
	r.tellUnits()
	r.features()
	if r.Once && (r.query == nil || slices.ContainsFunc(r.Options, func(o Option) bool {
		return !slices.Contains([]string{"label-column", "qid-column", "ignore-columns"}, o.Name)
	})) {
		return nil
	}
	return r.Guess
}

// of is the column of a role that an option gives or that has the one well-known name of it; nil where there is none.
func (r *reading) of(role string) (found *column) {
	for k, c := range r.columns {
		if c.given == role {
			return c
		}
		if c.known == role && !r.taken[k] {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	if found != nil {
		r.taken[found.at] = true
	}
	return found
}

// best is the column with the highest score, and the next one; a score below least is none.
func (r *reading) best(least float64, score func(c *column) float64) (first, second *column, gap float64) {
	var at []*column
	scores := map[*column]float64{}
	for k, c := range r.columns {
		if scores[c] = score(c); !r.taken[k] && scores[c] >= least {
			at = append(at, c)
		}
	}
	slices.SortStableFunc(at, func(a, b *column) int { return cmp.Compare(scores[b], scores[a]) })
	switch {
	case len(at) == 0:
		return nil, nil, 0
	case len(at) == 1:
		return at[0], nil, 0
	}
	return at[0], at[1], scores[at[0]] - scores[at[1]]
}

// units finds the queries and the groups: columns whose values come again.
func (r *reading) units() {
	if r.query == nil {
		r.query, _, _ = r.best(4, r.likeQuery)
	}
	if r.query != nil {
		r.taken[r.query.at] = true
		return
	}
	if r.group == nil && !r.Once {
		r.group, _, _ = r.best(3, r.likeGroup)
	}
	if r.group != nil {
		r.taken[r.group.at] = true
	}
}

// likeQuery scores a column as that of queries: equal values stand together, all about as often, and it is named so.
func (r *reading) likeQuery(c *column) float64 {
	if !c.repeats() || c.kind != whole && c.kind != text || c.two() || c.among(subjectWords) || r.known(c, "label") ||
		len(c.values) <= most && c.kind == text && !c.blocks() && !c.among(queryWords) {
		return 0
	}
	score := 0.0
	add := func(points float64, is bool) {
		if is {
			score += points
		}
	}
	add(3, c.blocks())
	add(1, c.kind == text)
	add(3, c.among(queryWords))
	add(1, doubt.LikeID(c.name))
	add(1, len(c.values) >= 5)
	add(1, slices.Min(c.rows) == slices.Max(c.rows))
	add(-2, c.kind == whole && !c.among(queryWords) && !doubt.LikeID(c.name))
	add(-2, c.among(labelWords))
	return score
}

// likeGroup scores a column as that of subjects whose rows belong together.
func (r *reading) likeGroup(c *column) float64 {
	if !c.repeats() || c.kind != whole && c.kind != text || c.two() || len(c.values) < 3 {
		return 0
	}
	switch {
	case c.among(subjectWords):
		return 4
	case c.known == "id", doubt.LikeID(c.name):
		return 3.5
	case c.kind == text && len(c.values) > most:
		return 3
	}
	return 0
}

func (r *reading) known(c *column, role string) bool { return c.known == role || c.given == role }

// times finds the columns of censored times; it reports whether there are some.
func (r *reading) times() bool {
	if r.of("time") != nil && r.of("event") != nil {
		return true
	}
	if slices.ContainsFunc(r.columns, func(c *column) bool { return r.known(c, "label") }) {
		return false
	}
	time, _, _ := r.best(1, func(c *column) float64 {
		if !c.numeric() || c.least < 0 || len(c.values) <= most/2 || c.missing > 0 || !c.among(timeWords) {
			return 0
		}
		return 1 + float64(c.at)/float64(len(r.columns))
	})
	event, _, _ := r.best(1, func(c *column) float64 {
		if !c.two() || c.missing > 0 || !c.among(eventWords) {
			return 0
		}
		return 1 + float64(c.at)/float64(len(r.columns))
	})
	if time == nil || event == nil {
		return false
	}
	r.taken[time.at], r.taken[event.at] = true, true
	r.column("time", "time", time, time.holds())
	r.column("event", "event", event, event.holds())
	r.positive(event)
	return true
}

// labels finds the column of labels, and another that may be it; it reports whether there is one.
func (r *reading) labels() bool {
	if r.label = r.of("label"); r.label != nil {
		r.positive(r.label)
		return r.label.missing == 0
	}
	const least = 2
	var gap float64
	if r.label, r.or, gap = r.best(least, r.likeLabel); r.label == nil {
		return false
	}
	if few := func(c *column) bool { return len(c.values) <= 6 }; r.or != nil && (r.likeLabel(r.or) < 4 || gap > 2 ||
		few(r.label) && !few(r.or)) {
		r.or = nil
	}
	r.taken[r.label.at] = true
	r.column("label-column", "label", r.label, r.label.holds())
	if r.or != nil {
		r.taken[r.or.at], r.out = true, append(r.out, r.or)
		r.Says[len(r.Says)-1] += fmt.Sprintf(", or else label %s (%s), which the command leaves out", r.or.name,
			r.or.holds())
	}
	r.positive(r.label)
	return true
}

// likeLabel scores a column as that of labels: two values, few grades or numbers, that vary within the queries; by its
// name; and the last one, where many tables have it.
func (r *reading) likeLabel(c *column) float64 {
	few := c.kind == whole && c.least >= 0 && c.most <= 10 && len(c.values) <= 6
	if len(c.values) < 2 || !c.numeric() && !c.two() || c.rises || r.constant(c) {
		return 0
	}
	score := 0.0
	add := func(points float64, is bool) {
		if is {
			score += points
		}
	}
	add(1, c.numeric())
	add(2, c.two())
	add(1, few)
	add(10, c.known == "label")
	add(3, c.among(labelWords))
	add(-3, c.among(inputWords))
	add(-5, doubt.LikeID(c.name))
	add(2, c.at == len(r.columns)-1)
	add(0.5, c.at == 0)
	add(-3, c.missing > 0)
	return score
}

// constant reports whether a column has one value in each query.
func (r *reading) constant(c *column) bool {
	if r.query == nil {
		return false
	}
	first := map[int32]int32{}
	for i, v := range c.of {
		q := r.query.of[i]
		if was, is := first[q]; is && was != v {
			return false
		}
		first[q] = v
	}
	return true
}

// positive says which of two texts counts as 1.
func (r *reading) positive(c *column) {
	if c.kind != text || !c.two() {
		return
	}
	v, why := 0, "the rarer text"
	if c.rows[1] < c.rows[0] {
		v = 1
	}
	for k := range 2 {
		this, other := &column{name: c.values[k]}, &column{name: c.values[1-k]}
		if this.among(yesWords) && !other.among(yesWords) || other.among(noWords) && !this.among(noWords) {
			v, why = k, "by its meaning"
		}
	}
	r.Options = append(r.Options, Option{"positive", c.values[v]})
	r.say("%s counts as 1 (%s)", c.values[v], why)
}

// tellUnits tells the columns of queries and groups, and finds and tells that of the names of the rows.
func (r *reading) tellUnits() {
	for _, unit := range []struct {
		c            *column
		option, role string
	}{{r.query, "qid-column", "query"}, {r.group, "group-column", "group"}} {
		if unit.c != nil && unit.c.given == "" && (unit.c.known != unit.role || r.several(unit.role)) {
			r.column(unit.option, unit.role, unit.c, unit.c.sizes())
		}
	}
	if r.id = r.of("id"); r.id != nil || r.Once {
		return
	}
	id, _, _ := r.best(2, func(c *column) float64 {
		if c.missing > 0 || c.kind != whole && c.kind != text || !c.distinct() && !(r.query != nil && r.apart(c)) {
			return 0
		}
		score := 0.0
		if c.known == "id" {
			score += 3
		}
		if doubt.LikeID(c.name) || c.rises {
			score += 2
		}
		if c.kind == text {
			score += 2
		}
		return score
	})
	if id != nil {
		r.taken[id.at] = true
		r.column("id-column", "id", id, id.holds())
	}
}

// several reports whether well-known names of a role leave open which column has it.
func (r *reading) several(role string) bool {
	n := 0
	for _, c := range r.columns {
		if c.known == role {
			n++
		}
	}
	return n > 1
}

// apart reports whether nearly all values are different within each query.
func (r *reading) apart(c *column) bool {
	type cell struct{ query, value int32 }
	seen := map[cell]bool{}
	for i, v := range c.of {
		seen[cell{r.query.of[i], v}] = true
	}
	return 10*len(seen) >= 9*r.rows
}

// features says how the other columns become features, or that they do not.
func (r *reading) features() {
	for k, c := range r.columns {
		name := doubt.Names([]string{c.name}, nil)
		weight := len(name) > 0 && name[0].Kind == doubt.DoubtWeight && c.numeric() && c.least >= 0 && c.most > 0
		switch {
		case r.taken[k] || c.known == "fold":
		case weight && c.missing == 0 && !slices.ContainsFunc(r.Options, func(o Option) bool {
			return o.Name == "weight-column"
		}):
			r.column("weight-column", "weight", c, c.holds())
		case strings.TrimSpace(r.Names[k]) == "", c.kind == empty, c.kind == date, c.numeric() && c.rises,
			c.numeric() && doubt.LikeID(c.name) && len(c.values) > most/2:
			r.out = append(r.out, c)
		case c.numeric(), c.kind == truth:
			if c.missing > 0 {
				r.lacking = append(r.lacking, c)
			}
		case c.missing == 0 && len(c.values) <= most && 2*len(c.values) <= r.rows && !r.Bare && !r.Once:
			r.factors = append(r.factors, c)
		default:
			r.out = append(r.out, c)
		}
	}
	if r.factors != nil {
		r.Options = append(r.Options, Option{"factor-columns", list(r.factors)})
		r.say("factors %s", described(r.factors))
	}
	if r.out != nil {
		r.Options = append(r.Options, Option{"ignore-columns", list(r.out)})
		r.say("left out %s", described(r.out))
	}
	if r.lacking != nil {
		r.Options = append(r.Options, Option{"missing", "mean"})
		r.say("means for what is missing in %s", described(r.lacking))
	}
}

// described are some columns with what they hold.
func described(columns []*column) string {
	const shown = 5
	var all []string
	for _, c := range columns[:min(len(columns), shown)] {
		all = append(all, fmt.Sprintf("%s (%s)", c.name, c.holds()))
	}
	if n := len(columns) - shown; n > 0 {
		all = append(all, fmt.Sprintf("%d more", n))
	}
	return strings.Join(all, ", ")
}
