package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/textline"
)

// maxListed is the number of ids that an error names; of the others it says how
// many there are.
const maxListed = 20

// listed joins the first texts of n, at most maxListed.
func listed(n int, between string, text func(k int) string) string {
	return listedFew(n, maxListed, between, text)
}

// listedFew joins the first texts of n, at most so many.
func listedFew(n, most int, between string, text func(k int) string) string {
	var b strings.Builder
	for k := range min(n, most) {
		if k > 0 {
			b.WriteString(between)
		}
		b.WriteString(text(k))
	}
	if n > most {
		fmt.Fprintf(&b, " and %d more", n-most)
	}
	return b.String()
}

// quotedID is an id as errors name it.
func quotedID(id string) string { return fmt.Sprintf("%q", data.ClipText(id)) }

// lostDigits is an error about a name of something, which may be another one that was rounded.
func lostDigits(name, what string) error {
	return cellfault.New(cellfault.Digits, fmt.Sprintf("%s as the name of %s is %s", name, what, textline.RoundedName))
}

// checkID refuses the name of something, seen for the first time, that may be another one which was rounded.
func (l *lines) checkID(f field, what string) error {
	if textline.LostDigits(f.text) || l.rounded != nil && l.rounded(f.col-1) {
		return l.faultOf(f, lostDigits(f.text, what))
	}
	return nil
}

// repeated is an error that lists all ids that stand more than once, with the
// lines, or the columns from 1, as counted says, in which they do. place is
// where an id begins.
func repeated(file string, ids []string, place func(k int) (line, col int), counted string) error {
	first := make(map[string]int, len(ids))
	places := map[string][]int{} // of the ids that are repeated
	var list []string            // these ids
	for k, id := range ids {
		at, known := first[id]
		if !known {
			first[id] = k
			continue
		}
		if places[id] == nil {
			places[id] = []int{at}
			list = append(list, id)
		}
		places[id] = append(places[id], k)
	}
	if list == nil {
		return nil
	}
	number := func(k int) int {
		if line, _ := place(k); counted != "column" {
			return line
		}
		return k + 1
	}
	text := listed(len(list), "; ", func(d int) string {
		at := places[list[d]]
		where := listed(len(at), ", ", func(k int) string { return strconv.Itoa(number(at[k])) })
		return fmt.Sprintf("%s in %ss %s", quotedID(list[d]), counted, where)
	})
	line, col := place(places[list[0]][1])
	if counted == "row" {
		line = 0
	}
	what := "an id appears more than once"
	if len(list) > 1 {
		what = fmt.Sprintf("%d ids appear more than once", len(list))
	}
	return &data.SyntaxError{File: file, Line: line, Col: col, Msg: what + ": " + text}
}

// index numbers ids from 0, the first of equal ones.
func index(ids []string) map[string]int32 {
	at := make(map[string]int32, len(ids))
	for k, id := range slices.Backward(ids) {
		at[id] = int32(k)
	}
	return at
}

// locate finds ids among others: their places, and those ids that are not
// there, as places in ids.
func locate(ids []string, among map[string]int32) (at []int32, unknown []int) {
	at = make([]int32, len(ids))
	for k, id := range ids {
		place, known := among[id]
		if !known {
			unknown = append(unknown, k)
		}
		at[k] = place
	}
	return at, unknown
}

// mostlyIn reports whether more than half of the ids are among others.
func mostlyIn(ids []string, among map[string]int32) bool {
	known := 0
	for _, id := range ids {
		if _, is := among[id]; is {
			known++
		}
	}
	return 2*known > len(ids)
}

// areNumbers reports whether ids are 1 … n, as for nodes without ids.
func areNumbers(ids []string) bool { return len(ids) > 0 && slices.Equal(ids, numbers(len(ids))) }
