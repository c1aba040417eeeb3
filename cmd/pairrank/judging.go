package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/numeral"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/internal/rows"
)

// judgingFlags are the flags of the verbs that measure rankings.
type judgingFlags struct {
	metrics   []metric.Metric // nil for those of the style
	options   metric.Options
	threshold *float64 // of --binarize
	// independent insists that rows of one name, and queries of one group, are independent.
	independent bool
	named       []metric.Metric // by a flag; nil is none
	gates       []gate
	later       bool // metrics of times, which rows turn out to have or not to have
}

// targets are where the values of the options go.
func (f *judgingFlags) targets() cli.Targets {
	return cli.Targets{
		"metrics": option.Into(&f.metrics, metric.ParseList), "style": option.Into(&f.options.Style, metric.ParseStyle),
		"min-relevant": &f.options.MinRelevant, "binarize": &f.threshold,
		"independent-rows": &f.independent,
	}
}

// check sets the metrics, with those of gates, and refuses what the style does not define, and a threshold that no
// metric looks at. Rows may have censored times: metrics are of these, or of labels; beside weights they are of pairs.
// A model may know the columns of times: adapt then checks metrics of these, once rows are read.
func (f *judgingFlags) check(rows *setFlags, model bool, gates ...gate) error {
	timed, weighed := rows.timed(), rows.columns.Weight != ""
	f.named, f.gates = f.metrics, gates
	f.choose(timed, weighed)
	if f.options.MinRelevant != nil && !slices.ContainsFunc(f.metrics, metric.Metric.CountsRelevant) {
		return cli.Usagef("--min-relevant has no effect: none of the metrics counts relevant documents")
	}
	err := f.fit(timed, weighed)
	if err == nil || timed || !model {
		return err
	}
	f.choose(true, weighed)
	if f.later = f.fit(true, weighed) == nil; f.later {
		return nil
	}
	return err
}

// choose sets the metrics: those of flags, or else the default ones, and those of gates.
func (f *judgingFlags) choose(timed, weighed bool) {
	if f.metrics = slices.Clone(f.named); f.named == nil {
		f.metrics = defaultMetrics(f.options.Style, timed, weighed)
	}
	for _, g := range f.gates {
		if !slices.Contains(f.metrics, g.metric) {
			f.metrics = append(f.metrics, g.metric)
		}
	}
}

// fit refuses metrics that are not of rows with times, or without, and with weights, or without.
func (f *judgingFlags) fit(timed, weighed bool) error {
	e, err := metric.NewEvaluator(f.metrics, f.options)
	if err != nil {
		return cli.AsUsage(err)
	}
	var of metric.Query
	if timed {
		of.Censored = []bool{}
	}
	if weighed {
		of.Weights = []float64{}
	}
	err = cli.AsUsage(e.SetQuery(of))
	switch {
	case err == nil:
	case weighed && !timed:
		return cli.WithHint(fmt.Errorf("--weight-column: %w", err),
			"-m disagreement, concordance, auc, tau-b and the pooled ones are of pairs")
	case !timed:
		return cli.WithHint(err, "--time COLUMN and --event COLUMN of a table, or --censored negative of SVMlight text, say "+
			"what they are; concordance is of labels")
	}
	return err
}

// defaultMetrics are those of the style, of times, or beside weights those of pairs, where the style has any.
func defaultMetrics(style metric.Style, timed, weighed bool) []metric.Metric {
	metrics := slices.Clone(style.Metrics())
	switch {
	case timed:
		return metric.Timed()
	case weighed && slices.ContainsFunc(metrics, metric.Metric.OfPairs):
		return slices.DeleteFunc(metrics, func(m metric.Metric) bool { return !m.OfPairs() })
	}
	return metrics
}

// adapt takes the metrics of times for rows that have times where no flag says so, as those of a model that learnt
// them, and refuses metrics of other rows.
func (f *judgingFlags) adapt(set *data.Set) error {
	timed := set != nil && set.Censored != nil
	if timed {
		f.choose(true, false)
	}
	if f.later || timed {
		return f.fit(timed, false) // weights are flags, and checked
	}
	return nil
}

// binarizeLabels makes labels binary when that was asked for.
func (f *judgingFlags) binarizeLabels(lists ...[]float64) {
	if f.threshold == nil {
		return
	}
	for _, labels := range lists {
		data.Binarize(labels, *f.threshold)
	}
}

