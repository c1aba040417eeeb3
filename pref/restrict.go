package pref

import "fmt"

// Restrict returns L_HH for the h given rows, ascending, which must be whole components:
// the Laplacian, h×h, of a problem that has those rows only. Cost O(h), and for a Graph
// the edges between them. It panics when a component lies partly outside, and for a
// Laplacian that is not of this package.
func Restrict(l Laplacian, rows []int32) Laplacian {
	local := make(map[int32]int32, len(rows))
	for a, i := range rows {
		local[i] = int32(a)
	}
	switch l := l.(type) {
	case *Blocks:
		return l.restrict(rows, local)
	case *DenseBlocks:
		parts, from := restrictParts(l.parts, rows, local)
		d := &DenseBlocks{parts: parts, blocks: make([][]float64, parts.Len())}
		for p, g := range from {
			d.blocks[p] = l.blocks[g]
		}
		return d
	case *Graph:
		parts, from := restrictParts(l.parts, rows, local)
		g := &Graph{m: len(rows), parts: parts, first: []int{0}}
		for _, p := range from {
			for _, e := range l.active[l.first[p]:l.first[p+1]] {
				e.I, e.J = int(local[int32(e.I)]), int(local[int32(e.J)])
				g.active = append(g.active, e)
			}
			g.first = append(g.first, len(g.active))
		}
		return g
	}
	panic(fmt.Sprintf("pref: no restriction of %T", l))
}

// restrictParts keeps the parts that lie in rows, renumbered by local, and says
// which part of p each of them was.
func restrictParts(p *Partition, rows []int32, local map[int32]int32) (*Partition, []int) {
	of, kept := p.Of(), make([]int32, len(rows))
	var from []int
	seen := map[int32]bool{}
	for _, i := range rows {
		g := of[i]
		if seen[g] {
			continue
		}
		seen[g] = true
		for _, j := range p.Part(int(g)) {
			a, ok := local[j]
			if !ok {
				panic(fmt.Sprintf("pref: restriction cuts the component of row %d", j))
			}
			kept[a] = int32(len(from))
		}
		from = append(from, int(g))
	}
	return NewPartition(kept, len(from)), from
}

func (b *Blocks) restrict(rows []int32, local map[int32]int32) *Blocks {
	parts, from := restrictParts(b.parts, rows, local)
	r := newBlocks(parts)
	for a, i := range rows {
		r.diag[a] = b.diag[i]
	}
	for p, g := range from {
		r.whole[p], r.between[p] = b.whole[g], b.between[g]
	}
	if b.classes == nil {
		return r
	}
	class := make([]int32, len(rows))
	r.first = []int{0}
	for _, g := range from {
		for c := b.first[g]; c < b.first[g+1]; c++ {
			for _, i := range b.classes.Part(c) {
				class[local[i]] = int32(len(r.scale))
			}
			r.scale = append(r.scale, b.scale[c])
		}
		r.first = append(r.first, len(r.scale))
	}
	r.classes = NewPartition(class, len(r.scale))
	return r
}
