package knots

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A list reads back, whatever the names are, and so does one in another order.
func TestListsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 23))
	letters := []string{"a", "b", ",", "=", `"`, `\`, " ", "+", "\n", "é", "\xff", "\u00a0", "1"}
	for range 2000 {
		var l List
		for range 1 + r.IntN(4) {
			name := ""
			for range 1 + r.IntN(4) {
				name += letters[r.IntN(len(letters))]
			}
			if !slices.ContainsFunc(l, func(o One) bool { return o.Name == name }) {
				l = append(l, One{name, r.IntN(Most + 1)})
			}
		}
		text := l.String()
		got, err := Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		slices.SortFunc(l, func(a, b One) int { return strings.Compare(a.Name, b.Name) })
		if !slices.Equal(got, l) {
			t.Fatalf("%q reads as %q, not %q", text, got, l)
		}
		if strings.ContainsAny(text, "\n") {
			t.Fatalf("%q has two lines", text)
		}
	}
}

func TestWrongLists(t *testing.T) {
	for text, want := range map[string]string{
		"a": `"a" is not NAME=K`, "=3": `"=3" is not NAME=K`, "a=": `"a=" is not`, "a=1,": `"" is not NAME=K`,
		"a=1,,b=2": `"" is not NAME=K`,
		`"a"`:      `"\"a\"" is not`, `"a=3`: "", "a=x": `"a=x" is not NAME=K, with K knots from 0 to 64`,
		"a=65": "a has from 0 to 64 knots, not 65", "a=-1": "not -1", "a=1,a=2": "a has knots twice: 1 and 2",
	} {
		_, err := Parse(text)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Names come before numbers, and a column of categories is all its features.
func TestOfFeatures(t *testing.T) {
	names := []string{"2", "sex=f", "sex=m", "age"}
	for text, want := range map[string][]int{
		"": {4, 4, 4, 4}, "2=9": {9, 4, 4, 4}, "3=9": {4, 4, 9, 4}, "sex=1,age=0": {4, 1, 1, 0}, "sex=f=7": {4, 7, 4, 4},
	} {
		l, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Of(4, names, 4)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
		if _, err := l.Of(Unknown, names, 4); err != nil {
			t.Errorf("%s: %v before the number of features is known", text, err)
		}
	}
}
