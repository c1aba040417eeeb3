// Package trec reads and writes the two text formats of TREC evaluation and
// joins them for package metric.
//
//   - qrels, the judgements: `query iteration document relevance`, a line each;
//     the iteration is ignored and written as 0. Relevance is a whole number;
//     below 0 means not judged.
//   - a run, the ranked documents: `query Q0 document rank score tag`; the second
//     field, the rank and anything after the tag are ignored, as the order is
//     that of the scores, documents of equal score by name, descending.
//
// Fields are separated by white space. Blank lines and lines whose first field
// starts with # are skipped. Queries and documents may come in any order; a
// document that appears twice in a query is an error. Every error of a reader is a
// [SyntaxError], file:line:column.
//
// Source: the README and file formats of trec_eval 10 (NIST).
package trec
