package rankboost

import "math"

// outcome holds the weights in D of the pairs that a stump orders correctly, W₊, orders wrongly,
// W₋, and leaves tied, W₀.
type outcome struct{ right, wrong, same float64 }

// outcome adds the pairs up in O(m), from the u and v of weigh, as sums of
// positive numbers: where there is no wrong pair, W₋ is exactly 0.
func (p *pairs) outcome(in []float64) outcome {
	return p.each(func(q query, s *sums) { p.addOutcome(&s.outcome, q, in) }).outcome
}

func (p *pairs) addOutcome(sum *outcome, q query, in []float64) {
	var u0, u1 float64 // Σ e^(H_j − top) over the levels below, where the stump is 0 and 1
	for k := q.first; k < q.end; k++ {
		l := &p.levels[k]
		if k > q.first {
			var v0, v1 float64
			for i := l.lo; i < l.hi; i++ {
				v0 += (1 - in[i]) * p.v[i]
				v1 += in[i] * p.v[i]
			}
			cut := p.levels[k-1].cut
			sum.right += v1 * u0 * cut
			sum.wrong += v0 * u1 * cut
			sum.same += (v0*u0 + v1*u1) * cut
			u0, u1 = u0*l.rise, u1*l.rise
		}
		if l.lower {
			for i := l.lo; i < l.hi; i++ {
				u0 += (1 - in[i]) * p.u[i]
				u1 += in[i] * p.u[i]
			}
		}
	}
}

// step is the weight of the stump and the factor of the loss,
//
//	α = ½ ln((W₊ + ε)/(W₋ + ε))     Z = W₀ + W₋ e^α + W₊ e^−α
//
// with the W divided by their sum. With ε = 0 this α minimises Z (Freund et al. 2003, section 3.2, the second method,
// for rankers with values 0 and 1), and is infinite where no pair is wrong. ε = 1/N, one pair of N, or of copies as
// many as weights of rows say where these are more, keeps |α| below ½ ln(1 + N) (Schapire and Singer 1999, Improved
// boosting algorithms using confidence-rated predictions, section 4.2). The step is then slightly short of the
// minimiser. Z is convex in α, and so still below 1.
func (o outcome) step(count float64) (alpha, z float64) {
	all := o.right + o.wrong + o.same
	right, wrong, same := o.right/all, o.wrong/all, o.same/all
	alpha = math.Log((right+1/count)/(wrong+1/count)) / 2
	return alpha, same + wrong*math.Exp(alpha) + right*math.Exp(-alpha)
}
