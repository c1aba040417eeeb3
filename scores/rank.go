package scores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"pairrank/internal/student"
)

// Options say what is asked of a ranking.
type Options struct {
	// Against is a system that every other one is compared with; "" compares each two.
	Against string
	// Margins are systems that must not be worse than another one by more than this.
	Margins map[string]float64
	// Seed draws signs where there are more than 13 units.
	Seed uint64
}

// Ranking is the systems of a table, the best first.
type Ranking struct {
	Problem *Problem
	Systems []System
	// Units is how many units have scores of two systems, Missing how many cells have none.
	Units, Missing int
	// Groups are the largest sets of systems that are not told apart, as places in Systems; nil with Against, and where
	// there are too many. Top is how many systems are not surely below another one.
	Groups [][]int
	Top    int
	// Residual is the variance of a score around the worth of its system and the difficulty of its item.
	Residual float64
	// Critical is the t statistic from which two systems are told apart; Exact says that all signs were taken.
	Critical float64
	Exact    bool
	// Against is the baseline among Systems, −1 where there is none.
	Against int
	Worse   []Worse
	tied    [][]bool // by places in Systems
	fit     *fit
	order   []int // the system at each place
}

// System is one of a Ranking.
type System struct {
	Name string
	// Mean is the mean of its scores, Score its worth: the scores of the table on the same items less the mean of all
	// systems.
	Mean, Score float64
	// SE, Lo and Hi are the standard error and the 95 % interval of Score; NaN where there are none.
	SE, Lo, Hi float64
	Cells      int
	// Rank is from 1, equal scores share the best. RankLo … RankHi is a set of ranks; all sets hold together in 95 % of
	// samples. They are 0 with Against.
	Rank, RankLo, RankHi int
	// Gap is Score less that of the baseline, GapLo … GapHi its interval, which holds for all systems together.
	// Better and Lesser say that the system is told apart from the baseline.
	Gap, GapLo, GapHi float64
	Better, Lesser    bool
}

// Worse says whether a system is worse than another one by more than a margin: surely (Fails), surely not (Passes), or
// undecided.
type Worse struct {
	System, Than  string
	Margin        float64
	Fails, Passes bool
	Gap           float64 // of the other one over the system
	GapLo, GapHi  float64
}

// NoSystemError is the error of a name that no system has.
type NoSystemError struct{ Name string }

func (e *NoSystemError) Error() string { return fmt.Sprintf("no system is called %q", e.Name) }

// ApartError is the error of a table whose systems are not joined by items.
type ApartError struct{ Parts [][]string }

func (e *ApartError) Error() string {
	return fmt.Sprintf("the table falls apart into %d parts without an item in common", len(e.Parts))
}

// Rank ranks the systems of a table. It costs O(I S²) for a table with missing cells, O(I S) for a complete one, and
// O(S³ + D S (B + S)) beside, with D = 4,095 draws of B blocks of units.
func Rank(ctx context.Context, p *Problem, o Options) (*Ranking, error) {
	if len(p.Systems) < 2 {
		return nil, errors.New("a table needs two systems")
	}
	if parts := p.Parts(); len(parts) > 1 {
		e := &ApartError{}
		for _, part := range parts {
			var names []string
			for _, k := range part {
				names = append(names, p.Systems[k])
			}
			e.Parts = append(e.Parts, names)
		}
		return nil, e
	}
	f, err := fitOf(p)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return rankingOf(p, f, flipsOf(f, o.Seed), o)
}

// rankingOf puts what is known of the systems in their order.
func rankingOf(p *Problem, f *fit, d *flips, o Options) (*Ranking, error) {
	s := len(p.Systems)
	order := make([]int, s)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.worth[b], f.worth[a]) })
	r := &Ranking{Problem: p, Units: f.units, Missing: p.Missing(), Residual: f.residual, Exact: d.exact, Against: -1,
		Systems: make([]System, s), fit: f, order: order}
	for at, k := range order {
		r.Systems[at] = f.system(p, k)
		r.Systems[at].Rank = at + 1
		if at > 0 && f.worth[k] == f.worth[order[at-1]] {
			r.Systems[at].Rank = r.Systems[at-1].Rank
		}
	}
	if o.Against == "" {
		r.setRanks(d)
	} else if err := r.compare(d, o.Against); err != nil {
		return nil, err
	}
	return r, r.bound(d, o)
}

