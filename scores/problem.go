package scores

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/pick"
)

// Problem is the scores of S systems on I items, the larger the better.
type Problem struct {
	Systems, Items []string
	// Y has a row for each item and a column for each system; NaN is a missing cell.
	Y *data.Dense
	// Units is the unit of each item, numbers from 0; nil is one for each item. Unit is what one is called.
	Units []int
	Unit  string
	// Repeats is by how much the cells vary that are means over repeated scores: the mean over such cells of the
	// variance of that mean. It is 0 where no score is repeated, and NaN where some are, on another scale.
	Repeats float64
	// Lower says that Y has been negated, since lower scores are better: see LowerIsBetter.
	Lower bool
}

// LowerIsBetter says that lower scores are better. It negates Y; a Ranking has the scores with the signs that they had.
func (p *Problem) LowerIsBetter() {
	p.Lower = !p.Lower
	for k, y := range p.Y.Data {
		p.Y.Data[k] = 0 - y
	}
}

// units are the unit of each item, and how many there are.
func (p *Problem) units() ([]int, int) {
	if p.Units == nil {
		return pick.All[int](p.Y.Rows), p.Y.Rows
	}
	return p.Units, 1 + slices.Max(append([]int{-1}, p.Units...))
}

// missing counts the cells without a score.
func (p *Problem) missing() int {
	missing := 0
	for _, y := range p.Y.Data {
		if math.IsNaN(y) {
			missing++
		}
	}
	return missing
}

// parts are the systems whose worths can be compared: two are in one part if an item has scores of both, or if each is
// in one part with a third. The largest comes first. Cost O(I S).
func (p *Problem) parts() [][]int {
	root, _ := p.join(func(int) bool { return true }, func(int) {})
	parts := map[int][]int{}
	for k, r := range root {
		parts[r] = append(parts[r], k)
	}
	all := slices.Collect(maps.Values(parts))
	slices.SortFunc(all, func(a, b []int) int { return cmp.Or(len(b)-len(a), a[0]-b[0]) })
	return all
}

// join joins systems by the items that are used, until all are one part, and tells which items joined some. It returns
// the root of each system, and the number of parts.
func (p *Problem) join(used func(item int) bool, joins func(item int)) (root []int, parts int) {
	parts = len(p.Systems)
	root = pick.All[int](parts)
	var find func(k int) int
	find = func(k int) int {
		if root[k] != k {
			root[k] = find(root[k])
		}
		return root[k]
	}
	for i := 0; i < p.Y.Rows && parts > 1; i++ {
		if !used(i) {
			continue
		}
		first, before := -1, parts
		for k, y := range p.Y.Row(i) {
			switch {
			case math.IsNaN(y):
			case first < 0:
				first = find(k)
			case find(k) != first:
				root[find(k)] = first
				parts--
			}
		}
		if parts < before {
			joins(i)
		}
	}
	for k := range root {
		root[k] = find(k)
	}
	return root, parts
}

// essential is an item in a unit without which the systems fall apart, −1 where there is none. Only the units of the
// items by which join came to one part may be: fewer than the systems. Cost O(I S) for each of these.
func (p *Problem) essential() int {
	of, _ := p.units()
	var joining []int
	p.join(func(int) bool { return true }, func(i int) { joining = append(joining, i) })
	for _, i := range joining {
		if _, parts := p.join(func(k int) bool { return of[k] != of[i] }, func(int) {}); parts > 1 {
			return i
		}
	}
	return -1
}

// Standardize gives the scores of each item mean 0 and variance 1, where they are not all equal: items on different
// scales then count alike. How much repeats vary is not known on that scale. Cost O(I S).
func (p *Problem) Standardize() {
	p.loseRepeats()
	scaled := make([]float64, p.Y.Cols)
	for i := range p.Y.Rows {
		row := p.Y.Row(i)
		_, power := math.Frexp(largest(row))
		for k, y := range row { // else squares of huge scores are infinite
			scaled[k] = math.Ldexp(y, -power)
		}
		mean, square, n := moments(scaled)
		if deviation := math.Sqrt(square / float64(n)); deviation > 0 {
			for k := range row {
				row[k] = (scaled[k] - mean) / deviation
			}
		}
	}
}

// loseRepeats is for scores that are no more on the scale of repeated ones.
func (p *Problem) loseRepeats() {
	if p.Repeats > 0 {
		p.Repeats = math.NaN()
	}
}

// Ranked replaces the scores of each item by their ranks from 1, the best the largest, ties by their mean. The higher
// is the better then, also where lower scores were. Cost O(I S log S).
func (p *Problem) Ranked() {
	p.loseRepeats()
	p.Lower = false
	var order []int
	for i := range p.Y.Rows {
		row := p.Y.Row(i)
		order = order[:0]
		for k, y := range row {
			if !math.IsNaN(y) {
				order = append(order, k)
			}
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(row[a], row[b]) })
		for at := 0; at < len(order); {
			end := at + 1
			for end < len(order) && row[order[end]] == row[order[at]] {
				end++
			}
			of := order[at:end]
			at = end
			for _, k := range of {
				row[k] = float64(2*end-len(of)+1) / 2
			}
		}
	}
}

// largest is the largest of the sizes of scores.
func largest(of []float64) (most float64) {
	for _, y := range of {
		if a := math.Abs(y); a > most {
			most = a
		}
	}
	return most
}

// checkSize refuses scores whose squares are no finite numbers, or 0.
func (p *Problem) checkSize() error {
	const huge, tiny = 1e150, 1e-150
	most := largest(p.Y.Data)
	if most <= huge && (most >= tiny || most == 0) {
		return nil
	}
	at := slices.IndexFunc(p.Y.Data, func(y float64) bool { return math.Abs(y) == most })
	return fault.As(fault.Data, "scores-size", fmt.Errorf("the largest score is %g, of system %q on item %q: the squares "+
		"of such scores are no numbers; multiply them all by one number", p.Y.Data[at], p.Systems[at%p.Y.Cols],
		p.Items[at/p.Y.Cols]))
}

// moments are the mean of the scores that are there, the sum of the squares of their deviations, and how many there
// are.
func moments(row []float64) (mean, square float64, n int) {
	for _, y := range row {
		if !math.IsNaN(y) {
			mean += y
			n++
		}
	}
	mean /= float64(max(n, 1))
	for _, y := range row {
		if !math.IsNaN(y) {
			square += (y - mean) * (y - mean)
		}
	}
	return mean, square, n
}
