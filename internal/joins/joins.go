// Package joins joins parts of rows until they are a partition.
package joins

import "pairrank/data"

// Joins keeps the parts of m things that are joined one by one, with path halving (Tarjan and van Leeuwen 1984,
// Worst-case analysis of set union algorithms).
type Joins struct {
	up    []int32
	parts int
}

// NewJoins returns m parts of one thing each, in O(m).
func NewJoins(m int) *Joins {
	j := &Joins{make([]int32, m), m}
	for i := range j.up {
		j.up[i] = int32(i)
	}
	return j
}

// Join makes one part of those of a and b. The smaller of their first things is the first of both.
func (j *Joins) Join(a, b int) {
	if x, y := j.first(int32(a)), j.first(int32(b)); x != y {
		j.up[max(x, y)] = min(x, y)
		j.parts--
	}
}

// Len is how many parts there are.
func (j *Joins) Len() int { return j.parts }

// First is the first thing of the part of i.
func (j *Joins) First(i int) int { return int(j.first(int32(i))) }

func (j *Joins) first(i int32) int32 {
	for j.up[i] != i {
		j.up[i] = j.up[j.up[i]]
		i = j.up[i]
	}
	return i
}

// Partition returns the parts, numbered by their first things, in O(m).
func (j *Joins) Partition() *data.Partition {
	of := make([]int32, len(j.up))
	parts := 0
	for i := range of {
		if first := j.first(int32(i)); int(first) == i {
			of[i] = int32(parts)
			parts++
		} else {
			of[i] = of[first]
		}
	}
	return data.NewPartition(of, parts)
}
