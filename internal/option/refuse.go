package option

import (
	"fmt"
	"slices"
	"strings"

	"pairrank/internal/spell"
)

// Use is what a program is asked to do, as far as it decides which options apply.
type Use struct {
	// Data is the kind of data.
	Data Kind
	// Learner and Solver are names; "" is none that decides.
	Learner, Solver string
	Given           Given
}

// Refusal is why an option, or its value, does not apply. The program that shows it makes the sentence.
type Refusal struct {
	// Option is the name, and Value the value where another one would apply.
	Option, Value string
	Why           Why
	// Is is the learner or solver that does not take the option, or the value of the option Of that it does not go
	// with, or the other option, or how a missing one is given. Takes are the values that do.
	Is, Of string
	Takes  []string
	// Reason is a sentence of the table, or "".
	Reason string
}

// Why is the kind of reason for which an option does not apply.
type Why int

const (
	// OfEdges: it is for edges, and there are rows. OfStream: it is for rows that are read once.
	OfEdges Why = iota
	OfStream
	// OfCompared: it is for comparisons. OfScores: it is for tables of scores.
	OfCompared
	OfScores
	// NotStream: the rows are read once.
	NotStream
	// NotEdges: there are edges.
	NotEdges
	// NeedsOption: an option that is needed with it is not given. NotWith: one is given that excludes it.
	NeedsOption
	NotWith
	// OfValue: it is for other values of another option.
	OfValue
	// Dash: its file is not standard input or output. Missing: it is not given, and the verb needs it.
	Dash
	Missing
	// Unknown: no kind of data has the value.
	Unknown
)

