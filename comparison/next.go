package comparison

import (
	"context"
	"slices"

	"pairrank/internal/linalg"
)

// Next is a pair to compare, and the share by which one comparison of it is expected to lower the variance.
type Next struct {
	A, B int
	// Fall is the expected decrease of the sum of the variances of all differences between the items asked about, as a
	// share of this sum, if the pair is compared once after those before it.
	Fall float64
}

// NextOf returns n pairs to compare one after another. Each is the pair that, after those before it, is expected to
// lower the sum of the variances of the differences between the items of among most; nil is all items. With t = e_a −
// e_b and the curvature v of one outcome,
//
//	K' = K − v Kt (Kt)ᵀ / (1 + v tᵀKt)        Σ var falls by M v ‖P Kt‖² / (1 + v tᵀKt)
//
// for the M items asked about and P the centring over them. The curvature is that of the model, p(1−p) for the logistic
// loss at the scores, 1 for the squared one. It costs O(N²M) first, and O(N²) a pair with O(N²M) for all updates. A
// large board needs among: its pairs are of these items, and each item takes a solve. progress receives how many pairs
// are chosen; nil discards it. It returns a *LargeError, and that of ctx.
func (b *Board) NextOf(ctx context.Context, n int, among []int, progress func(done, total int)) ([]Next, error) {
	if l, is := b.form.(*sparse); is {
		k, err := b.inverseOf(ctx, l, among)
		if err != nil {
			return nil, err
		}
		return b.nextOf(ctx, n, k, among, nil, progress)
	}
	items := len(b.Scores)
	k := b.inverse().Slice(0, items, 0, items).Clone()
	return b.nextOf(ctx, n, k, nil, among, progress)
}

// nextOf is NextOf with K of some items, nil for all. among are rows of K, nil for all; K is overwritten.
func (b *Board) nextOf(ctx context.Context, n int, k linalg.Mat, items, among []int, progress func(done, total int)) (
	[]Next, error) {
	item := func(i int) int {
		if items == nil {
			return i
		}
		return items[i]
	}
	if among == nil {
		for i := range k.Rows {
			among = append(among, i)
		}
	}
	var out []Next
	progress = begun(progress, n)
	for done := range n {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		square, total := spread(k, among)
		best := Next{A: -1}
		var v, at float64
		for i := range k.Rows {
			for j := range i {
				w := b.curvature(item(i), item(j))
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
		column := make([]float64, k.Rows)
		for i := range column {
			column[i] = k.Row(i)[best.A] - k.Row(i)[best.B]
		}
		for i, x := range column {
			linalg.Axpy(-v*x/(1+v*at), column, k.Row(i))
		}
		best.A, best.B = item(best.A), item(best.B)
		out = append(out, best)
		progress(done+1, n)
	}
	return slices.Clip(out), nil
}

// spread returns CᵀC of C = PK, the rows asked about, less their mean, and the sum of the variances of these.
func spread(k linalg.Mat, among []int) (square linalg.Mat, total float64) {
	n := k.Rows
	c, mean := linalg.NewMat(len(among), n), make([]float64, n)
	for r, i := range among {
		copy(c.Row(r), k.Row(i))
		linalg.Axpy(1/float64(len(among)), k.Row(i), mean)
	}
	for r, i := range among {
		linalg.Axpy(-1, mean, c.Row(r))
		total += c.Row(r)[i]
	}
	square = linalg.NewMat(n, n)
	linalg.Syrk(linalg.Lower, linalg.T, 1, c, 0, square)
	return square, total
}

// curvature is the second derivative of the loss of one comparison of two items, without covariates.
func (b *Board) curvature(i, j int) float64 {
	return b.s.loss.Curvature(b.Scores[i]-b.Scores[j], b.eta())
}
