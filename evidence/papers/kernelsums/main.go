// Command kernelsums compares learnt weights of several similarities with each similarity alone and with their plain
// mean, on the four sets of drugs and targets of Yamanishi, Araki, Gutteridge, Honda and Kanehisa 2008.
//
//	go -C evidence/papers run ./kernelsums -o .
//
// The program looks for yamanishi in $PAIRRANK_DATA, or ../shared/data.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/format/table"
	"pairrank/internal/kernelsum"
	"pairrank/relation"
	"pairrank/relation/similarity"
)

func main() {
	var dir string
	experiment.DataFlag(&dir, "yamanishi")
	sections := []experiment.Section[string]{{Name: "kernelsums", Make: experiment.Paragraphs(table4)}}
	out := experiment.OutputFlags("kernelsums", experiment.Names(sections))
	experiment.Main("kernelsums", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, dir) })
}

// graph is the drugs, which are the rows, and the targets of a set, with similarities whose diagonals have the mean 1.
type graph struct {
	y          *data.Dense
	rows, cols []*data.Dense
	names      [2][]string
}

func read(dir, name string) (*graph, error) {
	at := func(what string) string { return filepath.Join(dir, "yamanishi", name+what) }
	ending, targets := ".txt.gz", []string{"_simmat_dg.txt.gz", "_simmat_proteins_ppi.txt.gz"}
	switch name {
	case "nr":
		ending = ".txt"
	case "e":
		targets = targets[1:]
	}
	known, err := table.ReadSimilarity(at("_admat_dgc" + ending))
	if err != nil {
		return nil, err
	}
	g := &graph{y: known.K.T()}
	add := func(to *[]*data.Dense, file string, ids []string) error {
		s, err := table.ReadSimilarity(at(file))
		if err != nil {
			return err
		}
		k, err := s.Align(ids, ids)
		if err != nil {
			return err
		}
		similarity.Symmetrize(k)
		if _, err := similarity.MakePSD(k, similarity.Clip); err != nil {
			return err
		}
		kernelsum.Normalize(k)
		*to = append(*to, k)
		return nil
	}
	for _, file := range []string{"_simmat_dc.txt.gz", "_simmat_drugs_tanimoto.txt.gz"} {
		if err := add(&g.rows, file, known.ColID); err != nil {
			return nil, err
		}
	}
	for _, file := range targets {
		if err := add(&g.cols, file, known.RowID); err != nil {
			return nil, err
		}
	}
	g.names = [2][]string{{"chemical", "tanimoto"}, {"sequence", "interaction"}}
	if name == "e" {
		g.names[1] = g.names[1][1:]
	}
	return g, nil
}

// lambdas are the values of λ of all sums.
func lambdas() (values []float64) {
	for e := -10; e <= 10; e += 2 {
		values = append(values, math.Ldexp(1, e))
	}
	return values
}

// mixed is a weighted sum.
func mixed(k []*data.Dense, weights []float64) *data.Dense {
	out := data.NewDense(k[0].Rows, k[0].Cols, nil)
	for i, a := range k {
		for at, v := range a.Data {
			out.Data[at] += weights[i] * v
		}
	}
	return out
}

// measure is the exact held-out error of one training on sums with given weights, at the best λ.
func (g *graph) measure(ctx context.Context, setting relation.Setting, rows, cols []float64) (cv.Point, error) {
	p := relation.Problem{Rows: &relation.Nodes{Similarity: mixed(g.rows, rows)},
		Cols: &relation.Nodes{Similarity: mixed(g.cols, cols)}}
	for i := range g.y.Rows {
		for j, v := range g.y.Row(i) {
			p.Edges.Row, p.Edges.Col, p.Y = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j)), append(p.Y, v)
		}
	}
	o := relation.EstimateOptions{Options: relation.Options{Setting: setting, Lambdas: lambdas(),
		Loss: relation.Ranking, Method: &cv.Method{Kind: cv.LeaveOneOut}, PSD: similarity.Clip}}
	o.Intervals = cv.IntervalsNone
	e, err := relation.Estimate(ctx, p, o)
	if err != nil {
		return cv.Point{}, err
	}
	return e.Point(), nil
}

// alone are the weights of one of n kernels.
func alone(n, i int) []float64 {
	w := make([]float64, n)
	w[i] = 1
	return w
}

// plain are the weights of the mean of n kernels.
func plain(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	return w
}

func table4(ctx context.Context, dir string) (string, error) {
	var b strings.Builder
	b.WriteString("| set, left out | best pair of single similarities | its error | plain mean | learnt | weights: " +
		"drugs; targets |\n|---|---|---|---|---|---|\n")
	leaves := map[relation.Setting]kernelsum.Leave{relation.Pairs: kernelsum.Edge, relation.Rows: kernelsum.Row,
		relation.Cols: kernelsum.Col}
	for _, name := range []string{"nr", "gpcr", "ic", "e"} {
		g, err := read(dir, name)
		if err != nil {
			return "", err
		}
		for _, setting := range []relation.Setting{relation.Pairs, relation.Rows, relation.Cols} {
			line, err := g.line(ctx, name, setting, leaves[setting])
			if err != nil {
				return "", fmt.Errorf("%s, %s: %w", name, setting, err)
			}
			fmt.Fprint(os.Stderr, line)
			b.WriteString(line)
		}
	}
	return b.String(), nil
}

func (g *graph) line(ctx context.Context, name string, setting relation.Setting, leave kernelsum.Leave) (string, error) {
	nr, nc := len(g.rows), len(g.cols)
	var best cv.Point
	which := ""
	for i := range nr {
		for j := range nc {
			p, err := g.measure(ctx, setting, alone(nr, i), alone(nc, j))
			if err != nil {
				return "", err
			}
			if which == "" || p.Error < best.Error {
				best, which = p, g.names[0][i]+", "+g.names[1][j]
			}
		}
	}
	mean, err := g.measure(ctx, setting, plain(nr), plain(nc))
	if err != nil {
		return "", err
	}
	var rows, cols []*data.Dense
	for _, k := range g.rows {
		rows = append(rows, k.Clone())
	}
	for _, k := range g.cols {
		cols = append(cols, k.Clone())
	}
	w, err := kernelsum.Learn(ctx, kernelsum.NewEdges(rows, cols, g.y.Clone(), true, leave, lambdas()))
	if err != nil {
		return "", err
	}
	learnt, err := g.measure(ctx, setting, w[:nr], w[nr:])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("| %s, %s | %s | %s | %s | %s | %s; %s |\n", name, setting, which, text(best), text(mean),
		text(learnt), shares(w[:nr]), shares(w[nr:])), nil
}

// text is an error with its standard error over what is left out.
func text(p cv.Point) string {
	if !p.StdErr.Defined {
		return fmt.Sprintf("%.4f", p.Error)
	}
	return fmt.Sprintf("%.4f ± %.4f", p.Error, p.StdErr.Value)
}

func shares(w []float64) string {
	texts := make([]string, len(w))
	for i, v := range w {
		texts[i] = fmt.Sprintf("%.2f", v)
	}
	return strings.Join(texts, " ")
}
