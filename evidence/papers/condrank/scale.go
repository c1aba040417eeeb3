package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
	"pairrank/internal/goals"
	"pairrank/internal/kron"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
)

// Sizes of figure 5, top and middle. λ is the paper's.
const (
	scaleLambda   = 1
	scaleNodes    = 4000 // by default
	densityNodes  = 1000
	explicitEdges = 3600 // most edges whose kernel matrix is made
)

// densities are shares of all edges.
var densities = []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1}

// scale is figure 5.
func scale(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := readNews(ctx, s.dir)
	if err != nil {
		return found, err
	}
	top, nodes, err := byNodes(ctx, all, s)
	if err != nil {
		return found, err
	}
	middle, density, err := byDensity(ctx, all, s)
	if err != nil {
		return found, err
	}
	bottom, features, err := byFeatures(ctx, s)
	if err != nil {
		return found, err
	}
	f := figure.Figure{Title: "Seconds of a training with the ranking loss",
		Panels: []figure.Panel{top, middle, bottom}, Columns: 2}
	found.Draw("condrank-scale.svg", "Seconds of a training by nodes, by density and by features", f.SVG())
	for _, t := range []*experiment.Table{nodes, density, features} {
		found.Add(t)
	}
	found.Find(scaleFindings(top, middle)...)
	return found, nil
}

// scaleFindings compares the numbers of the text on figure 5 with the panels.
func scaleFindings(nodes, density figure.Panel) (all []experiment.Finding) {
	find := func(f experiment.Finding) {
		if !math.IsNaN(f.Ours) {
			f.Paper, f.Place = "2013", "figure 5"
			all = append(all, f)
		}
	}
	most, closed := lastOf(nodes, 0)
	_, iterations := lastOf(nodes, 1)
	find(experiment.Finding{
		What:   fmt.Sprintf("closed form on %.0f nodes: its time as a share of the iterations'", most),
		Format: "%.3f", Says: "“an order of magnitude faster”", Theirs: 0.1, Ours: closed / iterations,
		AtMost: true})
	if p := nodes.Series[2].Points; len(p) > 1 {
		few, many := p[len(p)-2], p[len(p)-1]
		find(experiment.Finding{What: "kernel matrix of all edges: how often as long for twice the nodes",
			Format: "%.0f", Says: "the sixth power: 64", Theirs: 64, AtMost: true,
			Ours: math.Pow(many[1]/few[1], math.Ln2/math.Log(many[0]/few[0]))})
	}
	share, whole := lastOf(density, 0)
	find(experiment.Finding{
		What:   fmt.Sprintf("seconds of the iterations with %.0f %% of the edges of %d nodes", share, densityNodes),
		Format: "%.0f", Says: "“a matter of minutes”", Theirs: 60, Ours: whole, AtMost: true,
		Unlike: "A machine of today"})
	if p := density.Series[0].Points; len(p) > 0 {
		find(experiment.Finding{
			What: fmt.Sprintf("an iteration with %.1f %% of the edges: its time as a share of that with all",
				p[0][0]),
			Format: "%.2f", Says: "“does not depend” on them", Theirs: 1, Ours: p[0][1] / whole,
			Reason: "Few edges cost less here: the products go through them where that is quicker."})
	}
	return all
}

// lastOf is the last point of a line, NaN where it has none.
func lastOf(p figure.Panel, k int) (x, y float64) {
	points := p.Series[k].Points
	if len(points) == 0 {
		return math.NaN(), math.NaN()
	}
	return points[len(points)-1][0], points[len(points)-1][1]
}

// addTo adds a point to series k of a panel, unless it is not there.
func addTo(p *figure.Panel, k int, x, y float64) {
	if !math.IsNaN(y) {
		p.Series[k].Points = append(p.Series[k].Points, [2]float64{x, y})
	}
}

