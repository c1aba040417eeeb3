package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
	"pairrank/relation"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
)

// The values tried on the yeast network: λ reaches from hardly any to so much that scores
// are those of the limit. Values beyond the limits of conjugate gradients are left out.
var (
	yeastLambdas  = experiment.Powers(-15, 15, 5)
	yeastLosses   = []edge.Loss{edge.Regression, edge.Ranking}
	yeastSettings = []struct {
		setting edge.Setting
		name    string
	}{{edge.Pairs, "edges"}, {edge.Rows, "nodes"}}
)

const (
	yeastFolds      = 10
	yeastTolerance  = 1e-4
	yeastIterations = 200
)

// estimated is what a kernel reaches; across has the comparisons of edges that different
// trainings score as well.
type estimated struct {
	counted
	across counted
	lambda float64
}

// add adds another dealing.
func (e *estimated) add(other estimated) {
	e.counted.plus(other.counted)
	e.across.plus(other.across)
}

// cells are the error, its standard error and λ in a table.
func (e *estimated) cells() []any {
	share, stderr := e.error()
	across, _ := e.across.error()
	if e.lambda == 0 {
		return []any{share, stderr, nil, across}
	}
	return []any{share, stderr, figure.Power(e.lambda), across}
}

// yeast is the network of proteins with all pairwise kernels.
func yeast(ctx context.Context, s settings) (found experiment.Result, err error) {
	n, err := readYeast(s.dir)
	if err != nil {
		return found, err
	}
	if s.most > 0 {
		n = n.first(s.most)
	}
	found.Add(n.describe())
	gains := experiment.NewTable("left out", "%s", "edges in training", "%s", "loss", "%s", "kronecker", "%.3f",
		"±", "%.3f", "symmetric", "%.3f", "±", "%.3f", "symmetric less kronecker", "%+.3f", "±", "%.3f")
	for _, at := range yeastSettings {
		heads := []string{at.name + " left out", "%s"}
		for _, loss := range yeastLosses {
			heads = append(heads, string(loss), "%.3f", "±", "%.3f", "λ", "%s", "compared across trainings", "%.3f")
		}
		t := experiment.NewTable(heads...)
		found.Add(t)
		byKernel, err := n.allKernels(ctx, at.setting, s)
		if err != nil {
			return found, err
		}
		for k, over := range pairwise.Kernels {
			t.Row(append(append([]any{string(over)}, byKernel[0][k].cells()...), byKernel[1][k].cells()...)...)
		}
		if err := n.baselines(t, at.setting, s); err != nil {
			return found, err
		}
		plain, symmetric := slices.Index(pairwise.Kernels, pairwise.Kronecker),
			slices.Index(pairwise.Kernels, pairwise.Symmetric)
		for l, loss := range yeastLosses {
			addGain(gains, at.name, "both directions", loss, byKernel[l][plain], byKernel[l][symmetric])
		}
		one := n.oneDirection(s.seed)
		for _, loss := range yeastLosses {
			var both [2]*estimated
			for k, over := range []pairwise.Kernel{pairwise.Kronecker, pairwise.Symmetric} {
				if both[k], err = n.estimate(ctx, at.setting, relation.Options{Kernel: over, Loss: loss}, one,
					s); err != nil {
					return found, err
				}
			}
			addGain(gains, at.name, "one, drawn", loss, both[0], both[1])
		}
	}
	found.Add(gains)
	found.Text("Errors over %d dealings into %d folds; λ is the best of another one. ± is the standard error over the "+
		"given proteins, in the last column of the difference.", s.draws, yeastFolds)
	return found, nil
}

func addGain(t *experiment.Table, out, edges string, loss edge.Loss, plain, symmetric *estimated) {
	row := []any{out, edges, string(loss)}
	for _, e := range []*estimated{plain, symmetric} {
		share, stderr := e.error()
		row = append(row, share, stderr)
	}
	gain, stderr := symmetric.above(plain.counted)
	t.Row(append(row, gain, stderr)...)
}

// describe counts nodes and edges.
func (n *network) describe() *experiment.Table {
	degree := make([]float64, n.nodes.Len())
	for e, u := range n.edges.Row {
		degree[u] += n.y[e]
	}
	some, edges := 0, 0.0
	for _, d := range degree {
		if edges += d / 2; d > 0 {
			some++
		}
	}
	largest, all := 0.0, 0.0
	k := n.nodes.Similarity
	for u := range k.Rows {
		for v, x := range k.Row(u) {
			if u != v {
				largest, all = max(largest, x), all+x
			}
		}
	}
	t := experiment.NewTable("proteins", "%.0f", "with an interaction", "%.0f", "interactions", "%.0f",
		"most of one protein", "%.0f", "largest similarity of two", "%.2f", "mean of two", "%.4f")
	t.Row(len(degree), some, edges, slices.Max(degree), largest, all/float64(len(n.y)))
	return t
}

