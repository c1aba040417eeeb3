package table

import (
	"fmt"
	"strings"
)

// scored is what a column of a table of scores is.
type scored int

// The columns of a table of scores.
const (
	systemColumn scored = iota
	itemColumn
	scoreColumn
	repeatColumn
	scoreRoles // how many there are
)

// scoreNames are the names of the columns.
var scoreNames = [scoreRoles]columnNames{
	systemColumn: {"system", []string{"system", "model", "method", "ranker"},
		[]string{"model_name", "model_id", "system_id", "algorithm", "provider.id", "eval.model"}},
	itemColumn: {"item", []string{"item", "task", "prompt", "query", "dataset", "question_id"},
		[]string{"item_id", "task_id", "prompt_id", "query_id", "qid", "doc_id", "sample_id", "instance_id", "example_id",
			"question", "problem", "testidx", "id"}},
	scoreColumn: {"score", []string{"score", "accuracy", "value", "metric"},
		[]string{"acc", "exact_match", "correct", "success", "scores.*.value", "values.*"}},
	repeatColumn: {"repeat", []string{"repeat", "seed", "epoch", "trial"}, nil},
}

// scoreColumns are the columns of a file.
type scoreColumns struct {
	at       [scoreRoles]int // −1 for none
	items    []int
	clusters []int
}

// head finds the columns of a file.
func (r *scoreReader) head(first []field) error {
	c, o := &r.columns, r.o
	*c = scoreColumns{}
	f := r.finder(first)
	given := [scoreRoles]string{systemColumn: o.System, scoreColumn: o.Score, repeatColumn: o.Repeat}
	if err := f.given(given[:], c.at[:]); err != nil {
		return err
	}
	items := []string{o.Item}
	if f.head.find(o.Item) < 0 {
		items = strings.Split(o.Item, ",")
	}
	for _, which := range items {
		if which == "" {
			continue
		}
		k, err := f.take(which)
		if err != nil {
			return err
		}
		c.items, c.at[itemColumn] = append(c.items, k), k
	}
	var err error
	if c.clusters, err = f.clusters(o.Cluster); err != nil {
		return err
	}
	if o.SystemFromFile && o.System != "" {
		return r.fault(first[c.at[systemColumn]], "a column of systems, where each file is one")
	}
	if err = f.byName(scoreNames[:], c.at[:]); err != nil {
		return err
	}
	if o.SystemFromFile {
		c.at[systemColumn] = -1
	}
	if c.items == nil && c.at[itemColumn] >= 0 {
		c.items = []int{c.at[itemColumn]}
	}
	if c.items == nil || c.at[scoreColumn] < 0 || c.at[systemColumn] < 0 && !o.SystemFromFile {
		return r.fault(field{col: 1}, "the columns are no table of scores, which are system, item and score: %s",
			headerTexts(first))
	}
	r.settle(first)
	return nil
}

// settle says which column is what, once that is known.
func (r *scoreReader) settle(first []field) {
	c, out := &r.columns, &r.out
	out.Columns = nil
	say := func(noun string, k int) {
		out.Columns = append(out.Columns, fmt.Sprintf("%s %q", noun, first[k].text))
	}
	for k := range first {
		for role, at := range c.at {
			if at == k && scored(role) != itemColumn {
				say(scoreNames[role].noun, k)
			}
		}
		for _, at := range c.items {
			if at == k {
				say("item", k)
			}
		}
	}
	var unit []string
	for _, k := range c.clusters {
		say("cluster", k)
		unit = append(unit, strings.Clone(first[k].text))
	}
	if unit != nil {
		out.Unit = strings.Join(unit, ", ")
	}
}
