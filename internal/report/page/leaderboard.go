package page

import (
	"fmt"
	"math"
	"strings"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// mostItems is the number of items in the figure of a leaderboard, and mostListed that in its table.
const (
	mostItems  = 40
	mostListed = 2000
)

// ofLeaderboard is the section about a leaderboard.
func ofLeaderboard(d *report.Leaderboard) *section {
	s := &section{title: "Leaderboard of " + spell.Plural(len(d.Items), "item")}
	if len(d.Items) > 0 {
		s.find("first", "%s", d.Items[0].ID)
	}
	if d.Top > 0 {
		s.find("group", "%s", d.TopText())
	}
	if d.HeldOut != nil {
		s.find("held out", "%s: %s", d.HeldOut.Method, d.HeldOutText())
		s.fact("left out", "each %s: %s", d.HeldOut.Method, d.HeldOut.How())
	}
	s.fact("loss", "%s", d.Way())
	if d.BiasReduced {
		s.fact("scores", "bias-reduced (Firth), %s", d.Scale)
	} else {
		s.fact("scores", "λ = %s, %s", lambdaOrZero(d.Lambda), d.Scale)
	}
	if d.Solved != nil {
		s.fact("solved", "%s", d.SolvedText())
	}
	s.fact("data", "%s, %s", spell.Plural(whole(d.Comparisons), "comparison"), spell.Plural(whole(d.TiedOnes), "tie"))
	if d.Components > 1 {
		s.fact("components", "%d: scores of different ones are not comparable", d.Components)
	}
	if d.Nu > 0 {
		s.fact("ν", "%.4g, of ties", float64(d.Nu))
	}
	s.fact("intervals", "%s", d.IntervalsText())
	if d.FeatureTest != nil {
		s.fact("features", "%s", d.FeatureTest.Text())
	}
	if d.Reference != "" {
		s.fact("reference", "the mean over comparisons")
	}
	if d.PairWeights == "equal" {
		s.fact("weights", "every pair of items counts the same")
	}
	if d.Versus != nil {
		s.fact("versus", "%s", strings.ReplaceAll(d.VersusText(), " -", " −"))
	}
	if c := d.Cycles; c != nil {
		s.fact("cycles", "%s", c.TestText())
		s.fact("triangles", "%s", c.TrianglesText())
	}
	for _, n := range d.Next {
		s.fact("next", "%s against %s: the variance of differences falls by %s %%", n.A, n.B, short(100*n.Fall))
	}
	s.add(ScoresFigure, scoresItem(d))
	s.add(AnnotatorsFigure, annotatorsItem(d))
	s.add(TrianglesFigure, trianglesItem(d))
	return s
}

// lambdaOrZero is a λ as text, 0 without decimals.
func lambdaOrZero(l report.Number) string {
	if l == 0 {
		return "0"
	}
	return lambda(l)
}

// whole is a number of things, 0 where it is none.
func whole(n report.Number) int {
	if !(math.Abs(float64(n)) < 1e15) {
		return 0
	}
	return int(n)
}

// scoresItem is the figure of the scores, the best first, nil without items.
func scoresItem(d *report.Leaderboard) *item {
	if len(d.Items) == 0 {
		return nil
	}
	sure, ranks := d.Variance != "", d.HasRanks()
	coloured := ranks && len(d.About) == 0
	plot := &figure.Rows{Label: d.SureName(), Axis: true}
	if sure {
		plot.Label += ", with its 95 % interval"
	}
	for _, i := range d.Items[:min(len(d.Items), mostItems)] {
		of := i.Sure()
		row := figure.Row{Name: i.ID, Value: float64(of.Score), Text: scoreText(d, of.Score)}
		if lo, hi := float64(of.Lo), float64(of.Hi); sure && !math.IsInf(hi-lo, 0) {
			row.Lo, row.Hi = lo, hi
		}
		if coloured && of.RankLo > 1 {
			row.Style = 1
		}
		plot.Rows = append(plot.Rows, row)
	}
	i := &item{table: scoresTable(d, sure, ranks), tests: covariatesTable(d, sure)}
	i.Title = scoresTitle(d)
	i.Desc, i.Body = "A point for each item, the first at the top. "+i.table.caption+".", plot
	if sure {
		i.text = append(i.text, "The lines are 95 % intervals of single scores. That two of them overlap does not say "+
			"that their items may be equal: the sets of ranks compare all items, and hold together in 95 % of samples.")
	} else if d.Lambda > 0 {
		i.text = append(i.text, "Penalised scores are drawn together, and intervals around them do not hold: λ = 0 and "+
			"bias-reduced scores have intervals.")
	}
	if sure {
		i.text = append(i.text, "Above next is the probability that an item is above the one below it in the list.")
	}
	if coloured && d.Top < len(d.Items) {
		i.text = append(i.text, "The colour of the first item is that of all items that are not surely below another one.")
	}
	i.left = scoresLeft(d)
	return i
}

// scoreText is a score in a figure and its table.
func scoreText(d *report.Leaderboard, v report.Number) string {
	if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
		return "–"
	}
	return minus(d.ScoreText(v))
}

