package table

import (
	"math"

	"pairrank/data"
)

// alike finds the line of comparisons that are alike: of the same items, annotator, stratum, cluster, trust, weight,
// magnitude and rest. It keeps the numbers of lines alone, four bytes a slot, at most half of them taken.
type alike struct {
	slots []int32 // the line, from 1; 0 is free
}

// find returns the line of comparisons that are like c, or takes the next one for it.
func (a *alike) find(c *data.Comparison, lines []data.Comparison) (at int32, is bool) {
	if 2*(len(lines)+1) > len(a.slots) {
		a.grow(lines)
	}
	slot := a.slot(c, lines)
	if at := a.slots[slot]; at > 0 {
		return at - 1, true
	}
	a.slots[slot] = int32(len(lines)) + 1
	return int32(len(lines)), false
}

// slot is the slot of the line that is like c, or the free one that it would take.
func (a *alike) slot(c *data.Comparison, lines []data.Comparison) int {
	mask := len(a.slots) - 1
	slot := int(hashOf(c)) & mask
	for a.slots[slot] > 0 && !areAlike(c, &lines[a.slots[slot]-1]) {
		slot = (slot + 1) & mask
	}
	return slot
}

// grow makes slots for twice as many lines.
func (a *alike) grow(lines []data.Comparison) {
	const least = 64
	a.slots = make([]int32, max(least, 2*len(a.slots)))
	for k := range lines {
		a.slots[a.slot(&lines[k], lines)] = int32(k) + 1
	}
}

func areAlike(a, b *data.Comparison) bool {
	return a.Left == b.Left && a.Right == b.Right && a.Annotator == b.Annotator && a.Stratum == b.Stratum &&
		a.Cluster == b.Cluster && a.Trusted == b.Trusted && a.Weight == b.Weight && a.Magnitude == b.Magnitude &&
		a.Rest == b.Rest
}

// hashOf mixes what comparisons that are alike share.
func hashOf(c *data.Comparison) uint64 {
	const factor = 0x9e3779b97f4a7c15
	h := uint64(0)
	for _, v := range [...]uint64{uint64(c.Left), uint64(c.Right), uint64(c.Annotator), uint64(c.Stratum),
		uint64(c.Cluster), math.Float64bits(c.Weight), math.Float64bits(c.Magnitude), math.Float64bits(c.Rest)} {
		h = (h ^ v) * factor
		h ^= h >> 29
	}
	return h
}
