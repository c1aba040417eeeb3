// Package stream trains RankRLS and plain least squares on rows that are read once, query by query, and need not
// fit into memory: it keeps their [Statistics], sums over queries, whose size does not depend on the number of rows.
// The model is that of package pairrank with the same options.
//
//   - [Sum] makes the statistics of [Part]s, such as files, several at a time; [New] those of no query;
//   - Statistics are added to, merged, forgotten from, and written as bytes;
//   - [Statistics.Train] chooses λ by folds of the queries, exactly, and trains;
//   - a [Mapping] replaces the features of the rows by explicit ones of a kernel.
package stream
