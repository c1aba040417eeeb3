package main

import (
	"fmt"
	"math"

	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
)

// errorTable is table 6: errors beside those of the paper, which has one draw.
func errorTable(found *experiment.Result, learners []study.Learner, outcomes [][len(bands)]outcome, compared bool) {
	heads := []string{"disagreement; reference users with … ratings", "%s"}
	for _, b := range bands {
		heads = append(heads, b.name+": paper", "%.3f", "here", "%.4f", "±", "%.4f")
	}
	t := experiment.NewTable(heads...)
	for l, learner := range learners {
		row := []any{learner.Name}
		for c := range bands {
			mean, stderr := outcomes[l][c].mean()
			paper := learner.Theirs[bands[c].name]
			if paper == 0 {
				row = append(row, nil, mean, stderr)
				continue
			}
			row = append(row, paper, mean, stderr)
			if compared {
				f := experiment.Finding{What: learner.Name + ", disagreement", Format: "%.3f", Theirs: paper}
				found.Find(beside(f, c, 0, outcomes[l][c].errors))
			}
		}
		t.Row(row...)
	}
	found.Add(t)
}

// beside is a number of the paper, of one draw and the users of band c, beside the mean of
// several; rounding is how far it may be off in print.
func beside(f experiment.Finding, c int, rounding float64, draws [][]float64) experiment.Finding {
	var inPaper []float64
	for _, l := range learners {
		if l.Theirs[bands[c].name] != 0 {
			inPaper = append(inPaper, l.Theirs[bands[c].name])
		}
	}
	mean, stderr := meanOf(draws)
	f.Paper, f.Place = "2009", "table 6, Jester, reference users with "+bands[c].name+" ratings"
	f.Ours, f.Margin = mean, experiment.HalfRange(inPaper...)
	f.Within = 2*stderr*math.Sqrt(1+1/float64(len(draws))) + rounding
	f.Of = fmt.Sprintf("two standard errors of one draw of %d users less the mean of %d", len(draws[0]), len(draws))
	if rounding != 0 {
		f.Of += fmt.Sprintf(", and %g of rounding", rounding)
	}
	if f.Verdict() == experiment.No {
		f.Reason = activeUsers
	}
	return f
}

// activeUsers is what the paper leaves open.
const activeUsers = "The paper does not say how many jokes its active users rated; the page also has users who " +
	"rated many jokes, where the difference is larger."

// significant is the level of the paper's tests.
const significant = 0.05

// differenceTable compares every learner with the first one, user by user, by Wilcoxon's
// signed ranks in each draw, as the paper does in its one.
func differenceTable(found *experiment.Result, learners []study.Learner, outcomes [][len(bands)]outcome,
	compared bool) {
	heads := []string{"less the error of " + learners[0].Name, "%s"}
	for _, b := range bands {
		heads = append(heads, b.name+": paper", "%+.3f", "here", "%+.4f", "±", "%.4f",
			fmt.Sprintf("draws with p < %g", significant), "%s")
	}
	t := experiment.NewTable(heads...)
	for l, learner := range learners[1:] {
		row := []any{learner.Name}
		for c := range bands {
			differences := outcomes[l+1][c].less(&outcomes[0][c])
			mean, stderr := meanOf(differences)
			below := 0
			for _, d := range differences {
				if study.Wilcoxon(d) < significant {
					below++
				}
			}
			paper := any(nil)
			if theirs, first := learner.Theirs[bands[c].name], learners[0].Theirs[bands[c].name]; theirs != 0 {
				paper = theirs - first
				if compared {
					f := experiment.Finding{What: learner.Name + " less " + learners[0].Name, Format: "%+.3f",
						Theirs: theirs - first, Says: fmt.Sprintf("%.3f − %.3f", theirs, first)}
					found.Find(beside(f, c, 0.001, differences)) // of two numbers with three digits
				}
			}
			row = append(row, paper, mean, stderr, fmt.Sprintf("%d of %d", below, len(differences)))
		}
		t.Row(row...)
	}
	found.Add(t)
}

// chosenTable says what the other users chose.
func chosenTable(found *experiment.Result, learners []study.Learner, outcomes [][len(bands)]outcome) {
	heads := []string{"chosen in each draw: log₂ γ / log₂ λ", "%s"}
	for _, b := range bands {
		heads = append(heads, b.name, "%s")
	}
	t := experiment.NewTable(heads...)
	for l, learner := range learners {
		row := []any{learner.Name}
		for c := range bands {
			text := ""
			for _, o := range outcomes[l][c].chosen {
				text += fmt.Sprintf(" %.0f/%.0f", math.Log2(o.width), math.Log2(o.lambda))
			}
			row = append(row, text[1:])
		}
		t.Row(row...)
	}
	found.Add(t)
}
