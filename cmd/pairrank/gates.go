package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/numeral"
	"pairrank/internal/report"
	"pairrank/internal/spell"
	"pairrank/scores"
)

// claimFlags are the flags by which verbs fail where something is worse than another.
type claimFlags struct {
	worse  []scores.Claim
	unless []string
}

// targets are where the values of the options go.
func (f *claimFlags) targets() cli.Targets {
	return cli.Targets{
		"fail-worse":  cli.Repeated[scores.Claim]{To: &f.worse, Kind: "NAME=MARGIN", Read: readClaim},
		"fail-unless": cli.Texts(&f.unless, "TEXT"),
	}
}

// asked reports whether there are any.
func (f *claimFlags) asked() bool { return len(f.worse)+len(f.unless) > 0 }

// readClaim reads --fail-worse.
func readClaim(text string) (c scores.Claim, err error) {
	if is := strings.LastIndex(text, "="); is > 0 {
		c.System = text[:is]
		if c.Margin, err = numeral.Parse(text[is+1:]); err == nil && c.Margin >= 0 {
			return c, nil
		}
	}
	return c, errors.New("the form is NAME=MARGIN, as in new=0.01, with a margin of at least 0")
}

// claims are those of the flags about systems, or rankings, of these names. A name may have the word beats in it.
func (f *claimFlags) claims(what string, names []string) ([]scores.Claim, error) {
	all := slices.Clone(f.worse)
	for _, text := range f.unless {
		const word = " beats "
		found := false
		for at := range text {
			if better, is := strings.CutPrefix(text[at:], word); is && !found {
				a, b := strings.TrimSpace(text[:at]), strings.TrimSpace(better)
				if found = a != b && slices.Contains(names, a) && slices.Contains(names, b); found {
					all = append(all, scores.Claim{System: a, Than: b})
				}
			}
		}
		if !found {
			return nil, cli.WithHint(cli.Usagef("--fail-unless %q does not say which %s beats another one", text, what),
				`the form is "A beats B", with names that the output has`)
		}
	}
	for _, c := range all {
		if !slices.Contains(names, c.System) {
			return nil, cli.Unknown(what, c.System, names, "")
		}
	}
	return all, nil
}

// gatesOf tests the claims about rankings by the values of one metric on the queries that have one under all.
func (f *claimFlags) gatesOf(ctx context.Context, rankings []report.Ranking, reports []*metric.Report,
	seed uint64) (report.Gates, error) {
	if !f.asked() {
		return nil, nil
	}
	p := &scores.Problem{Unit: "query"}
	names := map[string]string{} // of the letters, by letters and files
	var known []string
	for k, r := range rankings {
		p.Systems = append(p.Systems, spell.Letter(k))
		if r.Beside != "" { // the name is that of the ranking alone
			continue
		}
		for _, name := range []string{strings.TrimSuffix(filepath.Base(r.File), filepath.Ext(r.File)), r.File} {
			names[name], known = spell.Letter(k), append(known, name)
		}
	}
	for _, letter := range p.Systems {
		names[letter], known = letter, append(known, letter)
	}
	claims, err := f.claims("ranking", known)
	if err != nil {
		return nil, err
	}
	for k := range claims {
		claims[k].System, claims[k].Than = names[claims[k].System], names[claims[k].Than]
	}
	var values []float64
	for g, q := range reports[0].PerQuery {
		row, defined := make([]float64, len(reports)), true
		for k, r := range reports {
			v := r.PerQuery[g].Values[0]
			row[k], defined = v.Value, defined && v.Defined
		}
		if defined {
			p.Items, values = append(p.Items, q.ID), append(values, row...)
		}
	}
	if len(p.Items) == 0 {
		return nil, cli.AsData(errors.New("no query has a value of the metric under all rankings, and a gate needs three"))
	}
	if p.Y = data.NewDense(len(p.Items), len(reports), values); reports[0].Results[0].Metric.Loss() {
		p.LowerIsBetter()
	}
	r, err := scores.Rank(ctx, *p, scores.Options{Claims: claims, Seed: seed})
	if err != nil {
		return nil, (&advice.Run{}).Error(err)
	}
	return report.NewGates(r.Gates), nil
}

// gated is the error of gates that are missed, or undecided; nil where all are passed.
func gated(gates report.Gates) error {
	switch verdict := gates.Verdict(); verdict {
	case report.Failed:
		return cli.AsGate(fmt.Errorf("gate missed: %s", gates.Those(verdict)))
	case report.Undecided:
		return cli.AsUndecided(fmt.Errorf("gate undecided: %s", gates.Those(verdict)))
	}
	return nil
}