// minus writes a number with the sign of typography.
func minus(text string) string {
	if text != "" && text[0] == '-' {
		return "−" + text[1:]
	}
	return text
}

// scoresTitle says which item is the first, and how many share its place.
func scoresTitle(d *report.Leaderboard) string {
	first := d.Items[0].ID
	switch {
	case d.Unpenalised != "":
		return first + " has the highest penalised score"
	case d.Components > 1:
		return fmt.Sprintf("%s has the highest score, in one of %d components", first, d.Components)
	case len(d.About) > 0: // of which the first item may not be one
	case d.Top == 1:
		return first + " is surely the first"
	case d.Top > 1:
		return fmt.Sprintf("%s has the highest score, and %s not surely below it", first,
			spell.Plural(d.Top-1, "other item")+map[bool]string{true: " is", false: " are"}[d.Top == 2])
	}
	return first + " has the highest score"
}

// scoresTable is the table of the items.
func scoresTable(d *report.Leaderboard, sure, ranks bool) table {
	t := table{caption: "The items by score", head: []string{"item", "rank"}}
	if ranks {
		t.head = append(t.head, "ranks")
	}
	t.head = append(t.head, "score")
	if d.Unpenalised != "" {
		t.head = append(t.head, d.SureName())
	}
	if sure {
		t.head = append(t.head, "from", "to")
	}
	if sure {
		t.head = append(t.head, "above next")
	}
	t.head = append(t.head, "comparisons")
	if d.Components > 1 {
		t.head = append(t.head, "component")
	}
	for _, i := range d.Items[:min(len(d.Items), mostListed)] {
		of := i.Sure()
		line := []string{i.ID, fmt.Sprint(i.Rank)}
		if ranks {
			line = append(line, of.Ranks())
		}
		line = append(line, scoreText(d, i.Score))
		if d.Unpenalised != "" {
			line = append(line, scoreText(d, of.Score))
		}
		if sure {
			line = append(line, scoreText(d, of.Lo), scoreText(d, of.Hi))
		}
		if sure {
			line = append(line, chance(i.AboveNext))
		}
		line = append(line, short(i.Comparisons))
		if d.Components > 1 {
			line = append(line, fmt.Sprint(i.Component))
		}
		t.rows = append(t.rows, line)
	}
	return t
}

// covariatesTable is the table of the covariates, nil without any.
func covariatesTable(d *report.Leaderboard, sure bool) *table {
	if len(d.Covariates) == 0 {
		return nil
	}
	t := &table{caption: "The covariates of comparisons", head: []string{"covariate", "estimate"}}
	if sure {
		t.head = append(t.head, "from", "to")
	}
	for _, e := range d.Covariates {
		line := []string{e.Name, scoreText(d, e.Estimate)}
		if sure {
			line = append(line, scoreText(d, e.Lo), scoreText(d, e.Hi))
		}
		t.rows = append(t.rows, line)
	}
	return t
}

// scoresLeft counts the items that figure and table leave out.
func scoresLeft(d *report.Leaderboard) string {
	n := len(d.Items)
	switch {
	case n > mostListed:
		return fmt.Sprintf("The figure has the first %d of %d items, the table the first %d; leaderboard --json prints all.",
			mostItems, n, mostListed)
	case n > mostItems:
		return fmt.Sprintf("The figure has the first %d of %d items; the table has all.", mostItems, n)
	}
	return ""
}
