package data

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// meanings are names of columns that are seldom features, as plainName writes them, and what they usually are.
var meanings = []struct {
	what  string
	names []string
}{
	{"how much a row counts", []string{"weight", "weights", "sample_weight", "case_weight"}},
	{"a time until an event", []string{"time", "survival_time", "futime", "time_to_event", "followup_time"}},
	{"whether an event was seen", []string{"status", "event", "fustat", "censored", "vital_status"}},
	{"a place in an earlier ranking", []string{"position", "rank", "place", "pos"}},
	{"what people did with an earlier ranking", []string{"clicks", "click", "clicked", "impressions"}},
}

// Meanings says, in a sentence each, which features and labels of a set may mean something else: by their names, by a
// number that stands for a missing value, and by dates written as numbers. It skips features that the schema accepts
// and sets without names. It costs O(mn) for a dense matrix of m×n, and nothing for a sparse one.
func (s *Set) Meanings() (all []string) {
	x, dense := s.X.(*Dense)
	if s.Names == nil || !dense {
		return nil
	}
	if l := s.Schema; l != nil && slices.Contains(meanings[3].names, plainName(l.Label)) {
		all = append(all, fmt.Sprintf("the label %q has a name that counts from the best: greater labels are better "+
			"here, so turn its sign round if 1 is the best", ClipText(l.Label)))
	}
	for _, m := range meanings {
		named := s.featuresWhere(func(j int) bool { return slices.Contains(m.names, plainName(s.Names[j])) })
		if len(named) > 0 {
			all = append(all, fmt.Sprintf("%s: the name is often that of %s, which new rows lack or which says nothing of them",
				s.listFeatures(named), m.what))
		}
	}
	if stand := s.featuresWhere(func(j int) bool { return hasSentinel(x, j) }); len(stand) > 0 {
		all = append(all, s.listFeatures(stand)+": the least value is -999 or -9999, far below the others, as programs "+
			"write a missing value: it counts as a number")
	}
	if dates := s.featuresWhere(func(j int) bool { return hasDates(x, j) }); len(dates) > 0 {
		all = append(all, s.listFeatures(dates)+": all values are dates like 20210131: as numbers the last day of a month "+
			"is far from the next day")
	}
	return all
}

// featuresWhere are the features for which is holds and that the schema does not accept.
func (s *Set) featuresWhere(is func(j int) bool) (found []int) {
	for j := range s.Names {
		if !s.accepted(j) && is(j) {
			found = append(found, j)
		}
	}
	return found
}

// hasSentinel reports whether the least value of a feature is −999 or −9999, and no other one is as far down as half.
func hasSentinel(x *Dense, j int) bool {
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
func hasDates(x *Dense, j int) bool {
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
