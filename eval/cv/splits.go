package cv

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"pairrank/pref"
)

// Splits say which of m rows, or edges, are held out when, and what is trained on then:
// test sets, of which no two share a row, each with its training set. The predictions of
// a test set are ranked apart from the others, or with Together all as one. Splits are
// only read.
type Splits struct {
	m        int
	rows     []int32 // those of the test sets, one set after another
	bounds   []int   // of the sets in rows
	train    func(g int) []int
	together bool
	groups   *pref.Partition // where the test sets are its parts
}

// SplitsOf returns the splits whose test sets are the parts of a partition, each predicted
// by training on all other rows. It keeps groups, in O(1).
func SplitsOf(groups *pref.Partition) *Splits {
	return &Splits{m: len(groups.Rows), rows: groups.Rows, bounds: groups.Bounds, groups: groups}
}

// NewSplits returns splits of m rows whose training sets are not all the other rows, as
// where an edge is held out with those of its nodes: train(g) are the rows, ascending, that
// are trained on when tests[g] is held out, and is called when they are. Rows of no test
// set are not predicted. It costs O(m) beside the rows. It panics where a row is none of
// them or in two test sets.
func NewSplits(m int, tests [][]int, train func(g int) []int) *Splits {
	s := &Splits{m: m, bounds: make([]int, 1, len(tests)+1), train: train}
	seen := make([]bool, m)
	for g, test := range tests {
		for _, i := range test {
			if i < 0 || i >= m || seen[i] {
				panic(fmt.Sprintf("cv: row %d of test set %d is not one of %d rows, or in two sets", i, g, m))
			}
			seen[i] = true
			s.rows = append(s.rows, int32(i))
		}
		s.bounds = append(s.bounds, len(s.rows))
	}
	return s
}

// Together returns the splits with the predictions of all test sets ranked as one.
func (s *Splits) Together() *Splits {
	other := *s
	other.together = true
	return &other
}

// Len returns the number of test sets.
func (s *Splits) Len() int { return len(s.bounds) - 1 }

// Test returns the rows of test set g, which may be none, in O(1). They are not to be
// changed. It panics when there is no such set.
func (s *Splits) Test(g int) []int32 { return s.rows[s.bounds[g]:s.bounds[g+1]] }

// Held returns the rows of all test sets, one set after another, in O(1). They are not to
// be changed.
func (s *Splits) Held() []int32 { return s.rows }

// Train returns the rows that are trained on when test set g is held out, ascending, in
// O(m). It panics when there is no such set.
func (s *Splits) Train(g int) []int {
	if s.train != nil {
		return s.train(g)
	}
	held := make([]bool, s.m)
	for _, i := range s.Test(g) {
		held[i] = true
	}
	rows := make([]int, 0, s.m)
	for i, out := range held {
		if !out {
			rows = append(rows, i)
		}
	}
	return rows
}

// Groups returns the partition whose parts are the test sets, in O(1), or nil where
// training leaves out more than them.
func (s *Splits) Groups() *pref.Partition { return s.groups }

// lists are the rows that are ranked apart from others: test sets, or of Together all rows
// that are held out, those of a query after one another.
func (s *Splits) lists(queries *pref.Partition) [][]int32 {
	if s.together {
		of := queries.Of()
		rows := slices.Clone(s.rows)
		slices.SortFunc(rows, func(i, j int32) int { return cmp.Or(int(of[i]-of[j]), int(i-j)) })
		return [][]int32{rows}
	}
	lists := make([][]int32, s.Len())
	for g := range lists {
		lists[g] = s.Test(g)
	}
	return lists
}

// gather calls predict and collects what is ranked together: emit receives the predictions
// of list g, in the order of its rows, and done is called for each test set that is
// predicted for all lambdas, when it is not nil. predict emits a test set at a time, or of
// Together several that follow one another.
func (s *Splits) gather(ctx context.Context, predict Predictor, lists [][]int32, outputs int, lambdas []float64,
	emit func(g, l int, held Held), done func(sets int)) error {
	if !s.together {
		return predict(ctx, s, lambdas, func(g, l int, held Held) {
			emit(g, l, held)
			if done != nil && l == len(lambdas)-1 {
				done(1)
			}
		})
	}
	place := make([]int32, s.m)
	for a, i := range lists[0] {
		place[i] = int32(a)
	}
	all := make([]*heldRows, len(lambdas))
	for l := range all {
		all[l] = newHeldRows(len(lists[0]), outputs)
	}
	err := predict(ctx, s, lambdas, func(g, l int, held Held) {
		rows := s.rows[s.bounds[g] : s.bounds[g]+held.F.Rows]
		all[l].take(rows, place, held)
		if done != nil && l == len(lambdas)-1 {
			end, _ := slices.BinarySearch(s.bounds, s.bounds[g]+held.F.Rows)
			done(max(1, end-g))
		}
	})
	if err != nil {
		return err
	}
	for l, held := range all {
		emit(0, l, held.held())
	}
	return nil
}

// Deal shuffles n units by seed and sequence, and gives each of the folds every K-th of them:
// the fold of each unit, in O(n). It returns an error when there are fewer units than
// folds; what they are is said in it, as "queries".
func Deal(n, folds int, seed, sequence uint64, what string) ([]int32, error) {
	if n < folds {
		return nil, fmt.Errorf("%d folds of %d %s: there are not enough of them", folds, n, what)
	}
	of := make([]int32, n)
	for place, u := range rand.New(rand.NewPCG(seed, sequence)).Perm(n) {
		of[u] = int32(place % folds)
	}
	return of, nil
}
