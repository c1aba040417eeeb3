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

// VersusText says whether the first item is above the second.
func (d *Leaderboard) VersusText() string {
	v := d.Versus
	if v.Above != v.Above {
		return fmt.Sprintf("nothing says whether %s is above %s", v.A, v.B)
	}
	return fmt.Sprintf("%s is above %s with probability %s: by %s, 95 %% interval %s", v.A, v.B, ChanceText(v.Above),
		d.ScoreText(v.Difference), d.RangeText(v.Lo, v.Hi))
}

// ChanceText is a probability with three digits, - for NaN.
func ChanceText(p Number) string {
	switch {
	case p != p:
		return "-"
	case p > 0.9995:
		return ">0.999"
	case p < 0.0005:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", float64(p))
}

// TestText is the result of the test.
func (c *BoardCycles) TestText() string {
	text := fmt.Sprintf("p = %s that pairs deviate so much from one ranking by chance", c.P)
	if c.Replicates == 0 {
		return text + ": no pair was compared twice"
	}
	text += ", by " + spell.Plural(c.Replicates, "draw") + " of all outcomes"
	if c.Units > 0 {
		text += fmt.Sprintf(" and %s of the signs of %s", spell.Plural(c.Turns, "draw"),
			spell.Plural(c.Units, c.Unit))
		if c.Turns < 19 {
			text += ", too few for p = 0.05"
		}
	}
	return text
}

// TrianglesText counts the triangles, and says what it means that there are none.
func (c *BoardCycles) TrianglesText() string {
	sure := fmt.Sprintf("the better item is sure in %d of %s (95 %%, all together)", c.Sure, spell.Plural(c.Pairs, "pair"))
	switch {
	case c.More:
		return fmt.Sprintf("%d triangles or more; %s", c.Found, sure)
	case c.Found > 0:
		return spell.Plural(c.Found, "triangle") + "; " + sure
	case c.P <= comparison.CyclesLevel:
		return "no triangle; " + sure + ". Lack of fit is not a cycle: a board may fail the test and have no triangle"
	}
	return "no triangle; " + sure
}

// SidesText are the sides of a triangle.
func (t *BoardTriangle) SidesText() string {
	var sides []string
	for k := range 3 {
		sides = append(sides, fmt.Sprintf("%s beats %s %v:%v", t.Items[k], t.Items[(k+1)%3], float64(t.Wins[k]),
			float64(t.Losses[k])))
	}
	return strings.Join(sides, ", ")
}

// cycles writes the test and the first triangles.
func (d *Leaderboard) cycles(b *lines) {
	c := d.Cycles
	b.line("cycles", "%s", c.TestText())
	b.line("", "%s", c.TrianglesText())
	const few = 10
	for k := range c.Triangles[:min(few, len(c.Triangles))] {
		b.line("", "%s", c.Triangles[k].SidesText())
	}
	if n := c.Found - few; n > 0 {
		b.line("", "%d more triangles", n)
	}
}
