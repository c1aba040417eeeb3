// Package pipeline is training on, and scoring of, many files as Apache Beam pipelines,
// which run on one machine (Prism), on Flink and Spark, and on Dataflow.
//
// It only carries: what is summed, trained and scored is that of package pairrank. A file
// is one element, read from its first row to its last by one DoFn, which emits one sum of
// O(n²) numbers for n features; the sums are merged in the order of the files, in one
// place, so that the model is bit for bit that of stream.Sum over the same files,
// whatever the runner, the number of workers and retries:
//
//	files → Reshuffle → sum each → merge in order → train, write
//
// Where the rows of a query are scattered over files (Input.Scattered) they are shuffled
// before they are summed, which costs the transport of all of them:
//
//	files → Reshuffle → rows by bucket of their qid → GroupByKey → sum each bucket → …
//
// Scoring has no exchange at all: files → Reshuffle → scores of each.
//
// Names of files are those of Beam's file systems: of the machine and gs://, and others where
// the program imports them.
package pipeline
