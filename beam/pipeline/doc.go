// Package pipeline trains on, and scores, many files as Apache Beam pipelines: on one machine
// (Prism), on Flink and Spark, and on Dataflow.
//
// The package only carries data; package pairrank sums, trains and scores. A file is one element.
// One DoFn reads it from its first row to its last and emits one sum of O(n²) numbers for n
// features. The sums are merged in file order, in one place, so the model is bit for bit that of
// stream.Sum over the same files, for any runner, number of workers and retries:
//
//	files → Reshuffle → sum each → merge in order → train, write
//
// Rows of queries that are scattered over files (Input.Scattered) are shuffled before they are
// summed, which transports all rows:
//
//	files → Reshuffle → rows by bucket of their qid → GroupByKey → sum each bucket → …
//
// Scoring has no exchange at all: files → Reshuffle → scores of each.
//
// There is no CombineFn, which merges in any order and so changes the last bits from run to run. One
// worker reads the sums by file number from a side input: 10,000 sums of 46 features and ten folds
// are 2.5 GB of traffic and some seconds. The files are not read by textio.Read, which loses rows of
// compressed files while its job succeeds (Beam 2.77.0). Closures and unexported fields do not reach
// another machine: every DoFn is a registered struct, and the tests run with --beam_strict.
//
// Names of files are those of Beam's file systems: the machine and gs://, and others where the
// program imports them.
package pipeline
