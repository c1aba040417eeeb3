package doubt

import (
	"fmt"
	"math"
	"pairrank/data"
	"slices"
	"time"
)

// otherMeanings are names of columns that are seldom features, as plainName writes them, and what they usually are.
var otherMeanings = []struct {
	what  string
	names []string
}{
	{"how much a row counts", []string{"weight", "weights", "sample_weight", "case_weight"}},
	{"a time until an event", []string{"time", "survival_time", "futime", "time_to_event", "followup_time"}},
	{"whether an event was seen", []string{"status", "event", "fustat", "censored", "vital_status"}},
	{"a place in an earlier ranking", []string{"position", "rank", "place", "pos"}},
	{"what people did with an earlier ranking", []string{"clicks", "click", "clicked", "impressions"}},
}

// meanings are the doubts about features and labels that may mean something else: by their names, by a number that
// stands for a missing value, and by dates written as numbers. A name is no doubt where the user selected the features,
// also by ranges. Sets without names have none. It costs O(mn) for a dense matrix of m×n, and nothing for a sparse one.
func meanings(s *data.Set) (all []Doubt) {
	x, dense := s.X.(*data.Dense)
	if s.Names == nil || !dense {
		return nil
	}
	if l := s.Schema; l != nil && slices.Contains(otherMeanings[3].names, plainName(l.Label)) {
		all = append(all, Doubt{Kind: DoubtLabelOrder, Text: fmt.Sprintf("the label %q has a name that counts from the "+
			"best: greater labels are better here, so turn its sign round if 1 is the best", data.ClipText(l.Label))})
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
	selected := s.Schema != nil && s.Schema.Selected
	for _, m := range otherMeanings {
		doubt(DoubtMeaning, func(j int) bool { return !selected && slices.Contains(m.names, plainName(s.Names[j])) },
			fmt.Sprintf(": the name is often that of %s, which is not known of new rows, or tells nothing of them", m.what))
	}
	doubt(DoubtSentinel, func(j int) bool { return hasSentinel(x, j) }, ": the least value is -999 or -9999, far below "+
		"the others, as programs write a missing value: it counts as a number")
	doubt(DoubtDates, func(j int) bool { return hasDates(x, j) }, ": all values are dates like 20210131: as numbers the "+
		"last day of a month is far from the next day")
	return all
}

// hasSentinel reports whether the least value of a feature is −999 or −9999, and no other one is as far down as half.
func hasSentinel(x *data.Dense, j int) bool {
	least, next := math.Inf(1), math.Inf(1)
	for i := range x.Rows {
		switch v := x.Row(i)[j]; {
		case v < least:
			least, next = v, least
		case v > least:
			next = min(next, v)
		}
	}
	return (least == -999 || least == -9999) && next > least/2 && !math.IsInf(next, 1)
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
