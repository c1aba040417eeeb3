package doubt

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pairrank/data"
)

// otherMeanings are names of columns that are seldom features, as PlainName writes them, and what they usually are.
// A name that ends in … stands for all that begin so.
var otherMeanings = []struct {
	kind  DoubtKind
	what  string
	names []string
}{
	{DoubtWeight, "how much a row counts", []string{"weight", "weights", "sample_weight", "sample_weights", "case_weight",
		"case_weights", "row_weight", "propensity", "propensity_score", "ipw", "iptw", "ipcw"}},
	{DoubtTime, "a time until an event", []string{"time", "survival_time", "surv_time", "futime", "time_to_event",
		"followup_time", "event_time", "survtime"}},
	{DoubtTime, "whether an event was seen", []string{"status", "event", "event_observed", "fustat", "vital_status",
		"cens", "censor…", "cens_…"}},
	{DoubtMeaning, "a place in an earlier ranking", places},
	{DoubtMeaning, "what people did with an earlier ranking", []string{"clicks", "click", "clicked", "impressions"}},
}

// places are names of places in rankings, which count from the best.
var places = []string{"position", "rank", "place", "pos"}

// isOneOf reports whether a plain name is among names.
func isOneOf(plain string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		stem, open := strings.CutSuffix(name, "…")
		return plain == stem || open && strings.HasPrefix(plain, stem)
	})
}

// Names are the doubts about features by their names alone, which rows are read by; "" is none. but are accepted, and
// nil are none. It costs O(n).
func Names(names []string, but func(j int) bool) (all []Doubt) {
	s := &data.Set{Names: names}
	for _, m := range otherMeanings {
		var found []int
		for j, name := range names {
			if (but == nil || !but(j)) && isOneOf(PlainName(name), m.names) {
				found = append(found, j)
			}
		}
		if found != nil {
			all = append(all, Doubt{Kind: m.kind, Features: found, Text: listFeatures(s, found) + fmt.Sprintf(": the name is "+
				"often that of %s, which is not known of new rows, or tells nothing of them", m.what)})
		}
	}
	return all
}

// meanings are the doubts about features and labels that may mean something else: by their names, by a number that
// stands for a missing value, and by dates written as numbers. A name is no doubt where the user selected the features,
// also by ranges. Sets without names have none. It costs O(mn) for a dense matrix of m×n, and O(n) for a sparse one, of
// which the names are looked at alone.
func meanings(s *data.Set) (all []Doubt) {
	if s.Names == nil {
		return nil
	}
	if l := s.Schema; l != nil && isOneOf(PlainName(l.Label), places) {
		all = append(all, Doubt{Kind: DoubtLabelOrder, Text: fmt.Sprintf("the label %q has a name that counts from the "+
			"best: greater labels are better here, so turn its sign round if 1 is the best", data.ClipText(l.Label))})
	}
	if s.Schema == nil || !s.Schema.Selected {
		all = append(all, Names(s.Names, func(j int) bool { return accepted(s, j) })...)
	}
	x, dense := s.X.(*data.Dense)
	if !dense {
		return all
	}
	doubt := func(kind DoubtKind, is func(j int) bool, text string) {
		var found []int
		for j := range s.Names {
			if !accepted(s, j) && is(j) {
				found = append(found, j)
			}
		}
		if found != nil {
			all = append(all, Doubt{Kind: kind, Features: found, Text: listFeatures(s, found) + text})
		}
	}
	least := leastOf(x)
	doubt(DoubtSentinel, func(j int) bool { return hasSentinel(x, j, least[j]) }, ": the least value is -999 or -9999, "+
		"far below the others, as programs write a missing value: it counts as a number")
	doubt(DoubtDates, func(j int) bool { return hasDates(x, j) }, ": all values are dates like 20210131: as numbers the "+
		"last day of a month is far from the next day")
	return all
}

// leastOf is the least value of each feature. It reads the rows in their order: one feature after the other takes ten
// times as long.
func leastOf(x *data.Dense) []float64 {
	least := make([]float64, x.Cols)
	for j := range least {
		least[j] = math.Inf(1)
	}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v < least[j] {
				least[j] = v
			}
		}
	}
	return least
}

// hasSentinel reports whether the least value of a feature is −999 or −9999, and no other one is as far down as half.
func hasSentinel(x *data.Dense, j int, least float64) bool {
	if least != -999 && least != -9999 {
		return false
	}
	next := math.Inf(1)
	for i := range x.Rows {
		if v := x.Row(i)[j]; v > least {
			next = min(next, v)
		}
	}
	return next > least/2 && !math.IsInf(next, 1)
}

// hasDates reports whether all values of a feature are dates of the years 1900 to 2099, in three rows or more.
func hasDates(x *data.Dense, j int) bool {
	const few = 3
	known := 0
	for i := range x.Rows {
		v := x.Row(i)[j]
		if v != v {
			continue
		}
		if v != math.Trunc(v) || v < 19000101 || v > 20991231 {
			return false
		}
		if _, err := time.Parse("20060102", fmt.Sprintf("%08.0f", v)); err != nil {
			return false
		}
		known++
	}
	return known >= few
}