// allKernels is what every pairwise kernel reaches, by loss.
func (n *network) allKernels(ctx context.Context, setting edge.Setting,
	s settings) (byLoss [][]*estimated, err error) {
	for _, loss := range yeastLosses {
		var line []*estimated
		for _, over := range pairwise.Kernels {
			e, err := n.estimate(ctx, setting, relation.Options{Kernel: over, Loss: loss}, nil, s)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", over, loss, err)
			}
			share, _ := e.error()
			tell("yeast: %s, %s, %s: %.3f", setting, over, loss, share)
			line = append(line, e)
		}
		byLoss = append(byLoss, line)
	}
	return byLoss, nil
}

// estimate chooses λ by one dealing into folds, and counts the errors of the others. Of
// the edges those that are not kept are in no training; nil keeps all.
func (n *network) estimate(ctx context.Context, setting edge.Setting, o relation.Options, keep []bool,
	s settings) (*estimated, error) {
	o.Tolerance, o.MaxIterations = yeastTolerance, yeastIterations
	best, least := 0.0, math.Inf(1)
	for _, lambda := range yeastLambdas {
		o.Lambdas = []float64{lambda}
		tried, err := n.dealt(ctx, setting, o, keep, s.seed)
		if err != nil {
			return nil, err
		}
		if share, _ := tried.counted.error(); share < least {
			best, least = lambda, share
		}
	}
	out := &estimated{lambda: best}
	o.Lambdas = []float64{best}
	for draw := range s.draws {
		c, err := n.dealt(ctx, setting, o, keep, s.seed+uint64(draw)+1)
		if err != nil {
			return nil, err
		}
		out.add(c)
	}
	return out, nil
}

// dealt counts the errors of one dealing.
func (n *network) dealt(ctx context.Context, setting edge.Setting, o relation.Options, keep []bool,
	seed uint64) (c estimated, err error) {
	folds, err := n.folds(setting, yeastFolds, seed)
	if err != nil {
		return c, err
	}
	if keep != nil {
		for f := range folds {
			folds[f].train = slices.DeleteFunc(folds[f].train, func(e int) bool { return !keep[e] })
		}
	}
	scores, err := n.heldOut(ctx, folds, o)
	return n.both(scores, folds), err
}

// both counts within trainings and across them.
func (n *network) both(scores []float64, folds []fold) estimated {
	return estimated{counted: n.count(scores, n.testedBy(folds)), across: n.count(scores, nil)}
}

// oneDirection keeps one of the two edges between two nodes, drawn.
func (n *network) oneDirection(seed uint64) []bool {
	random := rand.New(rand.NewPCG(seed, 0x6f6e65))
	forward := map[[2]int32]bool{}
	keep := make([]bool, len(n.y))
	for e, u := range n.edges.Row {
		v := n.edges.Col[e]
		pair := [2]int32{min(u, v), max(u, v)}
		if _, drawn := forward[pair]; !drawn {
			forward[pair] = random.IntN(2) == 0
		}
		keep[e] = forward[pair] == (u < v)
	}
	return keep
}

// baselines are two rankings without a training: by the similarity to the given node, and
// by how many interactions a node has in training.
func (n *network) baselines(t *experiment.Table, setting edge.Setting, s settings) error {
	var alike, popular estimated
	for draw := range s.draws {
		folds, err := n.folds(setting, yeastFolds, s.seed+uint64(draw)+1)
		if err != nil {
			return err
		}
		one, two := make([]float64, len(n.y)), make([]float64, len(n.y))
		for e := range one {
			one[e], two[e] = math.NaN(), math.NaN()
		}
		for _, f := range folds {
			known := make([]float64, n.nodes.Len())
			for _, e := range f.train {
				known[n.edges.Col[e]] += n.y[e]
			}
			for _, e := range f.test {
				one[e], two[e] = n.nodes.Similarity.Row(int(n.edges.Row[e]))[n.edges.Col[e]], known[n.edges.Col[e]]
			}
		}
		alike.add(n.both(one, folds))
		popular.add(n.both(two, folds))
	}
	nothing := []any{nil, nil, nil, nil}
	t.Row(append(append([]any{"*no training:* the similarity"}, alike.cells()...), nothing...)...)
	t.Row(append(append([]any{"*no training:* interactions in training"}, popular.cells()...), nothing...)...)
	return nil
}
