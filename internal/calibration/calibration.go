// Package calibration says how often pairs are in the right order, by the difference of their scores.
package calibration

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/ratio"
	"pairrank/internal/student"
)

// Calibration is the share of pairs in the right order as a function of the difference of their
// scores. It rises to 1 for a ranking whose larger differences are more reliable.
type Calibration struct {
	Bins []Bin // by rising difference; none where no pair has different labels
	// Pairs is the number of pairs of a query with different labels, NaN where pairs were drawn,
	// since they are then not counted. Drawn is the number of drawn pairs, 0 where all were used.
	Pairs float64
	Drawn int
	// Queries is the number of queries that have such a pair.
	Queries int
}

// Bin holds the pairs whose scores differ by Lo to Hi.
type Bin struct {
	Lo, Hi float64 // the least and the largest difference
	Mean   float64 // the mean difference
	Pairs  int
	Right  float64 // the share of the pairs in the order of their labels, ties ½, by weight as Mean
	// StdErr is the standard error of Right as a ratio over independent queries, see [Calibrate];
	// undefined for pairs of fewer than two queries.
	StdErr metric.Value
}

// Options are the options of Calibrate. The zero value is the default.
type Options struct {
	Bins int    // 0 is 10
	Most int    // pairs that are looked at; 0 is 2^20
	Seed uint64 // of the pairs that are drawn where there are more
}

// calibrationPair is a pair of a query with different labels.
type calibrationPair struct {
	difference float64 // of the scores, at least 0
	right      float64 // 1, 0, or ½ for tied scores
	weight     float64
	query      int32
}

// Calibrate sorts the pairs of rows of a query with different labels into bins of equal size by the
// magnitude |f_i − f_j| of their difference, with equal differences in one bin. It returns for each
// bin the share of pairs in the right order. The standard error is that of a ratio over queries,
//
//	√( q/(q−1) Σ_g (w_g − r n_g)² ) / n
//
// with w_g of the n_g pairs of query g right, over the q queries in the bin (Cochran 1977, Sampling
// techniques, section 6.3). Where rows have weights, means, shares and w_g, n_g count a pair as the product of two; the
// bins have equal numbers of pairs of two weights above 0. It uses all pairs where the queries have at most o.Most
// pairs of rows in all, in O(p log p) for p pairs. Otherwise it draws o.Most pairs with replacement: first a
// query, with probability proportional to its pairs, then two of its rows; it drops pairs with
// equal labels. It returns an error for a score, a label or a weight that is none. It panics when the
// lengths in in differ, and for options below 0.
func Calibrate(in metric.Input, o Options) (*Calibration, error) {
	err := in.Check()
	if o.Bins < 0 || o.Most < 0 {
		panic(fmt.Sprintf("calibration of %d pairs in %d bins", o.Most, o.Bins))
	}
	o.Bins, o.Most = cmp.Or(o.Bins, 10), cmp.Or(o.Most, 1<<20)
	if err != nil {
		return nil, err
	}
	for i, f := range in.Scores {
		if math.IsNaN(f - f) {
			return nil, fmt.Errorf("the score of row %d is %v", i+1, f)
		}
		if y := in.Labels[i]; math.IsNaN(y - y) {
			return nil, fmt.Errorf("the label of row %d is %v", i+1, y)
		}
	}
	queries := in.Queries
	if queries == nil {
		queries = data.OneList(len(in.Labels))
	}
	in.Weights = student.Moderate(in.Weights)
	c := &Calibration{}
	var pairs []calibrationPair
	if total := rowPairs(queries); total > float64(o.Most) {
		pairs = drawnPairs(&in, queries, o, total)
		c.Pairs, c.Drawn = math.NaN(), len(pairs)
	} else {
		pairs = allPairs(&in, queries)
		c.Pairs = float64(len(pairs))
	}
	slices.SortFunc(pairs, func(a, b calibrationPair) int {
		return cmp.Or(cmp.Compare(a.difference, b.difference), cmp.Compare(a.query, b.query),
			cmp.Compare(a.right, b.right), cmp.Compare(a.weight, b.weight))
	})
	seen := map[int32]bool{}
	for _, p := range pairs {
		seen[p.query] = true
	}
	c.Queries = len(seen)
	c.deal(pairs, o.Bins)
	return c, nil
}

