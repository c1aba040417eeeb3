package kron

import (
	"math"
	"sync"

	"pairrank/internal/linalg"
)

// fewSpans makes the sums, scores and residuals of single edges, in O(r) each. For all edges together two products of
// p×r with r×r are faster; see newSpans.
type fewSpans struct {
	path  *Path
	part  linalg.Mat // p×r: U₁ᵀ times the share of E
	v2    linalg.Mat // squares of the v_j
	means []float64  // Path.mean of each row
}

// newFewSpans are the spans of newSpans for few edges. share is the result of shareOf. The rounding of the scores is
// relative to the root mean square of the lengths of their rows.
func (p *Path) newFewSpans(lambda float64, learnt bool, weight, share linalg.Mat) *spans {
	few := &fewSpans{path: p, part: p.rows.u.TMul(share), v2: p.cols.squared(),
		means: make([]float64, p.y.Rows)}
	for i := range few.means {
		few.means[i] = p.mean(i)
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

func (f *fewSpans) edge(s *spans, i, j int) edge {
	v, label := s.v.Row(j), f.path.y.Row(i)[j]-f.means[i]
	part := linalg.Dot(f.part.Row(i), v)
	at := edge{own: linalg.Dot(s.weight.Row(i), f.v2.Row(j)), f: part, e: label - part}
	if !s.learnt {
		at.f, at.e = at.e, at.f
	}
	return at
}

// weights keeps, for each λ, Σ_k u_ik² N_kl or Σ_k u_ik² S_kl of every row i and eigenvector l, p×r. They do not depend
// on the labels, so the relabelled paths of a path share them, as long as there is room.
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
