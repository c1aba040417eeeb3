package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/format/svmlight"
	"pairrank/internal/figure"
	"pairrank/internal/goals"
	"pairrank/internal/kron"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
	"pairrank/relation/edge"
)

// Sizes of figure 5, bottom. Product features are made up to explicitFeatures a
// node: n² of them for each of 10,000 edges.
const (
	digitNodes       = 100
	explicitFeatures = 64
)

// byFeatures trains on the complete graph of handwritten digits, 1 for two of one
// class, with more and more features.
func byFeatures(ctx context.Context, s settings) (figure.Panel, *experiment.Table, error) {
	p := figure.Panel{Below: fmt.Sprintf("features of a node, complete graph of %d, log scales", digitNodes),
		X: figure.Plain, Y: figure.Seconds, Direct: true, Series: []figure.Series{
			{Name: "primal", Style: 3}, {Name: "closed form", Style: 0}, {Name: "RankRLS", Style: 2},
			{Name: "RankSVM", Style: 4},
		}}
	set, err := svmlight.ReadFile(ctx, filepath.Join(s.dir, "usps", "usps_train.svm.gz"),
		svmlight.Options{Storage: svmlight.StoreDense})
	if err != nil {
		return p, nil, err
	}
	random := rand.New(rand.NewPCG(s.seed, 0x75737073))
	rows, order := random.Perm(len(set.Y))[:digitNodes], random.Perm(256)
	t := experiment.NewTable("features", "%.0f", "products", "%.0f", "closed form, s", "digits", "primal, s", "digits",
		"iterations", "%.0f", "its scores differ by", "%.0e",
		"RankRLS on products, s", "digits", "its scores differ by", "%.0e", "RankSVM on products, s", "digits",
		"memory of the products, MB", "digits")
	for n := 2; n <= 256; n *= 2 {
		x := data.NewDense(digitNodes, n, nil)
		y := data.NewDense(digitNodes, digitNodes, nil)
		for a, i := range rows {
			for b := range n {
				x.Row(a)[b] = set.X.(*data.Dense).Row(i)[order[b]]
			}
			for b, j := range rows {
				if set.Y[i] == set.Y[j] {
					y.Row(a)[b] = 1
				}
			}
		}
		k := kernel.Matrix(kernel.Linear{}, x, x)
		closed, scores, err := closedForm(ctx, k, y)
		if err != nil {
			return p, nil, err
		}
		e := everyPair(digitNodes, digitNodes)
		began := time.Now()
		fit, err := kron.SolveLinear(ctx,
			kron.LinearSystem{Relation: edge.Arbitrary, Rows: x, Cols: x, Edges: e, Y: y.Data}, scaleLambda,
			kron.SolveOptions{Loss: edge.Ranking, Tolerance: 1e-6, MaxIterations: s.iterations})
		if err != nil {
			return p, nil, err
		}
		primal := time.Since(began).Seconds()
		products, differs, svm := math.NaN(), math.NaN(), math.NaN()
		if n <= explicitFeatures {
			if products, differs, svm, err = onProducts(ctx, x, e, y.Data, scores.Data); err != nil {
				return p, nil, err
			}
		}
		for l, v := range []float64{primal, closed, products, svm} {
			addTo(&p, l, float64(n), v)
		}
		t.Row(n, n*n, closed, primal, fit.Iterations, difference(fit.Scores, scores.Data), products, differs, svm,
			8e-6*float64(n*n*len(y.Data)))
		tell("scale: %d features", n)
	}
	n, products := lastOf(p, 2)
	p.Title = fmt.Sprintf("RankRLS on the products of %.0f features: %s s", n, experiment.Digits(products))
	return p, t, nil
}

// onProducts is the seconds of RankRLS and of RankSVM on the products of features
// of every edge, each with the making of the products, and how far the scores of
// the first differ from the others, relative to the largest.
func onProducts(ctx context.Context, x *data.Dense, e edge.Edges,
	y, scores []float64) (seconds, differs, svm float64, err error) {
	began := time.Now()
	n := x.Cols
	wide := data.NewDense(len(y), n*n, nil)
	for h := range y {
		u, v, out := x.Row(int(e.Row[h])), x.Row(int(e.Col[h])), wide.Row(h)
		for a, p := range u {
			for b, q := range v {
				out[a*n+b] = p * q
			}
		}
	}
	making := time.Since(began).Seconds()
	queries := data.NewPartition(slices.Clone(e.Row), x.Rows)
	goal, err := goals.Scored(y, 1, queries, pref.Options{Weight: pref.Size})
	if err != nil {
		return 0, 0, 0, err
	}
	fit, err := rls.Solve(ctx, rls.Primal(wide), goal, scaleLambda)
	if err != nil {
		return 0, 0, 0, err
	}
	seconds = time.Since(began).Seconds()
	differs = difference(fit.Predictions().Data, scores)
	began = time.Now()
	machine, err := ranksvm.New(wide, y, queries, ranksvm.Options{MaxIterations: 200})
	if err != nil {
		return 0, 0, 0, err
	}
	if _, err := machine.Train(ctx, scaleLambda); err != nil {
		return 0, 0, 0, err
	}
	return seconds, differs, making + time.Since(began).Seconds(), nil
}
