package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/trec"
	"pairrank/internal/option"
	"pairrank/internal/spell"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

// predictFlags are the flags of predict.
type predictFlags struct {
	scoredRows
	output  string
	trecRun string
	withIDs bool
	beside  string
	pairs   pairFlags
	ofRows  bool // the flags were found to be for rows, by a run before
}

func newPredict(a *app) *cobra.Command {
	var f predictFlags
	return a.Bind(&cobra.Command{
		Use:   "predict MODEL DATA [-o FILE]",
		Short: "score rows with a model",
		Long: `predict scores the rows of DATA: one score a line in the order of the rows, or
tab-separated scores if the model has several outputs. Higher is better; scores are
compared within a query only. -o FILE.npy writes an array, FILE.csv commas,
FILE.jsonl an object a line with the name and query of the row, FILE.parquet a table
with these. --with-ids writes a table with a header: the name of each row, its query
if there are queries, its scores.

--beside FILE, another tool's scores of the same rows, one a line, writes both half
and half: the mean of both, each standardised within the query (mean 0, deviation 1;
where all scores tie, 0). Score whole queries: a row's score depends on the others.

DATA is SVMlight text, a CSV or TSV table, Parquet, JSON lines, or an .npz or .npy
file. predict ignores its labels; --no-label reads a table without them. Features
that SVMlight text leaves out count as 0. A feature or column that the training data
did not have is an error; --extra-features ignore leaves it out.

A model of a precomputed kernel scores the kernel matrix of the new rows with
the training rows instead: --kernel-matrix FILE. DATA is then only needed for
--with-ids and --trec-run.
relation predict scores pairs of nodes.`,
		Example: `  pairrank predict model.txt test.txt -o scores.txt
  zcat test.txt.gz | pairrank predict model.txt - > scores.txt
  pairrank predict model.txt new-patients.csv --with-ids -o scores.tsv
  pairrank predict model.txt test.txt --trec-run bm25+ -o run.txt
  pairrank predict model.txt --kernel-matrix new-by-training.npy`,
		Args: between(1, "MODEL", "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.flags = cmd.Flags()
			return a.predict(args[0], strings.Join(args[1:], ""), &f) // DATA, or nothing
		},
	}, f.targets)
}

// targets are where the values of the options go.
func (f *predictFlags) targets() cli.Targets {
	f.rows.transpose = &f.pairs.transpose
	return cli.Join(f.rows.targets("predict"), cli.Targets{
		"output": &f.output, "kernel-matrix": &f.matrix, "trec-run": &f.trecRun, "with-ids": &f.withIDs,
		"beside": &f.beside,
		"rows":   cli.Texts(&f.pairs.rows, "FILE"),
		"cols":   cli.Texts(&f.pairs.cols, "FILE"),
		"edges":  &f.pairs.edges, "transpose": &f.pairs.transpose, "header": &f.pairs.header,
	})
}

// predictForm is how predict is called with a model.
func predictForm(m savedModel, path string) string {
	form := "pairrank predict " + path
	switch {
	case m.pairs == nil && m.rows.Precomputed():
		return form + " --kernel-matrix FILE, of the kernel between new and training rows"
	case m.pairs == nil:
		return form + " DATA"
	case m.pairs.Cols == nil:
		form += " --rows FILE [--cols FILE] [--edges FILE]"
	default:
		form += " --rows FILE --cols FILE [--edges FILE]"
	}
	sides := []string{}
	for _, side := range []struct {
		name string
		of   *pairmodel.Side
	}{{"--rows", &m.pairs.Rows}, {"--cols", m.pairs.ColSide()}} {
		if side.of.Precomputed() && (side.name == "--rows" || m.pairs.Cols != nil) {
			sides = append(sides, side.name)
		}
	}
	if len(sides) == 0 {
		return form + ", of nodes: id and features"
	}
	return form + ", similarities to the training nodes in " + spell.List(sides)
}

