// Package knots has the knots of single features of a spline: NAME=K, with commas between them.
package knots

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank/internal/spell"
)

// Most is the largest number of knots of a feature.
const Most = 64

// One is a feature, by its name or its number from 1, and the knots that it has. The name of a column of categories
// stands for the features of all of them, NAME=CATEGORY.
type One struct {
	Name  string
	Count int
}

// List are the knots of single features, by their names in ascending order.
type List []One

// Parse reads NAME=K,NAME=K. A name with a comma, a plus, quotes, a backslash or other than printed characters stands
// in double quotes, as in Go; any other may. "" is an empty list.
func Parse(text string) (List, error) {
	var l List
	for rest, more := text, text != ""; more; {
		name, count, item := "", "", ""
		if quoted, err := strconv.QuotedPrefix(rest); err == nil && rest[0] == '"' {
			name, _ = strconv.Unquote(quoted)
			count, rest, more = strings.Cut(rest[len(quoted):], ",")
			item = quoted + count
			count = strings.TrimPrefix(count, "=")
		} else {
			item, rest, more = strings.Cut(rest, ",")
			if at := strings.LastIndex(item, "="); at >= 0 {
				name, count = item[:at], item[at+1:]
			}
		}
		k, err := strconv.Atoi(count)
		if err != nil || name == "" {
			return nil, fmt.Errorf("%q is not NAME=K, with K knots from 0 to %d", item, Most)
		}
		l = append(l, One{name, k})
	}
	return l, l.sort()
}

// sort sorts a list, and returns an error for a name that is there twice, or a number of knots that none has.
func (l List) sort() error {
	slices.SortFunc(l, func(a, b One) int { return strings.Compare(a.Name, b.Name) })
	for i, one := range l {
		switch {
		case one.Count < 0 || one.Count > Most:
			return fmt.Errorf("%s has from 0 to %d knots, not %d", one.Name, Most, one.Count)
		case i > 0 && l[i-1].Name == one.Name:
			return fmt.Errorf("%s has knots twice: %d and %d", one.Name, l[i-1].Count, one.Count)
		}
	}
	return nil
}

// String is the text that Parse reads back, "" of an empty list.
func (l List) String() string {
	items := make([]string, len(l))
	for i, one := range l {
		name := strconv.Quote(one.Name)
		if plain := name == `"`+one.Name+`"` && !strings.ContainsAny(name, ",+") &&
			strings.TrimSpace(one.Name) == one.Name; plain {
			name = one.Name
		}
		items[i] = fmt.Sprintf("%s=%d", name, one.Count)
	}
	return strings.Join(items, ",")
}

// Most is the largest number of knots in the list, or of other features.
func (l List) Most(others int) int {
	for _, one := range l {
		others = max(others, one.Count)
	}
	return others
}

// Unknown is the number of features where it is not known yet: any number from 1 may be one.
const Unknown = -1

// Of are the knots of each of n features with names, which may be nil; others is the number of those that are not in
// the list. It returns an error that says which name is none of a feature, or which feature is in the list twice.
func (l List) Of(n int, names []string, others int) ([]int, error) {
	counts := slices.Repeat([]int{others}, max(0, n))
	by := map[int]string{}
	for _, one := range l {
		features, err := one.features(n, names)
		if err != nil {
			return nil, err
		}
		for _, j := range features {
			if by[j] != "" {
				return nil, fmt.Errorf("knots are given for %q and %q, which are both feature %d", by[j], one.Name, j+1)
			}
			if by[j] = one.Name; j < len(counts) {
				counts[j] = one.Count
			}
		}
	}
	return counts, nil
}

// Straight says which names in the list have knots there and none in fact, in all their features; "" where none are.
// Of returned no error.
func (l List) Straight(names []string, of func(j int) []float64) string {
	var straight []string
	for _, one := range l {
		features, _ := one.features(Unknown, names)
		if one.Count > 0 && !slices.ContainsFunc(features, func(j int) bool { return len(of(j)) > 0 }) {
			straight = append(straight, one.Name)
		}
	}
	switch len(straight) {
	case 0:
		return ""
	case 1:
		return spell.First(straight) + " stays a straight line: no quantile lies between its least and its largest value"
	}
	return spell.First(straight) + " stay straight lines: no quantile lies between their least and their largest value"
}

// features are the features that the name stands for.
func (o One) features(n int, names []string) (all []int, err error) {
	if j := slices.Index(names, o.Name); j >= 0 {
		return []int{j}, nil
	}
	for j, name := range names {
		if name == fmt.Sprintf("%s=%d", o.Name, o.Count) {
			return nil, fmt.Errorf("%s is the whole name of a feature: its number of knots stands behind it, as in %s=%d",
				name, name, o.Count)
		}
		if strings.HasPrefix(name, o.Name+"=") {
			all = append(all, j)
		}
	}
	if j, err := strconv.Atoi(o.Name); all == nil && err == nil && j >= 1 && (j <= n || n == Unknown) {
		all = []int{j - 1}
	}
	if all != nil {
		return all, nil
	}
	why := "not the name of a feature"
	if n != Unknown {
		why = fmt.Sprintf("neither the name of a feature nor a number from 1 to %d", n)
	}
	if near := spell.Nearest(o.Name, names); near != "" {
		why += fmt.Sprintf(": did you mean %s?", near)
	}
	if o.Name == "knots" || o.Name == "bends" {
		why += fmt.Sprintf(": %s= of all features stands before in=", o.Name)
	}
	return nil, fmt.Errorf("knots are given for %q, which is %s", o.Name, why)
}