// system is what is known of a system alone.
func (f *fit) system(p *Problem, k int) System {
	se := math.Sqrt(f.covariance.Row(k)[k])
	half := se * student.Quantile975(max(1, int(f.free[k]+1e-9)))
	return System{Name: p.Systems[k], Mean: f.mean[k], Score: f.worth[k], SE: se, Lo: f.worth[k] - half,
		Hi: f.worth[k] + half, Cells: f.cells[k]}
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
	apart, critical := d.apart(pairs)
	r.Critical = tOf(critical, d.f.parts.Rows)
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
func (r *Ranking) compare(d *flips, name string) error {
	r.Against = slices.IndexFunc(r.Systems, func(s System) bool { return s.Name == name })
	if r.Against < 0 {
		return &NoSystemError{name}
	}
	base := r.order[r.Against]
	var pairs []pair
	var places []int
	for at, k := range r.order {
		if at != r.Against {
			pairs, places = append(pairs, pair{s: k, t: base}), append(places, at)
		}
	}
	wide := tOf(d.critical(pairs), d.f.parts.Rows)
	apart, critical := d.apart(pairs)
	r.Critical = tOf(critical, d.f.parts.Rows)
	for j, at := range places {
		s := &r.Systems[at]
		s.Gap, s.GapLo, s.GapHi = r.gap(pairs[j], wide)
		s.Better, s.Lesser = apart[j] && s.Gap > 0, apart[j] && s.Gap < 0
	}
	return nil
}

// gap is the difference of a pair with an interval of so many standard errors.
func (r *Ranking) gap(p pair, wide float64) (gap, lo, hi float64) {
	gap = r.fit.worth[p.s] - r.fit.worth[p.t]
	half := wide * r.fit.errorOf(p.s, p.t)
	return gap, gap - half, gap + half
}

// errorOf is the standard error of the difference of two systems.
func (f *fit) errorOf(s, t int) float64 {
	return math.Sqrt(max(0, f.covariance.Row(s)[s]+f.covariance.Row(t)[t]-2*f.covariance.Row(s)[t]))
}

// bound tells of the systems with a margin whether they are worse than the baseline, or than any other one.
func (r *Ranking) bound(d *flips, o Options) error {
	var pairs []pair
	for _, name := range slices.Sorted(maps.Keys(o.Margins)) {
		of := slices.IndexFunc(r.Systems, func(s System) bool { return s.Name == name })
		if of < 0 {
			return &NoSystemError{name}
		}
		for at, k := range r.order {
			if at != of && (r.Against < 0 || at == r.Against) {
				pairs = append(pairs, pair{s: k, t: r.order[of], margin: o.Margins[name]})
			}
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	wide := tOf(d.critical(pairs), d.f.parts.Rows)
	apart, _ := d.apart(pairs)
	for j, p := range pairs {
		w := Worse{System: r.Problem.Systems[p.t], Than: r.Problem.Systems[p.s], Margin: p.margin}
		w.Gap, w.GapLo, w.GapHi = r.gap(p, wide)
		w.Fails, w.Passes = apart[j] && d.gap(p) > 0, apart[j] && d.gap(p) < 0
		r.Worse = append(r.Worse, w)
	}
	return nil
}

// power is how probable it is that as many units as Needed says tell two systems apart, 80 %, in standard errors.
const power = 0.8416212335729143

// Needed is how many units more, like those that there are, tell two systems apart in 80 % of samples, if they
// differ as
// they do here; +Inf where they do not differ, 0 where they are told apart. The systems are places in Systems.
func (r *Ranking) Needed(a, b int) float64 {
	if r.tied != nil && !r.tied[a][b] {
		return 0
	}
	d, se := math.Abs(r.Systems[a].Score-r.Systems[b].Score), r.fit.errorOf(r.order[a], r.order[b])
	ratio := (math.Min(r.Critical, mostCritical) + power) / (d / se)
	return max(1, math.Ceil(float64(r.Units)*(ratio*ratio-1)))
}

// mostCritical stands for the t statistic that few units cannot reach.
const mostCritical = 4

// TiedWith are the systems from which one is not told apart, as places in Systems; nil with Against.
func (r *Ranking) TiedWith(a int) []int {
	var with []int
	for b, tied := range r.tied[a] {
		if tied {
			with = append(with, b)
		}
	}
	return with
}
