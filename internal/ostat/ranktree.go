package ostat

// rankTree is the order statistics tree of Airola, Pahikkala and Salakoski
// 2011, section 4.2: a red-black tree (Bayer 1972; Cormen et al. 2001, chapters
// 13 and 14) with one node for each distinct key, the number of times it was
// put in (nodesize) and the size of its subtree; with the sizes it keeps sums
// of the values put in. Nodes live in arrays, node 0 is the missing one.
type rankTree struct {
	nodes []rankNode
	root  int32
}

// rankNode is a node: the same and total counts and values are those of its key
// and of its subtree.
type rankNode struct {
	child       [2]int32 // left, right
	parent      int32
	key         int32
	red         bool
	same, total int32
	value, sum  float64
}

// reset empties the tree and makes room for the given number of distinct keys.
func (t *rankTree) reset(keys int) {
	if cap(t.nodes) < keys+1 {
		t.nodes = make([]rankNode, 0, keys+1)
	}
	t.nodes = append(t.nodes[:0], rankNode{})
	t.root = 0
}

// put adds a key with a value.
func (t *rankTree) put(key int32, value float64) {
	parent, at := int32(0), t.root
	for at != 0 {
		n := &t.nodes[at]
		n.total++
		n.sum += value
		if n.key == key {
			n.same++
			n.value += value
			return
		}
		parent, at = at, n.child[toward(key > n.key)]
	}
	t.nodes = append(t.nodes, rankNode{parent: parent, key: key, red: true, same: 1, total: 1,
		value: value, sum: value})
	at = int32(len(t.nodes) - 1)
	if parent == 0 {
		t.root = at
	} else {
		t.nodes[parent].child[toward(key > t.nodes[parent].key)] = at
	}
	t.rebalance(at)
}

// toward is the index of a child.
func toward(right bool) int {
	if right {
		return 1
	}
	return 0
}

// rebalance restores the colours from a new node up: no red node has a red parent.
func (t *rankTree) rebalance(at int32) {
	n := t.nodes
	for n[n[at].parent].red {
		parent := n[at].parent
		grand := n[parent].parent
		side := toward(n[grand].child[1] == parent)
		uncle := n[grand].child[1-side]
		if n[uncle].red {
			n[parent].red, n[uncle].red, n[grand].red = false, false, true
			at = grand
			continue
		}
		if n[parent].child[1-side] == at {
			t.rotate(parent, side)
			at, parent = parent, at
		}
		n[parent].red, n[grand].red = false, true
		t.rotate(grand, 1-side)
	}
	n[t.root].red = false
}

// rotate puts the child of node at that is opposite to side above it, and it
// below that child on this side.
func (t *rankTree) rotate(at int32, side int) {
	n := t.nodes
	up := n[at].child[1-side]
	moved := n[up].child[side]
	n[at].child[1-side] = moved
	if moved != 0 {
		n[moved].parent = at
	}
	above := n[at].parent
	n[up].parent = above
	if above == 0 {
		t.root = up
	} else {
		n[above].child[toward(n[above].child[1] == at)] = up
	}
	n[up].child[side] = at
	n[at].parent = up
	n[up].total, n[up].sum = n[at].total, n[at].sum
	left, right := n[at].child[0], n[at].child[1]
	n[at].total = n[left].total + n[right].total + n[at].same
	n[at].sum = n[left].sum + n[right].sum + n[at].value
}

// larger is Count-Larger: how many keys above key were put in, and the sum of
// their values.
func (t *rankTree) larger(key int32) (count int32, sum float64) { return t.beyond(key, 0) }

// smaller is Count-Smaller, Algorithm 2 of the paper.
func (t *rankTree) smaller(key int32) (count int32, sum float64) { return t.beyond(key, 1) }

// beyond counts the keys on the far side of key: walking from the root, a node
// on the far side counts with its farther subtree, and the walk goes on to the
// near side.
func (t *rankTree) beyond(key int32, near int) (count int32, sum float64) {
	for at := t.root; at != 0; {
		n := &t.nodes[at]
		far := &t.nodes[n.child[1-near]]
		switch {
		case n.key == key:
			return count + far.total, sum + far.sum
		case toward(n.key < key) == near: // the node is beyond
			count, sum = count+n.same+far.total, sum+n.value+far.sum
			at = n.child[near]
		default:
			at = n.child[1-near]
		}
	}
	return count, sum
}