// byNodes trains on complete graphs of more and more messages.
func byNodes(ctx context.Context, all *news, s settings) (figure.Panel, *experiment.Table, error) {
	most := scaleNodes
	if s.most > 0 {
		most = s.most
	}
	p := figure.Panel{Below: "nodes of a complete graph, log scales", X: figure.Plain, Y: figure.Seconds, Direct: true,
		Series: []figure.Series{
			{Name: "closed form", Style: 0}, {Name: fmt.Sprintf("%d iterations", s.iterations), Style: 1},
			{Name: "edges as rows", Style: 2},
		}}
	t := experiment.NewTable("nodes", "%.0f", "edges", "%.0f", "closed form, s", "digits", "an iteration, ms", "digits",
		fmt.Sprintf("%d iterations, s", s.iterations), "digits",
		"kernel matrix of the edges, s", "digits", "its scores differ by", "%.0e")
	for _, n := range []int{15, 30, 60, 125, 250, 500, 1000, 2000, 4000} {
		if n > most {
			break
		}
		sample := all.of(sets[0], n, s.seed)
		n = len(sample.group) // there are 3954
		k, y := kernel.Matrix(kernel.Linear{}, sample.x, sample.x), labels(sample, sample)
		closed, scores, err := closedForm(ctx, k, y)
		if err != nil {
			return p, nil, err
		}
		iteration, err := perIteration(ctx, k, everyPair(n, n), y.Data, s)
		if err != nil {
			return p, nil, err
		}
		explicit, differs := math.NaN(), math.NaN()
		if n*n <= explicitEdges {
			if explicit, differs, err = allEdges(ctx, k, everyPair(n, n), y.Data, scores.Data); err != nil {
				return p, nil, err
			}
		}
		iterations := iteration * float64(s.iterations)
		addTo(&p, 0, float64(n), closed)
		addTo(&p, 1, float64(n), iterations)
		addTo(&p, 2, float64(n), explicit)
		t.Row(n, n*n, closed, 1000*iteration, iterations, explicit, differs)
		tell("scale: %d nodes", n)
	}
	n, closed := lastOf(p, 0)
	_, iterations := lastOf(p, 1)
	p.Title = fmt.Sprintf("%.0f nodes: closed form is %.0f times as fast", n, iterations/closed)
	return p, t, nil
}

// closedForm is the seconds of a factorisation and one λ, and the scores.
func closedForm(ctx context.Context, k, y *data.Dense) (float64, *data.Dense, error) {
	began := time.Now()
	path, err := kron.Factor(ctx, k, k, y, kron.Options{Loss: edge.Ranking})
	if err != nil {
		return 0, nil, err
	}
	fit := path.At(scaleLambda)
	return time.Since(began).Seconds(), fit.Scores(), nil
}

// perIteration is the seconds of a conjugate gradient iteration: the mean of those
// after the first, as many as there is patience for.
func perIteration(ctx context.Context, k *data.Dense, e edge.Edges, y []float64, s settings) (float64, error) {
	var first, last time.Time
	n := 0
	each := func(iteration int, _ float64, _ []float64) bool {
		last = time.Now()
		if n = iteration; n == 1 {
			first = last
		}
		return n < 3 || n <= s.iterations && last.Sub(first) < s.patience/3
	}
	_, err := kron.Solve(ctx, kron.System{Kernel: pairwise.Kronecker, Rows: k, Cols: k, Edges: e, Y: y}, scaleLambda,
		kron.SolveOptions{Loss: edge.Ranking, Tolerance: 1e-300, MaxIterations: s.iterations + 1, Each: each})
	if err != nil {
		return 0, err
	}
	if n < 2 {
		return math.NaN(), nil
	}
	return last.Sub(first).Seconds() / float64(n-1), nil
}

