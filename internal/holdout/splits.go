package holdout

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"pairrank/data"
)

// Splits are disjoint test sets of m rows, or edges, each with its training set. Each test set is
// ranked separately, or with Together all in one list. Splits are immutable.
type Splits struct {
	m        int
	rows     []int32 // those of the test sets, one set after another
	bounds   []int   // of the sets in rows
	train    func(g int) []int
	together bool
	groups   *data.Partition // where the test sets are its parts
	idle     []bool          // test sets whose predictions nobody reads; nil is none
}

// SplitsOf returns the splits whose test sets are the parts of a partition, each predicted
// by training on all other rows. It keeps groups, in O(1).
func SplitsOf(groups *data.Partition) *Splits {
	return &Splits{m: len(groups.Rows), rows: groups.Rows, bounds: groups.Bounds, groups: groups}
}

// NewSplits returns splits of m rows with given training sets, for example where an edge is held
// out together with all edges of its nodes. train(g) returns the rows, ascending, to train on when
// tests[g] is held out; it is called when they are needed. Rows in no test set are not predicted.
// It costs O(m). It panics where a row is out of range or in two test sets.
func NewSplits(m int, tests [][]int, train func(g int) []int) *Splits {
	s := &Splits{m: m, bounds: make([]int, 1, len(tests)+1), train: train}
	seen := make([]bool, m)
	for g, test := range tests {
		for _, i := range test {
			if i < 0 || i >= m || seen[i] {
				panic(fmt.Sprintf("holdout: row %d of test set %d is not one of %d rows, or in two sets", i, g, m))
			}
			seen[i] = true
			s.rows = append(s.rows, int32(i))
		}
		s.bounds = append(s.bounds, len(s.rows))
	}
	return s
}

// Together returns the splits with the predictions of all test sets ranked in one list.
func (s *Splits) Together() *Splits {
	other := *s
	other.together = true
	return &other
}

// Len returns the number of test sets.
func (s *Splits) Len() int { return len(s.bounds) - 1 }

// Test returns the rows of test set g, possibly none, in O(1). The caller must not change them. It
// panics when there is no such set.
func (s *Splits) Test(g int) []int32 { return s.rows[s.bounds[g]:s.bounds[g+1]] }

// Held returns the rows of all test sets, one set after another, in O(1). The caller must not
// change them.
func (s *Splits) Held() []int32 { return s.rows }

// Train returns the training set of test set g, ascending, in O(m). It panics when there is no such
// set.
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

// Groups returns the partition whose parts are the test sets, in O(1), or nil where a training set
// leaves out more than its test set.
func (s *Splits) Groups() *data.Partition { return s.groups }

// withoutIdle returns the splits, or a copy that does not want the test sets without a pair of different labels, or
// marks of times, within a query, in O(mv): those of 220 of the 784 queries of MQ2008.
func (s *Splits) withoutIdle(labels Labels) *Splits {
	if s.groups == nil || s.together || labels.Edges != nil {
		return s
	}
	v, of := labels.outputs(), labels.Queries.Of()
	first, set := make([]int32, labels.Queries.Len()), make([]int, labels.Queries.Len()) // row, and number from 1
	some := *s
	some.idle = make([]bool, s.Len())
	for g := range some.idle {
		some.idle[g] = !slices.ContainsFunc(s.Test(g), func(i int32) bool {
			q := of[i]
			if set[q] != g+1 {
				set[q], first[q] = g+1, i
			}
			return !slices.Equal(labels.Y[int(i)*v:][:v], labels.Y[int(first[q])*v:][:v]) ||
				labels.Censored != nil && labels.Censored[i] != labels.Censored[first[q]]
		})
	}
	return &some
}

// wanted reports whether the predictions of a test set are read.
func (s *Splits) wanted(g int) bool { return s.idle == nil || !s.idle[g] }

// lists returns the lists that are ranked separately: the test sets, or with Together all held-out
// rows, query by query.
func (s *Splits) lists(queries *data.Partition) [][]int32 {
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

// withinKey is the key of the context of a Predictor for what Within reports to.
type withinKey struct{}

// Within returns a function that reports which share is done of predicting some test sets, which are emitted next; nil
// where nobody listens. It is for a Predictor, with its context, that takes long before it emits the first set.
func Within(ctx context.Context, sets int) func(share float64) {
	done, _ := ctx.Value(withinKey{}).(func(sets int, within float64))
	if done == nil {
		return nil
	}
	return func(share float64) { done(0, float64(sets)*share) }
}

// gather calls predict and collects the lists: emit receives the predictions of list g, in the
// order of its rows. done, when not nil, is called for each test set that is predicted for all
// lambdas, and by Within. predict emits one test set at a time, or with Together several consecutive ones.
func (s *Splits) gather(ctx context.Context, predict Predictor, lists [][]int32, outputs int, lambdas []float64,
	emit func(g, l int, held Held), done func(sets int, within float64)) error {
	ctx = context.WithValue(ctx, withinKey{}, done) // nil, too: an estimate within another one is not its progress
	if !s.together {
		return predict(ctx, s, lambdas, func(g, l int, held Held) {
			emit(g, l, held)
			if done != nil && l == len(lambdas)-1 {
				done(1, 0)
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
			done(max(1, end-g), 0)
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

// Deal shuffles n units by seed and sequence, gives every K-th of them to each of the K folds, and
// returns the fold of each unit, in O(n). It returns an error when there are fewer units than
// folds; what names the units in the error, such as "queries".
func Deal(n, folds int, seed, sequence uint64, what string) ([]int32, error) {
	return dealBy(nil, n, folds, seed, sequence, what)
}

// dealBy is Deal of the units with an event first, so that folds have as many of them but for one; nil does not look at
// events.
func dealBy(event []bool, n, folds int, seed, sequence uint64, what string) ([]int32, error) {
	if n < folds {
		return nil, fmt.Errorf("%d folds need as many %[3]s, and there are %[2]d", folds, n, what)
	}
	of, order := make([]int32, n), rand.New(rand.NewPCG(seed, sequence)).Perm(n)
	if event != nil {
		slices.SortStableFunc(order, func(u, v int) int {
			switch {
			case event[u] == event[v]:
				return 0
			case event[u]:
				return -1
			}
			return 1
		})
	}
	for place, u := range order {
		of[u] = int32(place % folds)
	}
	return of, nil
}
