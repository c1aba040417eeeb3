// Package trec reads and writes the two text formats of TREC evaluation and joins them for package
// metric.
//
//   - qrels, the judgements, have lines `query iteration document relevance`. The iteration is
//     ignored and written as 0. Relevance is a whole number; below 0 means not judged.
//   - a run, the ranked documents, has lines `query Q0 document rank score tag`. The second field,
//     the rank and text after the tag are ignored: documents are ordered by score, equal scores by
//     name, both descending.
//
// White space separates fields. Blank lines and lines whose first field starts with # are skipped.
// Queries and documents may come in any order; a document that appears twice in a query is an
// error. Every error of a reader is a [data.SyntaxError], file:line:column.
//
// Source: the README and file formats of trec_eval 10 (NIST).
package trec
