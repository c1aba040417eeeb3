package table

import (
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/parallel"
)

// alike finds the line of comparisons that are alike: of the same items, annotator, stratum, cluster, trust, weight,
// magnitude and rest. It keeps the numbers of lines, and half of their hashes, so that a line is only read where it is
// alike: eight bytes a slot, at most three quarters of them taken.
type alike struct {
	slots   []alikeSlot
	waiting []waiting  // comparisons that are not looked for yet
	before  []waiting  // those that are added beside the reader
	adding  chan error // of these; nil for none
	touched uint32     // what slots have, so that they are read
}

// waiting is comparisons with what is counted of them: nothing where outcome is none.
type waiting struct {
	data.Comparison
	hash    uint32
	outcome int8
}

// mostWaiting is how many comparisons are looked for at once, so that reads of slots do not wait for one another, and
// mostBeside how many are added beside the reader; none says that a line of the file counts nothing.
const (
	mostWaiting = 256
	mostBeside  = 16 * mostWaiting
	none        = -2
)

// touchAll reads the slots where some are looked for first.
func (a *alike) touchAll(some []waiting, lines int) {
	for 4*(lines+len(some)) > 3*len(a.slots) {
		a.grow()
	}
	for k := range some {
		a.touched ^= a.slots[a.first(some[k].hash)].hash
	}
}

// alikeSlot is a line by its number from 1 and a hash; 0 is free.
type alikeSlot struct{ line, hash uint32 }

// find returns the line of comparisons that are like c, or takes the next one for it.
func (a *alike) find(c *data.Comparison, hash uint32, lines *data.Comparisons) (at int32, is bool) {
	if 4*(lines.Len()+1) > 3*len(a.slots) {
		a.grow()
	}
	for slot := a.first(hash); ; slot = (slot + 1) & (len(a.slots) - 1) {
		s := &a.slots[slot]
		if s.line == 0 {
			*s = alikeSlot{uint32(lines.Len()) + 1, hash}
			return int32(lines.Len()), false
		}
		if s.hash == hash && areAlike(c, lines.LineTo(new(data.Comparison), int(s.line-1))) {
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
func hashOf(c *data.Comparison) uint32 {
	const factor = 0x9e3779b97f4a7c15
	h := uint64(0)
	for _, v := range [...]uint64{uint64(c.Left), uint64(c.Right), uint64(c.Annotator), uint64(c.Stratum),
		uint64(c.Cluster), math.Float64bits(c.Weight), math.Float64bits(c.Magnitude), math.Float64bits(c.Rest)} {
		h = (h ^ v) * factor
		h ^= h >> 29
	}
	return uint32(h >> 32)
}

// add adds comparisons to the line of those that are alike, or a new one: at once those that stay apart, as lines with
// covariates do, and many together where they are looked for.
func (r *comparisonReader) add(c *data.Comparison, outcome int8, fields []field) error {
	if !r.apart {
		most := mostWaiting
		if r.beside() {
			most = mostBeside
		}
		if r.same.waiting = append(r.same.waiting, waiting{*c, hashOf(c), outcome}); len(r.same.waiting) < most {
			return nil
		}
		return r.gather()
	}
	for _, k := range r.covariates {
		if outcome == none {
			break
		}
		v, err := r.truth(fields[k])
		if err != nil {
			return err
		}
		r.x = append(r.x, v)
	}
	return r.put(c, int32(r.out.Lines.Len()), false, outcome)
}

// beside reports whether lines are added while the next ones are read: once memory for all of them is set aside, and
// where there is a processor more.
func (r *comparisonReader) beside() bool { return r.reserved && parallel.Workers() > 1 }

// gather adds those that wait, or begins to, after those before.
func (r *comparisonReader) gather() error {
	if err := r.gathered(); err != nil {
		return err
	}
	a, adding := &r.same, make(chan error, 1)
	some := a.waiting
	a.waiting, a.before, a.adding = a.before[:0], some, adding
	if !r.beside() {
		adding <- r.addAll(some)
		return r.gathered()
	}
	go func() { adding <- r.addAll(some) }()
	return nil
}

// gathered waits until those are added that gather has begun with.
func (r *comparisonReader) gathered() (err error) {
	if r.same.adding != nil {
		err, r.same.adding = <-r.same.adding, nil
	}
	return err
}

// addAll adds comparisons.
func (r *comparisonReader) addAll(all []waiting) error {
	for some := range slices.Chunk(all, mostWaiting) {
		r.same.touchAll(some, r.out.Lines.Len())
		for k := range some {
			w := &some[k]
			at, is := int32(0), false
			if w.outcome != none {
				at, is = r.same.find(&w.Comparison, w.hash, r.out.Lines)
			}
			if err := r.put(&w.Comparison, at, is, w.outcome); err != nil {
				return err
			}
		}
	}
	return nil
}

// put adds comparisons to a line, which is there already or is the next one.
func (r *comparisonReader) put(c *data.Comparison, at int32, is bool, outcome int8) error {
	out := &r.out
	switch {
	case len(out.Of) == math.MaxInt32:
		return fmt.Errorf("%s: more than %d comparisons", r.lines.name, math.MaxInt32)
	case outcome == none:
		out.Of, out.Outcome = append(out.Of, -1), append(out.Outcome, -1)
		return nil
	case is:
		out.Lines.Add(int(at), c.Wins, c.Losses, c.Ties)
	default:
		out.Lines.Append(*c)
	}
	out.Of, out.Outcome = append(out.Of, at), append(out.Outcome, outcome)
	return nil
}
