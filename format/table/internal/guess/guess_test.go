package guess

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tableOf is a table of CSV text without quotes, in which no role is known.
func tableOf(text string) *Table {
	t := &Table{Read: func(text string) (Cell, float64) {
		x, err := strconv.ParseFloat(text, 64)
		switch {
		case text == "":
			return Missing, 0
		case err == nil:
			return Number, x
		}
		return Text, 0
	}, Roles: func(names []string) (given, known []string) {
		return make([]string, len(names)), make([]string, len(names))
	}}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		t.Rows = append(t.Rows, strings.Split(line, ","))
	}
	t.Names, t.Rows = t.Rows[0], t.Rows[1:]
	return t
}

// Two columns that may be the label are both told, and the option is for the first.
func TestTwoLabels(t *testing.T) {
	text := "session,clicked,price,booked\n"
	for i := range 60 {
		text += fmt.Sprintf("q%d,%d,%d.5,%d\n", i/6, i%2, 7*i%31, (i+i/6)%3/2)
	}
	g := Look(tableOf(text))
	want := []Option{{"label-column", "booked"}, {"qid-column", "session"}, {"ignore-columns", "clicked"}}
	if g == nil || !slices.Equal(g.Options, want) {
		t.Fatalf("%+v, not %v", g, want)
	}
	if says := strings.Join(g.Says, "; "); !strings.Contains(says, "label booked (0/1), or else label clicked (0/1)") {
		t.Errorf("it says %s", says)
	}
}

// Numbers of people that come again in blocks are groups, of searches queries; a table of one column is nothing.
func TestUnits(t *testing.T) {
	for _, c := range []struct{ name, option string }{{"patient", "group-column"}, {"search", "qid-column"}} {
		text := c.name + ",dose,answer\n"
		for i := range 60 {
			text += fmt.Sprintf("n%d,%d.25,%d\n", i/4, 7*i%31, i%2)
		}
		if g := Look(tableOf(text)); g == nil || !slices.Contains(g.Options, Option{c.option, c.name}) {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
	for _, text := range []string{"x\n1\n2\n3", "x,y\n1,2"} {
		if g := Look(tableOf(text)); g != nil {
			t.Errorf("%q: %+v", text, g)
		}
	}
}

// A list quotes names with commas and quotes as a shell's word holds them.
func TestList(t *testing.T) {
	if got := list([]*column{{name: "a,b"}, {name: `5" pipe`}, {name: "c d"}}); got != `"a,b","5"" pipe",c d` {
		t.Error(got)
	}
}
