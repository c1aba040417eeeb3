// Command yamanishi measures sums of similarities whose weights are learnt, on the four sets of drugs and targets of
// Yamanishi and others (2008): for targets and for drugs that training has not seen, beside each similarity alone and
// beside their mean.
//
//	go -C evidence/papers run ./yamanishi -o .
//
// The program looks for yamanishi in $PAIRRANK_DATA, or ../shared/data. It takes some minutes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/format/table"
	"pairrank/internal/holdout"
	"pairrank/internal/similarity"
	"pairrank/relation"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
)

// settings are what the flags say.
type settings struct {
	dir, sets string
	folds     int
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "yamanishi")
	flag.StringVar(&s.sets, "sets", "nr gpcr ic e", "the `NAMES` of sets")
	flag.IntVar(&s.folds, "folds", 5, "the `NUMBER` of folds of the nodes that are new")
	sections := []experiment.Section[settings]{{Name: "sums", Make: sums}}
	out := experiment.OutputFlags("yamanishi", experiment.Names(sections))
	experiment.Main("yamanishi", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, s) })
}

// set is targets and drugs with their similarities, and which interact: 1, else 0.
type set struct {
	name         string
	names        [2][]string // of the similarities
	similarities [2][]*data.Dense
	interactions *data.Dense
}

// read reads a set. Similarities are made symmetric, divided by the roots of their diagonals, and their negative
// eigenvalues set to 0.
func read(dir, name string) (*set, error) {
	s := &set{name: name}
	at := func(what string) string {
		path := filepath.Join(dir, "yamanishi", name+"_"+what+".txt")
		if _, err := os.Stat(path); err != nil {
			return path + ".gz"
		}
		return path
	}
	labels, err := table.ReadSimilarity(at("admat_dgc"))
	if err != nil {
		return nil, err
	}
	s.interactions = labels.K
	for side, kinds := range [2][]string{{"dg", "proteins_ppi"}, {"dc", "drugs_tanimoto"}} {
		ids := [2][]string{labels.RowID, labels.ColID}[side]
		for _, kind := range kinds {
			path := at("simmat_" + kind)
			if _, err := os.Stat(path); err != nil && name == "e" && kind == "dg" {
				continue // not there
			}
			m, err := table.ReadSimilarity(path)
			if err != nil {
				return nil, err
			}
			k, err := m.Align(ids, ids)
			if err != nil {
				return nil, err
			}
			similarity.Symmetrize(k)
			if err := similarity.Normalize(k); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if _, err := similarity.MakePSD(k, edge.Clip); err != nil {
				return nil, err
			}
			s.names[side] = append(s.names[side], kind[strings.LastIndex(kind, "_")+1:])
			s.similarities[side] = append(s.similarities[side], k)
		}
	}
	return s, nil
}

// turned is the set with drugs as rows.
func (s *set) turned() *set {
	out := *s
	out.names[0], out.names[1] = s.names[1], s.names[0]
	out.similarities[0], out.similarities[1] = s.similarities[1], s.similarities[0]
	out.interactions = data.NewDense(s.interactions.Cols, s.interactions.Rows, nil)
	for i := range s.interactions.Rows {
		for j, v := range s.interactions.Row(i) {
			out.interactions.Row(j)[i] = v
		}
	}
	return &out
}

// way is the similarities that a training takes.
type way struct {
	name    string
	kernels [2][]*data.Dense
}

// ways are each similarity of the rows with each of the columns, the means of both sides, and the learnt sums.
func (s *set) ways() (all []way) {
	for i, a := range s.similarities[0] {
		for j, b := range s.similarities[1] {
			all = append(all, way{s.names[0][i] + " and " + s.names[1][j], [2][]*data.Dense{{a}, {b}}})
		}
	}
	mean := [2][]*data.Dense{{average(s.similarities[0])}, {average(s.similarities[1])}}
	return append(all, way{"means", mean}, way{"learnt", s.similarities})
}

func average(all []*data.Dense) *data.Dense {
	out := data.NewDense(all[0].Rows, all[0].Cols, nil)
	for _, k := range all {
		for i, v := range k.Data {
			out.Data[i] += v / float64(len(all))
		}
	}
	return out
}

// between is the entries of a matrix at some rows and columns.
func between(k *data.Dense, rows, cols []int) *data.Dense {
	out := data.NewDense(len(rows), len(cols), nil)
	for a, i := range rows {
		for b, j := range cols {
			out.Row(a)[b] = k.Row(i)[j]
		}
	}
	return out
}

