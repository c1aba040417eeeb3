package experiment

import (
	"math"
	"strings"
	"testing"
)

// TestVerdict has agreement only where chance leaves room for nothing else.
func TestVerdict(t *testing.T) {
	for what, c := range map[string]struct {
		f    Finding
		want Verdict
	}{
		"far, wide":          {Finding{Theirs: 0.495, Ours: 0.553, Within: 0.090, Margin: 0.027}, CannotTell},
		"equal, wide":        {Finding{Theirs: 0.644, Ours: 0.644, Within: 0.094, Margin: 0.020}, CannotTell},
		"near, narrow":       {Finding{Theirs: 0.947, Ours: 0.956, Within: 0.016, Margin: 0.034}, Yes},
		"at the margin":      {Finding{Theirs: 0.500, Ours: 0.510, Within: 0.010, Margin: 0.020}, CannotTell},
		"beyond chance":      {Finding{Theirs: 0.340, Ours: 0.332, Within: 0.001, Margin: 0.010}, No},
		"last digit":         {Finding{Theirs: 0.340, Ours: 0.3414, Within: 0.001}, CannotTell},
		"no margin":          {Finding{Theirs: 0.340, Ours: 0.340, Within: 0.001}, CannotTell},
		"exact":              {Finding{Theirs: 0.340, Ours: 0.3404}, Yes},
		"not exact":          {Finding{Theirs: 0.340, Ours: 0.3406}, No},
		"signed":             {Finding{Format: "%+.3f", Theirs: 0.010, Ours: 0.0104}, Yes},
		"rounding":           {Finding{Format: "%.0e", Says: "exact", Ours: 7e-15, Margin: 1e-8}, Yes},
		"more than rounding": {Finding{Format: "%.0e", Says: "exact", Ours: 7e-7, Margin: 1e-8}, No},
		"at most":            {Finding{Theirs: 0.100, Ours: 0.031, AtMost: true}, Yes},
		"more":               {Finding{Theirs: 0.100, Ours: 0.131, AtMost: true}, No},
		"at most, wide":      {Finding{Says: "below 0", Ours: 0.0002, Within: 0.0003, AtMost: true}, CannotTell},
		"at most, narrow":    {Finding{Says: "below 0", Ours: -0.017, Within: 0.003, AtMost: true}, Yes},
		"more, narrow":       {Finding{Says: "below 0", Ours: 0.0001, Within: 0.00003, AtMost: true}, No},
		"unlike, far":        {Finding{Theirs: 83, Ours: 0.001, AtMost: true, Unlike: "Another machine."}, CannotTell},
		"unlike, equal":      {Finding{Theirs: 0.25, Ours: 0.25, Unlike: "Fewer sentences."}, CannotTell},
	} {
		if c.f.Format == "" {
			c.f.Format = "%.3f"
		}
		if got := c.f.Verdict(); got != c.want {
			t.Errorf("%s: %s, not %s", what, got, c.want)
		}
	}
}

// TestFindings has the paper's words where it has no number, and counts the verdicts.
func TestFindings(t *testing.T) {
	all := []Finding{
		{Paper: "2009", Place: "table 3", What: "error", Format: "%.3f", Theirs: 0.34, Ours: 0.332, Within: 0.001,
			Of: "two standard errors", Reason: "Other folds."},
		{Paper: "2007", Place: "table 1", What: "map", Format: "%.3f", Theirs: 0.447, Ours: 0.445, Within: 0.002,
			Of: "t over 5 folds", Margin: 0.005},
		{Paper: "2009", Place: "section 4.3", What: "iterations", Format: "%.0f", Theirs: 200,
			Says: "a couple of hundred", Ours: 87, AtMost: true, Unlike: "The paper does not say its λ"},
	}
	all = append(all, Finding{Paper: "2009", Place: "exact", What: "map", Format: "%.3f"},
		Finding{Paper: "2013", Place: "again", What: "map", Format: "%.3f", Of: "t over 5 folds"})
	text := Summary(all)
	for _, want := range []string{
		"| 2007 | table 1 | map | 0.447 | 0.445 | -0.002 | 0.002 | 0.005 | yes | 1 |\n| 2009 |",
		"| 0.340 | 0.332 | -0.008 | 0.001 | – | **no** | 2 |",
		"| iterations | a couple of hundred | 87 | – | – | – | cannot tell | 3 |",
		"| 2009 | exact | map | 0.000 | 0.000 | +0.000 | – | – | yes | – |",
		"| 2013 | again | map | 0.000 | 0.000 | +0.000 | – | – | yes | 1 |\n\n" +
			"1. t over 5 folds.\n2. two standard errors. Other folds.\n3. The paper does not say its λ.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	counted := Verdicts(all[:3]).Markdown()
	for _, want := range []string{
		"| 2007 | 1 | 1 | 0 | 0 |\n", "| 2009 | 2 | 0 | 1 | 1 |\n", "| all | 3 | 1 | 1 | 1 |\n",
	} {
		if !strings.Contains(counted, want) {
			t.Errorf("no %q in\n%s", want, counted)
		}
	}
}

// TestHalfInterval is two and a half standard errors of five numbers.
func TestHalfInterval(t *testing.T) {
	if got := HalfInterval(0.01, 4); math.Abs(got-0.027764) > 1e-6 {
		t.Errorf("%v", got)
	}
	if got := HalfRange(0.549, 0.527, 0.495, 0.498); math.Abs(got-0.027) > 1e-12 {
		t.Errorf("half of .549 less .495 is %v", got)
	}
}
