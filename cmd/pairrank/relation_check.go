package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/kernel"
	"pairrank/relation"
	repair "pairrank/relation/similarity"
	"pairrank/report"
)

// relationCheck is what check --edges finds.
type relationCheck struct {
	Edges      int          `json:"edges"`
	Repeated   int          `json:"repeated"`
	Unobserved int          `json:"unobserved"`
	Complete   bool         `json:"complete"`
	Labels     int          `json:"distinct_labels"`
	Silent     int          `json:"rows_of_one_label"` // rows without two different labels
	Rows       checkedSide  `json:"rows"`
	Cols       *checkedSide `json:"cols,omitempty"`
	Problems   []string     `json:"problems"`
}

// checkedSide is one side of the edges.
type checkedSide struct {
	Nodes      int            `json:"nodes"`
	Unused     int            `json:"unused"` // nodes without an edge
	Features   int            `json:"features,omitempty"`
	Asymmetry  *report.Number `json:"asymmetry,omitempty"` // of a similarity matrix, beside its largest entry
	Smallest   *report.Number `json:"smallest_eigenvalue,omitempty"`
	similarity bool
}

// checkFlags are the flags of check about edges.
type checkFlags struct {
	edges, format, rows, cols, rowKernel, colKernel string
	transpose                                       bool
}

func (f *checkFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.edges, "edges", "", "`FILE` of edges between nodes, instead of DATA")
	cli.EnumFlag(cmd, &f.format, "edge-format", "auto", edgeFormatNames, "how --edges is written")
	transposeFlag(cmd, &f.transpose)
	flags.StringVar(&f.rows, "rows", "", "`FILE` of the row nodes")
	flags.StringVar(&f.cols, "cols", "", "`FILE` of the column nodes (default: the row nodes)")
	flags.StringVar(&f.rowKernel, "row-kernel", "linear", "`KERNEL`: precomputed where --rows is a similarity matrix")
	flags.StringVar(&f.colKernel, "col-kernel", "", "`KERNEL`: precomputed where --cols is one (default: as the rows)")
}

// checkRelation is check --edges.
func (a *app) checkRelation(f *checkFlags) error {
	if f.rows == "" {
		return cli.Usagef("--rows FILE of the nodes is missing")
	}
	if err := fromFiles(f.edges, f.rows, f.cols); err != nil {
		return err
	}
	if f.colKernel != "" && f.cols == "" {
		return cli.Usagef("--col-kernel is for the nodes of --cols FILE")
	}
	r := &relationCheck{Problems: []string{}}
	rowID, rows, err := r.checkNodes(a, f.rows, f.rowKernel)
	if err != nil {
		return err
	}
	r.Rows = rows
	colID, cols := rowID, &r.Rows
	if f.cols != "" {
		spec := f.colKernel
		if spec == "" {
			spec = f.rowKernel
		}
		var side checkedSide
		if colID, side, err = r.checkNodes(a, f.cols, spec); err != nil {
			return err
		}
		r.Cols, cols = &side, &side
	}
	format, err := table.ParseEdgesFormat(f.format)
	if err != nil {
		return cli.AsUsage(err)
	}
	e, err := a.readEdges(f.edges, table.EdgesOptions{Format: format}, f.transpose)
	if err != nil {
		return err
	}
	row, col, err := e.Match(rowID, colID)
	if err != nil {
		return matchError(err, f.transpose)
	}
	r.count(relation.Edges{Row: row, Col: col}, e.Y, cols)
	r.Unobserved = e.Unobserved
	if a.JSON {
		err = a.WriteJSON(r)
	} else {
		err = a.Write("-", r.write)
	}
	if err == nil && len(r.Problems) > 0 {
		err = cli.AsData(fmt.Errorf("%s", plural(len(r.Problems), "problem")))
	}
	return err
}