// scores trains without each fold of rows, and scores its rows with all columns. It also returns the mean shares of the
// kernels of both sides.
func (s *set) scores(ctx context.Context, w way, folds []int32, count int) (*data.Dense, [2][]float64, error) {
	y := s.interactions
	f, shares := data.NewDense(y.Rows, y.Cols, nil), [2][]float64{}
	all := numbers(y.Cols, func(int) bool { return true })
	for fold := range count {
		in := numbers(y.Rows, func(i int) bool { return folds[i] != int32(fold) })
		out := numbers(y.Rows, func(i int) bool { return folds[i] == int32(fold) })
		p := relation.Problem{Rows: &relation.Nodes{}, Cols: &relation.Nodes{Similarities: w.kernels[1]}}
		for _, k := range w.kernels[0] {
			p.Rows.Similarities = append(p.Rows.Similarities, between(k, in, in))
		}
		for a, i := range in {
			for j, v := range y.Row(i) {
				p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(a)), append(p.Edges.Col, int32(j))
				p.Y = append(p.Y, v)
			}
		}
		r, err := relation.Train(ctx, p, relation.Options{Setting: edge.Rows, Method: &cv.Method{Kind: cv.LeaveOneOut}})
		if err != nil {
			return nil, shares, err
		}
		for side, sum := range [2][]pairmodel.Term{r.Choice.Rows, r.Choice.Cols} {
			if shares[side] == nil {
				shares[side] = make([]float64, len(sum))
			}
			for i, t := range sum {
				shares[side][i] += t.Share / float64(count)
			}
		}
		var rows, cols []*pairmodel.Nodes
		for _, k := range w.kernels[0] {
			rows = append(rows, &pairmodel.Nodes{X: between(k, out, in)})
		}
		for _, k := range w.kernels[1] {
			cols = append(cols, &pairmodel.Nodes{X: k})
		}
		block, err := predicted(r.Model, rows, cols)
		if err != nil {
			return nil, shares, err
		}
		for a, i := range out {
			for b, j := range all {
				f.Row(i)[j] = block.Row(a)[b]
			}
		}
	}
	return f, shares, nil
}

// predicted scores every row with every column.
func predicted(m *relation.Model, rows, cols []*pairmodel.Nodes) (*data.Dense, error) {
	a, err := m.RowValues(&pairmodel.Nodes{Parts: rows})
	if err != nil {
		return nil, err
	}
	b, err := m.ColValues(&pairmodel.Nodes{Parts: cols})
	if err != nil {
		return nil, err
	}
	out := data.NewDense(a.Len(), b.Len(), nil)
	m.ScoreBlockTo(out, a, b)
	return out, nil
}

func numbers(n int, is func(i int) bool) (some []int) {
	for i := range n {
		if is(i) {
			some = append(some, i)
		}
	}
	return some
}

// areas are the AUC of each row that has both labels: the share of pairs in the right order, ties one half.
func areas(f, y *data.Dense) (all []float64) {
	for i := range y.Rows {
		right, pairs := 0.0, 0.0
		for a, v := range y.Row(i) {
			for b, w := range y.Row(i) {
				if v <= w {
					continue
				}
				pairs++
				switch d := f.Row(i)[a] - f.Row(i)[b]; {
				case d > 0:
					right++
				case d == 0:
					right += 0.5
				}
			}
		}
		if pairs > 0 {
			all = append(all, right/pairs)
		}
	}
	return all
}

// sums is the table.
func sums(ctx context.Context, s settings) (found experiment.Result, err error) {
	t := experiment.NewTable("set", "%s", "new", "%s", "rows", "%.0f", "similarities", "%s", "AUC", "%.4f", "±", "%.4f",
		"learnt less it", "%+.4f", "±", "%.4f")
	weights := experiment.NewTable("set", "%s", "new", "%s", "shares of targets", "%s", "shares of drugs", "%s")
	for _, name := range strings.Fields(s.sets) {
		one, err := read(s.dir, name)
		if err != nil {
			return found, err
		}
		for k, set := range []*set{one, one.turned()} {
			if err := set.add(ctx, t, weights, []string{"target", "drug"}[k], s.folds); err != nil {
				return found, err
			}
		}
	}
	found.Add(t)
	found.Text("The mean shares of the sums over the folds, in percent:")
	found.Add(weights)
	return found, nil
}

// add adds the rows of a set whose row nodes are new.
func (s *set) add(ctx context.Context, t, weights *experiment.Table, unit string, count int) error {
	folds, err := holdout.Deal(s.interactions.Rows, count, 1, 1, unit)
	if err != nil {
		return err
	}
	ways := s.ways()
	values, shares := make([][]float64, len(ways)), [2][]float64{}
	for k, w := range ways {
		began := time.Now()
		f, of, err := s.scores(ctx, w, folds, count)
		if err != nil {
			return fmt.Errorf("%s, new %s, %s: %w", s.name, unit, w.name, err)
		}
		values[k], shares = areas(f, s.interactions), of
		fmt.Fprintf(os.Stderr, "yamanishi: %s, new %s, %s: %.4f after %.1f s\n", s.name, unit, w.name,
			experiment.Mean(values[k]), time.Since(began).Seconds())
	}
	learnt := values[len(ways)-1]
	for k, w := range ways {
		row := []any{s.name, unit, len(learnt), w.name, experiment.Mean(values[k]), experiment.StdErr(values[k])}
		if k == len(ways)-1 {
			t.Row(append(row, nil, nil)...)
			continue
		}
		less := make([]float64, len(learnt))
		for i, v := range learnt {
			less[i] = v - values[k][i]
		}
		t.Row(append(row, experiment.Mean(less), experiment.StdErr(less))...)
	}
	texts := [2]string{s.text(0, shares[0]), s.text(1, shares[1])}
	if unit == "drug" {
		texts[0], texts[1] = texts[1], texts[0]
	}
	weights.Row(s.name, unit, texts[0], texts[1])
	return nil
}

func (s *set) text(side int, shares []float64) string {
	texts := make([]string, len(shares))
	for i, v := range shares {
		texts[i] = fmt.Sprintf("%s %.0f", s.names[side][i], 100*v)
	}
	return strings.Join(texts, ", ")
}
