package goals

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/pick"
)

// Restrict returns L_HH, as Laplacian has it, in O(h). It panics when a component lies
// partly outside.
func (d *DenseBlocks) Restrict(rows []int32) Laplacian {
	parts, from, _ := restrictParts(d.parts, rows)
	return &DenseBlocks{parts: parts, blocks: pick.Rows(d.blocks, from)}
}

// Restrict returns L_HH, as Laplacian has it, in O(h) and the edges between the rows. It
// panics when a component lies partly outside.
func (g *Graph) Restrict(rows []int32) Laplacian {
	parts, from, local := restrictParts(g.parts, rows)
	r := &Graph{m: len(rows), parts: parts, first: []int{0}}
	for _, p := range from {
		for _, e := range g.active[g.first[p]:g.first[p+1]] {
			e.I, e.J = int(local[int32(e.I)]), int(local[int32(e.J)])
			r.active = append(r.active, e)
		}
		r.first = append(r.first, len(r.active))
	}
	return r
}

// restrictParts keeps the parts that lie in rows. It also returns the number in p of each part
// kept, and the place of each row in rows.
func restrictParts(p *data.Partition, rows []int32) (parts *data.Partition, from []int, local map[int32]int32) {
	local = make(map[int32]int32, len(rows))
	for a, i := range rows {
		local[i] = int32(a)
	}
	of, kept := p.Of(), make([]int32, len(rows))
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
				panic(fmt.Sprintf("goals: restriction cuts the component of row %d", j))
			}
			kept[a] = int32(len(from))
		}
		from = append(from, int(g))
	}
	return data.NewPartition(kept, len(from)), from, local
}

// Restrict returns L_HH, as Laplacian has it, in O(h). It panics when a component lies
// partly outside.
func (b *Blocks) Restrict(rows []int32) Laplacian {
	parts, from, local := restrictParts(b.parts, rows)
	r := newBlocks(parts)
	for a, i := range rows {
		r.diag[a] = b.diag[i]
	}
	for p, g := range from {
		r.whole[p], r.between[p] = b.whole[g], b.between[g]
	}
	r.weights = b.weights.some(rows)
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
	r.classes = data.NewPartition(class, len(r.scale))
	return r
}
