package main

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"pairrank/data"
)

// pairSVM is a kernel RankSVM with a dual variable for every pair, as the literature
// has it: it minimises
//
//	½‖f‖²_k + C Σ max(0, 1 − (f_i − f_j))
//
// over the pairs y_i > y_j by dual coordinate descent (Hsieh, Chang, Lin, Keerthi and
// Sundararajan 2008, A dual coordinate descent method for large-scale linear SVM). Pair
// p = (i,j) has a variable 0 ≤ α_p ≤ C with f = Σ α_p (K_i − K_j), so that a step of one
// costs O(m), and a sweep over all N of them that moves each O(Nm).
type pairSVM struct {
	k     *data.Dense
	pairs [][2]int32
	alpha []float64
	f     []float64 // scores
	c     float64

	moves  int // steps that moved a variable
	sweeps int // over all pairs
}

// newPairSVM lists the pairs with different labels y, for the kernel matrix k.
func newPairSVM(k *data.Dense, y []float64, c float64) *pairSVM {
	s := &pairSVM{k: k, f: make([]float64, len(y)), c: c}
	for i := range y {
		for j := range y {
			if y[i] > y[j] {
				s.pairs = append(s.pairs, [2]int32{int32(i), int32(j)})
			}
		}
	}
	s.alpha = make([]float64, len(s.pairs))
	return s
}

// train goes over the pairs in random orders until none of them violates the conditions
// of the optimum by more than epsilon, which is where SVMlight stops, and says whether it
// got there before the limit of time.
func (s *pairSVM) train(ctx context.Context, epsilon float64, seed uint64, limit time.Duration) (bool, error) {
	ends := time.Now().Add(limit)
	r := rand.New(rand.NewPCG(seed, 0x7061697273))
	order := r.Perm(len(s.pairs))
	for {
		worst := 0.0
		r.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for n, p := range order {
			worst = max(worst, s.step(p))
			if n%4096 == 0 && (ctx.Err() != nil || time.Now().After(ends)) {
				return false, ctx.Err()
			}
		}
		if s.sweeps++; worst <= epsilon {
			return true, nil
		}
	}
}

// step minimises over the variable of one pair, and returns how far its margin was from
// what the optimum has at the variable: at least 1 at 0, at most 1 at C, else 1.
func (s *pairSVM) step(p int) (violation float64) {
	i, j := int(s.pairs[p][0]), int(s.pairs[p][1])
	ki, kj := s.k.Row(i), s.k.Row(j)
	slope := s.f[i] - s.f[j] - 1
	at := s.alpha[p]
	if at == 0 && slope >= 0 || at == s.c && slope <= 0 {
		return 0
	}
	next := s.c // of equal rows, whose margin stays 0
	if curve := ki[i] + kj[j] - 2*ki[j]; curve > 0 {
		next = min(s.c, max(0, at-slope/curve))
	}
	d := next - at
	s.alpha[p] = next
	s.moves++
	for a, v := range ki {
		s.f[a] += d * (v - kj[a])
	}
	return math.Abs(slope)
}

// objective is the mean hinge loss + ‖f‖²/(2CN).
func (s *pairSVM) objective() float64 {
	square, hinge := 0.0, 0.0
	for p, of := range s.pairs {
		margin := s.f[of[0]] - s.f[of[1]]
		square += s.alpha[p] * margin // Σ α_p (f_i − f_j) = ‖f‖²
		hinge += max(0, 1-margin)
	}
	return (square/2 + s.c*hinge) / (s.c * float64(len(s.pairs)))
}
