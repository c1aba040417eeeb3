package kron

import (
	"math"
	"sync"

	"pairrank/internal/linalg"
)

// fewSpans makes the sums, scores and residuals of single edges, in O(r) each. All of them take two products of p×r
// with r×r.
type fewSpans struct {
	path  *Path
	part  linalg.Mat // p×r: U₁ᵀ times the share of E
	means []float64  // of the labels of each row, for ranking
}

// newFewSpans are the spans of newSpans for few edges. share is that of E, residuals or with learnt the learnt part.
// The rounding of the scores is relative to the root mean square of the lengths of their rows.
func (p *Path) newFewSpans(lambda float64, learnt bool, weight, share linalg.Mat) *spans {
	few := &fewSpans{path: p, part: p.rows.u.TMul(share)}
	if p.o.Loss == Ranking {
		few.means = make([]float64, p.y.Rows)
		for i := range few.means {
			few.means[i] = linalg.Sum(p.y.Row(i)) / float64(p.y.Cols)
		}
	}
	s := &spans{learnt: learnt, weight: weight, v: p.cols.turned(), c: 1, few: few}
	s.setLoss(p)
	own, other := 0.0, 0.0
	for k := range share.Rows {
		e := p.e.Row(k)
		for l, v := range share.Row(k) {
			own += v * v
			other += (e[l] - v) * (e[l] - v)
		}
	}
	own, other = math.Sqrt(own/float64(p.y.Rows)), math.Sqrt(other/float64(p.y.Rows))
	if !learnt {
		own, other = other, own
	}
	s.least = p.boundOf(lambda, learnt, own, other)
	return s
}

func (f *fewSpans) ends(s *spans, i, a, b int) ends {
	w, part, y, va, vb := s.weight.Row(i), f.part.Row(i), f.path.y.Row(i), s.v.Row(a), s.v.Row(b)
	mean := 0.0
	if f.means != nil {
		mean = f.means[i]
	}
	pa, pb := linalg.Dot(part, va), linalg.Dot(part, vb)
	at := ends{ownA: weighedSquare(w, va), ownB: weighedSquare(w, vb), fA: pa, fB: pb, eA: y[a] - mean - pa,
		eB: y[b] - mean - pb}
	if !s.learnt {
		at.fA, at.fB, at.eA, at.eB = at.eA, at.eB, at.fA, at.fB
	}
	return at
}

// weighedSquare is Σ w_l v_l².
func weighedSquare(w, v []float64) float64 {
	v = v[:len(w)]
	var sums [4]float64 // so that one addition does not wait for another
	l := 0
	for ; l+4 <= len(w); l += 4 {
		w, v := w[l:l+4], v[l:l+4]
		sums[0] += w[0] * v[0] * v[0]
		sums[1] += w[1] * v[1] * v[1]
		sums[2] += w[2] * v[2] * v[2]
		sums[3] += w[3] * v[3] * v[3]
	}
	for ; l < len(w); l++ {
		sums[0] += w[l] * v[l] * v[l]
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// weights are the summands of the edges of each row, U₁² times the parts of each λ, p×r: they do not depend on the
// labels. The relabelled paths of a path keep them, as long as there is room.
type weights struct {
	mu   sync.Mutex
	made map[float64]linalg.Mat
	room int // numbers
}

// keptWeights bounds the numbers that are kept: 256 MB.
const keptWeights = 1 << 25

func newWeights() *weights { return &weights{made: map[float64]linalg.Mat{}, room: keptWeights} }

// of are the weights of a λ.
func (w *weights) of(p *Path, lambda float64, learnt bool) linalg.Mat {
	w.mu.Lock()
	kept, known := w.made[lambda]
	w.mu.Unlock()
	if known {
		return kept
	}
	made := p.rows.squares().TMul(p.parts(lambda, always(learnt)))
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(made.Data); p.relabelled && n <= w.room && w.made[lambda].Rows == 0 {
		w.made[lambda] = made
		w.room -= n
	}
	return made
}
