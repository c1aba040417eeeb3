package report

import (
	"fmt"
	"math"

	"pairrank/internal/spell"
)

// coveredScores is the measured coverage of scores, as in docs/statistics.md.
const coveredScores = "in simulations intervals held in 93–96 %, sets of ranks together in 93 % or more"

// mostLetters is the number of groups whose letters text and page have.
const mostLetters = 26

// View is the systems and what is to be said of them.
func (d *Scores) View() *View {
	v := &View{Title: "Leaderboard of " + spell.Plural(len(d.Items), "system"), Keys: 11}
	if len(d.Items) > 0 {
		v.fact(Headline, d.highest(), "%s", d.Items[0].ID)
	}
	v.state("data", "%s of %s on %s, %d missing", spell.Plural(d.Cells, "score"), spell.Plural(len(d.Items), "system"),
		spell.Plural(d.TableItems, "item"), d.Missing)
	v.state("scores", "%s; score is on the same items, less the mean of all systems", d.scaleText())
	if d.Repeats > 0 {
		v.state("repeats", "their mean on each item; %.3g %% of the variance around systems and items is theirs",
			100*float64(d.Repeats))
	}
	items := d.items()
	v.tell(items)
	if n := len(d.Items) - len(items.shown()); n > 0 {
		v.fact(Detail, "not shown", "%s: --json and -o FILE have all", spell.Plural(n, "more system"))
	}
	d.sure(v)
	if d.Top > 0 {
		v.fact(Finding, "first", "%s %s not surely below another one", spell.Plural(d.Top, "system"), isAre(d.Top))
	}
	for k, m := range d.More {
		v.state(headIf(k == 0, "more"), "%s like these would tell %s from %s in 80 %% of samples, if they differ as here",
			d.units(int(m.More), "more "), m.A, m.B)
	}
	d.Gates.tell(v)
	v.draw(ScoresFigure, d.scoresFigure(items))
	if d.Against != "" {
		v.draw(DifferenceFigure, d.gapsFigure())
	}
	return v
}

// highest is where the best score is.
func (d *Scores) highest() string {
	if d.Lower {
		return "lowest"
	}
	return "highest"
}

// scaleText says what the scores are.
func (d *Scores) scaleText() string {
	switch {
	case d.Scale == RankScale:
		return "ranks within each item, the best the highest"
	case d.Scale == StandardScale:
		return "with mean 0 and variance 1 on each item, the best the " + d.highest()
	}
	return "the best the " + d.highest()
}

// sure adds how intervals and sets of ranks are made, and how often they hold.
func (d *Scores) sure(v *View) {
	if d.NoIntervals != "" {
		v.state("intervals", "none: %s", d.NoIntervals)
		return
	}
	v.state("intervals", "of scores by leaving out each of %s", d.units(d.Units, ""))
	what := "sets of ranks"
	if d.Against != "" {
		what = "differences from " + d.Against
	}
	signs := fmt.Sprintf("%d draws of signs of %s", d.Draws, d.Variance)
	if d.Exact {
		signs = fmt.Sprintf("all %d patterns of signs of %s", d.Draws, d.Variance)
	}
	if t := plainText(d.Critical); t != "-" {
		signs += ", told apart from t = " + t + " on"
	}
	v.state("", "%s hold together, by %s", what, signs)
	v.state("", "%s", coveredScores)
}

// items is the table of the systems, the best first.
func (d *Scores) items() *Table {
	t := &Table{Caption: "The systems by score", Len: len(d.Items), NameLast: true, Most: mostListed,
		Shown: shownOf(len(d.Items), d.asked)}
	score := func(l int) BoardScore { return d.Items[l].score() }
	sure := d.NoIntervals == ""
	t.Point = func(l int) Spot { return score(l).spot(sure, d.Top > 0) }
	t.add("system", 6, func(l int) string { return d.Items[l].ID }).Files = []string{"id"}
	t.ranks(d.Top > 0, func(l int) int { return d.Items[l].Rank }, score)
	text := plainText
	if sure {
		text = t.sureText(score)
	}
	t.number("mean", "mean", text, func(l int) Number { return d.Items[l].Mean })
	t.number("score", "score", text, func(l int) Number { return d.Items[l].Score })
	t.interval(sure, text, score)
	if d.Against != "" {
		d.gaps(t)
	}
	if d.Missing > 0 {
		c := t.add("scores", 6, func(l int) string { return fmt.Sprint(d.Items[l].Cells) })
		c.Files = []string{"scores"}
	}
	if d.Against == "" {
		t.words(headIf(d.lettered(), "letters"), "letters", func(l int) string { return d.Items[l].Letters })
	}
	return t
}

