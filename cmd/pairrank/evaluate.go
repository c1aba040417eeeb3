package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/format/table"
	"pairrank/format/trec"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// evaluateFlags are the flags of evaluate.
type evaluateFlags struct {
	rows       setFlags
	rankings   []report.Ranking // in the order given
	qrels, run string
	complete   bool
	perQuery   bool
	judging    judgingFlags
	gates      gates
	pages      pageFlags

	comparisons string
	compared    table.ComparisonsOptions
	beside      string
}

func newEvaluate(a *app) *cobra.Command {
	var f evaluateFlags
	return a.Bind(&cobra.Command{
		Use: "evaluate DATA (--scores FILE | --model MODEL)… | --qrels FILE --run FILE | " +
			"--comparisons FILE SCORES",
		Short: "measure how well scores rank",
		Long: `evaluate compares scores with the labels of DATA, query by query, and prints the
mean of each metric over the queries where it is defined, and the number of others.
The scores are a file of one score a line (--scores), those of a model (--model), or a
TREC run with its judgements (--qrels and --run). Several --scores and --model get a
column each, in the order given.

Styles reproduce the numbers of other tools: trec (trec_eval), letor3, letor4,
mslr; the default averages over tied scores. The metrics are
  ` + wrapNames(metric.Names()) + `

For one list with two labels it also prints the area under the ROC curve with an
interval, and the differences of several rankings, by DeLong's method.

--beside FILE, another tool's scores of the rows, measures them too, and each ranking
half and half with them: the mean of both, each standardised within the query (mean
0, deviation 1; where all scores tie, 0). Such a score depends on the whole query.
The differences have the intervals and tests of compare.

With --time and --event the labels are times, some of them censored, and queries are
strata: c-index and uno-c have intervals over rows; c-index@T, uno-c@T and time-auc@T
are of a horizon T. A score that grows with the time is right; a risk falls with it.
The survival of the thirds of the score is in the text, and drawn by --figure and
--report.

With --comparisons the scores have names, in a table with the columns id and score, as
predict --with-ids and leaderboard -o write it. The error is the weighted share of
wins that the scores order wrongly; equal scores count one half.

With --fail-under the exit code is 4 if a metric is below the value or undefined, for
use as a gate; --fail-over is for metrics where less is better. If there are several
rankings, each must pass.`,
		Example: `  pairrank evaluate test.txt --scores scores.txt
  pairrank evaluate test.txt --model model.txt -m ndcg@10,map -q
  pairrank evaluate test.txt --model new.txt --model old.txt --scores bm25.txt
  pairrank evaluate test.txt --scores scores.txt -m ndcg@10 --fail-under ndcg@10=0.4
  pairrank evaluate --qrels qrels.txt --run run.txt --style trec --json
  pairrank evaluate --comparisons new-votes.csv scores.tsv`,
		Args: between(0, "DATA"),
		RunE: func(_ *cobra.Command, args []string) error {
			if f.comparisons != "" {
				return a.judgeComparisons(args, &f)
			}
			if err := f.check(args); err != nil {
				return err
			}
			return a.evaluate(&f, f.files(args), func() ([]metric.Input, *data.Set, error) {
				return a.evaluateInputs(args, &f)
			})
		},
	}, f.targets)
}

// targets are where the values of the options go.
func (f *evaluateFlags) targets() cli.Targets {
	own := cli.Targets{
		"qrels": &f.qrels, "run": &f.run, "complete": &f.complete, "per-query": &f.perQuery,
		"fail-under": gatesInto(&f.gates.under),
		"beside":     &f.beside,
		"fail-over":  gatesInto(&f.gates.over), "comparisons": &f.comparisons, "weight-column": &f.rows.columns.Weight,
	}
	return cli.Join(f.rows.targets("evaluate"), comparisonTargets(&f.compared), own, rankingTargets(&f.rankings),
		f.judging.targets(), f.pages.targets())
}

// wrapNames breaks a list of names into lines of a help text, indented by two blanks.
func wrapNames(names []string) string {
	const width = 78
	var lines []string
	line := ""
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if line != "" && len(line)+1+len(name) > width-2 {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+name, " ")
	}
	return strings.Join(append(lines, line), "\n  ")
}

// files are those that are read.
func (f *evaluateFlags) files(args []string) []string {
	return slices.Concat(args, rankingPaths(f.rankings), slices.DeleteFunc([]string{f.qrels, f.run}, func(s string) bool {
		return s == ""
	}))
}

// evaluateForm is how evaluate is called.
const evaluateForm = "give DATA with --scores FILE or --model MODEL, or --qrels FILE with --run FILE"

// check refuses flags that do not go together.
func (f *evaluateFlags) check(args []string) error {
	var err error
	switch run := f.qrels != ""; {
	case !run && len(args) == 0:
		err = cli.Usagef("DATA is missing")
	case !run && len(f.rankings) == 0:
		err = cli.Usagef("--scores FILE or --model MODEL is missing")
	}
	if err != nil {
		return cli.WithHint(err, evaluateForm)
	}
	f.rankings = withCompany(f.rankings, f.beside)
	return cli.OnceStdin(f.files(args)...)
}

