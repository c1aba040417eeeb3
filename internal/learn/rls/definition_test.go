package rls_test

import (
	"fmt"
	"math"
	"sync"

	"pairrank/internal/naive"
)

// answers keeps what the definition says of a setting, which the forms of a basis are compared with alike.
type answers struct {
	sync.Mutex
	of map[question]answer
}

// question is a kernel matrix, by its first number, or nil, with the rows left out, and λ.
type question struct {
	k      *float64
	out    string
	lambda float64
}

type answer struct {
	f     []float64
	floor float64
}

// ask returns the answer that is known, or finds it. Without answers to keep it finds it again.
func (s setting) ask(k []float64, out string, lambda float64, find func() ([]float64, float64)) ([]float64, float64) {
	if s.known == nil {
		return find()
	}
	q := question{nil, out, lambda}
	if k != nil {
		q.k = &k[0]
	}
	s.known.Lock()
	defer s.known.Unlock()
	a, known := s.known.of[q]
	if !known {
		a.f, a.floor = find()
		s.known.of[q] = a
	}
	return a.f, a.floor
}

// retrained trains by definition on the rows without out, and predicts out: on
// the features when k is nil, else on the kernel matrix k. floor is what the
// differences are compared with where predictions vanish: a prediction is the
// sum of k_ij a_j, which double precision knows to ε Σ|k_ij a_j|, and a
// millionth of that sum times the bar is 45 ε of it.
func (s setting) retrained(k []float64, out []int, lambda float64) (f []float64, floor float64) {
	return s.ask(k, fmt.Sprint("without ", out), lambda, func() ([]float64, float64) {
		return s.retrainedAgain(k, out, lambda)
	})
}

func (s setting) retrainedAgain(k []float64, out []int, lambda float64) (f []float64, floor float64) {
	in := naive.Without(s.M, out)
	if len(in) == 0 {
		return make([]float64, len(out)), 0
	}
	pairs, y := s.pairs(in)
	matrix := k
	if k == nil {
		matrix = s.Linear()
	}
	a, _ := naive.Dual(naive.Submatrix(matrix, s.M, in, in), pairs, y, lambda)
	for _, v := range a {
		floor += math.Abs(v)
	}
	top := 0.0
	for _, v := range matrix {
		top = max(top, math.Abs(v))
	}
	floor *= 1e-6 * top
	if k == nil {
		columns := naive.Without(s.N, nil)
		w, _ := naive.Primal(naive.Submatrix(s.X, s.N, in, columns), s.N, pairs, y, lambda)
		return naive.Product(naive.Submatrix(s.X, s.N, out, columns), w), floor
	}
	return naive.Product(naive.Submatrix(k, s.M, out, in), a), floor
}

// trained is the prediction of all rows by definition.
func (s setting) trained(k []float64, lambda float64) (f []float64, floor float64) {
	_, floor = s.retrained(k, nil, lambda)
	return s.ask(k, "all", lambda, func() ([]float64, float64) {
		pairs, y := s.pairs(naive.Without(s.M, nil))
		if k == nil {
			_, f = naive.Primal(s.X, s.N, pairs, y, lambda)
		} else {
			_, f = naive.Dual(k, pairs, y, lambda)
		}
		return f, floor
	})
}
