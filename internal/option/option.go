// Package option has the table of options: what the programs can be asked for, in one place. An option has a
// name, a default, a group, a text for the help and the field of the library that it sets. It says which verbs
// have it, for what kind of data and for which learners and solvers, and why not for others. The flags of the
// programs, their help, man pages and completion, the errors that refuse an option, and the tables of options in the
// pages follow from the table.
//
// Files:
//   - option.go: an option, the table, and what of it a verb has
//   - refuse.go: the errors that refuse an option
//   - data.go, learning.go, selecting.go, edges.go, measuring.go, comparing.go, output.go, serving.go: the rows of
//     the table
//   - values.go: the values of options, as packages flag and pflag take them
package option

//go:generate go test -run "TestTablesInPages|TestPythonOptions" -update

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Kind is a set of kinds of data.
type Kind uint8

const (
	// Rows are rows in memory: DATA.
	Rows Kind = 1 << iota
	// Stream is rows that are read once, query by query.
	Stream
	// Edges are labelled edges between nodes.
	Edges
	// Compared are comparisons of named items.
	Compared
	// Scores are tables of scores of systems on items.
	Scores
)

// Sums is whether an option decides what is summed over queries, so that sums by different values do not add.
type Sums uint8

const (
	// NotSummed options do not, or another one has their value, as --kernel that of --random-features.
	NotSummed Sums = iota
	// Summed options do, and sums know their values.
	Summed
	// SummedAsRead options do, since they decide how rows are read; sums do not know them.
	SummedAsRead
)

// Option is a row of the table.
type Option struct {
	// Name is the long name, without dashes, and Short one letter or "".
	Name, Short string
	// Verbs are the verbs that have the option, with blanks between them.
	Verbs string
	// Names are the values of an option that takes one of some names; nil takes others. StreamNames and EdgeNames
	// are those for these kinds of data, where they differ.
	Names, StreamNames, EdgeNames []string
	// Default is the value when the option is not given. For edges it is the first of EdgeNames where it is none of them.
	Default string
	// Bare is for an option that may stand without a value.
	Bare Bare
	// Least and Most are the limits of a whole number; Most 0 is MostOf.
	Least, Most int
	// Positive says that a number, or a time, is greater than 0.
	Positive bool
	// Rare says that the help of a verb with groups only names the option; its manual page describes it.
	Rare bool
	// Group is the heading in the help of a verb.
	Group string
	// Help says what the option does. A word in backquotes names its value. StreamHelp and EdgeHelp are in its place
	// for these kinds of data, where they differ.
	Help, StreamHelp, EdgeHelp string
	// Field are the fields of the library's options that it sets, with blanks between them.
	Field string

	// Sums says whether it decides what is summed over queries.
	Sums Sums
	// Data are the kinds of data that it is for; 0 are all.
	Data Kind
	// Learners are the learners of rows that take it, and EdgeLearners those of edges; "" are all.
	Learners, EdgeLearners string
	// Solvers are the solvers of least squares that take it, and EdgeSolvers those of edges; "" are all.
	Solvers, EdgeSolvers string
	// Needs are options that are given with it, with | between those of which one is enough, and Not are options that
	// are not given with it, with blanks between them. NAME=VALUE, or NAME=VALUE,VALUE, is an option that has one of
	// these values, be it given or the default. A name in capitals is that of an argument. Reason is that of Not or,
	// where there is no Not, of Needs.
	Needs, Not, Reason string
	// NotDash says why its file is not -, which is standard input or output.
	NotDash string
	// Required says that the verbs need it or, where it is for some kinds of data, those that have one of these kinds.
	Required bool
	// NotStream says why rows that are read once do not take it, or take only StreamNames.
	NotStream string
}

// Bare is the value of an option that is given without one. Apart matches the values that may stand behind a blank all
// the same: --spline 6 FILE is --spline=6 FILE.
type Bare struct{ Value, Apart string }

// table are all options, by groups. The order is that of the help. A run of the command needs few of them, and makes no
// copies of the table.
var table = slices.Concat(data, [][]Option{named}, learning, [][]Option{selecting, edges}, measuring, comparing,
	serving, output)

// each yields the options of the table.
func each(yield func(*Option) bool) {
	for _, options := range table {
		for k := range options {
			if !yield(&options[k]) {
				return
			}
		}
	}
}

