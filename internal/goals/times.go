package goals

import (
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/internal/ostat"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// Times returns the goal that compares the rows of each stratum by their times, some of which are censored, so that
// scores grow with the time: the sum over the comparable pairs, i the shorter, of
//
//	w_ij ((t_j − t_i) − (f_j − f_i))²     magnitude: r = Lt
//	w_ij (1 − (f_j − f_i))²               unit: r_i = e_i − w_i n_i, as Timed has them
//
// with the weights of o, of which Edges counts the comparable pairs of a stratum, times 1/G(t_i−)² with
// o.CensoringWeights. Cost O(m log m). It copies times. o is that of pref.Options.OfTimes.
//
// It returns an error that is ErrNothingToLearn where no pair is comparable, or where all targets are 0, and that of
// OfTimes. It panics unless there is a mark of every time.
func Times(times []float64, censored []bool, strata *data.Partition, o pref.Options) (*Goal, error) {
	m := len(times)
	if len(censored) != m {
		panic(fmt.Sprintf("goals: %d times with %d marks of censored ones", m, len(censored)))
	}
	data.CheckPartition("goals: strata", strata, m)
	o, err := o.OfTimes()
	if err != nil {
		return nil, err
	}
	s := newShorter(times, censored, strata, o)
	l := newTimed(strata, s.order, s.level, s.weight)
	g := &Goal{L: l, R: make([]float64, m), Outputs: 1, Kind: Censored, Weight: o.Weight, Pairs: s.pairs,
		Constants: make([]float64, 1)}
	if s.pairs == 0 {
		return nil, &nothingError{"no two times can be compared, as the longer of two is only known to be so where the " +
			"shorter is of an event: nothing can be learnt about their order"}
	}
	if o.Cost == pref.Unit {
		l.each(func(i int32, weight, later, earlier float64) {
			g.R[i] = earlier - weight*later
			g.Constants[0] += weight * later
		})
		return g, nil
	}
	y := slices.Clone(times)
	Centre(l.parts, y, 1) // which keeps the digits of times far from 0
	for p := range l.parts.Len() {
		if rows := l.parts.Part(p); !slices.ContainsFunc(rows, func(i int32) bool { return times[i] != times[rows[0]] }) {
			for _, i := range rows {
				y[i] = 0
			}
		}
	}
	l.MulTo(g.R, y, 1)
	g.Constants[0] = dot(y, g.R)
	if !slices.ContainsFunc(g.R, func(v float64) bool { return v != 0 }) {
		return nil, &nothingError{"all comparable times are equal, so that the magnitude cost has nothing to learn: the " +
			"unit cost has, of the rows with the event and the censored ones"}
	}
	return g, nil
}

// nothingError is an ErrNothingToLearn with a reason.
type nothingError struct{ reason string }

func (e *nothingError) Error() string        { return e.reason }
func (e *nothingError) Is(target error) bool { return target == ErrNothingToLearn }

// shorter is what Timed needs: the rows of each stratum in the order of their levels, and by row the weight of the
// pairs in which it is the shorter.
type shorter struct {
	order, level []int32
	weight       []float64
	pairs        float64
}

func newShorter(times []float64, censored []bool, strata *data.Partition, o pref.Options) *shorter {
	m := len(times)
	s := &shorter{order: make([]int32, m), level: make([]int32, m), weight: make([]float64, m)}
	pairs := make([]float64, strata.Len())
	parallel.Chunks(strata.Len(), 64, func(_, first, last int) {
		var c ostat.Censored
		var t []float64
		var marks []bool
		for p := first; p < last; p++ {
			rows, at := strata.Part(p), strata.Bounds[p]
			t, marks = t[:0], marks[:0]
			for _, i := range rows {
				t, marks = append(t, times[i]), append(marks, censored[i])
			}
			c.SetTimes(t, marks)
			pairs[p] = s.stratum(&c, rows, at, marks, o)
		}
	})
	for _, n := range pairs {
		s.pairs += n
	}
	return s
}

// stratum takes the rows of a stratum, which lie from place at on, and returns its comparable pairs.
func (s *shorter) stratum(c *ostat.Censored, rows []int32, at int, censored []bool, o pref.Options) (pairs float64) {
	order, level := c.Order()
	for a, k := range order {
		s.order[at+a], s.level[at+a] = rows[k], int32(at)+level[a]
		if later := len(rows) - int(level[a]); !censored[k] {
			pairs += float64(later)
		}
	}
	each := perPair(o.Weight, len(rows), pairs)
	for a, k := range order {
		if later := len(rows) - int(level[a]); !censored[k] && later > 0 {
			s.weight[rows[k]] = each
			if o.CensoringWeights {
				s.weight[rows[k]] *= c.Weights()[k]
			}
		}
	}
	return pairs
}
