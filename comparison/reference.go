package comparison

import (
	"context"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
)

// refer refers the scores to the mean over comparisons, or says how much wider intervals are without that.
func (r *ranker) refer(context.Context) error {
	switch {
	case r.ByComparisons && r.large:
		return fault.Optionf("ByComparisons", "comparisons needs the variances of all items, and %d are too many",
			len(r.Problem.Items))
	case r.ByComparisons:
		if r.Board != r.Free {
			r.Board.refer(nil)
		}
		if r.Free != nil {
			r.Free.refer(r.Variance)
		}
	case r.Variance != nil && !r.large && r.Problem.Features == nil && r.Anchor < 0:
		const much = 1.2
		if w := r.Free.widened(r.Variance); w > much {
			r.journal.Note(codes.NoteRareItems,
				"scores refer to the mean of the items, and rarely compared ones make the median "+
					"interval %.1f times as wide as one about the mean over comparisons", w)
		}
	}
	return nil
}

// refer makes the scores those relative to the mean over the comparisons of their component, each of which counts both
// of its items, in place of the mean over the items. It does so with the variances of all items, too, if v is not nil.
// Rarely compared items then widen no interval but their own. Cost O(E²).
func (b *Board) refer(v *Covariance) {
	parts, weight := b.Components(), b.shares(v)
	sums := make([]float64, parts.Len())
	for i, w := range weight {
		sums[parts.Of()[i]] += w * b.Scores[i]
	}
	for i := range weight {
		b.Scores[i] -= sums[parts.Of()[i]]
	}
	if v == nil {
		return
	}
	means, both := v.against(weight, parts)
	for i := range v.cov.Rows {
		for j := range v.cov.Rows {
			x := &v.cov.Row(i)[j]
			gi, gj := -1, -1
			if i < len(weight) {
				gi = int(parts.Of()[i])
				*x -= means[gi][j]
			}
			if j < len(weight) {
				gj = int(parts.Of()[j])
				*x -= means[gj][i]
			}
			if gi >= 0 && gj >= 0 {
				*x += both[gi][gj]
			}
		}
	}
}

// shares are the shares of the items in the comparisons of their component; items of unknown variance have none.
func (b *Board) shares(v *Covariance) []float64 {
	parts, weight := b.Components(), make([]float64, len(b.Scores))
	for c := range b.p.count() {
		l := b.p.source().At(c)
		n := l.Count() * l.OutcomeWeight()
		weight[l.Left], weight[l.Right] = weight[l.Left]+n, weight[l.Right]+n
	}
	sums := make([]float64, parts.Len())
	for i := range weight {
		if v != nil && math.IsNaN(v.cov.Row(i)[i]) {
			weight[i] = 0
		}
		sums[parts.Of()[i]] += weight[i]
	}
	for i := range weight {
		weight[i] /= max(sums[parts.Of()[i]], math.SmallestNonzeroFloat64)
	}
	return weight
}

// against are the covariances of the mean of each component with all entries, and with one another.
func (v *Covariance) against(weight []float64, parts *data.Partition) (means, both [][]float64) {
	means, both = make([][]float64, parts.Len()), make([][]float64, parts.Len())
	for g := range means {
		means[g], both[g] = make([]float64, v.cov.Rows), make([]float64, parts.Len())
		for _, i := range parts.Part(g) {
			if w := weight[i]; w > 0 {
				for j, x := range v.cov.Row(int(i)) {
					means[g][j] += w * x
				}
			}
		}
	}
	for g := range means {
		for i, w := range weight {
			if w > 0 {
				both[g][parts.Of()[i]] += w * means[g][i]
			}
		}
	}
	return means, both
}

// widened is by what factor standard errors relative to the mean of the items are larger, in the median, than those
// relative to the mean over comparisons.
func (b *Board) widened(v *Covariance) float64 {
	parts, weight := b.Components(), b.shares(v)
	means, both := v.against(weight, parts)
	var ratios []float64
	for i := range weight {
		g := parts.Of()[i]
		own := v.cov.Row(i)[i]
		if other := own - 2*means[g][i] + both[g][g]; own > 0 && other > 0 {
			ratios = append(ratios, math.Sqrt(own/other))
		}
	}
	if len(ratios) == 0 {
		return 1
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}
