package scores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/pick"
	"pairrank/internal/student"
)

// Options say what is asked of a ranking.
type Options struct {
	// Against is a system that every other one is compared with; "" compares each two.
	Against string
	// Claims are tested by the Gates of the ranking.
	Claims []Claim
	// Seed draws signs where there are more than 13 units.
	Seed uint64
	// Monitor receives every note of the Ranking.
	Monitor event.Monitor
}

// Ranking is the systems of a table, the best first.
type Ranking struct {
	Problem *Problem
	Systems []System
	// Units is how many units have scores of two systems, Missing how many cells have none.
	Units, Missing int
	// NoIntervals is why there are neither intervals nor sets of ranks, "" where there are.
	NoIntervals string
	// Groups are the largest sets of systems that are not told apart, as places in Systems; nil with Against, and where
	// there are too many. Top is how many systems are not surely below another one.
	Groups [][]int
	Top    int
	// Residual is the variance of a score around the worth of its system and the difficulty of its item. Repeats is the
	// share of it that repeated scores have among themselves, NaN where no score is repeated.
	Residual, Repeats float64
	// Critical is the t statistic from which two systems are told apart, over Draws of signs. Exact says that these are
	// all patterns of signs.
	Critical float64
	Draws    int
	Exact    bool
	// Against is the baseline among Systems, −1 where there is none.
	Against int
	// Gates are what is known of the claims, in their order.
	Gates []Gate
	// Notes are doubts about the table and its intervals.
	Notes []event.Note
	tied  [][]bool // by places in Systems
	fit   *fit
	order []int // the system at each place
}

// System is one of a Ranking.
type System struct {
	Name string
	// Mean is the mean of its scores, Score its worth: the scores of the table on the same items less the mean of all
	// systems.
	Mean, Score float64
	// SE, Lo and Hi are the standard error and the 95 % interval of Score; NaN where there are none.
	SE, Lo, Hi float64
	// Cells are its scores on items that another system has a score of.
	Cells int
	// Rank is from 1, equal scores share the best. RankLo … RankHi is a set of ranks; all sets hold together in 95 % of
	// samples. They are 0 with Against, and where there are no intervals.
	Rank, RankLo, RankHi int
	// Gap is Score less that of the baseline, GapLo … GapHi its interval, which holds for all systems together.
	// Better and Lesser say that the system is told apart from the baseline.
	Gap, GapLo, GapHi float64
	Better, Lesser    bool
}

// Rank ranks the systems of a table. It costs O(I S²) for a table with missing cells, O(I S) for a complete one, and
// O(S³ + D S (B + S)) beside, with D = 4,095 draws of B blocks of units. It returns the error of ctx, and a
// fault.Error for a table that falls apart, for scores beyond 1e±150 and for a name that no system has.
func Rank(ctx context.Context, table Problem, o Options) (*Ranking, error) {
	p := &table
	if len(p.Systems) < 2 {
		return nil, fault.Dataf("the table has scores of one system, and a ranking needs two")
	}
	if parts := p.parts(); len(parts) > 1 {
		return nil, fault.As(fault.Data, "scores-apart", errors.New(p.apart(parts)))
	}
	if err := p.checkSize(); err != nil {
		return nil, err
	}
	f, err := fitOf(p)
	if err != nil {
		return nil, fault.As(fault.Numerical, "", err)
	}
	var d *flips
	if f.parts.Rows > 0 && ctx.Err() == nil {
		d = flipsOf(f, o.Seed)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r := newRanking(p, f)
	switch {
	case d == nil:
		r.NoIntervals = f.noErrors(p)
	default:
		r.Exact, r.Draws = d.exact, d.drawn.Rows
	}
	if o.Against != "" {
		err = r.compare(d, o.Against)
	} else if d != nil {
		r.setRanks(d)
	}
	if err == nil {
		err = r.test(d, o.Claims)
	}
	if err != nil {
		return nil, err
	}
	r.Notes = r.doubts(o.Monitor)
	if p.Lower {
		r.turn()
	}
	return r, nil
}

// newRanking puts what is known of the systems in their order.
func newRanking(p *Problem, f *fit) *Ranking {
	s := len(p.Systems)
	order := pick.All[int](s)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(f.worth[b], f.worth[a]) })
	f.nameTies(order, p.Systems)
	r := &Ranking{Problem: p, Units: f.units, Missing: p.missing(), Residual: f.residual, Repeats: math.NaN(),
		Critical: math.NaN(), Against: -1, Systems: make([]System, s), fit: f, order: order}
	if p.Repeats > 0 && f.residual > 0 {
		r.Repeats = min(1, p.Repeats/f.residual)
	}
	for at, k := range order {
		r.Systems[at] = f.system(p, k)
		r.Systems[at].Rank = at + 1
		if at > 0 && f.equal(k, order[at-1]) {
			r.Systems[at].Rank = r.Systems[at-1].Rank
		}
	}
	return r
}

// nameTies puts systems of equal worths, which follow one another, in the order of their names.
func (f *fit) nameTies(order []int, names []string) {
	for at := 0; at < len(order); {
		end := at + 1
		for end < len(order) && f.equal(order[end-1], order[end]) {
			end++
		}
		slices.SortFunc(order[at:end], func(a, b int) int { return cmp.Compare(names[a], names[b]) })
		at = end
	}
}

// equal reports whether two worths differ by rounding alone.
func (f *fit) equal(a, b int) bool {
	const rounding = 1e-13
	size := math.Abs(f.mean[a]) + math.Abs(f.mean[b]) + math.Abs(f.worth[a]) + math.Abs(f.worth[b])
	return math.Abs(f.worth[a]-f.worth[b]) <= rounding*size
}

