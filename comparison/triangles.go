package comparison

import (
	"cmp"
	"maps"
	"slices"

	"pairrank/internal/student"
)

// Triangles are sets of three items: the first surely beats the second, the second the third, and the third the first.
type Triangles struct {
	// Level is the probability of a false side among all.
	Level float64
	// Pairs is how many pairs of items were tested, and Sure how many are decided at Level.
	Pairs, Sure int
	// Unit is what has one vote on a pair, that of its majority, as Problem.Independent names it; "" is each outcome.
	Unit string
	// Found is how many triangles there are, of which List has the first mostTriangles, the surest first. More says that
	// the search ended before all were found.
	Found int
	More  bool
	List  []Triangle
}

// Triangle is three sides: of side k, Items[k] beats Items[k+1], the last beats the first.
type Triangle struct {
	Items        [3]int
	Wins, Losses [3]float64
	P            [3]float64 // after the correction
}

// mostTriangles is how many triangles are listed, and mostLooks how many third items are looked at.
const mostTriangles, mostLooks = 100, 10_000_000

// side is the decided outcomes of two items, the first of which wins more often.
type side struct {
	a, b         int
	wins, losses float64
	p            float64
}

// triangles finds the triangles whose three sides are all significant: the wins and losses of each pair by the exact
// test of signs, corrected by Holm over all pairs that have a decided outcome (Holm 1979, A simple sequentially
// rejective multiple test procedure), so that all sides hold together with probability 1 − level, and with them all
// triangles. Ties, weights and covariates do not count. Each unit of Problem.Independent has one vote on
// a pair, that of its majority, since its outcomes depend on one another. order has scores. Every triangle has a side
// in which the item with the lower score surely wins, so only these pairs are tried with all third items. It costs
// O(C log C), and the degree of an item for each of these pairs.
func (p *Problem) triangles(order []float64, level float64) *Triangles {
	unit, sets := p.independent(2)
	t := &Triangles{Level: level, Unit: unit}
	sides := p.sides(sets)
	t.Pairs = len(sides)
	sides = holm(sides, level)
	t.Sure = len(sides)
	at, below := map[[2]int]int{}, make([][]int, len(p.Items)) // below[a] are surely beaten by a
	for k, s := range sides {
		at[[2]int{s.a, s.b}] = k
		below[s.a] = append(below[s.a], s.b)
	}
	upset := func(k int) bool { // by scores, equal ones by number
		a, b := sides[k].a, sides[k].b
		return cmp.Or(cmp.Compare(order[a], order[b]), cmp.Compare(b, a)) < 0
	}
	looks := 0
	for k, s := range sides {
		if !upset(k) {
			continue
		}
		for _, third := range below[s.b] {
			if looks++; looks > mostLooks {
				t.More = true
				break
			}
			last, is := at[[2]int{third, s.a}]
			if !is {
				continue
			}
			// A triangle has one or two upsets, and is found at the first of them.
			middle := at[[2]int{s.b, third}]
			if upset(middle) && middle < k || upset(last) && last < k {
				continue
			}
			t.Found++
			t.List = append(t.List, triangleOf([3]side{s, sides[middle], sides[last]}, order))
			if len(t.List) >= 2*mostTriangles {
				t.cut()
			}
		}
	}
	t.cut()
	return t
}

// cut keeps the surest triangles.
func (t *Triangles) cut() {
	slices.SortFunc(t.List, func(x, y Triangle) int {
		return cmp.Or(cmp.Compare(slices.Max(x.P[:]), slices.Max(y.P[:])), slices.Compare(x.Items[:], y.Items[:]))
	})
	t.List = t.List[:min(len(t.List), mostTriangles)]
}

// triangleOf starts with the item of the highest score.
func triangleOf(s [3]side, order []float64) (t Triangle) {
	first := 0
	for k := range s {
		if order[s[k].a] > order[s[first].a] {
			first = k
		}
	}
	for k := range s {
		x := s[(first+k)%3]
		t.Items[k], t.Wins[k], t.Losses[k], t.P[k] = x.a, x.wins, x.losses, x.p
	}
	return t
}

// sides are the pairs with decided outcomes, or with units that decide, with their p-values.
func (p *Problem) sides(units [][]int) (sides []side) {
	of := p.setOf(units)
	for _, set := range p.ByPair() {
		s := side{}
		s.a, s.b = p.source().Items(set[0])
		net := map[int]float64{} // of units
		for _, c := range set {
			l := p.source().At(c)
			wins, losses := l.Wins, l.Losses
			if l.Left != s.a {
				wins, losses = losses, wins
			}
			s.wins, s.losses = s.wins+wins, s.losses+losses
			net[of[c]] += wins - losses
		}
		if units != nil {
			s.wins, s.losses = 0, 0
			for _, d := range slices.Sorted(maps.Values(net)) {
				if d > 0 {
					s.wins++
				} else if d < 0 {
					s.losses++
				}
			}
		}
		if s.losses > s.wins {
			s = side{a: s.b, b: s.a, wins: s.losses, losses: s.wins}
		}
		if s.wins > 0 {
			s.p = student.SignTest(s.wins, s.losses)
			sides = append(sides, s)
		}
	}
	return sides
}

// holm returns the sides whose p-value after the correction is at most level, with that value, the surest first.
func holm(sides []side, level float64) []side {
	slices.SortStableFunc(sides, func(x, y side) int { return cmp.Compare(x.p, y.p) })
	least := 0.0
	for k := range sides {
		least = max(least, min(1, float64(len(sides)-k)*sides[k].p))
		if least > level {
			return sides[:k]
		}
		sides[k].p = least
	}
	return sides
}
