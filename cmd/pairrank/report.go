package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/report"
	"pairrank/internal/report/page"
	"pairrank/relation/pairmodel"
)

// reportFlags are the flags of report.
type reportFlags struct {
	rowsOf             setFlags
	output, baseline   string
	rowNodes, colNodes []string
	judging            judgingFlags
	flags              *pflag.FlagSet
}

func newReport(a *app) *cobra.Command {
	var f reportFlags
	return a.Bind(&cobra.Command{
		Use:   "report (DOCUMENT… | MODEL [DATA]) -o FILE",
		Short: "figures with their numbers, as one HTML file",
		Long: `report writes a page of figures with their numbers in tables, and a sentence for
each: one HTML file without scripts, for light and dark ground.

A DOCUMENT is the output of train, cv, compare, evaluate, inspect or rank with --json.
The page shows the error over λ with the choice, the ROC and learning curves, the
differences of two rankings with their intervals, also by query, weights, and times.

For a MODEL the page shows its weights, or the curves of splines. With DATA, rows with
labels, it also shows the metrics by query, or their differences to --baseline MODEL,
and how often pairs are in the right order, by the difference of their scores. For a
model of edges it shows a heat map of the scores of row nodes with column nodes.

train, cv and compare write such a page of their own results with --report FILE,
and their main figure alone with --figure FILE (docs/reports.md).`,
		Example: `  pairrank report model.txt test.txt -o report.html
  pairrank report new.txt test.txt --baseline old.txt -m ndcg@10,map -o report.html
  pairrank cv train.txt --learning-curve --json > cv.json
  pairrank report cv.json compare.json -o report.html
  pairrank report edges.model --rows drugs.tsv --cols targets.tsv -o report.html`,
		Args: func(_ *cobra.Command, args []string) error {
			switch at := slices.Index(args, ""); {
			case len(args) == 0:
				return fmt.Errorf("DOCUMENT or MODEL is missing")
			case at >= 0:
				return fmt.Errorf("argument %d is empty", at+1)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.flags = cmd.Flags()
			return a.report(args, &f)
		},
	}, func() cli.Targets {
		own := cli.Targets{"output": &f.output, "baseline": &f.baseline,
			"rows": cli.Texts(&f.rowNodes, "FILE"), "cols": cli.Texts(&f.colNodes, "FILE")}
		return cli.Join(own, f.judging.targets(), f.rowsOf.targets("report"))
	})
}

// reported is what an argument of report names: a document or a model.
type reported struct {
	document report.Document
	model    savedModel
}

// readReported reads a document, which begins with a brace, or a model.
func (a *app) readReported(path string) (r reported, err error) {
	err = a.ReadFrom(path, func(from io.Reader, name string) (err error) {
		b := bufio.NewReader(from)
		first, err := firstLetter(b)
		switch {
		case err != nil:
			return err
		case first == '{':
			if r.document, err = report.Read(b); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return err
		}
		r.model.rows, r.model.pairs, err = pairmodel.ReadEither(b, name)
		return err
	})
	return r, err
}

// firstLetter is the first letter of a text that is no blank, which is still to be read; 0
// is none.
func firstLetter(b *bufio.Reader) (rune, error) {
	for {
		r, _, err := b.ReadRune()
		switch {
		case err == io.EOF:
			return 0, nil
		case err != nil:
			return 0, err
		case !unicode.IsSpace(r):
			return r, b.UnreadRune()
		}
	}
}

func (a *app) report(args []string, f *reportFlags) error {
	inputs := slices.Concat(args, []string{f.baseline}, f.rowNodes, f.colNodes)
	if err := cmp.Or(cli.OnceStdin(inputs...), a.CheckOutputs([]string{f.output}, inputs...)); err != nil {
		return err
	}
	first, err := a.readReported(args[0])
	if err != nil {
		return err
	}
	return a.writePage(a.Ctx, f.output, func(p *page.Page) error {
		switch {
		case first.document != nil:
			return a.reportDocuments(p, first.document, args, f)
		case first.model.pairs != nil:
			return a.reportPairs(p, first.model, args, f)
		}
		return a.reportRows(p, first.model, args, f)
	})
}

// reportDocuments reports documents. The first one has been read.
func (a *app) reportDocuments(p *page.Page, first report.Document, args []string, f *reportFlags) error {
	if err := cli.RefuseOthers(f.flags, "documents", "output"); err != nil {
		return err
	}
	for k, path := range args {
		document := first
		if k > 0 {
			r, err := a.readReported(path)
			if err != nil {
				return err
			}
			if document = r.document; document == nil {
				return cli.WithHint(cli.Usagef("%s is no document, and %s is one", cli.Shown(path), cli.Shown(args[0])),
					"a model comes first: pairrank report MODEL DATA")
			}
		}
		if err := p.Add(cli.Shown(path), document); err != nil {
			return cli.AsData(fmt.Errorf("%s: %w", cli.Shown(path), err))
		}
	}
	return nil
}

// reportPairs reports a model of edges between nodes.
func (a *app) reportPairs(p *page.Page, m savedModel, args []string, f *reportFlags) error {
	if len(args) > 1 {
		return notRows(args[0], "--rows FILE and --cols FILE name nodes")
	}
	if err := cli.RefuseOthers(f.flags, "models of edges", "output", "rows", "cols", "extra-features",
		"max-line"); err != nil {
		return err
	}
	if err := checkNodeFiles(f.flags, m.pairs, f.rowNodes, f.colNodes); err != nil {
		return err
	}
	name := cli.Shown(args[0])
	if err := p.Add(name, report.NewPairInspection(m.pairs)); err != nil {
		return err
	}
	rows, err := a.preparedNodes(m.pairs, f.rowNodes, true, f.rowsOf.extra)
	if err != nil {
		return err
	}
	cols := rows
	if f.colNodes != nil || m.pairs.Cols != nil {
		if cols, err = a.preparedNodes(m.pairs, f.colNodes, false, f.rowsOf.extra); err != nil {
			return err
		}
	}
	scores, err := nodeScores(m.pairs, name, rows, cols)
	if err != nil {
		return err
	}
	return p.Add(name, scores)
}