// lettered reports whether there are few enough letters to read.
func (d *Scores) lettered() bool {
	return d.Groups > 0 && d.Groups <= mostLetters
}

// gaps adds the differences from the baseline.
func (d *Scores) gaps(t *Table) {
	of := func(l int) Gap {
		if g := d.Items[l].Gap; g != nil {
			return *g
		}
		none := Number(math.NaN())
		return Gap{Value: none, Lo: none, Hi: none}
	}
	text := t.sureText(func(l int) BoardScore { return BoardScore{Score: of(l).Value, Lo: of(l).Lo, Hi: of(l).Hi} })
	t.number("difference", "gap", text, func(l int) Number { return of(l).Value })
	c := t.add("95 % together", 8, func(l int) string { return rangeOf(of(l).Lo, of(l).Hi, text) })
	c.Files, c.File = []string{"gap_lo", "gap_hi"}, func(l int) []string { return cellsOf(of(l).Lo, of(l).Hi) }
	verdict := func(l int) string {
		switch g := of(l); {
		case g.Better:
			return "better"
		case g.Lesser:
			return "lesser"
		}
		return ""
	}
	t.words("verdict", "verdict", verdict)
}

// words adds a column of words without quotes, which may be empty.
func (t *Table) words(head, file string, word func(l int) string) {
	c := t.add(head, 7, word)
	c.Files, c.File = []string{file}, func(l int) []string { return []string{word(l)} }
}

// asked reports whether a system is asked about.
func (d *Scores) asked(l int) bool {
	id := d.Items[l].ID
	for _, g := range d.Gates {
		if g.System == id {
			return true
		}
	}
	return id == d.Against
}

// scoresFigure is the figure of the scores, the best first, nil without systems.
func (d *Scores) scoresFigure(items *Table) *Figure {
	if len(d.Items) == 0 {
		return nil
	}
	f := &Figure{Title: firstOf(d.Items[0].ID, d.highest(), d.Top, "system"), Table: items,
		Desc: "A point for each system, the best at the top.", Left: leftItems(len(d.Items), "system"),
		Rows: &Rows{Label: "score", Column: 4, Some: firstRows(len(d.Items), mostItems)}}
	if d.NoIntervals == "" {
		f.Rows.Label += ", with its 95 % interval"
		f.Text = append(f.Text, "The lines are 95 % intervals of single scores: "+coveredScores+".")
	}
	if d.Top > 0 {
		f.Text = append(f.Text, "That two lines overlap does not say that their systems may be equal: the sets of ranks "+
			"compare every two systems on the same items. Systems that share a letter are not told apart.")
	}
	if d.Top > 0 && d.Top < len(d.Items) {
		f.Text = append(f.Text, "The colour of the first system is that of all that are not surely below another one.")
	}
	return f
}

// gapsFigure is the figure of the differences from the baseline.
func (d *Scores) gapsFigure() *Figure {
	t := &Table{Caption: "The differences from " + d.Against}
	var of []int
	better, lesser := 0, 0
	for l, i := range d.Items {
		if i.Gap != nil {
			of = append(of, l)
		}
		if i.Gap != nil && i.Gap.Better {
			better++
		}
		if i.Gap != nil && i.Gap.Lesser {
			lesser++
		}
	}
	t.Len, t.Most = len(of), mostListed
	t.add("system", 0, func(l int) string { return d.Items[of[l]].ID })
	t.add("difference", 0, func(l int) string {
		g := d.Items[of[l]].Gap
		return g.Value.to(decimals(g.Hi - g.Lo))
	})
	t.Point = func(l int) Spot {
		g := d.Items[of[l]].Gap
		p := Spot{Value: float64(g.Value)}
		if d.NoIntervals == "" && g.Lo < g.Hi {
			p.Lo, p.Hi = float64(g.Lo), float64(g.Hi)
		}
		if !g.Better && !g.Lesser {
			p.Style = 1
		}
		return p
	}
	return &Figure{Title: fmt.Sprintf("%d of %d systems are better than %s, and %d worse", better, len(of), d.Against,
		lesser), Table: t, Desc: "Points with intervals, a line for each system, and a vertical line at 0.",
		Rows: &Rows{Label: "difference from " + d.Against + ", with its 95 % interval", Rules: []float64{0},
			Some: firstRows(len(of), mostItems)}, Left: leftItems(len(of), "system"),
		Text: []string{"All intervals hold together in 95 % of samples. The second colour is of systems that are not told " +
			"apart from " + d.Against + "."}}
}
