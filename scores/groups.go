package scores

import (
	"slices"

	"pairrank/internal/pick"
)

// mostGroups bounds the groups that are listed.
const mostGroups = 200

// groupsOf are the largest sets of systems no two of which are told apart: a system is in each set whose letter it has
// (Piepho 2004, An algorithm for a letter-based representation of all-pairwise comparisons). They are the maximal
// cliques of the graph of what is not told apart (Bron and Kerbosch 1973, Finding all cliques of an undirected graph),
// in the order of their best systems, for systems in the order of their worth. It returns nil where there are more than
// mostGroups.
func groupsOf(systems int, tied func(a, b int) bool) [][]int {
	var groups [][]int
	var grow func(in, may, out []int) bool
	grow = func(in, may, out []int) bool {
		if len(may) == 0 && len(out) == 0 {
			groups = append(groups, slices.Clone(in))
			return len(groups) <= mostGroups
		}
		pivot := pivotOf(may, out, tied)
		for _, k := range slices.Clone(may) {
			if k != pivot && tied(k, pivot) {
				continue
			}
			with := func(of []int) []int {
				return slices.DeleteFunc(slices.Clone(of), func(t int) bool { return t == k || !tied(k, t) })
			}
			if !grow(append(in[:len(in):len(in)], k), with(may), with(out)) {
				return false
			}
			may = slices.DeleteFunc(slices.Clone(may), func(t int) bool { return t == k })
			out = append(out[:len(out):len(out)], k)
		}
		return true
	}
	if !grow(nil, pick.All[int](systems), nil) {
		return nil
	}
	for _, g := range groups {
		slices.Sort(g)
	}
	slices.SortFunc(groups, slices.Compare)
	return groups
}

// pivotOf is the system of two lists that is tied with most of the first one.
func pivotOf(may, out []int, tied func(a, b int) bool) int {
	pivot, most := 0, -1
	for _, of := range [][]int{may, out} {
		for _, k := range of {
			joined := 0
			for _, t := range may {
				if tied(k, t) {
					joined++
				}
			}
			if joined > most {
				pivot, most = k, joined
			}
		}
	}
	return pivot
}