// first are the options that most users of a verb need. Their order is that of the help.
var first = map[string]string{
	"train":          "output learner kernel lambda select metric",
	"cv":             "method learner kernel lambda metric nested",
	"relation train": "output rows cols row-kernel setting lambda",
	"relation cv":    "rows cols row-kernel setting method nested",
	"stream train":   "output learner kernel lambda select normalize",
}

// FirstGroup is the heading of the options that most users of a verb need.
const FirstGroup = "The six that matter"

// few options of a verb need no groups.
const few = 14

// Of are the options of a verb, in the order of its help, with the groups that they have there. Verbs of a kind
// of data, as "relation train", have those options of the plain verb that are for that kind.
func Of(verb string) []Option {
	if all, is := found.Load(verb); is {
		return slices.Clone(all.([]Option))
	}
	all := of(verb)
	found.Store(verb, all)
	return slices.Clone(all)
}

// found are the options of verbs that were asked for: a worker runs verbs many times.
var found sync.Map

func of(verb string) (all []Option) {
	kind, _ := KindOf(verb)
	for of := range each {
		if !of.isOf(verb) || !of.isFor(kind) {
			continue
		}
		o := *of
		if names := o.namesFor(kind); kind == Edges && o.EdgeNames != nil && !slices.Contains(names, o.Default) {
			o.Names, o.Default = names, names[0]
		} else if kind != 0 {
			o.Names = names
		}
		if kind != 0 {
			o.Help = o.helpFor(kind)
			o.StreamNames, o.EdgeNames, o.StreamHelp, o.EdgeHelp = nil, nil, "", ""
		}
		all = append(all, o)
	}
	if len(all) <= few {
		for k := range all {
			all[k].Group = ""
		}
		return all
	}
	matter := strings.Fields(first[verb])
	for k := range all {
		if slices.Contains(matter, all[k].Name) {
			all[k].Group = FirstGroup
		}
	}
	slices.SortStableFunc(all, func(a, b Option) int { return rank(matter, a.Name) - rank(matter, b.Name) })
	return all
}

// rank is the place of a name in a list, or its length where it is not there.
func rank(names []string, name string) int {
	if at := slices.Index(names, name); at >= 0 {
		return at
	}
	return len(names)
}

// kinds are the words before the verbs of a kind of data.
var kinds = map[string]Kind{"relation": Edges, "stream": Stream}

// ofRows are the plain verbs that are for rows, and ofModel those whose model, or file, says what it is about: they
// have verbs of kinds of data beside them.
var ofRows, ofModel = words("train cv check"), words("predict evaluate explain")

// KindOf is the kind of data that a verb is for, and the verb without the word that says so. The kind of most plain
// verbs is 0: they are for all.
func KindOf(verb string) (Kind, string) {
	if word, plain, two := strings.Cut(verb, " "); two && kinds[word] != 0 {
		return kinds[word], plain
	}
	if slices.Contains(ofRows, verb) {
		return Rows, verb
	}
	return 0, verb
}

// flags are the options by which some ask a verb of rows for another kind of data.
var flags = map[string]string{"relation": "edges", "stream": "stream"}

// FamilyOf is the word before a verb of rows that makes it a verb of the kind of data that an option is for, as --rows
// or --edges; "" where there is none.
func FamilyOf(verb, name string) string {
	if !slices.Contains(ofRows, verb) {
		return ""
	}
	for _, family := range slices.Sorted(maps.Keys(kinds)) {
		of := Of(family + " " + verb)
		if name == flags[family] || slices.ContainsFunc(of, func(o Option) bool { return o.Name == name }) {
			return family
		}
	}
	return ""
}

// TakesNext reports whether an option that may stand without a value has the next argument as its value.
func TakesNext(name, next string) bool {
	for o := range each {
		if o.Name == name && o.Bare.Apart != "" {
			is, err := regexp.MatchString("^("+o.Bare.Apart+")$", next)
			return is && err == nil
		}
	}
	return false
}

// Has reports whether the help of a verb has an option, for the kind of data that the verb is for.
func Has(verb, name string) bool {
	of := Of(verb)
	return slices.ContainsFunc(of, func(o Option) bool { return o.Name == name && !o.HiddenIn(verb) })
}

// isOf reports whether a verb, or the plain verb that it is of a kind of data, has the option.
func (o *Option) isOf(verb string) bool {
	_, plain := KindOf(verb)
	return o.has(plain) || o.has(verb)
}