// rowPairs is the number of pairs of rows of a query.
func rowPairs(queries *data.Partition) float64 {
	total := 0.0
	for g := range queries.Len() {
		m := float64(len(queries.Part(g)))
		total += m * (m - 1) / 2
	}
	return total
}

// pairOf is a pair of rows, if their labels differ.
func pairOf(in *metric.Input, i, j, g int32) (calibrationPair, bool) {
	if in.Labels[i] == in.Labels[j] {
		return calibrationPair{}, false
	}
	d := in.Scores[i] - in.Scores[j]
	p := calibrationPair{difference: math.Abs(d), query: g, right: 0.5, weight: 1}
	if in.Weights != nil {
		if p.weight = in.Weights[i] * in.Weights[j]; p.weight == 0 {
			return p, false
		}
	}
	switch {
	case d == 0:
	case d > 0 == (in.Labels[i] > in.Labels[j]):
		p.right = 1
	default:
		p.right = 0
	}
	return p, true
}

func allPairs(in *metric.Input, queries *data.Partition) (pairs []calibrationPair) {
	for g := range queries.Len() {
		rows := queries.Part(g)
		for a, i := range rows {
			for _, j := range rows[:a] {
				if p, differ := pairOf(in, i, j, int32(g)); differ {
					pairs = append(pairs, p)
				}
			}
		}
	}
	return pairs
}

// drawnPairs draws pairs of rows, and keeps those with different labels.
func drawnPairs(in *metric.Input, queries *data.Partition, o Options, total float64) (pairs []calibrationPair) {
	until := make([]float64, queries.Len()) // pairs of the queries up to this one
	sum := 0.0
	for g := range until {
		m := float64(len(queries.Part(g)))
		sum += m * (m - 1) / 2
		until[g] = sum
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x63616c696272))
	for range o.Most {
		g, _ := slices.BinarySearchFunc(until, r.Float64()*total, func(u, at float64) int {
			if u <= at {
				return -1
			}
			return 1
		})
		rows := queries.Part(min(g, len(until)-1))
		if len(rows) < 2 {
			continue
		}
		a, b := r.IntN(len(rows)), r.IntN(len(rows)-1)
		if b >= a {
			b++
		}
		if p, differ := pairOf(in, rows[a], rows[b], int32(g)); differ {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// deal makes bins of sorted pairs.
func (c *Calibration) deal(pairs []calibrationPair, bins int) {
	for from := 0; from < len(pairs); {
		left := bins - len(c.Bins)
		to := from + max(1, (len(pairs)-from+left/2)/max(left, 1))
		if left <= 1 {
			to = len(pairs)
		}
		for to = min(to, len(pairs)); to < len(pairs) && pairs[to].difference == pairs[to-1].difference; {
			to++
		}
		c.Bins = append(c.Bins, newBin(pairs[from:to]))
		from = to
	}
}

// newBin is the bin of some pairs, sorted.
func newBin(pairs []calibrationPair) Bin {
	n := 0.0
	for _, p := range pairs {
		n += p.weight
	}
	b := Bin{Lo: pairs[0].difference, Hi: pairs[len(pairs)-1].difference, Pairs: len(pairs)}
	right, count := map[int32]float64{}, map[int32]float64{}
	var order []int32 // of the queries, for sums that do not depend on that of a map
	for _, p := range pairs {
		b.Mean += p.weight * p.difference / n
		b.Right += p.weight * p.right / n
		if count[p.query] == 0 {
			order = append(order, p.query)
		}
		right[p.query] += p.weight * p.right
		count[p.query] += p.weight
	}
	units := make([]metric.Term, len(order))
	for k, g := range order {
		units[k] = metric.Term{Num: right[g], Den: count[g]}
	}
	b.StdErr, _ = ratio.Error(units)
	return b
}
