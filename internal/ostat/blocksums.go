package ostat

// blockSums keeps values at places, and sums those at the places below a given
// one: leaves in blocks of 16, and a Fenwick tree over the sums of blocks, a
// sixteenth as large as one over places, so that it stays in the cache.
type blockSums struct {
	leaf []float64
	tree []float64 // tree[1:]
}

const sumShift = 4

// reset empties it and makes room for n places.
func (s *blockSums) reset(n int) {
	blocks := n>>sumShift + 1
	s.leaf = grown(s.leaf, blocks<<sumShift)
	s.tree = grown(s.tree, blocks+1)
	clear(s.leaf)
	clear(s.tree)
}

// put sets the value of place k, which had none.
func (s *blockSums) put(k int32, v float64) {
	s.leaf[k] = v
	for x := int(k>>sumShift) + 1; x < len(s.tree); x += x & -x {
		s.tree[x] += v
	}
}

// below is the sum of the values at the places less than k.
func (s *blockSums) below(k int32) float64 {
	sum := 0.0
	for x := k >> sumShift; x > 0; x &= x - 1 {
		sum += s.tree[x]
	}
	for _, v := range s.leaf[k&^(1<<sumShift-1) : k] {
		sum += v
	}
	return sum
}
