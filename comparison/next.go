package comparison

import (
	"slices"

	"pairrank/internal/linalg"
)

// Next is a pair to compare, and by how much one comparison of it is expected to lower the variance.
type Next struct {
	A, B int
	// Fall is the share of the sum of variances of all differences between the items asked about that
	// goes when the pair is compared once, after those before it.
	Fall float64
}

// NextOf returns the n pairs that are to be compared one after another, each where the sum of the variances of the
// differences between the items of among, or of all for nil, is expected to fall most: with t = e_a − e_b and the
// curvature v of one outcome,
//
//	K' = K − v Kt (Kt)ᵀ / (1 + v tᵀKt)        Σ var falls by M v ‖P Kt‖² / (1 + v tᵀKt)
//
// for the M items asked about and P the centring over them. The curvature is that of the model, p(1−p) for the logistic
// loss at the scores, 1 for the squared one. It costs O(N²M) first, and O(N²) a pair with O(N² M) in all updates.
func (b *Board) NextOf(n int, among []int) []Next {
	items := len(b.Scores)
	k := b.inverse.Slice(0, items, 0, items).Clone()
	if among == nil {
		for i := range items {
			among = append(among, i)
		}
	}
	asked := make([]bool, items)
	for _, i := range among {
		asked[i] = true
	}
	var out []Next
	for range n {
		// C = PK, the rows asked about, less their mean; then ‖P K t‖² from CᵀC.
		c := linalg.NewMat(len(among), items)
		mean, total := make([]float64, items), 0.0
		for r, i := range among {
			copy(c.Row(r), k.Row(i))
			for j, v := range k.Row(i) {
				mean[j] += v / float64(len(among))
			}
		}
		for r, i := range among {
			for j := range items {
				c.Row(r)[j] -= mean[j]
			}
			total += c.Row(r)[i]
		}
		square := linalg.NewMat(items, items)
		linalg.Syrk(linalg.Lower, linalg.T, 1, c, 0, square)
		best := Next{A: -1}
		var v, at float64
		for i := range items {
			for j := range i {
				w := b.curvature(i, j)
				own := k.Row(i)[i] + k.Row(j)[j] - 2*k.Row(i)[j]
				fall := w * (square.Row(i)[i] + square.Row(j)[j] - 2*square.Row(i)[j]) / (1 + w*own) / total
				if best.A < 0 || fall > best.Fall {
					best, v, at = Next{A: j, B: i, Fall: fall}, w, own
				}
			}
		}
		if best.A < 0 {
			break
		}
		out = append(out, best)
		column := make([]float64, items)
		for i := range items {
			column[i] = k.Row(i)[best.A] - k.Row(i)[best.B]
		}
		for i, x := range column {
			linalg.Axpy(-v*x/(1+v*at), column, k.Row(i))
		}
	}
	return slices.Clip(out)
}

// curvature is the second derivative of the loss of one comparison of two items, without covariates.
func (b *Board) curvature(i, j int) float64 {
	f := b.Scores[i] - b.Scores[j]
	o := b.s.o
	switch {
	case o.Loss == Squared:
		return 1
	case o.Ties == Davidson:
		return davidson(f, b.eta(), won).v[0]
	}
	p := logistic(f)
	return p * (1 - p)
}
