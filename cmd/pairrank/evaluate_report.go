package main

import (
	"fmt"
	"strings"

	"pairrank/report"
)

// warnings tells the doubts about measured rankings.
func warnings(a *app, e *report.Evaluation) {
	for k, r := range e.Reports {
		for _, text := range r.Warnings {
			if of := e.Of(k); of != "" {
				text = of + ": " + text
			}
			a.warn("%s", text)
		}
	}
}

// checkGates is a gateError that names every metric which misses its threshold.
func checkGates(e *report.Evaluation, g *gates) error {
	var missed []string
	for k, r := range e.Reports {
		of := e.Of(k)
		if of != "" {
			of = " of " + of
		}
		missed = append(missed, g.missed(r, of)...)
	}
	if len(missed) == 0 {
		return nil
	}
	return asGate(fmt.Errorf("gate missed: %s", strings.Join(missed, "; ")))
}
