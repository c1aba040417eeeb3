package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/data"
	"pairrank/metric"
	"pairrank/model"
	"pairrank/trec"
)

// evaluateFlags are the flags of evaluate.
type evaluateFlags struct {
	rows       *setFlags
	scores     string
	model      string
	qrels, run string
	complete   bool
	perQuery   bool
	judging    judgingFlags
	gates      gates
}

func newEvaluate(a *app) *cobra.Command {
	var f evaluateFlags
	cmd := &cobra.Command{
		Use:   "evaluate DATA (--scores FILE | --model MODEL) | --qrels FILE --run FILE",
		Short: "measure how well scores rank",
		Long: `evaluate compares scores with the labels of DATA, query by query, and prints the
mean of each metric over the queries for which it is defined, with how many are
not. The scores are a file of one score a line (--scores), a model's (--model),
or a TREC run with its judgements (--qrels and --run).

Styles reproduce the numbers of other tools: trec (trec_eval), letor3, letor4,
mslr; the default averages over tied scores. The metrics are
  ` + wrapNames(metric.Names()) + `

With --fail-under the exit code is 4 when a metric is below the value or
undefined, for use as a gate; --fail-over is for the metrics where less is
better.`,
		Example: `  pairrank evaluate test.txt --scores scores.txt
  pairrank evaluate test.txt --model model.txt -m ndcg@10,map -q
  pairrank evaluate test.txt --scores scores.txt -m ndcg@10 --fail-under ndcg@10=0.4
  pairrank evaluate --qrels qrels.txt --run run.txt --style trec --json`,
		Args: between(0, "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			return a.evaluate(args, &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.scores, "scores", "", "`FILE` of one score a line, in the order of the rows of DATA")
	flags.StringVar(&f.model, "model", "", "`FILE` of the model to score the rows of DATA with")
	flags.StringVar(&f.qrels, "qrels", "", "`FILE` of TREC judgements, instead of DATA")
	flags.StringVar(&f.run, "run", "", "`FILE` of a TREC run, with --qrels")
	flags.BoolVar(&f.complete, "complete", false, "with --qrels, judged queries that the run lacks count as 0")
	f.judging.add(cmd)
	flags.BoolVarP(&f.perQuery, "per-query", "q", false, "print the values of every query, too")
	flags.Var(&f.gates.under, "fail-under", "exit with 4 when the metric is below the value; may be repeated")
	flags.Var(&f.gates.over, "fail-over", "exit with 4 when the metric is above the value; may be repeated")
	f.rows = a.rowsFlags(cmd)
	a.jsonFlag(cmd)
	a.progressFlag(cmd)
	return cmd
}

// wrapNames sets names in lines of a help text, each two blanks in.
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

// check refuses flags that do not go together.
func (f *evaluateFlags) check(cmd *cobra.Command, args []string) error {
	const form = "give DATA with --scores FILE or --model MODEL, or --qrels FILE with --run FILE"
	trecMode := f.qrels != "" || f.run != ""
	switch {
	case trecMode && (f.qrels == "" || f.run == ""):
		return withHint(usagef("--qrels and --run go together"), form)
	case trecMode && (len(args) > 0 || f.scores != "" || f.model != ""):
		return withHint(usagef("--qrels and --run stand instead of DATA, --scores and --model"), form)
	case !trecMode && len(args) == 0:
		return withHint(usagef("DATA is missing"), form)
	case !trecMode && (f.scores == "") == (f.model == ""):
		return withHint(usagef("exactly one of --scores and --model is needed"), form)
	}
	only := map[string]bool{"complete": trecMode, "format": !trecMode, "missing": !trecMode, "zero-based": !trecMode,
		"label-column": !trecMode, "max-line": !trecMode, "qid-column": !trecMode}
	for name, applies := range only {
		if !applies && cmd.Flags().Changed(name) {
			return withHint(usagef("--%s does not apply here", name), form)
		}
	}
	return onceStdin(append(args, f.scores, f.model, f.qrels, f.run)...)
}

// options reads the metrics and the style.
func (f *evaluateFlags) options() ([]metric.Metric, metric.Options, error) {
	metrics, opts, err := f.judging.read()
	if err != nil {
		return nil, opts, err
	}
	if err := f.gates.checkSense(); err != nil {
		return nil, opts, err
	}
	metrics = f.gates.addMetrics(metrics)
	return metrics, opts, checkMetrics(metrics, opts)
}

func (a *app) evaluate(args []string, f *evaluateFlags) error {
	metrics, opts, err := f.options()
	if err != nil {
		return err
	}
	in, err := a.evaluateInput(args, f)
	if err != nil {
		return err
	}
	f.judging.binarizeLabels(append(in.Unretrieved, in.Labels)...)
	report, err := awaitFor(a.Ctx, func() (*metric.Report, error) { return metric.Evaluate(in, metrics, opts) })
	if err != nil {
		return readError(err)
	}
	for _, text := range report.Warnings {
		a.warn("%s", text)
	}
	if a.JSON {
		err = a.writeJSON(report)
	} else {
		err = a.writeAtomic("-", func(w io.Writer) error { return writeReport(w, report, f.perQuery) })
	}
	if err != nil {
		return err
	}
	return f.gates.check(report)
}

// evaluateInput reads the labels and the scores.
func (a *app) evaluateInput(args []string, f *evaluateFlags) (metric.Input, error) {
	if f.qrels != "" {
		return a.joinRun(f)
	}
	set, scores, err := a.rowsAndScores(args[0], f)
	if err != nil {
		return metric.Input{}, err
	}
	if err := checkScores(scores, f.scores, set, args[0]); err != nil {
		return metric.Input{}, err
	}
	return inputOf(set, scores), nil
}

// checkScores refuses scores that are not as many as the rows.
func checkScores(scores []float64, from string, set *data.Set, path string) error {
	if len(scores) == len(set.Y) {
		return nil
	}
	return withHint(asData(fmt.Errorf("%s has %d scores and %s has %d rows", shown(from), len(scores), shown(path), len(set.Y))),
		"scores are one a line, in the order of the rows")
}

// inputOf is what metrics are computed of: the labels of a set, and scores.
func inputOf(set *data.Set, scores []float64) metric.Input {
	in := metric.Input{Labels: set.Y, Scores: scores}
	if set.HasQID {
		in.Bounds, in.Rows, in.IDs = set.Queries.Bounds, set.Queries.Rows, set.Queries.IDs
	}
	in.DocIDs = docIDs(set)
	return in
}

// rowsAndScores reads the rows, and the scores or the model that makes them.
func (a *app) rowsAndScores(path string, f *evaluateFlags) (*data.Set, []float64, error) {
	if f.scores != "" {
		scores, err := a.readScores(f.scores)
		if err != nil {
			return nil, nil, err
		}
		set, err := a.readSet(path, f.rows, judgedRows(nil))
		return set, scores, err
	}
	m, err := a.modelToJudge(f.model)
	if err != nil {
		return nil, nil, err
	}
	set, err := a.readSet(path, f.rows, judgedRows(m))
	if err != nil {
		return nil, nil, err
	}
	scores, err := a.score(m, set)
	return set, scores, err
}

// modelToJudge reads a model that gives one score a row.
func (a *app) modelToJudge(path string) (*model.Model, error) {
	m, err := a.readModel(path)
	if err != nil {
		return nil, err
	}
	if err := checkRowsModel(m, path); err != nil {
		return nil, withHint(err, "or score it with predict, then evaluate --scores")
	}
	if m.Outputs() != 1 {
		return nil, withHint(usagef("%s has %d outputs, a ranking has one", path, m.Outputs()),
			"score it with predict and evaluate one column")
	}
	return m, nil
}

// judgedRows is how the rows of a ranking are read for a model, nil when there
// is none.
func judgedRows(m *model.Model) readOptions {
	o := readOptions{}
	if m != nil {
		o = readOptionsFor(m)
	}
	o.Comments = true
	return o
}

// docIDs are the names of the documents, nil where a row has none.
func docIDs(set *data.Set) []string {
	if set.Comments == nil {
		return nil
	}
	ids := make([]string, len(set.Comments))
	for i := range ids {
		if ids[i] = set.DocID(i); ids[i] == "" {
			return nil
		}
	}
	return ids
}

// joinRun reads a run and its judgements.
func (a *app) joinRun(f *evaluateFlags) (metric.Input, error) {
	var qrels []trec.Judgment
	err := a.readFrom(f.qrels, func(r io.Reader, name string) (err error) {
		qrels, err = trec.ReadQrels(r, name)
		return err
	})
	if err != nil {
		return metric.Input{}, err
	}
	var run *trec.Run
	err = a.readFrom(f.run, func(r io.Reader, name string) (err error) {
		run, err = trec.ReadRun(r, name)
		return err
	})
	if err != nil {
		return metric.Input{}, err
	}
	joined, err := trec.Join(run, qrels, trec.JoinOptions{Complete: f.complete})
	if err != nil {
		return metric.Input{}, asData(err)
	}
	for _, text := range joined.Warnings {
		a.warn("%s", text)
	}
	return joined.Input, nil
}

// writeReport prints the report for people.
func writeReport(w io.Writer, r *metric.Report, perQuery bool) error {
	fmt.Fprintf(w, "style %s\n\n", r.Style)
	if perQuery {
		head := []string{"query"}
		for _, res := range r.Results {
			head = append(head, r.Style.Name(res.Metric))
		}
		table := [][]string{head}
		for _, q := range r.PerQuery {
			line := []string{q.ID}
			for _, v := range q.Values {
				line = append(line, showValue(v))
			}
			table = append(table, line)
		}
		if err := writeColumns(w, table); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	table := [][]string{{"metric", "mean", "queries", "undefined"}}
	for _, res := range r.Results {
		table = append(table, []string{r.Style.Name(res.Metric), showValue(res.Mean), strconv.Itoa(res.Queries), strconv.Itoa(res.Undefined)})
	}
	return writeColumns(w, table)
}

// showValue is a value with six digits, "-" when it is undefined.
func showValue(v metric.Value) string {
	if !v.Defined {
		return "-"
	}
	return fmt.Sprintf("%.6f", v.Value)
}
