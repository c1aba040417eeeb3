// Package ostat computes order statistics counts: how many pairs of a list two
// orderings agree on, in O(m log m) where the definition takes O(m²).
//
// The pieces, one a file:
//
//   - pairs.go: [Pairs], the five classes a pair can fall into, and [Counter],
//     which counts them for one set of labels and many score vectors;
//   - levels.go: the walk for a few label levels, packed counters in one word;
//   - walkmembers.go: the walk for many levels, on a set of places;
//   - members.go: that set, bits with a ladder of counts over them;
//   - short.go: the same set for lists of up to 1023 rows;
//   - margins.go: [Margins], the pairs with a hinge loss, of many lists;
//   - margincount.go: how many such pairs each row has, in four ways;
//   - prefixranks.go: the same for long lists of many levels, from the ranks of
//     places among the first positions, which reach.go asks for;
//   - resort.go: the sort of a large list of them, from the order it had last;
//   - marginsums.go: sums over them, with blocksums.go for many levels;
//   - ranktree.go: the red-black tree of the paper;
//   - concordance.go: [Concordance], the same count for each row;
//   - order.go: the sort below both, by buckets for short lists; orderlong.go: by
//     bins in two digits for long ones; argsort.go exports it.
//
// Notation: m rows; y labels; f scores; r distinct labels, the levels.
package ostat
