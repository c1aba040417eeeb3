package contribution

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Collector makes a Sum from parts that arrive one at a time, in memory for the kept ones.
type Collector struct {
	sum   Sum
	top   int
	seen  int
	parts []Part // those that are kept, in no order
	keys  []key  // of the same, a heap with the smallest in front once top are kept
}

// key orders parts.
type key struct {
	size  float64 // of the contribution
	order int     // in which it came
	at    int     // in parts
}

// NewCollector keeps the top largest parts of a kind; 0 keeps all.
func NewCollector(kind Kind, top int) *Collector {
	return &Collector{sum: Sum{Kind: kind, Parts: []Part{}}, top: top}
}

// Add adds a part with the given contribution; 0 is no part. If the part is kept, Add calls rest
// for its other fields, which may leave out the contribution. The cost is O(log top).
func (c *Collector) Add(contribution float64, rest func() Part) {
	if contribution == 0 {
		return
	}
	c.seen++
	c.sum.Total += contribution
	k := key{math.Abs(contribution), c.seen, len(c.parts)}
	full := c.top > 0 && len(c.keys) == c.top
	if full && !(k.size > c.keys[0].size) {
		c.leave(contribution)
		return
	}
	p := rest()
	p.Contribution = contribution
	if full {
		k.at = c.keys[0].at
		c.leave(c.parts[k.at].Contribution)
		c.parts[k.at], c.keys[0] = p, k
		c.sink()
		return
	}
	c.parts, c.keys = append(c.parts, p), append(c.keys, k)
	if len(c.keys) == c.top {
		slices.SortFunc(c.keys, func(a, b key) int { return larger(b, a) })
	}
}

func (c *Collector) leave(contribution float64) {
	c.sum.Rest += contribution
	c.sum.Left++
}

// larger orders by falling magnitude, and equal ones as they came.
func larger(a, b key) int {
	if a.size != b.size {
		return cmp.Compare(b.size, a.size)
	}
	return cmp.Compare(a.order, b.order)
}

// sink puts the first of the heap where it belongs.
func (c *Collector) sink() {
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(c.keys); child++ {
			if larger(c.keys[child], c.keys[least]) > 0 {
				least = child
			}
		}
		if least == at {
			return
		}
		c.keys[at], c.keys[least] = c.keys[least], c.keys[at]
		at = least
	}
}

// Sum returns the sum of the parts with the given scores, in O(k log k) for the k kept parts. It
// returns an error where the sum or a score is NaN or infinite. Do not use the collector
// afterwards.
func (c *Collector) Sum(scores ...float64) (*Sum, error) {
	for _, v := range append([]float64{c.sum.Total}, scores...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the score is %v: the values of the row are too large to decompose", v)
		}
	}
	slices.SortFunc(c.keys, larger)
	c.sum.Parts = make([]Part, len(c.keys))
	for k, key := range c.keys {
		c.sum.Parts[k] = c.parts[key.at]
	}
	c.sum.Scores = scores
	return &c.sum, nil
}
