// Package report makes documents of results: plain data with a JSON form, by encoding/json, and a [View] for
// people.
//
// A document is its data. Its first key is its [Kind], and [Read] returns the document that was written. Its View has
// its facts, tables and figures, for one that was made here and for one that was read; text, tables in files and page
// (package internal/report/page) are renderings of it. [Facts] describe the training of a model, [Data] the data, and
// [Selection] the choice and its held-out error. They are the same for rows and for edges.
//
// Files:
//   - build.go, build_edges.go: the documents of results
//   - view.go, table.go: the view and its text
//   - path.go, pathtables.go: the errors of all candidates, of rows and of edges
//   - all others: the documents, their JSON and their views
package report
