package report

import (
	"fmt"
	"math"
	"strings"

	"pairrank/internal/spell"
	"pairrank/scores"
)

// Gates are bounds on how much worse systems may be than others, and what is known of them.
type Gates []Gate

// Gate is one: System is not worse than Than by more than Margin.
type Gate struct {
	System  string  `json:"system"`
	Than    string  `json:"than"`
	Margin  Number  `json:"margin"`
	Worse   Number  `json:"worse_by"`
	Lo      Number  `json:"lo"` // NaN where there is no interval
	Hi      Number  `json:"hi"`
	Verdict Verdict `json:"verdict"`
}

// Verdict says whether a gate is surely kept, surely missed, or neither.
type Verdict string

// The verdicts.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Undecided Verdict = "undecided"
)

// NewGates are the gates of a ranking.
func NewGates(of []scores.Gate) (gates Gates) {
	for _, g := range of {
		verdict := Undecided
		if g.Failed {
			verdict = Failed
		} else if g.Passed {
			verdict = Passed
		}
		gates = append(gates, Gate{g.System, g.Than, Number(g.Margin), Number(g.Worse), Number(g.Lo), Number(g.Hi), verdict})
	}
	return gates
}

// Verdict is that of all gates: failed where one is, else undecided where one is.
func (all Gates) Verdict() Verdict {
	found := Passed
	for _, g := range all {
		if g.Verdict == Failed {
			return Failed
		}
		if g.Verdict == Undecided {
			found = Undecided
		}
	}
	return found
}

// mostGates is the number of gates of one system that are told one by one.
const mostGates = 5

// Told are sentences about the gates: those that failed, those that are undecided, and those that passed.
func (all Gates) Told() (lines []string) {
	for _, verdict := range []Verdict{Failed, Undecided, Passed} {
		of := map[string]int{}
		for _, g := range all {
			if g.Verdict != verdict {
				continue
			}
			if of[g.System]++; of[g.System] <= mostGates {
				lines = append(lines, g.String())
			}
		}
		for _, g := range all { // in their order
			if n := of[g.System] - mostGates; n > 0 {
				lines = append(lines, fmt.Sprintf("%s: %s %s, too", g.System, spell.Plural(n, "more gate"), verdict))
			}
			delete(of, g.System)
		}
	}
	return lines
}

// String says what is claimed, and what is known of it.
func (g *Gate) String() string {
	text := fmt.Sprintf("%s not worse than %s by more than %s", g.System, g.Than, plainText(g.Margin))
	if g.Margin == 0 {
		text = g.System + " beats " + g.Than
	}
	text += ": " + string(g.Verdict) + ", worse by "
	if math.IsNaN(float64(g.Lo)) {
		return text + plainText(g.Worse)
	}
	ci := &Range{g.Lo, g.Hi}
	digits := apart(decimals(ci.width()), g.Margin, g.Lo, g.Hi)
	return text + g.Worse.to(digits) + ", " + ci.to(digits)
}

// tell adds the gates to a view.
func (all Gates) tell(v *View) {
	for k, line := range all.Told() {
		if k == 0 && v.Keys == 0 {
			v.line("")
		}
		v.fact(Finding, headIf(k == 0 || v.Keys == 0, "gate"), "%s", line)
	}
}

// Those names the gates of a verdict, for an error.
func (all Gates) Those(verdict Verdict) string {
	var those Gates
	for _, g := range all {
		if g.Verdict == verdict {
			those = append(those, g)
		}
	}
	return strings.Join(those.Told(), "; ")
}
