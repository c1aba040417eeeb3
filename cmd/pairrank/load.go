package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/internal/codec"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

// stdinName stands for standard input in messages.
const stdinName = "standard input"

// setFlags are the flags of the verbs that read rows.
type setFlags struct {
	format    string
	missing   string
	zeroBased bool
	label     string
	qid       string
	noLabel   bool
	extra     string // features that training never saw: error or ignore
}

// The formats of rows. auto goes by the end of the name.
var (
	rowFormats   = []string{"auto", "svmlight", "csv", "tsv", "npy", "npz"}
	missingNames = []string{"error", "zero", "mean", "min"}
)

// rowsFlags gives a verb the flags of reading rows.
func (a *app) rowsFlags(cmd *cobra.Command) *setFlags {
	f := &setFlags{}
	cli.EnumFlag(cmd, &f.format, "format", "auto", rowFormats, "format of DATA; auto goes by the end of its name")
	cli.EnumFlag(cmd, &f.missing, "missing", "error", missingNames, "what a missing value (NaN, NULL, empty) becomes")
	cmd.Flags().BoolVar(&f.zeroBased, "zero-based", false, "SVMlight indices start at 0")
	cmd.Flags().StringVar(&f.label, "label-column", "", "`COLUMN` of the labels of a CSV or TSV table, by name or number from 1 (default: label, y, or the first)")
	cmd.Flags().StringVar(&f.qid, "qid-column", "", "`COLUMN` of the queries of a CSV or TSV table, by name or number (default: qid, if there is one)")
	a.MaxLineFlag(cmd)
	return f
}

// rowsFlagNames are the flags about reading rows.
var rowsFlagNames = []string{"format", "missing", "zero-based", "label-column", "qid-column", "no-label"}

// noLabelFlag gives a verb that needs no labels the flag --no-label.
func (f *setFlags) noLabelFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.noLabel, "no-label", false, "the table has no column of labels")
}

// extraNames are what is done with features that training never saw.
var extraNames = []string{"error", "ignore"}

// extraFlag gives a verb that scores the flag --extra-features.
func extraFlag(cmd *cobra.Command, target *string) {
	cli.EnumFlag(cmd, target, "extra-features", "error", extraNames, "what is done with features that training never saw")
}

// extraError adds the way out where rows or nodes have features that training never
// saw.
func extraError(err error) error {
	var feature *model.FeatureError
	if errors.As(err, &feature) && feature.Extra || errors.Is(err, data.ErrExtraFeatures) {
		return cli.WithHint(err, "--extra-features ignore leaves out the features that training never saw")
	}
	return err
}

// readOptions are what the verb, not the user, asks of the rows.
type readOptions struct {
	Storage  svmlight.Storage // auto, dense or sparse
	Features int              // that the rows get, more are an error; 0: as many as there are
	Comments bool             // keep the comments, for the names of the documents
	Notes    bool             // keep the lines of comments
}

// readSet reads rows, with progress. path "-" is standard input.
func (a *app) readSet(path string, f *setFlags, o readOptions) (*data.Set, error) {
	format := f.format
	if format == "auto" {
		format = formatOf(path)
	}
	if err := f.checkTableFlags(path, format); err != nil {
		return nil, err
	}
	missing, err := data.ParseMissing(f.missing)
	if err != nil {
		return nil, cli.AsUsage(err)
	}
	if format == "svmlight" {
		return a.readSVMlight(path, f, o, missing)
	}
	return a.readTable(path, format, f, o, missing)
}

func (a *app) readSVMlight(path string, f *setFlags, o readOptions, missing data.Missing) (*data.Set, error) {
	meter := a.Begin("reading "+shown(path), 0)
	defer meter.End()
	opts := svmlight.Options{
		Storage: o.Storage, Features: o.Features, Extra: f.extra == "ignore", ZeroBased: f.zeroBased, Missing: missing, KeepComments: o.Comments, KeepNotes: o.Notes,
		MaxLine:  a.MaxLine,
		Progress: func(done, total int64) { meter.SetTotal(total); meter.Set(done) },
	}
	set, err := cli.AwaitFor(a.Ctx, func() (*data.Set, error) { // a pipe may never have more
		if path == "-" {
			return svmlight.ReadAll(a.Ctx, a.In, stdinName, opts)
		}
		return svmlight.ReadFile(a.Ctx, path, opts)
	})
	if err != nil {
		err = extraError(readError(err))
		var syntax *svmlight.SyntaxError
		if errors.As(err, &syntax) && path != "-" && !errors.Is(err, data.ErrExtraFeatures) {
			err = cli.WithHint(err, "pairrank check %s lists everything that is wrong", path)
		}
		return nil, err
	}
	return set, nil
}

// formatOf is the format that the end of a name stands for, compressed or not.
func formatOf(path string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst")
	switch ext := strings.ToLower(filepath.Ext(base)); ext {
	case ".csv", ".tsv", ".npy", ".npz":
		return ext[1:]
	}
	return "svmlight"
}

