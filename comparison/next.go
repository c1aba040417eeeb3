package comparison

import (
	"context"
	"fmt"

	"pairrank/comparison/internal/design"
	"pairrank/comparison/internal/incidence"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/linalg"
)

// choosePairs chooses what to compare next.
func (r *ranker) choosePairs(ctx context.Context) (err error) {
	if r.o.Next == 0 {
		return nil
	}
	if n := r.Problem.Components().Len(); n > 1 && r.Options.Lambda == 0 && r.Problem.Features == nil {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultApart, Option: "Next",
			Err: fmt.Errorf(": the comparisons have %d components, between which no variance is finite", n)}
	}
	tell, end := r.o.Monitor.Task("choosing pairs", 0)
	defer end()
	r.Next, err = r.Board.NextOf(ctx, r.o.Next, r.About, tell)
	return err
}

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
// are chosen; nil discards it. It returns an error of a large board
// without among, and that of ctx.
func (b *Board) NextOf(ctx context.Context, n int, among []int, progress func(done, total int)) ([]Next, error) {
	if b.l != nil {
		k, err := b.inverseOf(ctx, among)
		if err != nil {
			return nil, err
		}
		return b.choose(ctx, n, k, among, incidence.All(len(among)), progress)
	}
	items := incidence.All(len(b.Scores))
	if among == nil {
		among = items
	}
	return b.choose(ctx, n, b.inverse().Slice(0, len(items), 0, len(items)).Clone(), items, among, progress)
}

// choose is NextOf with K of some items, which it overwrites, about those of some rows of K.
func (b *Board) choose(ctx context.Context, n int, k linalg.Mat, items, about []int,
	progress func(done, total int)) (out []Next, err error) {
	progress = begun(progress, n)
	curvature := func(i, j int) float64 { return b.curvature(items[i], items[j]) }
	for done := range n {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		i, j, fall := design.Best(k, about, curvature)
		if i < 0 {
			break
		}
		out = append(out, Next{A: items[i], B: items[j], Fall: fall})
		progress(done+1, n)
	}
	return out, nil
}

// curvature is the second derivative of the loss of one comparison of two items, without covariates.
func (b *Board) curvature(i, j int) float64 {
	return b.s.Loss.Curvature(b.Scores[i]-b.Scores[j], b.eta())
}
