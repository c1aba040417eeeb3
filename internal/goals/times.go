package goals

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/ostat"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
	"pairrank/pref"
)

// Times returns the goal that compares the rows of each stratum by their times, some of which are censored, so that
// scores grow with the time: the sum over the comparable pairs, i the shorter, of
//
//	w_ij ((t_j − t_i) − (f_j − f_i))²     magnitude: r = Lt
//	w_ij (1 − (f_j − f_i))²               unit: r_i = a_i e_i − w_i n_i, as Timed has them
//
// with the weights of o, of which Edges counts the comparable pairs of a stratum, times 1/G(t_i−)² with
// o.CensoringWeights. Cost O(m log m). It keeps its arguments. o is that of ResolvedOfTimes.
//
// It returns an error that is ErrNothingToLearn where no pair is comparable, or where all targets are 0, and that of
// ResolvedOfTimes. It panics unless there is a mark of every time.
func Times(times []float64, censored []bool, strata *data.Partition, o pref.Options) (*Goal, error) {
	return WeightedTimes(times, censored, strata, nil, o)
}

// WeightedTimes is Times of rows with weights a, above 0: the pair i, j counts a_i a_j times, and the estimate of G
// counts row i a_i times. For a stratum with the sum s of the weights and the sum N of the a_i a_j of its comparable
// pairs w_ij is a_i a_j (Pairs), a_i a_j/s (Size) and a_i a_j/N (Edges). It keeps the weights; nil is 1 for each. It
// panics unless there are m finite weights above 0.
func WeightedTimes(times []float64, censored []bool, strata *data.Partition, weights []float64,
	o pref.Options) (*Goal, error) {
	m := len(times)
	checkRowWeights(weights, m)
	if len(censored) != m {
		panic(fmt.Sprintf("goals: %d times with %d marks of censored ones", m, len(censored)))
	}
	data.CheckPartition("goals: strata", strata, m)
	o, err := ResolvedOfTimes(o)
	if err != nil {
		return nil, err
	}
	g := timed(times, censored, strata, weights, o)
	switch {
	case g.Pairs == 0:
		return nil, ErrIncomparable
	case !slices.ContainsFunc(g.R, func(v float64) bool { return v != 0 }):
		return nil, &nothingError{"all comparable times are equal, so that the magnitude cost has nothing to learn: the " +
			"unit cost has, of the rows with the event and the censored ones"}
	}
	return g, nil
}

// TimesSummand is Summand of the times of one stratum, −t of one that is censored at t, also −0: its L, r, Constants
// and Pairs are those that Times has for the stratum, to the bit. A stratum in which no pair is comparable, or with the
// magnitude cost all comparable times are equal, is a part as any other: its r and Constants are exactly 0.
func TimesSummand(signed, weights []float64, o pref.Options) (*Goal, error) {
	checkRowWeights(weights, len(signed))
	o, err := ResolvedOfTimes(o)
	if err != nil {
		return nil, err
	}
	times, censored := Unsigned(signed)
	return timed(times, censored, data.OneList(len(times)), weights, o), nil
}

// Unsigned parts times, of which −t is one that is censored at t, also −0, from the marks of censored ones.
func Unsigned(signed []float64) (times []float64, censored []bool) {
	times, censored = make([]float64, len(signed)), make([]bool, len(signed))
	for i, t := range signed {
		times[i], censored[i] = math.Abs(t), math.Signbit(t)
	}
	return times, censored
}

