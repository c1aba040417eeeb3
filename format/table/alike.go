package table

import (
	"math"

	"pairrank/data"
)

// alike finds the line of comparisons that are alike: of the same items, annotator, stratum, cluster, trust, weight,
// magnitude and rest. It keeps the numbers of lines, and half of their hashes, so that a line is only read where it is
// alike: eight bytes a slot, at most three quarters of them taken.
type alike struct{ slots []alikeSlot }

// alikeSlot is a line by its number from 1 and a hash; 0 is free.
type alikeSlot struct{ line, hash uint32 }

// find returns the line of comparisons that are like c, or takes the next one for it.
func (a *alike) find(c *data.Comparison, lines []data.Comparison) (at int32, is bool) {
	if 4*(len(lines)+1) > 3*len(a.slots) {
		a.grow()
	}
	hash := uint32(hashOf(c) >> 32)
	for slot := a.first(hash); ; slot = (slot + 1) & (len(a.slots) - 1) {
		switch s := &a.slots[slot]; {
		case s.line == 0:
			*s = alikeSlot{uint32(len(lines)) + 1, hash}
			return int32(len(lines)), false
		case s.hash == hash && areAlike(c, &lines[s.line-1]):
			return int32(s.line - 1), true
		}
	}
}

// first is the slot from which a hash is looked for.
func (a *alike) first(hash uint32) int { return int(hash) & (len(a.slots) - 1) }

// grow makes twice as many slots.
func (a *alike) grow() {
	const least = 64
	old := a.slots
	a.slots = make([]alikeSlot, max(least, 2*len(old)))
	for _, s := range old {
		if s.line == 0 {
			continue
		}
		slot := a.first(s.hash)
		for a.slots[slot].line > 0 {
			slot = (slot + 1) & (len(a.slots) - 1)
		}
		a.slots[slot] = s
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