// system is what is known of a system alone. An interval of width 0 is none.
func (f *fit) system(p *Problem, k int) System {
	s := System{Name: p.Systems[k], Mean: f.mean[k], Score: f.worth[k], SE: math.NaN(), Lo: math.NaN(), Hi: math.NaN(),
		Cells: f.cells[k]}
	if f.parts.Rows == 0 {
		return s
	}
	const rounding = 1e-12
	if se := math.Sqrt(f.covariance.Row(k)[k]); se > rounding*(math.Abs(f.worth[k])+math.Abs(f.mean[k])) {
		half := se * student.Quantile975(max(1, int(f.free[k]+1e-9)))
		s.SE, s.Lo, s.Hi = se, f.worth[k]-half, f.worth[k]+half
	}
	return s
}

// turn gives scores the signs that they had where lower ones are better.
func (r *Ranking) turn() {
	for k := range r.Systems {
		s := &r.Systems[k]
		s.Mean, s.Score, s.Gap = 0-s.Mean, 0-s.Score, 0-s.Gap
		s.Lo, s.Hi = 0-s.Hi, 0-s.Lo
		s.GapLo, s.GapHi = 0-s.GapHi, 0-s.GapLo
	}
}

// setRanks compares each two systems.
func (r *Ranking) setRanks(d *flips) {
	s := len(r.order)
	pairs := make([]pair, 0, s*(s-1)/2)
	for a := range s {
		for b := a + 1; b < s; b++ {
			pairs = append(pairs, pair{s: r.order[a], t: r.order[b]})
		}
	}
	apart, _, critical := d.apart(pairs)
	r.Critical = critical
	r.tied = make([][]bool, s)
	for a := range r.tied {
		r.tied[a] = make([]bool, s)
		r.Systems[a].RankLo, r.Systems[a].RankHi = 1, s
	}
	k := 0
	for a := range s {
		for b := a + 1; b < s; b++ {
			if apart[k] {
				r.Systems[a].RankHi--
				r.Systems[b].RankLo++
			} else {
				r.tied[a][b], r.tied[b][a] = true, true
			}
			k++
		}
	}
	for a := range s {
		if r.Systems[a].RankLo == 1 {
			r.Top++
		}
	}
	r.Groups = groupsOf(s, func(a, b int) bool { return r.tied[a][b] })
}

// compare compares each system with a baseline.
func (r *Ranking) compare(d *flips, name string) (err error) {
	if r.Against, err = r.place(name); err != nil {
		return err
	}
	var pairs []pair
	var places []int
	for at, k := range r.order {
		if at != r.Against {
			pairs, places = append(pairs, pair{s: k, t: r.order[r.Against]}), append(places, at)
		}
	}
	apart, wide, critical := d.apart(pairs)
	r.Critical = critical
	for j, at := range places {
		s := &r.Systems[at]
		s.Gap, s.GapLo, s.GapHi = r.gap(pairs[j], wide)
		s.Better, s.Lesser = apart[j] && s.Gap > 0, apart[j] && s.Gap < 0
	}
	return nil
}

// place is that of a system of a name.
func (r *Ranking) place(name string) (int, error) {
	at := slices.IndexFunc(r.Systems, func(s System) bool { return s.Name == name })
	if at < 0 {
		return at, fault.As(fault.Use, "no-system", fmt.Errorf("no system is called %q", name))
	}
	return at, nil
}

// gap is the difference of a pair with an interval of so many standard errors.
func (r *Ranking) gap(p pair, wide float64) (gap, lo, hi float64) {
	gap = r.fit.worth[p.s] - r.fit.worth[p.t]
	if math.IsNaN(wide) || math.IsInf(wide, 0) {
		return gap, math.NaN(), math.NaN()
	}
	half := wide * r.fit.errorOf(p.s, p.t)
	return gap, gap - half, gap + half
}

// errorOf is the standard error of the difference of two systems.
func (f *fit) errorOf(s, t int) float64 {
	return math.Sqrt(max(0, f.covariance.Row(s)[s]+f.covariance.Row(t)[t]-2*f.covariance.Row(s)[t]))
}

// power is how probable it is that as many units as Needed says tell two systems apart, 80 %, in standard errors.
const power = 0.8416212335729143

// Needed is how many units more, like those that there are, tell two systems apart in 80 % of samples, if they differ
// as they do here; +Inf where they do not differ, 0 where they are told apart, NaN where there are no intervals. The
// systems are places in Systems.
func (r *Ranking) Needed(a, b int) float64 {
	switch {
	case r.NoIntervals != "":
		return math.NaN()
	case r.tied != nil && !r.tied[a][b]:
		return 0
	}
	d, se := math.Abs(r.Systems[a].Score-r.Systems[b].Score), r.fit.errorOf(r.order[a], r.order[b])
	ratio := (math.Min(r.Critical, mostCritical) + power) / (d / se)
	return max(1, float64(fewestApart-r.Units), math.Ceil(float64(r.Units)*(ratio*ratio-1)))
}

// mostCritical stands for the t statistic that few units cannot reach.
const mostCritical = 4

// TiedWith are the systems from which one is not told apart, as places in Systems; nil with Against, and without
// intervals.
func (r *Ranking) TiedWith(a int) (with []int) {
	if r.tied == nil {
		return nil
	}
	for b, tied := range r.tied[a] {
		if tied {
			with = append(with, b)
		}
	}
	return with
}
