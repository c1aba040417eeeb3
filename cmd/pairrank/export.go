package main

import (
	"io"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/export"
	"pairrank/fault"
	"pairrank/format/foreign"
	"pairrank/model"
)

// exportFlags are the flags of export.
type exportFlags struct {
	to, output  string
	name, data  string
	normalizers bool
}

func newExport(a *app) *cobra.Command {
	var f exportFlags
	return a.Bind(&cobra.Command{
		Use:   "export MODEL --to TARGET [-o FILE]",
		Short: "write a model for another program or as code",
		Long: `export writes a model in the format of another program: es-ltr (Elasticsearch
and OpenSearch Learning to Rank), solr, xgboost, ranklib, svmrank, liblinear,
onnx (double precision), or as text that scores by itself: go (one file), js (an
ES module), sql (a SELECT) and html (a page that ranks pasted rows in the browser).

xgboost, es-ltr, solr and ranklib take stumps, and with --data FILE, such as the
rows of the training, a linear model or a spline as steps: a tree a feature, of at
most 64 levels between its values there. Notes say how far the steps are from the
curves, and how many pairs of rows change places.

The normaliser of the model goes into the weights; go, js, sql, html and onnx apply
it as it is. If a target cannot hold a model, such as a kernel outside of onnx or
normalising by query, the error says what to do. If something is lost, such as digits
or a constant that changes no order, a note says so.`,
		Example: `  pairrank export model.txt --to es-ltr --name my_ranker -o model.json
  pairrank export model.txt --to xgboost --data train.txt -o model.json
  pairrank export model.txt --to onnx -o model.onnx
  pairrank export model.txt --to go --name ranker -o ranker/ranker.go
  pairrank export model.txt --to sql --name candidates | sqlite3 shop.db
  pairrank export model.txt --to html --name "Which paper first?" -o rank.html`,
		Args: exactly("MODEL"),
		RunE: func(_ *cobra.Command, args []string) error { return a.export(args[0], &f) },
	}, func() cli.Targets {
		return cli.Targets{
			"to": &f.to, "output": &f.output, "name": &f.name, "data": &f.data,
			"normalizers": &f.normalizers,
		}
	})
}

func (a *app) export(path string, f *exportFlags) error {
	if err := cli.OnceStdin(path, f.data); err != nil {
		return err
	}
	if err := a.CheckOutputs([]string{f.output}, path, f.data); err != nil {
		return err
	}
	saved, err := a.readModel(path)
	if err != nil {
		return err
	}
	target, o := export.Target(f.to), export.Options{Name: f.name, Normalizers: f.normalizers}
	if f.data != "" {
		if o.Data, err = a.readExported(saved, path, f.data); err != nil {
			return err
		}
	}
	var notes []string
	err = a.Write(f.output, func(w io.Writer) (err error) {
		if saved.pairs != nil {
			notes, err = export.Write(w, saved.pairs, target, o)
		} else {
			notes, err = export.Write(w, saved.rows, target, o)
		}
		return exportError(err)
	})
	if err != nil {
		return err
	}
	a.notes(notes)
	return nil
}

// readExported reads the rows between whose values a model becomes steps, as predict reads them.
func (a *app) readExported(saved savedModel, path, dataPath string) (*data.Set, error) {
	if err := checkRowsModel(saved, path); err != nil {
		return nil, err
	}
	f := scoredRows{}
	f.rows.targets("predict")
	f.rows.missing, f.rows.extra = data.MissingModel.String(), "error"
	return a.readScored(saved.rows, dataPath, &f, false, nil)
}

// exportError makes what a target refuses an error of usage: the model is right, and is asked
// for in a form that has no place for it.
func exportError(err error) error {
	if _, refused := err.(*fault.RefusedError); refused {
		return cli.AsUsage(err)
	}
	return (&advice.Run{}).Error(err)
}

// notes tells what was lost on the way.
func (a *app) notes(all []string) {
	for _, note := range all {
		a.Note("%s", note)
	}
}

// importFlags are the flags of import.
type importFlags struct{ from, output string }

func newImport(a *app) *cobra.Command {
	var f importFlags
	return a.Bind(&cobra.Command{
		Use:   "import FILE --from FORMAT -o MODEL",
		Short: "read a model of another program",
		Long: `import reads the model file of another learner and writes it as a model, which
predict, evaluate, compare, inspect and export take like any other.

svmrank reads SVMrank and SVM-light: linear models, whose support vectors are
added up, and polynomial and radial kernels. liblinear reads regression, ranking
and classifiers of two classes, where the greater label is the better one.
ranklib reads Coordinate Ascent, Linear Regression and RankBoost.

A constant that the file adds to every score is left out, because it changes no
order; a note says so.`,
		Example: `  pairrank import svmrank.dat --from svmrank -o model.txt
  pairrank import train.txt.model --from liblinear -o model.txt
  pairrank evaluate test.txt --model model.txt`,
		Args: exactly("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return a.importModel(args[0], &f) },
	}, func() cli.Targets { return cli.Targets{"from": &f.from, "output": &f.output} })
}

func (a *app) importModel(path string, f *importFlags) error {
	if err := a.CheckOutputs([]string{f.output}, path); err != nil {
		return err
	}
	var m *model.Model
	var notes []string
	err := a.ReadFrom(path, func(r io.Reader, name string) (err error) {
		m, notes, err = foreign.Read(r, name, foreign.Format(f.from))
		return err
	})
	if err != nil {
		return err
	}
	if err := a.Write(f.output, m.Write); err != nil {
		return err
	}
	a.notes(notes)
	return nil
}
