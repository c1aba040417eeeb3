// Package report makes documents of results: plain data with a JSON form, by encoding/json, and a text for
// people, by WriteText.
//
// A document is its data. Its first key is its [Kind], and [Read] returns the document that was written. Text
// and page (package report/page) are functions of the document, for one that was made here and for one that was
// read. [Facts] describe the training of a model, [Data] the data, and [Selection] the choice and its held-out
// error. They are the same for rows and for edges.
//
// Files:
//   - build.go, build_edges.go: the documents of results
//   - all others: the documents, their JSON and their texts
package report
