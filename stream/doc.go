// Package stream trains RankRLS and plain least squares on rows that need not fit into memory. It reads them
// once, query by query, and keeps their [Statistics]: sums over queries, whose size does not depend on the
// number of rows. The model is that of package pairrank with the same options.
//
//   - [Sum] computes the statistics of [Part]s, such as files, several at a time; [New] returns those of no
//     query.
//   - Statistics can be added to, merged, subtracted from, and written as bytes.
//   - [Statistics.Train] chooses λ exactly by folds of the queries, and trains.
//   - A [Mapping] replaces the features of the rows by explicit features of a kernel. Sum finds the knots of splines in
//     a first reading, unless they are given.
package stream
