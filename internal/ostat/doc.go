// Package ostat computes order statistics counts: how many pairs of a list two
// orderings agree on, in O(m log m) where the definition takes O(m²).
//
// The files:
//
//   - pairs.go: [Pairs], the five classes a pair can fall into, and [Counter],
//     which counts them for one set of labels and many score vectors;
//   - weightedpairs.go: [WeightedPairs], the same five classes where rows have weights;
//   - levels.go: the walk for a few label levels, packed counters in one word;
//   - walkmembers.go: the walk for many levels, on a set of places;
//   - members.go: that set, bits with a ladder of counts over them;
//   - short.go: the same set for lists of up to 1023 rows;
//   - margins.go: [Margins], the pairs with a hinge loss, of many lists;
//   - margincount.go: the number of such pairs of each row, by four algorithms;
//   - prefixranks.go: the same for long lists of many levels, from the ranks of places among the
//     first positions, with reach.go;
//   - resort.go: sorts a large list again, from its last order;
//   - marginsums.go: sums over them, with blocksums.go for many levels;
//   - ranktree.go: the red-black tree of the paper;
//   - concordance.go: [Concordance], the same count for each row, and concordanceweights.go, where rows have weights;
//   - censored.go: [Censored], the comparable pairs of times some of which are censored, and
//     censoredweights.go, where rows have weights;
//   - order.go: the sort that all use, by buckets for short lists; orderlong.go: by bins in two
//     digits for long lists; argsort.go exports it.
//
// Notation: m rows; y labels; f scores; r distinct labels, the levels.
package ostat
