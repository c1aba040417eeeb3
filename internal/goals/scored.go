package goals

import (
	"slices"

	"pairrank/data"
	"pairrank/pref"
)

func complete(y []float64, v int, queries *data.Partition, weights []float64, o pref.Options) *Goal {
	g := &Goal{Outputs: v, Kind: Complete, Weight: o.Weight, R: make([]float64, len(y)), Constants: make([]float64, v),
		RowWeights: weights}
	for p := range queries.Len() {
		g.Pairs += choose2(len(queries.Part(p)))
	}
	weight := func(p int) float64 {
		rows := queries.Part(p)
		return perPair(o.Weight, Mass(rows, weights), pairsOf(rows, weights))
	}
	l := completeBlocks(queries, weight).weigh(weights, weight)
	if g.L = l; weights != nil {
		g.labels = slices.Clone(y)
	}
	// The labels less the mean of their query: this changes no difference, and keeps the digits of
	// labels far from 0.
	copy(g.R, y)
	Centre(queries, g.R, v)
	l.MulTo(g.R, g.R, v)
	for i, r := range g.R { // yᵀLy, with r_i = d_i (y_i − ȳ)
		if d := l.diag[i/v]; d > 0 {
			g.Constants[i%v] += r * r / d
		}
	}
	return g
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func untied(y []float64, queries *data.Partition, weights []float64, o pref.Options) *Goal {
	classes, first := tieClasses(y, queries)
	labels := y // the relative cost needs their own differences
	y = slices.Clone(y)
	Centre(queries, y, 1)
	pairs := make([]float64, queries.Len())
	total := 0.0
	for p := range pairs {
		pairs[p] = choose2(len(queries.Part(p)))
		for c := first[p]; c < first[p+1]; c++ {
			pairs[p] -= choose2(len(classes.Part(c)))
		}
		total += pairs[p]
	}
	if weights != nil {
		pairs = untiedPairs(queries, classes, first, weights)
	}
	weight := func(p int) float64 { return perPair(o.Weight, Mass(queries.Part(p), weights), pairs[p]) }
	g := &Goal{Outputs: 1, Kind: Untied, Weight: o.Weight, Pairs: total, R: make([]float64, len(y)),
		Constants: make([]float64, 1), RowWeights: weights}
	switch o.Cost {
	case pref.Relative:
		g.L = newDenseBlocks(queries, func(p int, i, j int32) float64 {
			if labels[i] == labels[j] || pairs[p] == 0 {
				return 0
			}
			d := labels[i] - labels[j]
			if weights != nil {
				return weight(p) * weights[i] * weights[j] / (d * d)
			}
			return weight(p) / (d * d)
		})
		g.L.MulTo(g.R, labels, 1)
		g.Constants[0] = weighted(pairs, weight)
	case pref.Unit:
		g.L = untiedBlocks(queries, classes, first, weight).weigh(weights, weight)
		unitLinearTerm(g.R, queries, classes, first, weights, weight)
		g.Constants[0] = weighted(pairs, weight)
	default:
		g.L = untiedBlocks(queries, classes, first, weight).weigh(weights, weight)
		g.L.MulTo(g.R, y, 1)
		g.Constants[0] = dot(y, g.R)
	}
	return g
}

// weighted is the sum of the weights of all pairs: the cost of f = 0 where each
// pair costs its weight.
func weighted(pairs []float64, weight func(p int) float64) float64 {
	sum := 0.0
	for p, n := range pairs {
		if n > 0 {
			sum += n * weight(p)
		}
	}
	return sum
}

// untiedPairs are the sums of the products of the weights of the pairs that are compared, of each query.
func untiedPairs(queries, classes *data.Partition, first []int, weights []float64) []float64 {
	pairs := make([]float64, queries.Len())
	for p := range pairs {
		before := 0.0
		for c := first[p]; c < first[p+1]; c++ {
			own := Mass(classes.Part(c), weights)
			pairs[p] += before * own
			before += own
		}
	}
	return pairs
}

// unitLinearTerm is r_i = w a_i (Σ_{y_j < y_i} a_j − Σ_{y_j > y_i} a_j) over the rows of a query, for the weights a of
// the rows. The classes of a query are in ascending order of their label.
func unitLinearTerm(r []float64, queries, classes *data.Partition, first []int, weights []float64,
	weight func(p int) float64) {
	for p := range queries.Len() {
		below, total := 0.0, Mass(queries.Part(p), weights)
		if first[p+1]-first[p] < 2 {
			continue
		}
		w := weight(p)
		for c := first[p]; c < first[p+1]; c++ {
			members := classes.Part(c)
			own := Mass(members, weights)
			above := total - below - own
			for _, i := range members {
				if r[i] = w * (below - above); weights != nil {
					r[i] *= weights[i]
				}
			}
			below += own
		}
	}
}

// perPair is the weight of one pair of a query with the given numbers of rows and pairs, or the sums of their weights.
func perPair(w pref.Weight, rows, pairs float64) float64 {
	switch {
	case w == pref.Size:
		return 1 / rows
	case w == pref.Edges && pairs > 0:
		return 1 / pairs
	}
	return 1
}

func choose2(m int) float64 { return float64(m) * float64(m-1) / 2 }

// tieClasses are the classes of equal labels within each query, ascending by
// label; those of query p are first[p]…first[p+1]−1.
func tieClasses(y []float64, queries *data.Partition) (classes *data.Partition, first []int) {
	of := make([]int32, len(y))
	first = make([]int, queries.Len()+1)
	order := make([]int32, 0, len(y))
	next := 0
	for p := range queries.Len() {
		order = append(order[:0], queries.Part(p)...)
		slices.SortFunc(order, func(i, j int32) int {
			switch {
			case y[i] < y[j]:
				return -1
			case y[i] > y[j]:
				return 1
			}
			return int(i) - int(j)
		})
		for a, i := range order {
			if a == 0 || y[i] != y[order[a-1]] {
				next++
			}
			of[i] = int32(next - 1)
		}
		first[p+1] = next
	}
	return data.NewPartition(of, next), first
}
