package ostat

// blockSums keeps values at places, and sums those at the places below a given one: leaves of 16 places, and over them
// a ladder of nodes with eight children, as in members, which keep the sums of the children before each. A step is
// seven additions to put and one look to sum, without a branch that depends on the data: 20,000 places in random order
// take 0.7 to 0.8 of the time of a Fenwick tree over the leaves. With more than 2^17 places the nodes miss the cache,
// and the tree takes 0.8 of the time.
type blockSums struct {
	leaves        [][sumLeaf]float64
	steps, memory [][]fanSums // from the leaves up
	tree, nodes   []float64   // tree[1:] of many places, else nil, and its memory
}

const (
	sumLeaf    = 16 // places of a leaf
	manyLeaves = 1 << 17 / sumLeaf
)

// fanSums are, for each of eight children or levels, the sum of those before it, or after it.
type fanSums [1 << fanBits]float64

// sumsAfter[c] is 1 for those after c, and sumsBefore[c] for those before it; leafBefore[k] is 1 for the places before k.
var (
	sumsAfter, sumsBefore [1 << fanBits]fanSums
	leafBefore            [sumLeaf][sumLeaf]float64
)

func init() {
	for c := range leafBefore {
		for v := range c {
			if leafBefore[c][v] = 1; c < len(sumsAfter) {
				sumsAfter[v][c], sumsBefore[c][v] = 1, 1
			}
		}
	}
}

// reset empties it and makes room for n places.
func (s *blockSums) reset(n int) {
	n = n/sumLeaf + 1 // below may be called for place n
	s.leaves = grown(s.leaves, n)
	clear(s.leaves)
	if s.tree = nil; n > manyLeaves {
		s.nodes = grown(s.nodes, n+1)
		clear(s.nodes)
		s.tree = s.nodes
		return
	}
	depth := 0
	for ; n > 1; depth++ {
		n = (n-1)>>fanBits + 1
		if depth == len(s.memory) {
			s.memory = append(s.memory, nil)
		}
		s.memory[depth] = grown(s.memory[depth], n)
		clear(s.memory[depth])
	}
	s.steps = s.memory[:depth]
}

// put sets the value of place k, which had none.
func (s *blockSums) put(k uint32, v float64) {
	s.leaves[k/sumLeaf][k%sumLeaf] = v
	k /= sumLeaf
	if s.tree != nil {
		insert(s.tree, int32(k+1), v)
		return
	}
	for _, step := range s.steps {
		f, m := &step[k>>fanBits], &sumsAfter[k&(1<<fanBits-1)] // as add, which is not made inline
		f[1] += v * m[1]
		f[2] += v * m[2]
		f[3] += v * m[3]
		f[4] += v * m[4]
		f[5] += v * m[5]
		f[6] += v * m[6]
		f[7] += v * m[7]
		k >>= fanBits
	}
}

// add adds v where the mask is 1.
func (f *fanSums) add(v float64, mask *fanSums) {
	f[0] += v * mask[0]
	f[1] += v * mask[1]
	f[2] += v * mask[2]
	f[3] += v * mask[3]
	f[4] += v * mask[4]
	f[5] += v * mask[5]
	f[6] += v * mask[6]
	f[7] += v * mask[7]
}

// below is the sum of the values at the places less than k.
func (s *blockSums) below(k uint32) float64 {
	f, m := &s.leaves[k/sumLeaf], &leafBefore[k%sumLeaf]
	if s.tree != nil {
		sum := prefix(s.tree, int32(k/sumLeaf))
		for _, v := range f[:k%sumLeaf] {
			sum += v
		}
		return sum
	}
	sum := ((f[0]*m[0] + f[1]*m[1]) + (f[2]*m[2] + f[3]*m[3])) + ((f[4]*m[4] + f[5]*m[5]) + (f[6]*m[6] + f[7]*m[7]))
	sum += (f[8]*m[8] + f[9]*m[9]) + (f[10]*m[10] + f[11]*m[11]) + ((f[12]*m[12] + f[13]*m[13]) + f[14]*m[14])
	k /= sumLeaf
	for _, step := range s.steps {
		sum += step[k>>fanBits][k&(1<<fanBits-1)]
		k >>= fanBits
	}
	return sum
}