// evaluate measures the rankings that read returns, with their rows or nil, from files of which the first has a name
// that a page says.
func (a *app) evaluate(f *evaluateFlags, files []string, read func() ([]metric.Input, *data.Set, error)) error {
	if err := f.gates.checkSense(); err != nil {
		return err
	}
	if err := f.judging.check(&f.rows, hasModel(f.rankings), slices.Concat(f.gates.under, f.gates.over)...); err != nil {
		return err
	}
	if err := a.CheckOutputs(f.pages.files(), files...); err != nil {
		return err
	}
	inputs, set, err := read()
	if err != nil {
		return err
	}
	if err := f.judging.adapt(set); err != nil {
		return err
	}
	reports, err := cli.AwaitFor(a.Ctx, func() ([]*metric.Report, error) {
		return evaluateEach(inputs, f.judging.metrics, f.judging.options)
	})
	if err != nil {
		return cli.ReadError(err)
	}
	e := &report.Evaluation{Rankings: f.rankings, Reports: reports}
	if set != nil {
		if e.Times, err = timesOf(inputs, set, f.judging.metrics); err != nil {
			return cli.ReadError(err)
		}
		e.Columns, e.Areas = report.ColumnsOf(set), report.NewAreas(inputs, reports[0].Results, set.Groups)
	}
	a.warnOnce(e)
	if f.beside != "" {
		if err := a.addCompany(files[0], set, inputs, e, &f.judging); err != nil {
			return err
		}
	}
	printed := report.Document(e)
	if f.perQuery {
		printed = byQuery{e}
	}
	if err := errors.Join(a.writePages(a.Ctx, &f.pages, told{files[0], e}), a.Print(a.Ctx, printed)); err != nil {
		return err
	}
	return f.gates.check(e)
}

// timesOf are the measures of censored times with their errors, nil where labels are no times.
func timesOf(inputs []metric.Input, set *data.Set, metrics []metric.Metric) (*report.Times, error) {
	if set.Censored == nil {
		return nil, nil
	}
	scores := make([][]float64, len(inputs))
	for k, in := range inputs {
		scores[k] = in.Scores
	}
	found, err := compare.Times(inputs[0], set.Groups, metrics, scores...)
	if err != nil {
		return nil, err
	}
	t := report.NewTimes(found)
	for k, f := range scores {
		t.Survival = append(t.Survival, report.NewSurvival(set, k, f))
	}
	return t, nil
}

// byQuery is an evaluation whose text has the values of every query, too.
type byQuery struct{ *report.Evaluation }

func (d byQuery) View() *report.View { return d.QueriesView() }

// warnOnce tells the warnings of every ranking, what holds of several once with their names, and what
// holds of all without.
func (a *app) warnOnce(e *report.Evaluation) {
	var told spell.Once
	for k, r := range e.Reports {
		for _, text := range r.Warnings {
			told.Add(e.Of(k), text)
		}
	}
	told.Each(func(of []string, text string) {
		if len(of) < len(e.Reports) {
			text = spell.List(of) + ": " + text
		}
		a.Say(report.Note{Warning: true, Text: text}) // the document has it
	})
}

// evaluateEach measures each ranking.
func evaluateEach(inputs []metric.Input, metrics []metric.Metric, opts metric.Options) ([]*metric.Report, error) {
	reports := make([]*metric.Report, len(inputs))
	for k, in := range inputs {
		var err error
		if reports[k], err = metric.Evaluate(in, metrics, opts); err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// evaluateInputs reads the rows, and the scores of each ranking. A TREC run has no rows.
func (a *app) evaluateInputs(args []string, f *evaluateFlags) ([]metric.Input, *data.Set, error) {
	if f.qrels != "" {
		in, err := a.joinRun(f)
		f.judging.binarizeLabels(append(in.Unretrieved, in.Labels)...)
		return []metric.Input{in}, nil, err
	}
	set, scores, err := a.readRankings(args[0], &f.rows, f.rankings)
	if err != nil {
		return nil, nil, err
	}
	if err := a.judgeRepeats(args[0], set, &f.judging, false); err != nil {
		return nil, nil, err
	}
	f.judging.binarizeLabels(set.Y)
	return inputsOf(set, scores), set, nil
}

// joinRun reads a run and its judgements.
func (a *app) joinRun(f *evaluateFlags) (metric.Input, error) {
	qrels, err := cli.ReadBy(a.App, f.qrels, trec.ReadQrels)
	if err != nil {
		return metric.Input{}, err
	}
	run, err := cli.ReadBy(a.App, f.run, trec.ReadRun)
	if err != nil {
		return metric.Input{}, err
	}
	joined, err := trec.Join(run, qrels, trec.JoinOptions{Complete: f.complete})
	if err != nil {
		return metric.Input{}, cli.AsData(err)
	}
	for _, text := range joined.Warnings {
		a.Warn("%s", text)
	}
	return joined.Input, nil
}
