package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	rows     setFlags
	rankings []report.Ranking // in the order given
	judging  judgingFlags
	options  compare.Options
	pages    pageFlags
	claims   claimFlags
	beside   []string // a file for each DATA
}

func newCompare(a *app) *cobra.Command {
	var f compareFlags
	return a.Bind(&cobra.Command{
		Use:   "compare DATA… (--scores FILE | --model MODEL) (--scores FILE | --model MODEL)…",
		Short: "test whether a ranking is better than others",
		Long: `compare measures two rankings of DATA and says whether their difference may be
chance. The first ranking named is A, the second B; each is a file of one score
a line (--scores) or a model's (--model).

For every metric it prints the means of A and B over the queries where both are
defined; A - B with a 95 % interval; the numbers of queries where A is better, equal
and worse; and two-sided p-values of Wilcoxon's signed ranks and of flips of the
signs of the differences, with Holm's correction for several metrics.

With three rankings or more every two are compared, over the queries where all are
defined, and Holm's correction is over all pairs and metrics. Two rankings without a
common letter behind their means differ at 5 %, by sign flips.

--beside FILE, another tool's scores, adds them as a ranking and each ranking half
and half with them: the mean of both, each standardised within the query (mean 0,
deviation 1; where all scores tie, 0). Such a score depends on the whole query.

Several DATA are the test rows of folds; their queries are pooled as one test. Give
each ranking a file for every DATA: first those of A in the order of the DATA, then
those of B, and so on.

The interval is a studentised bootstrap, no shorter than Student's. Its coverage in
simulations is 91-97 % from 20 queries on, and 80-97 % with 10, least if the rankings
differ on few of them; evidence/checks/coverage.md has the tables, and the levels of the tests.

For one list with two labels, which is one query, it prints the areas under the ROC
curves with intervals and tests by DeLong's method, over the rows.

With --fail-worse and --fail-unless it is a gate on one metric, by flips of the signs
of queries (docs/evaluations.md).
With --time and --event, censored times, the differences of c-index and uno-c have
intervals and tests over the rows.

Queries must be independent of each other. If less is better for a metric, a win is a
smaller value. The metrics are
  ` + wrapNames(perQueryNames()),
		Example: `  pairrank compare test.txt --model new.txt --model old.txt
  pairrank compare test.txt --scores a.scores --scores b.scores -m ndcg@10,map
  pairrank compare test.txt --model a.txt --model b.txt --model c.txt
  pairrank compare f1.txt f2.txt --model a1.txt --model a2.txt --model b1.txt --model b2.txt
  pairrank compare test.txt --model new.txt --model old.txt --report report.html
  pairrank compare test.txt --model new.txt --scores bm25.txt -m ndcg@10 --json
  pairrank compare test.txt --model new.txt --model old.txt -m map --fail-worse new.txt=0.01`,
		Args: atLeast(1, "DATA"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			return a.compare(args, &f)
		},
	}, func() cli.Targets {
		o := &f.options
		own := cli.Targets{"resamples": &o.Resamples, "seed": &o.Seed, "zeros": option.Into(&o.Zeros, compare.ParseZeros),
			"beside": cli.Texts(&f.beside, "FILE")}
		return cli.Join(own, rankingTargets(&f.rankings), f.judging.targets(), f.claims.targets(),
			f.pages.targets(), f.rows.targets("compare"))
	})
}

// perQueryNames are the names of the metrics that have a value for each query.
func perQueryNames() []string {
	return slices.DeleteFunc(metric.Names(), func(name string) bool {
		m, err := metric.Parse(strings.NewReplacer("K", "1", "T", "1").Replace(name))
		return err != nil || queriesPooled(m)
	})
}

// queriesPooled reports whether a metric pools queries that need a value each; those of times have tests of their own.
func queriesPooled(m metric.Metric) bool {
	until, _ := m.Horizon()
	return m.Pooled() && until == 0
}

// check refuses what cannot be compared, before anything is read.
func (f *compareFlags) check(data []string) error {
	const name = "name each by --scores FILE or --model MODEL"
	if n := len(f.beside); n > 0 && n != len(data) {
		return cli.Usagef("--beside has %s, and there are %d DATA: give one for each, in their order", spell.Plural(n,
			"file"), len(data))
	} else if len(f.rankings)%len(data) == 0 {
		f.rankings = withCompany(f.rankings, f.beside...)
	}
	switch n, folds := len(f.rankings), len(data); {
	case n%folds != 0 || n < 2*folds && folds > 1:
		return cli.WithHint(cli.Usagef("%d DATA need %d files for each of two rankings or more, and %s are given", folds,
			folds, spell.Plural(n, "file")),
			"first those of A in the order of the DATA, then those of B; "+name)
	case n < 2:
		return cli.WithHint(cli.Usagef("compare takes two rankings or more, not %d", n), name)
	}
	if len(f.rankings) > 2*len(data) && f.pages.draws(report.QueriesFigure) {
		return cli.Usagef("--figure queries=%s draws the differences of two rankings, and there are more",
			f.pages.figure)
	}
	return cli.OnceStdin(append(rankingPaths(f.rankings), data...)...)
}