// Error is the refusal in the words of the command line.
func (r *Refusal) Error() string {
	option := "--" + r.Option
	if r.Value != "" {
		option += " " + r.Value
	}
	text := option
	switch r.Why {
	case OfEdges:
		text += " is for edges between nodes"
	case OfStream:
		text += " is for rows that are read once"
	case OfCompared:
		text += " is for comparisons"
	case OfScores:
		text += " is for tables of scores"
	case NotStream:
		text += " is not for rows that are read once"
	case NotEdges:
		text += " is not for edges between nodes"
	case NeedsOption:
		text += " needs " + shown(r.Is)
	case NotWith:
		text = fmt.Sprintf("%s and %s cannot be given together", option, shown(r.Is))
	case OfValue:
		text += fmt.Sprintf(" is for %s %s, not %s", shown(r.Of), spell.List(r.Takes), r.Is)
	case Dash:
		text += " cannot be -"
	case Missing:
		text = r.Is + " is missing"
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}

// shown is the name of an option, or of an argument, as it is given.
func shown(name string) string {
	if IsArgument(name) {
		return name
	}
	return "--" + name
}

// IsArgument reports whether a name is that of an argument: it has capitals alone.
func IsArgument(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// Check returns the *Refusal of an option of a verb that was given and does not apply: the first one by the kind of
// data, else by the learner, else by the solver.
func Check(verb string, use Use) error {
	type valued struct {
		*Option
		value string
	}
	var of []valued
	has := func(o *Option) bool { return o.has(verb) }
	for o := range each {
		if value, given := use.Given(o.Name); given && o == row(has, o.Name, use.Data) {
			of = append(of, valued{o, value})
		}
	}
	for _, rule := range []func(o *Option, use Use, value string) *Refusal{byData, byLearner, bySolver} {
		for _, o := range of {
			if r := rule(o.Option, use, o.value); r != nil {
				r.Option = o.Name
				return r
			}
		}
	}
	return nil
}

// Given is the value of an option, its default where it was not given, and whether it was.
type Given func(name string) (value string, given bool)

// CheckTogether returns the *Refusal of an option of a verb that was given as standard input or output, without what it
// needs or with what excludes it, or that was not given although the verb needs it.
func CheckTogether(verb string, of Given) error {
	kind, _ := KindOf(verb)
	for o := range each {
		if o.Needs+o.Not+o.NotDash == "" && !o.Required {
			continue
		}
		if r := o.together(kind, of); r != nil && o.isOf(verb) {
			return r
		}
	}
	return nil
}

// together is why the option is not given with others as it should be, or is not given; nil where nothing is wrong.
func (o *Option) together(kind Kind, of Given) *Refusal {
	value, given := of(o.Name)
	if !given && !o.Required {
		return nil
	}
	r := &Refusal{Option: o.Name}
	switch {
	case !given && (o.Data == 0 || o.Data&kind != 0):
		r.Why, r.Is = Missing, o.form()
	case !given:
		return nil
	case value == "-" && o.NotDash != "":
		r.Why, r.Reason = Dash, o.NotDash
	case !o.needed(r, of):
		if o.Not == "" {
			r.Reason = o.Reason
		}
	case o.excluded(r, of):
		r.Reason = o.Reason
	default:
		return nil
	}
	return r
}

// needed reports whether what the option needs is given, or says in r what is not.
func (o *Option) needed(r *Refusal, of Given) bool {
	for need := range strings.FieldsSeq(o.Needs) {
		name, values, valued := strings.Cut(need, "=")
		any := strings.Split(name, "|")
		value, _ := of(name)
		switch takes := strings.Split(values, ","); {
		case valued && !slices.Contains(takes, value):
			r.Why, r.Of, r.Takes, r.Is = OfValue, name, takes, value
			return false
		case !valued && !slices.ContainsFunc(any, func(name string) bool { _, given := of(name); return given }):
			r.Why, r.Is = NeedsOption, strings.Join(any, " or --")
			return false
		}
	}
	return true
}

// excluded reports whether an option is given that excludes this one, and says in r which.
func (o *Option) excluded(r *Refusal, of Given) bool {
	for other := range strings.FieldsSeq(o.Not) {
		name, excluded, valued := strings.Cut(other, "=")
		if value, given := of(name); given && !valued || valued && value == excluded {
			r.Why, r.Is = NotWith, strings.TrimSuffix(name+" "+excluded, " ")
			return true
		}
	}
	return false
}

// KindGiven is the kind of data that options of a verb are for that are given, 0 where all of these are for any. It
// returns the *Refusal of the first option that is for another kind than one before it.
func KindGiven(verb string, of Given) (kind Kind, err error) {
	first := ""
	for o := range each {
		_, given := of(o.Name)
		switch {
		case !given || !o.has(verb) || o.Data == 0:
		case kind == 0:
			kind, first = o.Data, o.Name
		case o.Data != kind:
			r := byData(o, Use{Data: kind}, "")
			r.Option, r.Reason = o.Name, "--"+first+" is not"
			return 0, r
		}
	}
	return kind, nil
}

// NotFor is the *Refusal of an option, or of its value, that other kinds of data have and that of the verb has not; nil
// where there is no such option, or no kind of data has the value.
func NotFor(verb, name, value string) error {
	kind, plain := KindOf(verb)
	o := Find(plain, name)
	if o == nil || kind == 0 {
		return nil
	}
	if r := byData(o, Use{Data: kind}, value); r != nil && r.Why != Unknown {
		r.Option = name
		return r
	}
	return nil
}

// byData refuses an option or a value that is for other kinds of data.
func byData(o *Option, use Use, value string) *Refusal {
	switch {
	case o.isFor(use.Data):
		return o.valueByData(use.Data, value)
	case o.Data == Edges:
		return &Refusal{Why: OfEdges}
	case o.Data == Stream:
		return &Refusal{Why: OfStream}
	case o.Data == Compared:
		return &Refusal{Why: OfCompared}
	case o.Data == Scores:
		return &Refusal{Why: OfScores}
	case use.Data == Stream:
		return &Refusal{Why: NotStream, Reason: o.NotStream}
	}
	return &Refusal{Why: NotEdges}
}

// valueByData refuses a value that is for other kinds of data, or for none.
func (o *Option) valueByData(kind Kind, value string) *Refusal {
	names := o.namesFor(kind)
	known := "known are " + strings.Join(names, ", ")
	switch {
	case names == nil || slices.Contains(names, value):
		return nil
	case !slices.Contains(o.Names, value) && !slices.Contains(o.EdgeNames, value):
		return &Refusal{Value: value, Why: Unknown, Reason: unknown(value, names)}
	case kind == Rows:
		return &Refusal{Value: value, Why: OfEdges}
	case kind == Stream:
		return &Refusal{Value: value, Why: NotStream, Reason: o.NotStream + "; " + known}
	}
	return &Refusal{Value: value, Why: NotEdges, Reason: known}
}

// byLearner refuses an option that the learner does not take.
func byLearner(o *Option, use Use, _ string) *Refusal {
	takers := o.Learners
	if use.Data == Edges {
		takers = o.EdgeLearners
	}
	return refusedBy("learner", takers, use.Learner)
}

// bySolver refuses an option that the solver does not take.
func bySolver(o *Option, use Use, _ string) *Refusal {
	takers := o.Solvers
	if use.Data == Edges {
		takers = o.EdgeSolvers
	}
	return refusedBy("solver", takers, use.Solver)
}

// refusedBy is the refusal of what only some learners or solvers take, nil where name is one of them, or none.
func refusedBy(of, takers, name string) *Refusal {
	takes := strings.Fields(takers)
	if takers == "" || name == "" || slices.Contains(takes, name) {
		return nil
	}
	return &Refusal{Why: OfValue, Of: of, Is: name, Takes: takes}
}

// Takes reports whether a learner of rows takes an option of training.
func Takes(name, learner string) bool {
	o := Find("train", name)
	return o != nil && byLearner(o, Use{Data: Rows, Learner: learner}, "") == nil
}
