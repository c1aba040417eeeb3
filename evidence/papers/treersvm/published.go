package main

import (
	"fmt"
	"math"

	"pairrank/evidence/papers/experiment"
)

// What section 5.2 of the paper says in words; its figures have no numbers beside the
// curves. Seconds are of its computer.
const (
	paperRows      = 512_000       // documents of RCV1
	paperPRSVM     = 8000          // rows, the most that PRSVM trained on
	paperMemory    = 8_000_000_000 // bytes of the computer's memory
	minute, hour   = 60.0, 3600.0
	treeIteration  = 7.0
	pairIteration  = 2760.0
	treeTraining   = 18 * minute
	pairTraining   = 122 * hour
	svmrankSeconds = 83 * hour
)

// measured are times of SVMrank on two cores of an AMD EPYC, one thread, seconds of the
// processor: the same kind of machine that made this page. They were noted once; the
// program cannot repeat them, since SVMrank's licence keeps it out of here. λ is that of
// cadata here, ε = 0.001.
var measured = []struct {
	data    string
	rows    int
	seconds float64
}{
	{"cadata", 16_512, 26},
	{"cadata-like", 20_000, 32},
}

// The reasons why numbers of the paper and ours differ.
const (
	otherMachine = "Made rows on a machine of today"
	otherRatio   = "Another machine, and made rows; all pairs at 512,000 rows is what 32,000 take, times the square."
)

// quotient is a ratio of two of the paper's times, the second of which is rounded to
// whole units: half of one is as much as the ratio may be off.
func quotient(a, b, unit float64) (ratio, half float64) {
	ratio = a / b
	return ratio, ratio * unit / 2 / b
}

// find is a finding of the paper of 2011.
func find(place, what, format string, theirs, ours, within float64, of, reason string) experiment.Finding {
	return experiment.Finding{Paper: "2011", Place: place, What: what, Format: format, Theirs: theirs, Ours: ours,
		Within: within, Of: of, Reason: reason}
}

// law is a growth of times that a theorem says, with its slope over the sizes that were
// measured.
type law struct {
	name  string
	slope float64
}

// laws are m log m over some sizes from one on, and m².
func laws(sizes []int, from int) (tree, pairs law) {
	return law{"m log m", linearithmic(sizes, from)}, law{"m²", 2}
}

// grows compares the slope of times with a theorem; other is the law that it says
// of the other way.
func grows(found *experiment.Result, place, what string, theirs, other law, p power, reason string) {
	if math.IsNaN(p.error) {
		return
	}
	f := find(place, what+": slope of log time on log rows", "%.2f", theirs.slope, p.slope,
		experiment.HalfInterval(p.error, p.points-2), fmt.Sprintf("t of a line through %d sizes", p.points), "")
	f.Says = fmt.Sprintf("%s: %.2f", theirs.name, theirs.slope)
	f.Margin = experiment.HalfRange(theirs.slope, other.slope)
	if f.Verdict() == experiment.No {
		f.Reason = reason
	}
	found.Find(f)
}

// quadratic is what a time with so many rows comes to with more.
func quadratic(seconds float64, rows, more int) float64 {
	return seconds * math.Pow(float64(more)/float64(rows), 2)
}