// checkMetrics sets the metrics, and refuses those that no rankings are compared by.
func (f *compareFlags) checkMetrics(data []string) error {
	if err := f.judging.check(&f.rows, hasModel(f.rankings)); err != nil || f.judging.later {
		return err
	}
	return f.checkPooled(data)
}

// timesGate is what to do in place of a gate of compare on censored times.
const timesGate = "evaluate --fail-under c-index=VALUE is a gate for each"

// checkPooled refuses metrics without a value of each query. Those of times have none, and tests of their own.
func (f *compareFlags) checkPooled(data []string) error {
	metrics := f.judging.metrics
	if f.rows.timed() && len(data) > 1 {
		return cli.Usagef("censored times are compared on one DATA: strata are its queries, and pairs never cross models")
	}
	if f.rows.timed() && f.claims.asked() {
		return cli.WithHint(cli.Usagef("--fail-worse and --fail-unless flip the signs of queries, and censored times are "+
			"compared over their rows"), timesGate)
	}
	if n := len(metrics); n > 1 && f.claims.asked() {
		hint := fmt.Sprintf("-m %s takes the first", metrics[0])
		if f.judging.named == nil && hasModel(f.rankings) {
			hint += "; where models learnt censored times, " + timesGate
		}
		return cli.WithHint(cli.Usagef("--fail-worse and --fail-unless are about one metric, and there are %d", n), "%s",
			hint)
	}
	if at := slices.IndexFunc(metrics, queriesPooled); at >= 0 {
		return noQueryValue(metrics[at])
	}
	return nil
}

// noQueryValue refuses a metric that no rankings are compared by.
func noQueryValue(m metric.Metric) error {
	return cli.WithHint(cli.Usagef("%s pools the pairs of all queries, and a comparison needs a value of each query", m),
		"disagreement and auc have one")
}

// adapt takes rows that have times where no flag says so, as those of a model that learnt them, for what flags name.
func (f *compareFlags) adapt(paths []string, set *data.Set) error {
	if set.Censored == nil && !f.judging.later || f.rows.timed() {
		return nil
	}
	if err := f.judging.adapt(set); err != nil {
		return err
	}
	f.rows.columns.Times.Column, f.rows.columns.Times.Event = set.Schema.Time, set.Schema.Event
	return f.checkPooled(paths)
}

func (a *app) compare(data []string, f *compareFlags) error {
	if err := f.checkMetrics(data); err != nil {
		return err
	}
	if err := a.CheckOutputs(f.pages.files(), append(rankingPaths(f.rankings), data...)...); err != nil {
		return err
	}
	folds := make([][]metric.Input, len(data)) // of each the rankings
	var of comparedFiles
	for k, path := range data {
		var own []report.Ranking
		for at := k; at < len(f.rankings); at += len(data) {
			own = append(own, f.rankings[at])
		}
		set, scores, err := a.readRankings(path, &f.rows, own)
		if err != nil {
			return err
		}
		if err := a.judgeRepeats(path, set, &f.judging, true); err != nil {
			return err
		}
		f.judging.binarizeLabels(set.Y)
		folds[k] = inputsOf(set, scores)
		if k == 0 {
			of = comparedFiles{data: data, rankings: foldRankings(f.rankings, len(data)), first: set}
			if err := f.adapt(data, set); err != nil {
				return err
			}
		}
	}
	metrics, judged := f.judging.metrics, f.judging.options
	if !f.rows.timed() {
		a.warnQueries(data, folds)
	}
	d, err := cli.AwaitFor(a.Ctx, func() (comparedDocument, error) {
		reports, err := evaluateFolds(data, folds, metrics, judged)
		if err != nil {
			return comparedDocument{}, err
		}
		if of.times, err = timesOf(folds[0], of.first, metrics); err != nil {
			return comparedDocument{}, err
		}
		gates, err := f.claims.gatesOf(a.Ctx, of.rankings, reports, f.options.Seed)
		if err != nil {
			return comparedDocument{}, err
		}
		return comparedOf(reports, folds, of, gates, judged.Style, f.options)
	})
	if err != nil {
		return cli.ReadError(err)
	}
	for _, text := range d.warnings { // which the document has
		a.Say(report.Note{Warning: true, Text: text})
	}
	return cmp.Or(a.present(&f.pages, strings.Join(data, ", "), d.Document), gated(d.gates))
}