// allEdges is the seconds of kernel RankRLS on the kernel matrix of the edges, and
// how far its scores are from others, relative to the largest.
func allEdges(ctx context.Context, k *data.Dense, e edge.Edges,
	y, scores []float64) (seconds, differs float64, err error) {
	began := time.Now()
	goal, err := goals.Scored(y, 1, data.NewPartition(e.Row, k.Rows), pref.Options{Weight: pref.Size})
	if err != nil {
		return 0, 0, err
	}
	big := data.NewDense(len(y), len(y), nil)
	for h := range y {
		rows, cols, out := k.Row(int(e.Row[h])), k.Row(int(e.Col[h])), big.Row(h)
		for g := range out {
			out[g] = rows[e.Row[g]] * cols[e.Col[g]]
		}
	}
	fit, err := rls.Solve(ctx, rls.Dual(big), goal, scaleLambda)
	if err != nil {
		return 0, 0, err
	}
	seconds = time.Since(began).Seconds()
	if scores == nil {
		return seconds, math.NaN(), nil
	}
	return seconds, difference(fit.Predictions().Data, scores), nil
}

// difference is the largest difference, relative to the largest wanted value.
func difference(got, want []float64) float64 {
	worst, largest := 0.0, 0.0
	for h, v := range want {
		worst, largest = max(worst, math.Abs(v-got[h])), max(largest, math.Abs(v))
	}
	return worst / largest
}

// byDensity trains on more and more of the edges of one graph.
func byDensity(ctx context.Context, all *news, s settings) (figure.Panel, *experiment.Table, error) {
	nodes := densityNodes
	if s.most > 0 {
		nodes = min(nodes, s.most)
	}
	p := figure.Panel{Below: fmt.Sprintf("share of the edges of %d nodes, %%, log scales", nodes), X: figure.Plain,
		Y: figure.Seconds, Direct: true, Series: []figure.Series{
			{Name: fmt.Sprintf("%d iterations", s.iterations), Style: 1}, {Name: "edges as rows", Style: 2},
			{Name: "closed form", Style: 0},
		}}
	sample := all.of(sets[0], nodes, s.seed)
	k, y := kernel.Matrix(kernel.Linear{}, sample.x, sample.x), labels(sample, sample)
	t := experiment.NewTable(fmt.Sprintf("%d nodes, share of the edges", nodes), "%g %%", "edges", "%.0f",
		"an iteration, ms", "digits", fmt.Sprintf("%d iterations, s", s.iterations), "digits",
		"kernel matrix of the edges, s", "digits", "closed form, s", "digits")
	for _, share := range densities {
		if share*float64(nodes) < 1 {
			continue // hardly a node has two edges, whose order could be learnt
		}
		e, labels := someEdges(y, share, s.seed)
		iteration, err := perIteration(ctx, k, e, labels, s)
		if err != nil {
			return p, nil, err
		}
		explicit, closed := math.NaN(), math.NaN()
		if len(labels) <= explicitEdges {
			if explicit, _, err = allEdges(ctx, k, e, labels, nil); err != nil {
				return p, nil, err
			}
		}
		if share == 1 {
			if closed, _, err = closedForm(ctx, k, y); err != nil {
				return p, nil, err
			}
		}
		iterations := iteration * float64(s.iterations)
		addTo(&p, 0, 100*share, iterations)
		addTo(&p, 1, 100*share, explicit)
		addTo(&p, 2, 100*share, closed)
		t.Row(100*share, len(labels), 1000*iteration, iterations, explicit, closed)
		tell("scale: density %g", share)
	}
	if points := p.Series[0].Points; len(points) > 0 {
		few, whole := points[0], points[len(points)-1]
		p.Title = fmt.Sprintf("%g %% of the edges take %.0f %% of the time", few[0], 100*few[1]/whole[1])
	}
	return p, t, nil
}

// someEdges are a share of all edges, drawn, in the order of the rows.
func someEdges(y *data.Dense, share float64, seed uint64) (e edge.Edges, labels []float64) {
	random := rand.New(rand.NewPCG(seed, 0x6564676573))
	for i := range y.Rows {
		for j, v := range y.Row(i) {
			if share == 1 || random.Float64() < share {
				e.Row, e.Col, labels = append(e.Row, int32(i)), append(e.Col, int32(j)), append(labels, v)
			}
		}
	}
	return e, labels
}
