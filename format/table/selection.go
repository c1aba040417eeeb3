package table

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// selected finds the columns that an item of a list means: a name; else a number from 1; else a
// range a:z of names or numbers; else a pattern with '*' or '?'.
func (h *heading) selected(item string) ([]int, error) {
	if h.lead > 0 && h.lead < len(h.names) { // lists are of features first
		if k := slices.Index(h.names[h.lead:], item); k >= 0 {
			k += h.lead
			return []int{k}, h.alone(k)
		}
	}
	if h.find(item) >= 0 {
		k, err := h.one(item)
		return []int{k}, err
	}
	if from, to, is := strings.Cut(item, ":"); is {
		first, twice := h.one(from)
		last, again := h.one(to)
		switch err := cmp.Or(twice, again); {
		case first >= 0 && last >= 0 && err != nil:
			return nil, err
		case first >= 0 && last >= first:
			return span(first, last+1), nil
		}
		return nil, h.fault(-1, nil, "no columns %q among %d", item, h.count)
	}
	if found := h.matching(item); found != nil {
		return found, nil
	}
	return nil, h.fault(-1, nil, "no column %q among %d", item, h.count)
}

// matching are the columns whose names a pattern with '*' or '?' matches.
func (h *heading) matching(pattern string) (found []int) {
	if !strings.ContainsAny(pattern, "*?") {
		return nil
	}
	pattern = strings.NewReplacer(`\`, `\\`, "[", `\[`, "/", "\x00").Replace(pattern)
	for k, name := range h.names {
		if is, _ := path.Match(pattern, strings.ReplaceAll(name, "/", "\x00")); is {
			found = append(found, k)
		}
	}
	return found
}

// span are the numbers lo … hi−1.
func span(lo, hi int) []int {
	all := make([]int, hi-lo)
	for k := range all {
		all[k] = lo + k
	}
	return all
}

// one returns the column that an option names. It returns an error where there is none, −1, or where several have the
// name, the first of them.
func (h *heading) one(which string) (int, error) {
	k := h.find(which)
	if k < 0 {
		return k, h.fault(-1, nil, "no column %q among %d", which, h.count)
	}
	if h.names != nil && h.names[k] == which && k >= h.lead { // an array is not one of the features of its archive
		return k, h.alone(k)
	}
	return k, nil
}

// alone is an error where a column after k has the name of k.
func (h *heading) alone(k int) error {
	again := slices.Index(h.names[k+1:], h.names[k])
	if again < 0 {
		return nil
	}
	return h.fault(k+1+again, nil, "columns %d and %d have this name: say which one by its number", k+1-h.lead,
		k+2+again-h.lead)
}

// find returns the column of a name or, where no column has it, of a number from 1; −1 for none.
func (h *heading) find(which string) int {
	if k, is := h.at[which]; is {
		return k
	}
	if k, err := strconv.Atoi(which); err == nil && k >= 1 && k <= h.count-h.lead {
		return h.lead + k - 1
	}
	return -1
}
