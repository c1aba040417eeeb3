// Package stability measures how much a selection of features depends on the rows that it was made from: how often
// each feature came up in rounds of selection, Nogueira's index, and the features that stand in for others.
package stability

import (
	"cmp"
	"fmt"
	"math"
	"pairrank/internal/student"
	"slices"
)

// Selection compares the features selected from all rows with those of rounds, each selected from a part of them.
type Selection struct {
	// Features are the features selected from all rows, in the order in which they came in.
	Features []Feature
	// Others are the other features of some round, by falling count, then by number.
	Others []Count
	// Rounds is the number of rounds; 0 if there are none, and all counts are 0.
	Rounds int
	// Index is Nogueira's index of the rounds.
	Index Index
}

// Feature is a selected feature.
type Feature struct {
	Count
	// StandIns replace it: they are not selected from all rows, and came up in a larger share of the rounds without it
	// than of the rounds with it. The largest difference comes first; at most three.
	StandIns []StandIn
}

// Count is the number of rounds in which a feature, by its number from 0, came up.
type Count struct{ Feature, Rounds int }

// StandIn is a feature that came up in so many of the rounds without another one.
type StandIn struct{ Count }

// Index is the stability of Nogueira, Sechidis and Brown 2018, On the stability of feature selection algorithms
// (Journal of Machine Learning Research 18, definition 4 and corollary 9),
//
//	1 − mean_j s_j² / ((k/n)(1 − k/n))      s_j² = M/(M−1) p_j (1 − p_j)
//
// for the share p_j of M rounds with feature j of n, and the mean number k of features of a round. It is 1 if all
// rounds agree, about 0 if features come up at random, and at least −1/(M−1). Lo and Hi are its 95 % interval, with
// the paper's variance, which takes the rounds as independent. Rounds that share most of their rows are not, so the
// interval is about the rounds, not about further data. It is Defined for two rounds or more that select some features,
// not all.
type Index struct {
	Value, Lo, Hi float64
	Defined       bool
}

// indexOf returns the index of the sets of features that rounds selected among n. It costs O(features of all rounds).
// It panics for a feature that is not in [0,n), or twice in a round.
func indexOf(rounds [][]int, n int) Index {
	count := counts(rounds, n)
	total := 0
	for _, r := range rounds {
		total += len(r)
	}
	rows, all := float64(len(rounds)), float64(n)
	share := float64(total) / rows / all // k/n
	if len(rounds) < 2 || total == 0 || total == len(rounds)*n {
		return Index{}
	}
	spread := 0.0
	for _, c := range sortedCounts(count) {
		p := float64(c.Rounds) / rows
		spread += p * (1 - p)
	}
	chance := share * (1 - share)
	value := 1 - rows/(rows-1)*spread/all/chance
	// The influence of each round on the index.
	influence, mean := make([]float64, len(rounds)), 0.0
	for i, r := range rounds {
		agreed, own := 0.0, float64(len(r))/all
		for _, j := range r {
			agreed += float64(count[j]) / rows / all
		}
		influence[i] = (agreed - own*share + value/2*(2*own*share-own-share+1)) / chance
		mean += influence[i] / rows
	}
	variance := 0.0
	for _, v := range influence {
		variance += 4 / (rows * rows) * (v - mean) * (v - mean)
	}
	half := student.Normal975 * math.Sqrt(variance)
	return Index{Value: value, Lo: value - half, Hi: min(1, value+half), Defined: true}
}

// counts are the numbers of rounds with each feature.
func counts(rounds [][]int, n int) map[int]int {
	count := map[int]int{}
	for i, r := range rounds {
		seen := make(map[int]bool, len(r))
		for _, j := range r {
			if j < 0 || j >= n || seen[j] {
				panic(fmt.Sprintf("stability: round %d has feature %d, from 0, of %d, each at most once", i, j, n))
			}
			seen[j] = true
			count[j]++
		}
	}
	return count
}

// sortedCounts are counts, falling, equal ones by the number of the feature.
func sortedCounts(count map[int]int) []Count {
	var all []Count
	for j, c := range count {
		all = append(all, Count{j, c})
	}
	slices.SortFunc(all, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Rounds, a.Rounds), cmp.Compare(a.Feature, b.Feature))
	})
	return all
}

// mostStandIns is the number of features that stand in for one.
const mostStandIns = 3

// New compares chosen features, of n, with those of rounds. It costs O(chosen · features of all rounds). It panics as
// indexOf does.
func New(chosen []int, rounds [][]int, n int) *Selection {
	count := counts(rounds, n)
	s := &Selection{Rounds: len(rounds), Index: indexOf(rounds, n)}
	for _, j := range chosen {
		s.Features = append(s.Features, Feature{Count{j, count[j]}, standIns(j, chosen, rounds, count)})
	}
	for _, c := range sortedCounts(count) {
		if !slices.Contains(chosen, c.Feature) {
			s.Others = append(s.Others, c)
		}
	}
	return s
}

// standIns are the features that stood in for feature j.
func standIns(j int, chosen []int, rounds [][]int, count map[int]int) []StandIn {
	without := map[int]int{}
	for _, r := range rounds {
		if !slices.Contains(r, j) {
			for _, other := range r {
				without[other]++
			}
		}
	}
	with := count[j]
	absent := len(rounds) - with
	more := func(c Count) float64 {
		share := float64(c.Rounds) / float64(absent)
		if with > 0 {
			share -= float64(count[c.Feature]-c.Rounds) / float64(with)
		}
		return share
	}
	all := slices.DeleteFunc(sortedCounts(without), func(c Count) bool {
		return slices.Contains(chosen, c.Feature) || more(c) <= 0
	})
	slices.SortStableFunc(all, func(a, b Count) int { return cmp.Compare(more(b), more(a)) })
	var out []StandIn
	for _, c := range all[:min(len(all), mostStandIns)] {
		out = append(out, StandIn{c})
	}
	return out
}