// shown is the name of an input in messages.
func shown(path string) string {
	if path == "-" {
		return stdinName
	}
	return path
}

// readError gives an error of reading its kind: what the operating system says
// is a runtime error, anything else is about the data.
func readError(err error) error {
	var path *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return cli.WithHint(err, "check the name; - is standard input")
	case errors.As(err, &path):
		return err
	case errors.Is(err, data.ErrLongLine):
		return cli.WithHint(cli.AsData(err), "--max-line BYTES reads longer ones, with more memory")
	}
	return cli.AsData(err)
}

// fileError is readError for what is read from named files only.
func fileError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return cli.WithHint(err, "check the name")
	}
	return readError(err)
}

// open opens an input that may be compressed; "-" is standard input.
func (a *app) open(path string) (*codec.Reader, error) {
	if path == "-" {
		r, err := codec.NewReader(interruptibleReader{a.Ctx, a.In}, stdinName)
		return r, readError(err)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		// A pipe waits for who writes to it, and may wait for ever. It stays open to
		// the end of the program.
		f, err := cli.AwaitFor(a.Ctx, func() (*os.File, error) { return os.Open(path) })
		if err != nil {
			return nil, readError(err)
		}
		r, err := codec.NewReader(interruptibleReader{a.Ctx, f}, path)
		return r, readError(err)
	}
	r, err := codec.Open(path)
	return r, readError(err)
}

// readFrom opens an input, hands it to read and closes it.
func (a *app) readFrom(path string, read func(r io.Reader, name string) error) error {
	r, err := a.open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	return readError(read(r, r.Name()))
}

// savedModel is a model of rows or one of pairs of nodes; the other is nil.
type savedModel struct {
	rows  *model.Model
	pairs *pairmodel.Model
}

// readModel reads a model, which may be compressed.
func (a *app) readModel(path string) (m savedModel, err error) {
	err = a.readFrom(path, func(r io.Reader, name string) (err error) {
		m.rows, m.pairs, err = pairmodel.ReadEither(r, name)
		return err
	})
	return m, err
}

// filesOnly refuses standard input for what beside DATA a verb reads.
func filesOnly(paths ...string) error {
	for _, path := range paths {
		if path == "-" {
			return cli.Usagef("standard input is for DATA; give a file for the others")
		}
	}
	return nil
}

// onceStdin refuses to read standard input twice.
func onceStdin(paths ...string) error {
	count := 0
	for _, path := range paths {
		if path == "-" {
			count++
		}
	}
	if count > 1 {
		return cli.Usagef("standard input can be read only once")
	}
	return nil
}

// interruptibleReader is a reader that ends with the context, even while the
// one below blocks, as a terminal does; a goroutine keeps waiting for it then.
type interruptibleReader struct {
	ctx  context.Context
	from io.Reader
}

func (r interruptibleReader) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	own := make([]byte, len(p)) // p is the caller's again when the context ends
	go func() {
		n, err := r.from.Read(own)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		copy(p, own[:got.n])
		return got.n, got.err
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}

// checkRowsModel refuses rows for a model that scores a kernel matrix, or pairs
// of nodes.
func checkRowsModel(m savedModel, path string) error {
	if m.pairs != nil {
		return cli.WithHint(cli.Usagef("%s is a model of edges: it scores pairs of nodes, not rows", path), "the form is %s", predictForm(m, path))
	}
	if !m.rows.Precomputed() {
		return nil
	}
	return cli.WithHint(cli.Usagef("%s is a model of a precomputed kernel: it scores a kernel matrix, not rows", path),
		"give the matrix new × training with --kernel-matrix FILE")
}

// readOptionsFor is how rows are read for a model.
func readOptionsFor(m *model.Model) readOptions {
	o := readOptions{Features: m.Features()}
	if m.NeedsDense() {
		o.Storage = svmlight.StoreDense
	}
	return o
}

// score scores the rows of a set, waiting for Ctrl-C meanwhile. A score that
// overflows is an error. extra says what is done with features that training never
// saw.
func (a *app) score(m *model.Model, set *data.Set, extra string) ([]float64, error) {
	if extra == "ignore" {
		set = m.WithoutExtra(set)
	}
	rows, _ := set.X.Dims()
	if err := checkScoring(m, set.X); err != nil {
		return nil, err
	}
	if norm := m.Normalizer; norm != nil && norm.Kind == data.NormalizeQueryMinMax && m.Info.Queries > 1 && !set.HasQID {
		a.Warn("the model normalises by query, and the rows have no qid: they count as one query")
	}
	meter := a.Begin(fmt.Sprintf("scoring %d rows", rows), 0)
	defer meter.End()
	scores, err := cli.AwaitFor(a.Ctx, func() ([]float64, error) { return m.Score(set) })
	if err != nil {
		return nil, extraError(readError(err))
	}
	return scores, finiteScores(scores, rowOf(m.Outputs()))
}
