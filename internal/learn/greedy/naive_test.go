package greedy

import (
	"math"
	"slices"

	"pairrank/pref"
)

// oracle is the definition: every set of features is trained again without everything that is held out.
type oracle struct {
	p Problem
	o Options
	x [][]float64
}

// tiedWithin is the difference of two scores, relative to the labels, below which the oracle ties them: far above the
// rounding of its normal equations, whose condition number is at most about 10⁶ here, and far below other differences.
const tiedWithin = 1e-9

// fit trains on some rows with a set of features, and returns the weights.
func (o *oracle) fit(rows, set []int) (weights map[int]float64, mean float64) {
	set = o.columns(set)
	all := append(slices.Clone(o.p.Baseline), set...)
	vectors, targets := o.vectors(rows, all)
	kept := independent(vectors, len(o.p.Baseline))
	for k := range set {
		kept = append(kept, len(o.p.Baseline)+k)
	}
	n := len(kept)
	a, b := make([][]float64, n), make([]float64, n)
	for r, kr := range kept {
		a[r] = make([]float64, n)
		for c, kc := range kept {
			for e := range vectors {
				a[r][c] += vectors[e][kr] * vectors[e][kc]
			}
		}
		if kr >= len(o.p.Baseline) {
			a[r][r] += o.o.Lambda
		}
		for e := range vectors {
			b[r] += vectors[e][kr] * targets[e]
		}
	}
	eliminate(a, b)
	weights = map[int]float64{}
	for r, k := range kept {
		weights[all[k]] = b[r]
	}
	if !o.p.Regression {
		for _, i := range rows {
			mean += o.weight(i) * (o.p.Y[i] - o.score(weights, i)) / o.massOf(rows)
		}
	}
	return weights, mean
}

// columns are those of features.
func (o *oracle) columns(set []int) (all []int) {
	for _, j := range set {
		if o.p.Groups == nil {
			all = append(all, j)
		} else {
			all = append(all, o.p.Groups[j]...)
		}
	}
	return all
}

// weight is that of a row, and massOf the sum of those of some.
func (o *oracle) weight(i int) float64 {
	if o.p.Weights == nil {
		return 1
	}
	return o.p.Weights[i]
}

func (o *oracle) massOf(rows []int) (sum float64) {
	for _, i := range rows {
		sum += o.weight(i)
	}
	return sum
}

// vectors are the rows, or the weighted differences of rows, of which L is the sum of squares, and their targets.
func (o *oracle) vectors(rows, features []int) (vectors [][]float64, targets []float64) {
	queries, size, pairs := o.p.Queries.Of(), map[int32]float64{}, map[int32]float64{}
	for _, i := range rows {
		pairs[queries[i]] += size[queries[i]] * o.weight(i)
		size[queries[i]] += o.weight(i)
	}
	for a, i := range rows {
		if o.p.Regression {
			v, w := pickOf(o.x[i], features), math.Sqrt(o.weight(i))
			for k := range v {
				v[k] *= w
			}
			vectors, targets = append(vectors, v), append(targets, w*o.p.Y[i])
			continue
		}
		for _, j := range rows[:a] {
			if queries[i] != queries[j] {
				continue
			}
			w := o.weight(i) * o.weight(j) * map[pref.Weight]float64{pref.Pairs: 1, pref.Size: 1 / size[queries[i]],
				pref.Edges: 1 / pairs[queries[i]]}[o.p.Weight]
			v, other := pickOf(o.x[i], features), pickOf(o.x[j], features)
			for k := range v {
				v[k] = math.Sqrt(w) * (v[k] - other[k])
			}
			vectors, targets = append(vectors, v), append(targets, math.Sqrt(w)*(o.p.Y[i]-o.p.Y[j]))
		}
	}
	return vectors, targets
}

func pickOf(row []float64, features []int) []float64 {
	v := make([]float64, len(features))
	for k, j := range features {
		v[k] = row[j]
	}
	return v
}

// independent are the first columns without those that the ones before determine.
func independent(vectors [][]float64, first int) (kept []int) {
	var basis [][]float64
	for k := range first {
		v, before := make([]float64, len(vectors)), 0.0
		for e := range vectors {
			v[e] = vectors[e][k]
			before += v[e] * v[e]
		}
		for range 2 {
			for _, q := range basis {
				dot := 0.0
				for e := range v {
					dot += q[e] * v[e]
				}
				for e := range v {
					v[e] -= dot * q[e]
				}
			}
		}
		left := 0.0
		for _, f := range v {
			left += f * f
		}
		if left <= 1e-10*before {
			continue
		}
		for e := range v {
			v[e] /= math.Sqrt(left)
		}
		basis, kept = append(basis, v), append(kept, k)
	}
	return kept
}

func (o *oracle) score(weights map[int]float64, i int) float64 {
	sum := 0.0
	for j := range o.x[i] {
		sum += weights[j] * o.x[i][j]
	}
	return sum
}

// eliminate solves by Gaussian elimination with row exchanges.
func eliminate(a [][]float64, b []float64) {
	n := len(b)
	for k := range n {
		best := k
		for r := k; r < n; r++ {
			if math.Abs(a[r][k]) > math.Abs(a[best][k]) {
				best = r
			}
		}
		a[k], a[best] = a[best], a[k]
		b[k], b[best] = b[best], b[k]
		for r := k + 1; r < n; r++ {
			by := a[r][k] / a[k][k]
			for c := k; c < n; c++ {
				a[r][c] -= by * a[k][c]
			}
			b[r] -= by * b[k]
		}
	}
	for r := n - 1; r >= 0; r-- {
		for c := r + 1; c < n; c++ {
			b[r] -= a[r][c] * b[c]
		}
		b[r] /= a[r][r]
	}
}

