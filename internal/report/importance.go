package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/internal/spell"
)

// Importance is the part of an Estimate about the importance of each feature.
type Importance struct {
	Choice                       // the choice with the error Value
	Value    Number              `json:"value"` // the error, or the metric, with all features
	Features []ImportanceFeature `json:"features"`
	Left     int                 `json:"left"` // features that were not left out
}

// ImportanceFeature is the importance of one feature.
type ImportanceFeature struct {
	Feature int    `json:"feature"` // from 1
	Name    string `json:"name,omitempty"`
	Without Number `json:"without"` // the error, or the metric, without it
	Worse   Number `json:"worse"`   // Without is worse by this much
	StdErr  Number `json:"stderr"`  // of Worse, paired over the held-out units
	Size    Number `json:"size"`    // |weight| times standard deviation; null for kernels
	// Again is the best candidate without the feature, if the candidates were chosen again.
	Again *ImportanceAgain `json:"again,omitempty"`
}

// ImportanceAgain is a candidate chosen without a feature.
type ImportanceAgain struct {
	Choice
	Value Number `json:"value"`
}

// mostListed is the number of features that the text lists.
const mostListed = 30

// write writes a table of the features by falling importance, the first mostListed of them.
func (i *Importance) write(l *lines, metric string) {
	what := "error"
	if metric != "" {
		what = metric
	}
	l.line("importance", "%s %s with all features, at %s %s; without each:", what, i.Value, i.of(), i.at())
	sized := slices.ContainsFunc(i.Features, func(f ImportanceFeature) bool { return !math.IsNaN(float64(f.Size)) })
	head := []string{"  feature", "without", "worse", "stderr"}
	if sized {
		head = append(head, "|w| sd")
	}
	if len(i.Features) > 0 && i.Features[0].Again != nil {
		head = append(head, string(i.of())+" again", what)
	}
	table := [][]string{head}
	listed := i.Features[:min(len(i.Features), mostListed)]
	for _, f := range listed {
		name := fmt.Sprint("  ", f.Feature)
		if f.Name != "" {
			name += " " + strings.Map(printable, f.Name)
		}
		line := []string{name, f.Without.String(), f.Worse.String(), f.StdErr.String()}
		if sized {
			line = append(line, shortNumber(float64(f.Size)))
		}
		if f.Again != nil {
			line = append(line, f.Again.at(), f.Again.Value.String())
		}
		table = append(table, line)
	}
	l.WriteString("\n")
	_ = writeColumns(&l.Builder, table) // a Builder returns no errors
	if n := len(i.Features) - len(listed); n > 0 {
		fmt.Fprintf(l, "  %s not listed; the JSON document has all\n", spell.Plural(n, "less important feature"))
	}
	if i.Left > 0 {
		fmt.Fprintf(l, "  %s not tested\n", spell.Plural(i.Left, "more feature"))
	}
	l.WriteString("\n")
}
