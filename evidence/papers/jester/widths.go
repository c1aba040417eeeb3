package main

import (
	"context"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
)

// byWidth draws the error of the users who choose over the width of the kernel, at the
// best λ of each, below the paper's least width, too.
func byWidth(ctx context.Context, s settings) (found experiment.Result, err error) {
	r, err := readRatings(s.dir)
	if err != nil {
		return found, err
	}
	d := r.drawAll(s, band{"any", 0, 101}, 0)
	f := figure.Figure{Title: "Below γ = 2⁻¹³ the width of the kernel hardly matters", Columns: 2}
	var heads = []string{"least error over λ, at log₂ γ =", "%s"}
	const least, most, step = -27, -9, 2
	for e := least; e <= most; e += step {
		heads = append(heads, fmt.Sprint(e), "%.4f")
	}
	t := experiment.NewTable(heads...)
	for c, b := range bands {
		g := &group{d.hold[c].users[:min(s.fewer, s.users)], d.hold[c].x}
		title := b.name + " ratings of a reference user"
		if b.least == 0 {
			title = "any reference users"
		}
		p := figure.Panel{Title: title, Unit: "disagreement", Below: "γ of exp(−γ‖x − x'‖²)",
			X: figure.Power, Y: func(v float64) string { return fmt.Sprintf("%.2f", v) }, Direct: true}
		for style, l := range leastSquares()[:4] {
			line := figure.Series{Name: l.Name, Style: style}
			row := []any{b.name + ", " + l.Name}
			for e := least; e <= most; e += step {
				errors, err := g.errors(ctx, l, math.Ldexp(1, e), l.Options[0].Lambdas)
				if err != nil {
					return found, err
				}
				best := leastMean(errors)
				row = append(row, best)
				line.Points = append(line.Points, [2]float64{math.Ldexp(1, e), best})
			}
			p.Series = append(p.Series, line)
			t.Row(row...)
		}
		f.Panels = append(f.Panels, p)
	}
	found.Draw("jester-widths.svg",
		"Disagreement over the width of the kernel, a panel for each kind of reference users: flat below 2⁻¹³, rising "+
			"above", f.SVG())
	found.Add(t)
	return found, nil
}

// leastMean is the least of the means of the columns.
func leastMean(errors *data.Dense) float64 {
	_, mean := best(errors)
	return mean
}