// timed is Times for options of ResolvedOfTimes, of any times.
func timed(times []float64, censored []bool, strata *data.Partition, weights []float64, o pref.Options) *Goal {
	s := newShorter(times, censored, strata, weights, o)
	l := newTimed(strata, s.order, s.level, s.weight, weights)
	g := &Goal{L: l, R: make([]float64, len(times)), Outputs: 1, Kind: Censored, Weight: o.Weight, Pairs: s.pairs,
		Constants: make([]float64, 1), RowWeights: weights, times: &timesOf{times, censored, strata, o, s.weight, s.mass}}
	if o.Cost == pref.Unit {
		l.each(func(i int32, later, earlier float64) {
			g.R[i] = earlier - later
			g.Constants[0] += later
		})
		return g
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
	return g
}

// timesOf is what a goal of censored times was made of, by row the weights w of Timed, and the sum of the a_i a_j of
// the comparable pairs.
type timesOf struct {
	times    []float64
	censored []bool
	strata   *data.Partition
	options  pref.Options
	weight   []float64
	mass     float64
}

// Without returns the goal of censored times of the rows that stay when those of h leave, and these rows, ascending:
// with the weights that they have by themselves. Cost and errors are those of Times. It panics for other goals.
func (g *Goal) Without(h []int32) (rest *Goal, left []int32, err error) {
	t, out := g.times, make([]bool, g.L.Dim())
	for _, i := range h {
		out[i] = true
	}
	for i, gone := range out {
		if !gone {
			left = append(left, int32(i))
		}
	}
	strata := data.NewPartition(pick.Rows(t.strata.Of(), left), t.strata.Len())
	rest, err = WeightedTimes(pick.Rows(t.times, left), pick.Rows(t.censored, left), strata,
		pick.Rows(g.RowWeights, left), t.options)
	return rest, left, err
}

// Pair returns the weight of two rows of a goal of censored times, 0 where they are not compared, and the target of
// f_i − f_j. Cost O(1). It panics for other goals.
func (g *Goal) Pair(i, j int32) (weight, target float64) {
	t, sign := g.times, 1.0
	if t.times[i] < t.times[j] || t.times[i] == t.times[j] && !t.censored[i] {
		i, j, sign = j, i, -1
	}
	weight = t.weight[j] * WeightOf(g.RowWeights, i) // j is the shorter
	switch {
	case t.strata.Of()[i] != t.strata.Of()[j], t.times[i] == t.times[j] && t.censored[i] == t.censored[j]:
		return 0, 0
	case t.options.Cost == pref.Unit:
		return weight, sign
	}
	return weight, sign * (t.times[i] - t.times[j])
}

// Stars reports whether the pairs of the rows that stay have the weights that they have among all rows, but for a
// factor: in a single stratum, without weights by censoring.
func (g *Goal) Stars() bool {
	return g.times != nil && g.times.strata.Len() == 1 && !g.times.options.CensoringWeights
}

// PairMass is the sum of the products of the weights of the rows of each comparable pair of censored times: their
// number where each is 1.
func (g *Goal) PairMass() float64 { return g.times.mass }

// WeightsWithout returns the factor of the weights of the pairs that stay, of which a PairMass is left, where rows
// leave of a single stratum of censored times; see Stars.
func (g *Goal) WeightsWithout(rows []int32, left float64) float64 {
	switch g.Weight {
	case pref.Size:
		all := Mass(g.times.strata.Rows, g.RowWeights)
		return all / (all - Mass(rows, g.RowWeights))
	case pref.Edges:
		return g.times.mass / left
	}
	return 1
}

// ErrIncomparable is returned where no two times of a stratum can be compared. It is an ErrNothingToLearn.
var ErrIncomparable error = &nothingError{"no two times can be compared, since the longer of two is only known where " +
	"the shorter is of an event: nothing can be learnt about their order"}

// Incomparable counts the parts in which no two times can be compared: no event is before another time, or beside a
// censored row of its time. Cost O(m).
func Incomparable(times []float64, censored []bool, parts *data.Partition) (n int) {
	for g := range parts.Len() {
		rows, first := parts.Part(g), math.Inf(1) // of the events
		for _, i := range rows {
			if !censored[i] {
				first = min(first, times[i])
			}
		}
		if !slices.ContainsFunc(rows, func(i int32) bool { return times[i] > first || times[i] == first && censored[i] }) {
			n++
		}
	}
	return n
}

// ResolvedOfTimes is pref.Options.Resolved for censored times, of which tied ones are never compared: Ties is
// ExcludeTies. It returns an error for IncludeTies, and for the Relative cost.
func ResolvedOfTimes(o pref.Options) (pref.Options, error) {
	switch {
	case o.Cost == pref.Relative:
		return o, errors.New("the relative cost weighs a pair by 1/(t_j-t_i)^2, which is infinite where an event and a " +
			"censored row have the same time: take magnitude or unit")
	case o.Ties == pref.IncludeTies:
		return o, errors.New("tied times are not comparable: nobody knows which is the longer")
	}
	weights := o.CensoringWeights
	o.Ties, o.CensoringWeights = pref.ExcludeTies, false
	o, err := o.Resolved()
	o.CensoringWeights = weights
	return o, err
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
	pairs, mass  float64 // the number of pairs, and the sum of the products of the weights of their rows
}

func newShorter(times []float64, censored []bool, strata *data.Partition, weights []float64,
	o pref.Options) *shorter {
	m := len(times)
	s := &shorter{order: make([]int32, m), level: make([]int32, m), weight: make([]float64, m)}
	pairs, mass := make([]float64, strata.Len()), make([]float64, strata.Len())
	parallel.Chunks(strata.Len(), 64, func(_, first, last int) {
		var c ostat.Censored
		var t, w []float64
		var marks []bool
		for p := first; p < last; p++ {
			rows, at := strata.Part(p), strata.Bounds[p]
			t, w, marks = t[:0], w[:0], marks[:0]
			for _, i := range rows {
				t, marks, w = append(t, times[i]), append(marks, censored[i]), append(w, WeightOf(weights, i))
			}
			if c.SetTimes(t, marks); weights != nil {
				c.SetWeights(w)
			}
			pairs[p], mass[p] = s.stratum(&c, rows, at, marks, w, o)
		}
	})
	for p, n := range pairs {
		s.pairs, s.mass = s.pairs+n, s.mass+mass[p]
	}
	return s
}

// stratum takes the rows of a stratum with their weights, which lie from place at on, and returns its comparable pairs,
// and the sum of the products of the weights of their rows.
func (s *shorter) stratum(c *ostat.Censored, rows []int32, at int, censored []bool, w []float64,
	o pref.Options) (pairs, mass float64) {
	order, level := c.Order()
	later, from := 0.0, len(rows) // the weights of the rows from this place on
	for a := len(order) - 1; a >= 0; a-- {
		k := order[a]
		s.order[at+a], s.level[at+a] = rows[k], int32(at)+level[a]
		for ; from > int(level[a]); from-- {
			later += w[order[from-1]]
		}
		if !censored[k] {
			pairs, mass = pairs+float64(len(rows)-int(level[a])), mass+w[k]*later
		}
	}
	for from > 0 {
		from--
		later += w[order[from]]
	}
	each := perPair(o.Weight, later, mass)
	for a, k := range order {
		if int(level[a]) < len(rows) && !censored[k] {
			s.weight[rows[k]] = each * w[k]
			if o.CensoringWeights {
				s.weight[rows[k]] *= c.Weights()[k]
			}
		}
	}
	return pairs, mass
}