// has reports whether a verb has the option by its own name. A verb of a kind of data has its own name with a point, as
// "relation.evaluate", where the plain verb does not have the option.
func (o *Option) has(verb string) bool {
	if word, plain, two := strings.Cut(verb, " "); two {
		verb = word + "." + plain
	}
	for word := range strings.SplitSeq(o.Verbs, " ") {
		if word == verb {
			return true
		}
	}
	return false
}

// isFor reports whether the option is for all kinds of data in a set.
func (o *Option) isFor(kind Kind) bool { return o.Data == 0 || o.Data&kind == kind }

// namesFor are the names that the option takes for a kind of data; nil where it takes other values.
func (o *Option) namesFor(kind Kind) []string {
	switch {
	case kind == Edges && o.EdgeNames != nil:
		return o.EdgeNames
	case kind == Stream && o.StreamNames != nil:
		return o.StreamNames
	}
	return o.Names
}

// helpFor says what the option does for a kind of data.
func (o *Option) helpFor(kind Kind) string {
	switch kind {
	case Edges:
		return cmp.Or(o.EdgeHelp, o.Help)
	case Stream:
		return cmp.Or(o.StreamHelp, o.Help)
	}
	return o.Help
}

// HiddenIn reports whether the help of a verb leaves the option out: it is for kinds of data that have a verb of
// their own.
func (o *Option) HiddenIn(verb string) bool {
	return slices.Contains(ofModel, verb) && o.Data != 0 && o.Data&Rows == 0
}

// MostOf is the greatest whole number of an option without a limit of its own, 32 bits, so that sums and products
// stay whole numbers.
const MostOf = math.MaxInt32

// Find is the option of a verb with a name, nil where there is none. It is not changed.
func Find(verb, name string) *Option {
	kind, plain := KindOf(verb)
	return row(func(o *Option) bool { return o.has(plain) || o.has(verb) }, name, kind)
}

// row is the option of a name among those of some verbs: the one for a kind of data or, where no option is, the first.
func row(of func(*Option) bool, name string, kind Kind) (found *Option) {
	for o := range each {
		if o.Name == name && of(o) {
			if o.isFor(kind) {
				return o
			}
			found = cmp.Or(found, o)
		}
	}
	return found
}

// CheckWhole returns an error for a whole number that is beyond the limits of the option.
func (o *Option) CheckWhole(n int) error {
	switch most := cmp.Or(o.Most, MostOf); {
	case n < o.Least:
		return fmt.Errorf("--%s is at least %d, not %d", o.Name, o.Least, n)
	case n > most:
		return fmt.Errorf("--%s is at most %d, not %d", o.Name, most, n)
	}
	return nil
}

// OfProcedure reports whether the option decides how a learner of rows is trained, and what it chooses from: not what
// the rows are, what is held out, or what is drawn.
func (o *Option) OfProcedure() bool {
	trains := o.isOf("train") && o.isOf("cv") && o.isFor(Rows)
	how := o.Group == "Learner" || o.Group == "Choice and estimate" && o.Name != "seed" && o.Name != "pairs-sample" &&
		o.Name != "independent-rows"
	return trains && (how || o.Name == "normalize")
}

// Deciding are the names of the options that decide sums, in one way.
func Deciding(how Sums) (names []string) {
	for o := range each {
		if o.Sums == how && !slices.Contains(names, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
}

// form is how the option is given.
func (o *Option) form() string {
	name := "--" + o.Name
	if o.Short != "" {
		name = "-" + o.Short
	}
	return strings.TrimSuffix(name+" "+o.kindOfValue(), " ")
}

// kindOfValue is the word in backquotes of the help, "" where there is none.
func (o *Option) kindOfValue() string {
	_, after, _ := strings.Cut(o.Help, "`")
	kind, _, _ := strings.Cut(after, "`")
	return kind
}

// FlagOf is the option that sets a field of the library's options, without dashes; "" where there is none.
func FlagOf(field string) string {
	for o := range each {
		if slices.Contains(strings.Fields(o.Field), field) {
			return o.Name
		}
	}
	return ""
}

// group gives options a group.
func group(title string, options ...Option) []Option {
	for k := range options {
		options[k].Group = title
	}
	return options
}

// ofVerb gives options a verb and a group.
func ofVerb(verb, title string, options []Option) []Option {
	for k := range options {
		options[k].Verbs = verb
	}
	return group(title, options...)
}

// words are the names in a text with blanks between them.
func words(text string) []string { return strings.Fields(text) }
