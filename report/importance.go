package report

import (
	"fmt"
	"strings"

	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// Importance is the part of an Estimate about what each feature is worth.
type Importance struct {
	Lambda   Number              `json:"lambda,omitempty"` // at which Value is
	Rounds   int                 `json:"rounds,omitempty"`
	Value    Number              `json:"value"` // the error, or the metric, with all features
	Features []ImportanceFeature `json:"features"`
	Left     int                 `json:"left"` // features that were not left out

	of *cv.Importance
}

// ImportanceFeature is what a feature is worth.
type ImportanceFeature struct {
	Feature int    `json:"feature"` // from 1
	Name    string `json:"name,omitempty"`
	Without Number `json:"without"` // the error, or the metric, without it
	Worse   Number `json:"worse"`   // by how much that is worse
	StdErr  Number `json:"stderr"`  // of Worse, paired over what is held out
	Size    Number `json:"size"`    // |weight| times standard deviation; null of kernels
	// Again is what the best candidate without the feature comes to, where candidates
	// were tried again.
	Again *ImportanceAgain `json:"again,omitempty"`
}

// ImportanceAgain is a candidate that was chosen without a feature.
type ImportanceAgain struct {
	Lambda Number `json:"lambda,omitempty"`
	Rounds int    `json:"rounds,omitempty"`
	Value  Number `json:"value"`
}

// AddImportance adds what each feature is worth.
func (d *Estimate) AddImportance(i *cv.Importance) {
	boosted := d.estimated.Choice.Chosen().Parameter == cv.Rounds
	out := &Importance{Value: Number(i.Value), Left: i.Left, of: i, Features: []ImportanceFeature{}}
	out.Lambda, out.Rounds = candidateOf(i.Candidate, boosted)
	for _, f := range i.Features {
		line := ImportanceFeature{f.Feature + 1, f.Name, Number(f.Value), Number(f.Worse), ValueNumber(f.StdErr), Number(f.Size), nil}
		if i.Again {
			line.Again = &ImportanceAgain{Value: Number(f.AgainValue)}
			line.Again.Lambda, line.Again.Rounds = candidateOf(f.AgainCandidate, boosted)
		}
		out.Features = append(out.Features, line)
	}
	d.Importance = out
}

// candidateOf is a value of λ, or a number of rounds.
func candidateOf(candidate float64, boosted bool) (lambda Number, rounds int) {
	if boosted {
		return 0, int(candidate)
	}
	return Number(candidate), 0
}

// mostListed is how many features the text lists.
const mostListed = 30

// write writes a table of the features by falling importance, the first mostListed of them.
func (i *Importance) write(l *lines, metric string, boosted bool) {
	what := "error"
	if metric != "" {
		what = metric
	}
	l.line("importance", "%s %s with all features, at %s %s; without each:", what, i.Value, candidateName(boosted), candidateText(i.of.Candidate, boosted))
	head := []string{"  feature", "without", "worse", "stderr"}
	if i.of.Sized {
		head = append(head, "|w| sd")
	}
	if i.of.Again {
		head = append(head, candidateName(boosted)+" again", what)
	}
	table := [][]string{head}
	listed := i.Features[:min(len(i.Features), mostListed)]
	for _, f := range listed {
		name := fmt.Sprint("  ", f.Feature)
		if f.Name != "" {
			name += " " + strings.Map(printable, f.Name)
		}
		line := []string{name, f.Without.String(), f.Worse.String(), f.StdErr.String()}
		if i.of.Sized {
			line = append(line, shortNumber(float64(f.Size)))
		}
		if f.Again != nil {
			again := float64(f.Again.Lambda)
			if boosted {
				again = float64(f.Again.Rounds)
			}
			line = append(line, candidateText(again, boosted), f.Again.Value.String())
		}
		table = append(table, line)
	}
	l.WriteString("\n")
	_ = writeColumns(&l.Builder, table) // a Builder has no errors
	if n := len(i.Features) - len(listed); n > 0 {
		fmt.Fprintf(l, "  %s worth less not listed, which the JSON document has\n", spell.Plural(n, "feature"))
	}
	if i.Left > 0 {
		fmt.Fprintf(l, "  %s not left out\n", spell.Plural(i.Left, "further feature"))
	}
	l.WriteString("\n")
}
