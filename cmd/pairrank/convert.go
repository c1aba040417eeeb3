package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/parquet"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/memory"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	rows  setFlags
	to    string
	zeros bool
	dense bool
}

func newConvert(a *app) *cobra.Command {
	var f convertFlags
	return a.Bind(&cobra.Command{
		Use:   "convert IN OUT",
		Short: "change the format of a file of rows",
		Long: `convert reads rows and writes them in another format: SVMlight text, CSV or TSV
with a header, Parquet, .npz (the arrays X, y, qid, names, id, group and fold; for
sparse rows those of SciPy instead of X), .npy (X alone) or JSON lines. The ends of
the names say which; .gz and .zst compress. Numbers keep their exact value. A warning
says what a format cannot hold. SVMlight text has no place for the number of
features: if the last feature is 0 in all rows, the first row gets its 0.`,
		Example: `  pairrank convert train.txt train.csv
  pairrank convert train.csv train.txt.gz --label-column relevance
  pairrank convert train.txt train.npz --dense
  zcat train.txt.gz | pairrank convert - - --to tsv`,
		Args: exactly("IN", "OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			to := f.to
			if to == "auto" {
				if to = formatOf(args[1]); table.FormatOf(args[1]) == table.JSON {
					to = "json"
				}
			}
			if err := checkCompression(args[1], to); err != nil {
				return err
			}
			if err := a.CheckOutputs([]string{args[1]}, args[0]); err != nil {
				return err
			}
			if f.zeros && to != "svmlight" {
				return cli.Usagef("--zeros is for SVMlight text, every other format has them")
			}
			if f.dense && to != "npz" && to != "npy" {
				return cli.Usagef("--dense is for .npz and .npy, text is written from sparse rows as it is")
			}
			return a.convert(args[0], args[1], to, &f)
		},
	}, func() cli.Targets {
		own := cli.Targets{"to": &f.to, "zeros": &f.zeros, "dense": &f.dense}
		return cli.Join(own, f.rows.targets("convert"))
	})
}

func (a *app) convert(in, out, to string, f *convertFlags) error {
	o := readOptions{Comments: true, Notes: true}
	if f.dense {
		o.Storage = svmlight.StoreDense
	}
	set, err := a.readSet(in, &f.rows, o)
	if err != nil {
		return err
	}
	if x, sparse := set.X.(*data.CSR); sparse && f.dense {
		if set.X, err = denseOf(x); err != nil {
			return fmt.Errorf("%s: %w", cli.Shown(in), err)
		}
	} else if sparse && to == "npy" {
		return cli.WithHint(cli.AsData(fmt.Errorf("%s is sparse, and .npy has no sparse form", cli.Shown(in))),
			"--dense writes its zeros, and .npz is written sparse")
	}
	for _, lost := range lostBy(to, set) {
		a.Warn("%s are not written: %s has no place for them", lost, to)
	}
	if why := uncommented(set); to == "svmlight" && set.IDs != nil && why != "" {
		a.Warn("the names of the rows are not written: %s", why)
	}
	meter := a.Begin("writing "+out, 0)
	defer meter.End()
	return a.Write(out, func(w io.Writer) error { return writeSet(w, to, set, f.zeros) })
}

// denseOf is a sparse matrix with its zeros.
func denseOf(x *data.CSR) (*data.Dense, error) {
	m, n := x.Dims()
	if err := memory.Ask(8*float64(m)*float64(n), fmt.Sprintf("a dense matrix of %d × %d", m, n)); err != nil {
		return nil, err
	}
	dense := data.NewDense(m, n, nil)
	for i := range m {
		x.RowTo(dense.Row(i), i)
	}
	return dense, nil
}

// lostBy lists what a format cannot hold of a set.
func lostBy(to string, set *data.Set) []string {
	hasComments := slices.ContainsFunc(set.Comments, func(c string) bool { return strings.TrimSpace(c) != "" })
	var lost []string
	type part struct {
		there  bool
		holds  string // the formats that have a place for it
		called string
	}
	all := []part{
		{set.Names != nil, "csv tsv jsonl json parquet npz", "the names of the features"},
		{hasComments, "svmlight", "the comments"},
		{set.Notes != nil, "svmlight csv tsv", "the lines of comments"},
	}
	for _, r := range table.Roles() {
		_, there := r.Values(set)
		all = append(all, part{there, r.Formats(), r.Plural()})
	}
	for _, part := range all {
		if part.there && !slices.Contains(strings.Fields(part.holds), to) {
			lost = append(lost, part.called)
		}
	}
	return lost
}

// uncommented is why the names of the rows cannot be written as comments of SVMlight text, "" if they can.
func uncommented(set *data.Set) string {
	if set.Comments != nil {
		return "the rows have other comments"
	}
	for i, id := range set.IDs {
		switch {
		case id == "":
			return fmt.Sprintf("%s has none", set.Called(i))
		case strings.ContainsFunc(id, unicode.IsSpace):
			return fmt.Sprintf("that of %s has a blank, at which a comment docid = NAME ends", set.Called(i))
		}
	}
	return ""
}

func writeSet(w io.Writer, to string, set *data.Set, zeros bool) error {
	switch to {
	case "svmlight":
	case "parquet":
		return cli.AsData(parquet.WriteSet(w, set))
	default:
		format := map[string]table.Format{"csv": table.CSV, "tsv": table.TSV, "npy": table.NPY, "npz": table.NPZ,
			"jsonl": table.JSONL, "json": table.JSON}[to]
		return cli.AsData(table.WriteSet(w, format, set))
	}
	if set.IDs != nil && uncommented(set) == "" {
		named := *set
		named.Comments = make([]string, len(set.IDs))
		for i, id := range set.IDs {
			named.Comments[i] = " docid = " + id
		}
		set = &named
	}
	out := svmlight.NewWriter(w, svmlight.WriteOptions{Zeros: zeros})
	if err := out.WriteSet(set); err != nil {
		return err
	}
	return out.Flush()
}
