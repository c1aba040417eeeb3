package report

import (
	"fmt"
	"strings"

	"pairrank/comparison"
	"pairrank/internal/spell"
)

// BoardCycles is the test of what no ranking explains.
type BoardCycles struct {
	P          Number          `json:"p_value"`
	Replicates int             `json:"replicates"`
	Statistic  Number          `json:"statistic"`
	Expected   Number          `json:"expected"`       // the mean of the statistic over the replicates
	Unit       string          `json:"unit,omitempty"` // what is independent; else outcomes
	Units      int             `json:"units,omitempty"`
	Turns      int             `json:"turns,omitempty"` // of their signs
	Pairs      int             `json:"pairs"`           // that were tested
	Sure       int             `json:"sure"`            // pairs whose better item is sure
	Found      int             `json:"found"`           // triangles, of which some are listed
	More       bool            `json:"more,omitempty"`  // not all were looked for
	Triangles  []BoardTriangle `json:"triangles"`
}

// BoardTriangle is three items. Each surely beats the next, and the last beats the first. Wins and losses are of the
// sides in this order: outcomes, or annotators.
type BoardTriangle struct {
	Items  [3]string `json:"items"`
	Wins   [3]Number `json:"wins"`
	Losses [3]Number `json:"losses"`
	P      [3]Number `json:"p_values"` // after the correction
}

// BoardVersus says whether one item is above another.
type BoardVersus struct {
	A          string `json:"a"`
	B          string `json:"b"`
	Difference Number `json:"difference"`
	SE         Number `json:"se"`
	Lo         Number `json:"lo"`
	Hi         Number `json:"hi"`
	Above      Number `json:"above"` // the probability that A is above B
}

// cyclesOf is the part about cycles.
func cyclesOf(items []string, c *comparison.Cycles) *BoardCycles {
	t := c.Triangles
	out := &BoardCycles{P: Number(c.P), Replicates: c.Replicates, Statistic: Number(c.Statistic),
		Expected: Number(c.Expected), Unit: c.Unit, Units: c.Units, Turns: c.Turns, Pairs: t.Pairs, Sure: t.Sure,
		Found: t.Found, More: t.More,
		Triangles: []BoardTriangle{}}
	for _, x := range t.List {
		var b BoardTriangle
		for k := range 3 {
			b.Items[k], b.Wins[k], b.Losses[k] = items[x.Items[k]], Number(x.Wins[k]), Number(x.Losses[k])
			b.P[k] = Number(x.P[k])
		}
		out.Triangles = append(out.Triangles, b)
	}
	return out
}

// versusOf is the part about two items.
func versusOf(r *comparison.Ranking) *BoardVersus {
	i, j := r.Versus[0], r.Versus[1]
	d, above := r.Difference(i, j)
	return &BoardVersus{r.Problem.Items[i], r.Problem.Items[j], Number(d.Estimate), Number(d.SE), Number(d.Lo),
		Number(d.Hi), Number(above)}
}

// versusText says whether the first item is above the second.
func (d *Leaderboard) versusText() string {
	v := d.Versus
	if v.Above != v.Above {
		return fmt.Sprintf("nothing says whether %s is above %s", v.A, v.B)
	}
	return fmt.Sprintf("%s is above %s with probability %s: by %s", v.A, v.B, chanceText(v.Above),
		within(v.Difference, &Range{v.Lo, v.Hi}))
}

// facts adds the test, what it means that there are triangles or none, and the first of them.
func (c *BoardCycles) facts(v *View) {
	text := fmt.Sprintf("p = %s that pairs deviate so much from one ranking by chance", pText(c.P))
	if c.Replicates == 0 {
		text += ": no pair was compared twice"
	} else {
		text += ", by " + spell.Plural(c.Replicates, "draw") + " of all outcomes"
		if c.Units > 0 {
			text += fmt.Sprintf(" and %s of the signs of %s", spell.Plural(c.Turns, "draw"), spell.Plural(c.Units, c.Unit))
			if c.Turns < 19 {
				text += ", too few for p = 0.05"
			}
		}
	}
	v.state("cycles", "%s", text)
	sure := fmt.Sprintf("; the better item is sure in %d of %s (95 %%, all together)", c.Sure,
		spell.Plural(c.Pairs, "pair"))
	switch {
	case c.More:
		v.state("", "%d triangles or more%s", c.Found, sure)
	case c.Found > 0:
		v.state("", "%s%s", spell.Plural(c.Found, "triangle"), sure)
	case c.P <= comparison.CyclesLevel:
		v.state("", "no triangle%s. Lack of fit is not a cycle: a board may fail the test and have no triangle", sure)
	default:
		v.state("", "no triangle%s", sure)
	}
	const few = 10
	for _, t := range c.Triangles[:min(few, len(c.Triangles))] {
		var sides []string
		for k := range 3 {
			sides = append(sides, fmt.Sprintf("%s beats %s %s", t.Items[k], t.Items[(k+1)%3], t.side(k)))
		}
		v.fact(Detail, "", "%s", strings.Join(sides, ", "))
	}
	if n := c.Found - few; n > 0 {
		v.fact(Detail, "", "%d more triangles", n)
	}
}

// side is the wins and losses of a side.
func (t *BoardTriangle) side(k int) string {
	return countText(t.Wins[k]) + ":" + countText(t.Losses[k])
}

// mostTriangles is how many triangles a figure has.
const mostTriangles = 20

// figure is the figure of the triangles: the least share of wins of their sides, nil without any.
func (c *BoardCycles) figure() *Figure {
	if len(c.Triangles) == 0 {
		return nil
	}
	t := listed("Triangles whose three sides are sure", "triangle", "weakest side", "first beats second",
		"second beats third", "third beats first")
	for _, x := range c.Triangles {
		least := 1.0
		for k := range 3 {
			least = min(least, float64(x.Wins[k]/(x.Wins[k]+x.Losses[k])))
		}
		t.drawn(Spot{Value: least}, strings.Join(x.Items[:], ", "), fmt.Sprintf("%.2f", least), x.side(0), x.side(1),
			x.side(2))
	}
	what := "outcomes"
	if c.Units > 0 {
		what = c.Unit + "s, each with one vote"
	}
	f := &Figure{Title: spell.Plural(c.Found, "triangle") + ": each item beats the next, the last the first",
		Desc: "A bar for each triangle.", Table: t, Rows: &Rows{Label: "share of wins of the weakest side", Bars: true,
			Rules: []float64{0.5}, Some: firstRows(t.Len, mostTriangles)},
		Text: []string{"Counts are of " + what + ". The exact test of signs of each side is corrected over all pairs " +
			"(Holm), so that all sides are right together in 95 % of samples."}}
	if shown := min(t.Len, mostTriangles); c.Found > shown {
		f.Left = fmt.Sprintf("The figure has the first %d of %d triangles, the table the first %d.", shown, c.Found, t.Len)
	}
	return f
}