// judgeRepeats tells what repeats in rows whose scores are judged, and refuses names that repeat, unless rows are in
// groups or are said to be independent. Groups that connect queries are refused where queries are compared.
func (a *app) judgeRepeats(path string, set *data.Set, f *judgingFlags, compared bool) error {
	notes, err := rows.JudgeRepeats(set, f.independent)
	if err != nil {
		return (&advice.Run{Data: path}).Error(fmt.Errorf("%s: %w", cli.Shown(path), err))
	}
	for _, n := range notes {
		n.Text = cli.Shown(path) + ": " + n.Text
		advice.Tell(a.App, n)
	}
	if compared {
		return checkApart(path, set, f)
	}
	return nil
}

// checkApart refuses groups that connect queries where these are compared.
func checkApart(path string, set *data.Set, f *judgingFlags) error {
	if !f.independent && set.Groups != nil && set.HasQID && !set.Groups.Refines(set.Queries) {
		return cli.WithHint(cli.AsData(fmt.Errorf("%s: a group has rows of several queries, and queries count as "+
			"independent", cli.Shown(path))), "--independent-rows insists that they are")
	}
	return nil
}

// gates are the thresholds of evaluate.
type gates struct{ under, over []gate }

type gate struct {
	metric metric.Metric
	value  float64
}

// gatesInto is the value of an option that takes gates.
func gatesInto(to *[]gate) option.Value {
	return cli.Repeated[gate]{To: to, Kind: "METRIC=VALUE", Read: readGate}
}

// readGate reads a gate.
func readGate(text string) (g gate, err error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return g, errors.New("the form is METRIC=VALUE, as in ndcg@10=0.4")
	}
	if g.metric, err = metric.Parse(name); err == nil {
		g.value, err = numeral.Parse(value)
	}
	return g, err
}

// checkSense refuses --fail-under for a loss, where less is better, and --fail-over for any other
// metric.
func (g *gates) checkSense() error {
	check := func(list []gate, loss bool, better, wrong, right string) error {
		for _, gate := range list {
			if gate.metric.Loss() != loss {
				return cli.WithHint(cli.Usagef("for %s %s is better, so --%s would fail good rankings", gate.metric, better,
					wrong), "use --%s %s=%v", right, gate.metric, gate.value)
			}
		}
		return nil
	}
	return cmp.Or(check(g.under, false, "less", "fail-under", "fail-over"),
		check(g.over, true, "more", "fail-over", "fail-under"))
}

// missed tells of every metric that misses its threshold, as an undefined one does. of
// names the ranking in the text where there are several.
func (g *gates) missed(r *metric.Report, of string) (missed []string) {
	judge := func(list []gate, word string, bad func(value, threshold float64) bool) {
		for _, gate := range list {
			at := slices.IndexFunc(r.Results, func(res metric.Result) bool { return res.Metric == gate.metric })
			mean := r.Results[at].Mean
			switch {
			case !mean.Defined:
				missed = append(missed, fmt.Sprintf("%s%s is undefined, the gate asks for %v", gate.metric, of,
					gate.value))
			case bad(mean.Value, gate.value):
				missed = append(missed, fmt.Sprintf("%s%s is %.6g, %s %v", gate.metric, of, mean.Value, word,
					gate.value))
			}
		}
	}
	judge(g.under, "under", func(value, threshold float64) bool { return value < threshold })
	judge(g.over, "over", func(value, threshold float64) bool { return value > threshold })
	return missed
}

// check returns an error that names, for all rankings, the metrics that miss their
// thresholds.
func (g *gates) check(e *report.Evaluation) error {
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
	return cli.AsGate(fmt.Errorf("gate missed: %s", strings.Join(missed, "; ")))
}

// labelsHint adds the way out where a metric needs labels of two values, by the options of the verb.
func labelsHint(err error, cmd *cobra.Command) error {
	var labels *metric.LabelsError
	switch {
	case !errors.As(err, &labels):
		return err
	case cmd.Flags().Lookup("min-relevant") != nil:
		return cli.WithHint(err, "--min-relevant %s takes rows from that label on for relevant; concordance measures any "+
			"labels", labels.Labels[1])
	}
	return cli.WithHint(err, "--metric concordance measures any labels")
}
