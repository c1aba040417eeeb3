package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/fusion"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// withCompany are n rankings, each with a file for every fold, then the scores of another tool, with as many files, and
// then each ranking half and half with these. Without files they are the rankings.
func withCompany(rankings []report.Ranking, files ...string) []report.Ranking {
	if len(files) == 0 || files[0] == "" {
		return rankings
	}
	all := slices.Clone(rankings)
	for _, file := range files {
		all = append(all, report.Ranking{Kind: "scores", File: file})
	}
	for k, r := range rankings {
		r.Beside = files[k%len(files)]
		all = append(all, r)
	}
	return all
}

// mix sets the scores of the rankings of one fold that are half and half.
func (a *app) mix(list []report.Ranking, scores [][]float64, set *data.Set) (err error) {
	ours := len(list) / 2 // the other tool and as many again follow
	for k, r := range list {
		if r.Beside != "" {
			if scores[k], err = a.halfAndHalf(r, scores[k-ours-1], scores[ours], set, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// halfAndHalf are the scores of ours and of another tool as one list. It tells of queries where all scores of one of
// them tie; where the other tool's tie in all queries, it tells nothing apart, which is an error if it is judged.
func (a *app) halfAndHalf(of report.Ranking, ours, theirs []float64, set *data.Set, judged bool) ([]float64, error) {
	queries := cmp.Or(set.Queries, data.OneList(len(ours)))
	mixed, tied := fusion.Mean(queries, ours, theirs)
	several := 0
	for g := range queries.Len() {
		if len(queries.Part(g)) > 1 {
			several++
		}
	}
	for k, file := range []string{cli.Shown(of.File), cli.Shown(of.Beside)} {
		switch {
		case k == 1 && tied[k] == several && several > 0 && judged:
			return nil, cli.AsData(fmt.Errorf("%s has equal scores within every query, so they rank nothing", file))
		case tied[k] > 0:
			a.Note("half and half: all scores of %s tie in %d of %s, and count as 0 there", file, tied[k],
				spell.Plural(several, "query"))
		}
	}
	return mixed, nil
}

// scoreBeside are the scores of a model or, with --beside, half and half with those of another tool.
func (a *app) scoreBeside(s *scoring, set *data.Set, f *predictFlags, modelPath, path string) ([]float64, error) {
	scores, err := s.result(a, set)
	if err != nil || f.beside == "" {
		return scores, err
	}
	theirs, err := a.readScores(f.beside)
	if err != nil {
		return nil, err
	}
	scaled, err := theirs.of(set, path)
	if err != nil {
		return nil, err
	}
	of := report.Ranking{Kind: "model", File: modelPath, Beside: f.beside}
	return a.halfAndHalf(of, scores, scaled, set, false)
}

// addCompany adds the comparison with another tool to the document of rankings that are measured.
func (a *app) addCompany(path string, set *data.Set, inputs []metric.Input, e *report.Evaluation,
	judging *judgingFlags) (err error) {
	if e.Beside, err = a.compareCompany(path, set, e.Rankings, inputs, *judging); err == nil {
		e.Beside.Areas, e.Beside.Times = nil, nil // which the evaluation has
	}
	return err
}

// compareCompany is the comparison by the tests of compare, with its defaults, of rankings of the same rows.
func (a *app) compareCompany(path string, set *data.Set, rankings []report.Ranking, inputs []metric.Input,
	judging judgingFlags) (*report.Comparisons, error) {
	if err := checkApart(path, set, &judging); err != nil {
		return nil, err
	}
	all := judging.metrics
	judging.metrics = slices.DeleteFunc(slices.Clone(all), queriesPooled)
	if len(judging.metrics) == 0 {
		return nil, noQueryValue(all[0])
	}
	if n := len(all) - len(judging.metrics); n > 0 {
		a.Note("beside: %s pool the pairs of all queries, and are not compared", spell.Plural(n, "metric"))
	}
	o := compare.Options{Seed: 1}
	o.Resamples, _ = strconv.Atoi(option.Find("compare", "resamples").Default)
	d, err := cli.AwaitFor(a.Ctx, func() (d comparedDocument, err error) {
		of := comparedFiles{data: []string{path}, rankings: rankings, first: set}
		reports, err := evaluateEach(inputs, judging.metrics, judging.options)
		if err != nil {
			return d, err
		}
		if of.times, err = timesOf(inputs, set, judging.metrics); err != nil {
			return d, err
		}
		return comparedOf(reports, [][]metric.Input{inputs}, of, nil, judging.options.Style, o)
	})
	if err != nil {
		return nil, cli.ReadError(err)
	}
	for _, text := range d.warnings { // which the document has
		a.Say(report.Note{Warning: true, Text: text})
	}
	found := d.Document.(*report.Comparisons)
	found.Columns = nil // of the document that it is in
	return found, nil
}

// oneScore is how every row gets one held-out score.
const oneScore = "cv --method kfold:10 or loo, and train --select kfold:10 or loo, have one"

// readCompany reads the scores of another tool for the rows of training.
func (a *app) readCompany(path string, p *learning) error {
	scores, err := a.readScores(path)
	if err != nil {
		return err
	}
	set := p.problem.Set
	if p.options.Method == nil && (!set.HasQID || set.Queries.Len() == 1) && set.Folds == nil {
		return cli.WithHint(cli.Usagef("--beside needs one held-out score of each row, and a single list is held out in "+
			"pairs by default"), oneScore)
	}
	p.company, err = scores.of(set, p.path)
	return err
}

// heldOutCompany compares the held-out scores of an estimate with those of another tool. They are judged by the error
// of pairs, or the measures of times, and by the metric that chose.
func (a *app) heldOutCompany(ctx context.Context, p *learning, e *pairrank.Estimated) (*report.Comparisons, error) {
	if e.Choice.Method.Kind == cv.LeavePairOut {
		return nil, cli.WithHint(cli.Usagef("--beside needs one held-out score of each row, and lpo has one for each pair"),
			oneScore)
	}
	held, err := e.HeldOut(ctx)
	if err != nil {
		return nil, err
	}
	set, f := *p.problem.Set, p.flags
	judging := judgingFlags{metrics: []metric.Metric{metric.Disagreement}, threshold: f.threshold,
		independent: f.independent}
	if set.Censored != nil {
		judging.metrics = metric.Timed()
	}
	if f.metric != nil && !slices.Contains(judging.metrics, *f.metric) {
		judging.metrics = append(judging.metrics, *f.metric)
	}
	set.Y = slices.Clone(set.Y)
	judging.binarizeLabels(set.Y)
	rankings := withCompany([]report.Ranking{{Kind: "held-out", File: p.path}}, f.beside)
	scores := [][]float64{held.Data, p.company, nil}
	if err := a.mix(rankings, scores, &set); err != nil {
		return nil, err
	}
	return a.compareCompany(p.path, &set, rankings, inputsOf(&set, scores), judging)
}

// trainedCompany is heldOutCompany for the held-out scores by which a training has chosen, which it does not keep: the
// choice is made again.
func (a *app) trainedCompany(p *learning, of *pairrank.Result) (*report.Comparisons, error) {
	if p.company == nil {
		return nil, nil
	}
	o := p.options
	o.Method, o.HeldOut, o.Intervals = &of.Choice.Method, true, "none"
	e, err := cli.AwaitFor(a.Ctx, func() (*pairrank.Estimated, error) { return pairrank.Estimate(a.Ctx, p.problem, o) })
	if err != nil {
		return nil, err
	}
	return a.heldOutCompany(a.Ctx, p, e)
}
