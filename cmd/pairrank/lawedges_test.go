package main

import (
	"fmt"
	"slices"
	"strings"
)

// edgePaths are the ways of edges between nodes: settings, losses and solvers, by what is held out.
func edgePaths() (paths []path) {
	for _, verb := range []string{"relation cv", "relation train"} {
		for _, setting := range []string{"pairs", "rows", "cols", "both"} {
			for _, loss := range []string{"", " --loss regression"} {
				for _, flags := range []string{"", " --solver cg", " --learner two-step",
					" --row-kernel gaussian:gamma=0.5 --col-kernel linear",
					" --row-kernel linear+gaussian:gamma=0.5 --col-kernel linear+polynomial:gamma=1,coef0=0,degree=2"} {
					for _, method := range []string{"loo", "kfold:3"} {
						paths = append(paths, path{"edges", setting, verb, strings.TrimSpace(loss + flags), method, ""})
					}
				}
			}
		}
	}
	return paths
}

// graph is edges between nodes with features.
type graph struct {
	rows, cols [][]float64
	label      [][]float64 // by row and column
	rowOrder   []int       // in which the edges are written
	lambdas    string      // the candidates
}

func (b *bench) graph(seed uint64) *graph {
	r := b.random(seed, 2)
	g := &graph{lambdas: "0.01,1,100"}
	for range 7 {
		g.rows = append(g.rows, []float64{r.NormFloat64(), r.NormFloat64()})
	}
	for range 6 {
		g.cols = append(g.cols, []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
	for i := range g.rows {
		g.rowOrder = append(g.rowOrder, i)
		row := make([]float64, len(g.cols))
		for j := range row {
			row[j] = float64(r.IntN(2))
		}
		g.label = append(g.label, row)
	}
	return g
}

// nodes is a table of nodes.
func nodes(prefix string, x [][]float64) string {
	var b strings.Builder
	b.WriteString("id")
	for j := range x[0] {
		fmt.Fprintf(&b, "\tx%d", j+1)
	}
	for i, row := range x {
		fmt.Fprintf(&b, "\n%s%d", prefix, i)
		for _, v := range row {
			fmt.Fprintf(&b, "\t%v", v)
		}
	}
	return b.String() + "\n"
}

// line writes the graph, and is the command line of the path for it.
func (g *graph) line(b *bench, p path, more ...string) []string {
	var edges strings.Builder
	edges.WriteString("row\tcol\tlabel\n")
	for _, i := range g.rowOrder {
		for j, y := range g.label[i] {
			fmt.Fprintf(&edges, "r%d\tc%d\t%v\n", i, j, y)
		}
	}
	flags := []string{"--rows", b.put("rows.tsv", nodes("r", g.rows)), "--cols", b.put("cols.tsv", nodes("c", g.cols)),
		"--setting", p.shape, "--lambdas", g.lambdas}
	if strings.HasSuffix(p.verb, "cv") {
		flags = append(flags, "--interval", "none")
	}
	return p.line(b, b.put("edges.tsv", edges.String()), append(flags, more...)...)
}

func edgeLaws() []law {
	train := func(p path) string {
		if strings.HasSuffix(p.verb, "train") {
			return "a training has the errors of cv"
		}
		return ""
	}
	return []law{
		{"scores that are predicted are evaluated", func(p path) string {
			if p.method != "loo" {
				return "nothing is held out"
			}
			return train(p)
		}, edgesAreRead},
		{"equal columns are ties", func(p path) string {
			if p.method == "loo" && p.flags != "" && p.shape != "rows" && !strings.HasPrefix(p.flags, "--row") {
				return "scores of different trainings, which learn the mean, are ranked together"
			}
			return train(p)
		}, func(b *bench, p path) string {
			return tiedEdges(b, p, func(g *graph) {
				for j := range g.cols {
					g.cols[j] = []float64{0.1, 3, -0.7}
				}
			})
		}},
		{"columns of their own are ties", func(p path) string {
			switch {
			case p.shape == "pairs" || p.shape == "rows":
				return "the columns are known from other rows"
			}
			return train(p)
		}, func(b *bench, p path) string {
			return tiedEdges(b, p, func(g *graph) { ofTheirOwn(g.cols) })
		}},
		{"columns of their own under rows of their own are ties", func(p path) string {
			if p.shape == "pairs" || p.shape == "cols" || strings.Contains(p.flags, "gaussian") {
				return "the rows are known"
			}
			return train(p)
		}, func(b *bench, p path) string {
			return tiedEdges(b, p, func(g *graph) { ofTheirOwn(g.rows) })
		}},
		{"the order of edges changes nothing", func(p path) string {
			if p.method != "loo" {
				return "folds are drawn by the order of nodes"
			}
			return ""
		}, orderOfEdges},
		{"threads change nothing", nil, threadsOfEdges},
		{"train chooses as cv", func(p path) string {
			if train(p) == "" {
				return "cv is the other side"
			}
			return ""
		}, edgesChosenAlike},
		{"text, JSON and page tell the same", withoutEdges, func(b *bench, p path) string {
			g := b.graph(6)
			for j := range g.cols {
				g.cols[j] = []float64{1, 1, 1}
			}
			return toldOnce(b, g.line(b, p))
		}},
		{"no width of zero", nil, func(b *bench, p path) string {
			g := b.graph(7)
			for i := range g.label {
				for j := range g.label[i] {
					g.label[i][j] = float64(j % 2)
					g.cols[j] = []float64{float64(j % 2), 0.001 * g.cols[j][1], 0}
				}
			}
			return edgeDeviations(b, p, g, false)
		}},
		{"no deviation over two units", func(p path) string {
			if p.shape == "pairs" {
				return "edges are held out"
			}
			return ""
		}, func(b *bench, p path) string {
			g := b.graph(8)
			if p.shape == "rows" || p.shape == "both" {
				g.rows, g.label, g.rowOrder = g.rows[:2], g.label[:2], g.rowOrder[:2]
			}
			if p.shape == "cols" {
				g.cols = g.cols[:2]
				for i := range g.label {
					g.label[i] = []float64{float64(i % 2), float64((i + 1) % 2)}
				}
			}
			return edgeDeviations(b, p, g, true)
		}},
	}
}

// ofTheirOwn gives each node a feature that no other node has.
func ofTheirOwn(nodes [][]float64) {
	for i := range nodes {
		nodes[i] = make([]float64, len(nodes))
		nodes[i][i] = 0.3
	}
}

// withoutEdges is why a path cannot be run on these edges.
func withoutEdges(p path) string {
	if p.shape == "pairs" && p.method == "kfold:3" && strings.Contains(p.flags, "two-step") {
		return "two-step learning needs all pairs of the nodes that are left"
	}
	return ""
}

// tiedEdges tries several λ, which take eigenvalues, and one, which takes an inverse.
func tiedEdges(b *bench, p path, change func(g *graph)) string {
	g := b.graph(3)
	change(g)
	for _, g.lambdas = range []string{g.lambdas, "1"} {
		d, r := b.document(g.line(b, p)...)
		if d == nil && r.code != 3 {
			return r.failed()
		}
		if d != nil {
			if wrong := halves(d.points()); wrong != "" {
				return "λ of " + g.lambdas + ": " + wrong
			}
		}
	}
	return ""
}

func orderOfEdges(b *bench, p path) string {
	g := b.graph(4)
	d, r := b.document(g.line(b, p)...)
	slices.Reverse(g.rowOrder)
	e, q := b.document(g.line(b, p)...)
	if d == nil || e == nil {
		return r.failed() + "; " + q.failed()
	}
	return samePoints(d.points(), e.points())
}

func threadsOfEdges(b *bench, p path) string {
	g := b.graph(5)
	_, one := b.document(g.line(b, p, "--threads", "1")...)
	_, two := b.document(g.line(b, p, "--threads", "2")...)
	if steady(one.out) != steady(two.out) {
		return "the documents differ"
	}
	return ""
}

func edgesChosenAlike(b *bench, p path) string {
	g := b.graph(5)
	d, r := b.document(g.line(b, p)...)
	p.verb = "relation cv"
	e, q := b.document(g.line(b, p)...)
	switch {
	case d == nil && e == nil && r.code == q.code:
		return ""
	case d == nil || e == nil:
		return r.failed() + "; " + q.failed()
	case !alike(*d.Lambda, *e.Lambda):
		return fmt.Sprintf("train chooses %g, cv %g", *d.Lambda, *e.Lambda)
	}
	return samePoints(d.points(), e.points())
}

func edgeDeviations(b *bench, p path, g *graph, any bool) string {
	d, r := b.document(g.line(b, p)...)
	switch {
	case d == nil && r.code == 3:
		return ""
	case d == nil:
		return r.failed()
	}
	return noDeviation(d.points(), any)
}