// checkNodes reads one side. A similarity matrix is checked for symmetry and for
// negative eigenvalues.
func (r *relationCheck) checkNodes(a *app, path, spec string) (id []string, s checkedSide, err error) {
	k, err := kernel.Parse(spec)
	if err != nil {
		return nil, s, cli.AsUsage(err)
	}
	if _, precomputed := k.(kernel.Precomputed); !precomputed {
		n, err := a.readNodes(path)
		if err != nil {
			return nil, s, err
		}
		r.checkUTF8(path, "node", n.ID)
		r.checkUTF8(path, "feature", n.Names)
		return n.ID, checkedSide{Nodes: len(n.ID), Features: n.X.Cols}, nil
	}
	m, err := a.readSimilarity(path)
	if err != nil {
		return nil, s, err
	}
	r.checkUTF8(path, "node", m.RowID)
	square, err := m.Align(m.RowID, m.RowID)
	if err != nil {
		return nil, s, cli.AsData(err)
	}
	asymmetry := report.Number(repair.Symmetrize(square))
	smallest := report.Number(repair.SmallestEigenvalue(square))
	if asymmetry > 1e-6 {
		r.Problems = append(r.Problems, fmt.Sprintf("%s is not symmetric: --symmetrize takes the mean of (i,j) and (j,i), which differ by up to %.3g of the largest", path, float64(asymmetry)))
	}
	if float64(smallest) < -relation.Negligible*slices.Max(repair.Diagonal(square)) {
		r.Problems = append(r.Problems, fmt.Sprintf("%s has an eigenvalue of %.3g: --psd-fix clip or shift mends it", path, float64(smallest)))
	}
	return m.RowID, checkedSide{Nodes: len(m.RowID), Asymmetry: &asymmetry, Smallest: &smallest, similarity: true}, nil
}

// checkUTF8 counts names that are not UTF-8 among the problems.
func (r *relationCheck) checkUTF8(path, what string, names []string) {
	for _, p := range notUTF8(what, names) {
		r.Problems = append(r.Problems, path+": "+p)
	}
}

// count counts edges by what they are between.
func (r *relationCheck) count(e relation.Edges, y []float64, cols *checkedSide) {
	r.Edges = len(y)
	between, labels := map[[2]int32]int{}, map[float64]bool{}
	inRow, inCol := map[int32]bool{}, map[int32]bool{}
	first, mixed := map[int32]float64{}, map[int32]bool{}
	for h, v := range y {
		i, j := e.Row[h], e.Col[h]
		between[[2]int32{i, j}]++
		labels[v], inRow[i], inCol[j] = true, true, true
		if old, seen := first[i]; !seen {
			first[i] = v
		} else if old != v {
			mixed[i] = true
		}
	}
	r.Repeated, r.Labels = len(y)-len(between), len(labels)
	r.Complete = r.Repeated == 0 && len(between) == r.Rows.Nodes*cols.Nodes
	r.Silent = len(inRow) - len(mixed)
	if cols == &r.Rows {
		for j := range inCol {
			inRow[j] = true
		}
	} else {
		cols.Unused = cols.Nodes - len(inCol)
	}
	r.Rows.Unused = r.Rows.Nodes - len(inRow)
	if len(mixed) == 0 {
		r.Problems = append(r.Problems, "no two edges of a row have different labels, so nothing can be learnt about their order")
	}
}

// write prints the counts for people.
func (r *relationCheck) write(w io.Writer) error {
	kind := "incomplete"
	if r.Complete {
		kind = "complete"
	}
	fmt.Fprintf(w, "edges      %d, %s, %d repeated, %d unobserved, %s\n", r.Edges, kind, r.Repeated, r.Unobserved, plural(r.Labels, "distinct label"))
	fmt.Fprintf(w, "silent     %s with edges of one label\n", plural(r.Silent, "row"))
	side := func(name string, s *checkedSide) {
		fmt.Fprintf(w, "%-10s %s, %d without an edge", name, plural(s.Nodes, "node"), s.Unused)
		if s.similarity {
			fmt.Fprintf(w, ", similarity matrix: asymmetry %.3g, smallest eigenvalue %.3g", float64(*s.Asymmetry), float64(*s.Smallest))
		} else {
			fmt.Fprintf(w, ", %s", plural(s.Features, "feature"))
		}
		fmt.Fprintln(w)
	}
	side("rows", &r.Rows)
	if r.Cols != nil {
		side("cols", r.Cols)
	}
	for _, p := range r.Problems {
		if _, err := fmt.Fprintf(w, "problem    %s\n", p); err != nil {
			return err
		}
	}
	return nil
}