// judge is the held-out error and loss of a set of features, by training again for everything that is left out.
func (o *oracle) judge(set []int) (s score) {
	defer func() {
		if s.loss < 1e-20 {
			s.loss = 0 // a perfect fit
		}
	}()
	m, queries := len(o.x), o.p.Queries.Of()
	scale := slices.Max(o.p.Y) - slices.Min(o.p.Y)
	without := func(out ...int) (rows []int) {
		for i := range m {
			if !slices.Contains(out, i) {
				rows = append(rows, i)
			}
		}
		return rows
	}
	pairs := 0.0
	count := func(i, j int, fi, fj float64) {
		if queries[i] != queries[j] || o.p.Y[i] == o.p.Y[j] {
			return
		}
		w := o.weight(i) * o.weight(j)
		s.halves += w * halvesOf((fi-fj)*math.Copysign(1, o.p.Y[i]-o.p.Y[j]), tiedWithin*scale)
		pairs += w
		if o.o.Criterion != Rows {
			e := o.p.Y[i] - o.p.Y[j] - (fi - fj)
			s.loss += w * e * e
		}
	}
	f := make([]float64, m)
	switch o.o.Criterion {
	case Pairs:
		for i := range m {
			for j := range i {
				if o.p.Y[i] != o.p.Y[j] && o.determines(without(i, j)) == o.determines(without()) {
					w, _ := o.fit(without(i, j), set)
					count(i, j, o.score(w, i), o.score(w, j))
				}
			}
		}
		s.loss /= pairs
		return s
	case Queries:
		for q := range o.p.Queries.Len() {
			var out []int
			for _, i := range o.p.Queries.Part(q) {
				out = append(out, int(i))
			}
			w, _ := o.fit(without(out...), set)
			for _, i := range out {
				f[i] = o.score(w, i)
			}
		}
	default:
		for i := range m {
			w, mean := o.fit(without(i), set)
			f[i] = o.score(w, i) + mean
			s.loss += o.weight(i) * (o.p.Y[i] - f[i]) * (o.p.Y[i] - f[i]) / o.massOf(without())
		}
	}
	for i := range m {
		for j := range i {
			count(i, j, f[i], f[j])
		}
	}
	if o.o.Criterion == Queries {
		s.loss /= pairs
	}
	return s
}

// usable are the features that may be selected: the baseline does not determine their differences.
func (o *oracle) usable() (features []int) {
	rows := make([]int, len(o.x))
	for i := range rows {
		rows[i] = i
	}
	for j := range o.p.Groups {
		for _, c := range o.p.Groups[j] {
			vectors, _ := o.vectors(rows, []int{c})
			if len(independent(vectors, 1)) > 0 && !slices.Contains(features, j) {
				features = append(features, j)
			}
		}
	}
	if o.p.Groups != nil {
		return features
	}
	for j := range o.x[0] {
		vectors, _ := o.vectors(rows, append(slices.Clone(o.p.Baseline), j))
		if !slices.Contains(o.p.Baseline, j) && slices.Contains(independent(vectors, len(o.p.Baseline)+1),
			len(o.p.Baseline)) {
			features = append(features, j)
		}
	}
	return features
}

// determines is the number of baseline features that some rows determine.
func (o *oracle) determines(rows []int) int {
	vectors, _ := o.vectors(rows, o.p.Baseline)
	return len(independent(vectors, len(o.p.Baseline)))
}

// search is the definition of the three searches.
func (o *oracle) search() []Set {
	usable := o.usable()
	sets := make([]Set, o.o.Features)
	keep := func(set []int, s score) bool {
		if len(set) > len(sets) {
			return true
		}
		to := &sets[len(set)-1]
		if to.Features != nil && s.compare(to.score) >= 0 {
			return false
		}
		*to = Set{Features: slices.Clone(set), score: s}
		return true
	}
	leave := func(set []int) ([]int, score) {
		var found score
		out := -1
		for k := range set {
			s := o.judge(slices.Delete(slices.Clone(set), k, k+1))
			if c := s.compare(found); out < 0 || c < 0 || c == 0 && set[k] > set[out] {
				out, found = k, s
			}
		}
		return slices.Delete(slices.Clone(set), out, out+1), found
	}
	if o.o.Search == Backward {
		set := slices.Clone(usable)
		var order []int
		keep(set, o.judge(set))
		var all []score
		for len(set) > 1 {
			next, s := leave(set)
			for _, j := range set {
				if !slices.Contains(next, j) {
					order = append(order, j)
				}
			}
			set, all = next, append(all, s)
		}
		order = append(order, set...)
		slices.Reverse(order)
		all = append([]score{o.judge(usable)}, all...)
		for k := range sets {
			sets[k] = Set{Features: order[:k+1], score: all[len(usable)-k-1]}
		}
		return sets
	}
	var set []int
	for len(set) < o.o.Features {
		best, found := -1, score{}
		for _, j := range usable {
			if slices.Contains(set, j) {
				continue
			}
			if s := o.judge(append(slices.Clone(set), j)); best < 0 || s.compare(found) < 0 {
				best, found = j, s
			}
		}
		set = append(slices.Clone(set), best)
		keep(set, found)
		for o.o.Search == Floating && len(set) > 2 {
			left, s := leave(set)
			if !keep(left, s) {
				break
			}
			set = left
		}
	}
	return sets
}
