package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/gaps"
	"pairrank/internal/textline"
)

// noLevel stands for a missing value of a factor: the row has none of its features.
const noLevel = ""

// cell takes the text of a column that is no feature, row after row.
func (g *gathered) cell(k, i int, text string) error {
	switch g.roles[k] {
	case label:
		return g.label(i, text)
	case factor:
		if err := checkText(text); err != nil {
			return err
		}
		return g.level(k, g.row(i), text)
	}
	switch of := &roleTable[g.roles[k]]; {
	case of.parts != nil:
		if text == "" {
			return cellfault.New(cellfault.Unnamed, "the name of the "+of.noun+" is empty")
		}
		if err := g.checkName(k, text); err != nil {
			return err
		}
		g.parts[g.roles[k]].add(text)
	case of.rows != nil:
		if err := g.checkName(k, text); err != nil {
			return err
		}
		g.ids = append(g.ids, strings.Clone(text))
		if g.factors[k] != nil {
			return g.level(k, g.row(i), text)
		}
	case of.numbers != nil:
		return g.amount(g.roles[k], text)
	case of.marks != nil:
		return g.mark(g.roles[k], text)
	}
	return nil
}

// mark takes 0 or 1, or one of two texts where an option says which is 1.
func (g *gathered) mark(r role, text string) error {
	of := &g.parts[r]
	if gaps.IsMissing(text) {
		return errBlank
	}
	if g.opts.Positive == "" {
		x, ok := g.number(text)
		if !ok {
			x, ok = truth(text)
		}
		if !ok || x != 0 && x != 1 {
			return cellfault.New(cellfault.Labels, "the event is neither 0 nor 1, and which text is 1 is not said")
		}
		text = textOf(x)
	} else if err := checkText(text); err != nil {
		return err
	}
	if one := g.positiveEvent(); text != one && of.other(one) != "" && of.other(one) != text {
		return cellfault.New(cellfault.Labels, fmt.Sprintf("the event is a third text, beside %s and %s", quotedID(one),
			quotedID(of.other(one))))
	}
	of.add(text)
	return nil
}

// positiveEvent is the text of an event that was seen.
func (g *gathered) positiveEvent() string { return cmp.Or(g.opts.Positive, "1") }

// other is the first text that is neither this one nor empty, "" where there is none.
func (n *interned) other(one string) string {
	for _, text := range n.ids {
		if text != one && text != "" {
			return text
		}
	}
	return ""
}

// events sets which times of a set are censored, and refuses times of which none is of an event.
func (g *gathered) events(set *data.Set) error {
	one := g.positiveEvent()
	of, seen := &g.parts[event], 0
	set.Censored = make([]bool, len(of.of))
	for i, v := range of.of {
		if set.Censored[i] = of.ids[v] != one; !set.Censored[i] {
			seen++
		}
	}
	if g.opts.Positive != "" {
		g.schema.Positive, g.schema.Negative = one, of.other(one)
	}
	if seen > 0 || g.some {
		return nil
	}
	return g.opts.check.pass(cellfault.Labels, g.fault(slices.Index(g.roles, event), nil,
		"no row had the event: column %s is never %s", quotedID(g.schema.Event), quotedID(one)))
}

// amount takes a number of a role.
func (g *gathered) amount(r role, text string) error {
	x, ok := g.number(text)
	switch {
	case gaps.IsMissing(text):
		return errBlank
	case !ok:
		return noNumber(text)
	case r == timed && x < 0 && !g.opts.MayLackLabel:
		return cellfault.New(cellfault.Other, "a time is at least 0")
	case r == weigh && x < 0:
		return cellfault.New(cellfault.Other, "a weight is at least 0")
	}
	g.amounts[r] = append(g.amounts[r], x)
	return nil
}

// checkDigits refuses a float as a name where it may be another whole number that was rounded, so that two queries,
// rows, groups or folds would become one: from most on a float does not have all whole numbers.
func (g *gathered) checkDigits(k int, x, most float64) error {
	if r := g.roles[k]; r.names() && math.Abs(x) >= most {
		return lostDigits(fmt.Sprint(x), "the "+r.noun())
	}
	return nil
}

// checkName refuses a text that a model cannot keep, and a number that has lost digits.
func (g *gathered) checkName(k int, text string) error {
	if textline.LostDigits(text) {
		return lostDigits(text, "the "+g.roles[k].noun())
	}
	return checkText(text)
}

// blank takes a cell of a column that is no feature, whose text is faulty.
func (g *gathered) blank(k int) {
	switch g.roles[k] {
	case label:
		if positive, _ := g.positive(); positive != "" || g.texts.of != nil {
			g.texts.add("")
		} else {
			g.y = append(g.y, math.NaN())
		}
	case factor:
		g.codes[k].add(noLevel)
	}
	switch r := g.roles[k]; {
	case roleTable[r].parts != nil, roleTable[r].marks != nil:
		g.parts[r].add("")
	case roleTable[r].rows != nil:
		g.ids = append(g.ids, "")
	case r != label && roleTable[r].numbers != nil:
		g.amounts[r] = append(g.amounts[r], math.NaN())
	}
}

// label takes the label of row i: a number, or a text where the first label is one or an option
// says which text is 1.
func (g *gathered) label(i int, text string) error {
	if g.opts.MayLackLabel {
		g.y = append(g.y[:i], g.unread(text))
		return nil
	}
	if gaps.IsMissing(text) {
		return errNoLabel
	}
	if err := checkText(text); err != nil {
		return err
	}
	if positive, _ := g.positive(); positive != "" || g.texts.of != nil {
		g.texts.add(text)
		return nil
	}
	x, ok := g.number(text)
	if !ok {
		x, ok = truth(text)
	}
	switch {
	case ok && i < len(g.y):
		g.y[i], g.numbers = x, true
	case ok:
		g.y, g.numbers = append(g.y, x), true
	case !g.numbers:
		for range i { // rows without a label, which only a check gets past
			g.texts.add("")
		}
		g.texts.add(text)
	default:
		return noNumber(text)
	}
	return nil
}
