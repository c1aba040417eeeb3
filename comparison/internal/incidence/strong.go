package incidence

import "pairrank/data"

// Graded reports whether an outcome lies between a win and a loss, and is no tie: a win leaves a rest.
func Graded(of Source) bool {
	for c := range of.Len() {
		if of.At(c).Rest > 0 {
			return true
		}
	}
	return false
}

// Separated returns the items in sets. Within a set each item has beaten or tied each other one, directly or through
// others; ties says that ties count, and an outcome that leaves a rest counts as one. Without features and covariates
// the logistic loss has a finite optimum at λ = 0 exactly if the sets are the components (Ford 1957, Solution of a
// ranking problem from binary comparisons). Sets are in topological order of their wins. Cost O(N + C).
func Separated(of Source, n int, ties bool) *data.Partition {
	beats := make([][]int32, n)
	for c := range of.Len() {
		l := of.At(c)
		tie := l.Ties > 0 && ties
		tie = tie || l.Rest > 0 && l.Wins+l.Losses > 0
		if l.Wins > 0 || tie {
			beats[l.Left] = append(beats[l.Left], int32(l.Right))
		}
		if l.Losses > 0 || tie {
			beats[l.Right] = append(beats[l.Right], int32(l.Left))
		}
	}
	t := &tarjan{edges: beats, index: make([]int32, n), low: make([]int32, n), on: make([]bool, n), of: make([]int32, n)}
	for i := range n {
		if t.index[i] == 0 {
			t.visit(int32(i))
		}
	}
	for i := range t.of {
		t.of[i] = t.sets - 1 - t.of[i] // sets are found from the last to the first
	}
	return data.NewPartition(t.of, int(t.sets))
}

// tarjan finds strongly connected components (Tarjan 1972, Depth-first search and linear graph
// algorithms), with a stack of its own, since chains of items may be long.
type tarjan struct {
	edges      [][]int32
	index, low []int32 // from 1; 0 is not visited
	on         []bool  // on the stack
	stack      []int32
	of         []int32
	sets, next int32
}

func (t *tarjan) visit(start int32) {
	type frame struct {
		item int32
		edge int
	}
	open := func(i int32) frame {
		t.next++
		t.index[i], t.low[i], t.on[i] = t.next, t.next, true
		t.stack = append(t.stack, i)
		return frame{item: i}
	}
	calls := []frame{open(start)}
	for len(calls) > 0 {
		f := &calls[len(calls)-1]
		i := f.item
		if f.edge < len(t.edges[i]) {
			j := t.edges[i][f.edge]
			f.edge++
			if t.index[j] == 0 {
				calls = append(calls, open(j))
			} else if t.on[j] {
				t.low[i] = min(t.low[i], t.index[j])
			}
			continue
		}
		if t.low[i] == t.index[i] {
			for {
				j := t.stack[len(t.stack)-1]
				t.stack = t.stack[:len(t.stack)-1]
				t.on[j], t.of[j] = false, t.sets
				if j == i {
					break
				}
			}
			t.sets++
		}
		if calls = calls[:len(calls)-1]; len(calls) > 0 {
			above := calls[len(calls)-1].item
			t.low[above] = min(t.low[above], t.low[i])
		}
	}
}
