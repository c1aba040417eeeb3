package guess

import (
	"fmt"
	"slices"
	"strings"
)

// reading is a guess of rows to learn from.
type reading struct {
	*sheet
	*Guess
	taken                 []bool // columns with a role
	query                 *column
	factors, out, lacking []*column
}

// learnt guesses the roles of rows; nil where no column may be the label.
func (s *sheet) learnt() *Guess {
	r := &reading{sheet: s, Guess: &Guess{Verb: "train"}, taken: make([]bool, len(s.columns))}
	for k, c := range s.columns {
		r.taken[k] = c.given != ""
	}
	var isQuery, isGroup, isID []scored
	if r.query, isQuery = r.find(query, nil); r.query == nil && !r.Once {
		_, isGroup = r.find(group, nil)
	}
	if !r.times() && !r.labels() {
		return nil
	}
	r.tell(query, isQuery)
	r.tell(group, isGroup)
	_, isID = r.find(id, func(c *column) bool {
		return !r.Once && (c.distinct() || r.query != nil && 10*pairs(r.query, c) >= 9*r.rows)
	})
	r.tell(id, isID)
	r.features()
	if r.Once && (r.query == nil || slices.ContainsFunc(r.Options, func(o Option) bool {
		return !slices.Contains([]string{"label-column", "qid-column", "ignore-columns"}, o.Name)
	})) {
		return nil
	}
	return r.Guess
}

// tell tells the role of the column that is guessed for it.
func (r *reading) tell(of role, guessed []scored) {
	if guessed != nil {
		r.column(of.option, of.noun, guessed[0].column, of.says(guessed[0].column))
	}
}

// times finds the columns of censored times; it reports whether there are some.
func (r *reading) times() bool {
	unlabelled := func(*column) bool {
		return !slices.ContainsFunc(r.columns, func(c *column) bool { return c.known == "label" || c.given == "label" })
	}
	seen, isEvent := r.find(event, unlabelled)
	if seen == nil {
		return false
	}
	time, isTime := r.find(times, unlabelled)
	if time == nil {
		r.taken[seen.at] = seen.given != ""
		return false
	}
	r.tell(times, isTime)
	r.tell(event, isEvent)
	if isEvent != nil {
		r.positive(seen)
	}
	return true
}

// labels finds the column of labels, which varies within the queries, and tells another that may be it; it reports
// whether there is one.
func (r *reading) labels() bool {
	c, guessed := r.find(label, func(c *column) bool {
		return r.query == nil || pairs(r.query, c) > pairs(r.query, r.query)
	})
	if c == nil {
		return false
	}
	r.tell(label, guessed)
	few := func(c *column) bool { return len(c.values) <= 6 }
	if len(guessed) > 1 && guessed[1].points >= 4 && guessed[0].points-guessed[1].points <= 2 &&
		(few(guessed[1].column) || !few(c)) {
		or := guessed[1].column
		r.taken[or.at], r.out = true, append(r.out, or)
		r.Says[len(r.Says)-1] += fmt.Sprintf(", or else label %s (%s), which the command leaves out", or.name, or.holds())
	}
	r.positive(c)
	return guessed != nil || c.missing == 0
}

// positive says which of two texts counts as 1.
func (r *reading) positive(c *column) {
	if c.kind != text || !c.two() {
		return
	}
	means := func(v int) (yes int) {
		if value := (&column{name: c.values[v]}); value.among(yesWords) {
			yes++
		} else if value.among(noWords) {
			yes--
		}
		return yes
	}
	v, why := 0, "the rarer text"
	if first, second := means(0), means(1); first != second {
		why = "by its meaning"
		v = map[bool]int{second > first: 1}[true]
	} else if c.rows[1] < c.rows[0] {
		v = 1
	}
	r.Options = append(r.Options, Option{"positive", c.values[v]})
	r.say("%s counts as 1 (%s)", c.values[v], why)
}

// features says how the other columns become features, or that they do not.
func (r *reading) features() {
	_, isWeight := r.find(weight, nil)
	r.tell(weight, isWeight)
	for k, c := range r.columns {
		switch {
		case r.taken[k]:
		case r.useless(c):
			r.out = append(r.out, c)
		case c.kind == text || c.kind == mixed:
			r.factors = append(r.factors, c)
		case c.missing > 0:
			r.lacking = append(r.lacking, c)
		}
	}
	r.tellFeatures()
}

// useless reports whether a column can be no feature: it has no name or no value, dates, numbers of rows, or more texts
// than a factor.
func (r *reading) useless(c *column) bool {
	if c.numeric() {
		return c.rises || strings.TrimSpace(r.Names[c.at]) == "" || isID(c) && len(c.values) > most/2
	}
	few := c.missing == 0 && len(c.values) <= most && 2*len(c.values) <= r.rows
	return c.kind == empty || c.kind == date || c.kind != truth && (!few || r.Bare || r.Once)
}

// tellFeatures tells what becomes of columns that are no numbers, or lack some.
func (r *reading) tellFeatures() {
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