func (a *app) predict(modelPath, dataPath string, f *predictFlags) error {
	if err := cli.OnceStdin(modelPath, dataPath, f.matrix, f.beside); err != nil {
		return err
	}
	inputs := slices.Concat([]string{modelPath, dataPath, f.matrix, f.beside, f.pairs.edges}, f.pairs.rows, f.pairs.cols)
	if err := a.CheckOutputs([]string{f.output}, inputs...); err != nil {
		return err
	}
	saved, err := a.readModel(modelPath)
	if err != nil {
		return err
	}
	if saved.pairs != nil {
		return a.predictPairs(saved, modelPath, dataPath, f)
	}
	if err := f.checkRows(saved, modelPath, dataPath); err != nil {
		return err
	}
	s := &scoring{m: saved.rows, extra: f.rows.extra}
	set, err := a.readScored(saved.rows, dataPath, &f.scoredRows,
		f.trecRun != "" || f.withIDs || formatOf(f.output) == "jsonl", s)
	if err == nil && f.withIDs {
		err = checkIDs(set, dataPath)
	}
	if err != nil {
		return err
	}
	scores, err := a.scoreBeside(s, set, f, modelPath, dataPath)
	if err != nil {
		return err
	}
	if dataPath == "" { // nothing is known of the rows of a kernel matrix
		set = nil
	}
	if f.trecRun != "" {
		run, err := newRun(set, scores, f.trecRun)
		if err != nil {
			return cli.AsData(fmt.Errorf("%s: %w", cli.Shown(dataPath), err))
		}
		return a.Write(f.output, func(w io.Writer) error { return run.Write(w) })
	}
	return a.writeScores(f.output, f.withIDs, set, scores, saved.rows.Outputs())
}

// checkRows refuses flags that are not for a model of rows, or of this one.
func (f *predictFlags) checkRows(saved savedModel, modelPath, dataPath string) error {
	form := predictForm(saved, modelPath)
	if !f.ofRows {
		if err := refuseOthers(f.flags, "predict", option.Rows); err != nil {
			return cli.WithHint(err, "the form is %s", form)
		}
		f.ofRows = true
	}
	if dataPath == "" && (f.matrix == "" || f.trecRun != "" || f.withIDs || f.beside != "") {
		return cli.WithHint(cli.Usagef("DATA is missing"), "the form is %s; - is standard input", form)
	}
	if f.trecRun != "" {
		if err := cli.AsUsage(trec.CheckTag(f.trecRun)); err != nil {
			return fmt.Errorf("--trec-run: %w", err)
		}
		if err := checkOutputFormat(f.output, "TREC runs"); err != nil {
			return err
		}
	} else if err := checkOutputFormat(f.output, "scores", scoreFormats...); err != nil {
		return err
	}
	if f.withIDs {
		if err := checkNamedOutput(f.output); err != nil {
			return err
		}
	}
	return cmp.Or(f.checkOutputs(saved.rows, modelPath), f.checkMatrix("predict", saved, modelPath, dataPath))
}

// checkOutputs refuses what is for a ranking where a model has several outputs.
func (f *predictFlags) checkOutputs(m *model.Model, path string) error {
	for _, name := range []string{"trec-run", "beside"} {
		if n := m.Outputs(); n != 1 && f.flags.Changed(name) {
			return cli.Usagef("--%s is for models of one output, and %s has %d", name, path, n)
		}
	}
	return nil
}

// checkIDs refuses rows without names where --with-ids writes them.
func checkIDs(set *data.Set, path string) error {
	rows := len(set.Y)
	for i := range rows {
		if set.DocID(i) != "" {
			continue
		}
		return cli.WithHint(cli.AsData(fmt.Errorf("%s: --with-ids writes the name of each row, and row %d has none",
			cli.Shown(path), set.Number(i)+1)), "--id-column COLUMN of a table names the rows, and a comment #docid = X does "+
			"in SVMlight text")
	}
	return nil
}

// newRun names the scores by query and document.
func newRun(set *data.Set, scores []float64, tag string) (*trec.Run, error) {
	if !set.HasQID {
		return nil, fmt.Errorf("a TREC run needs the query of each row, and there is no qid")
	}
	run := &trec.Run{Tag: tag, Docs: make([]trec.Retrieved, len(scores))}
	for i, score := range scores {
		doc := set.DocID(i)
		if doc == "" {
			return nil, fmt.Errorf("a TREC run needs the name of each document, and row %d has none: neither a column of "+
				"ids nor a comment #docid = X", set.Number(i)+1)
		}
		run.Docs[i] = trec.Retrieved{Query: set.Queries.ID(int(set.Queries.Of()[i])), Doc: doc, Score: score}
	}
	return run, run.Check()
}
