package rows

import (
	"errors"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
)

// prepareGroups sets the groups of rows that leave together, and the given folds, and refuses those that the
// options contradict.
func (t *task) prepareGroups() error {
	set := t.problem.Set
	if set.Groups != nil && set.Groups.Len() < t.rows() {
		t.groups = set.Groups
	}
	if set.Folds == nil {
		return nil
	}
	t.givenFolds = set.Folds
	if t.givenFolds.Len() < 2 {
		return fault.Dataf("all rows are of one fold, so that none can be left out")
	}
	if m := t.o.Method; m != nil && m.Kind != cv.KFold {
		return fault.Optionf("Method", "%s leaves out other rows than the given folds", m)
	}
	if m := t.o.Method; m != nil && m.Folds != t.givenFolds.Len() {
		return fault.Optionf("Method", "%s deals folds, and %d are given", m, t.givenFolds.Len())
	}
	if t.queries.Len() > 1 && !t.queries.Refines(t.givenFolds) {
		return fault.Dataf("the given folds cut %s, whose rows are compared and leave together",
			cutPart(t.queries, t.givenFolds))
	}
	if t.groups != nil && !t.groups.Refines(t.givenFolds) {
		return fault.Dataf("the given folds cut a group, whose rows leave together")
	}
	return nil
}

// tellGroups notes which rows are left out together, and what they have helped with.
func (t *task) tellGroups() {
	t.tellHelped()
	if t.groups != nil {
		t.journal.Note(NoteGroups, "rows of a group are left out together: %s of %d rows",
			spell.Plural(t.groups.Len(), "group"), t.rows())
	}
	t.warnMixedGroups()
	if t.givenFolds != nil {
		t.journal.Note(NoteGroups, "the %d folds are given", t.givenFolds.Len())
	}
}

// warnMixedGroups warns of groups of a single list that have rows of both of two labels: as pairs of samples of one
// patient do, and groups that are wrong. It is no error, since lpo judges such a pair, too, without its group; only the
// reader can tell the two.
func (t *task) warnMixedGroups() {
	if t.groups == nil || !t.judgesTwoLabels() {
		return
	}
	mixed, first, other := 0, 0, 0
	for g := range t.groups.Len() {
		rows := t.groups.Part(g)
		at := slices.IndexFunc(rows, func(i int32) bool { return t.y[i] != t.y[rows[0]] })
		if at < 0 {
			continue
		}
		if mixed++; mixed == 1 {
			first, other = int(rows[0]), int(rows[at])
		}
	}
	if mixed > 0 {
		t.journal.Warn(NoteGroups, "%d of %s have rows of both labels, the first with %s and %s: this is right for paired "+
			"samples of one patient; else check the column of groups", mixed, spell.Plural(t.groups.Len(), "group"),
			t.problem.Set.Called(first), t.problem.Set.Called(other))
	}
}

// partOf is a partition of some rows, numbered by their places, without empty parts; nil of nil.
func partOf(p *data.Partition, rows []int) *data.Partition {
	if p == nil {
		return nil
	}
	number := map[int32]int32{}
	of, all := make([]int32, len(rows)), p.Of()
	for k, i := range rows {
		g, is := number[all[i]]
		if !is {
			g = int32(len(number))
			number[all[i]] = g
		}
		of[k] = g
	}
	return data.NewPartition(of, len(number))
}

// refuseGroups refuses an option where rows leave in groups.
func (t *task) refuseGroups(asked bool, option, why string) error {
	if !asked || t.groups == nil {
		return nil
	}
	return &fault.Error{Kind: fault.Use, Option: option, Err: errors.New(why)}
}

// mostGroups is the largest number of groups of which every two are left out by default: 45,000 times for each λ.
const mostGroups = 300
