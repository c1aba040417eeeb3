// Package report has what is told of a result: documents of plain data, each with a
// JSON form, by encoding/json, and a text for people, by WriteText.
//
// A document is its data: its first key says its [Kind], [Read] returns what was written, and
// text and page (package report/page) are functions of the document, whether it was made here or
// read. [Facts] say how a model is learnt, [Data] what from, and [Selection] what is chosen and its
// held-out error; they are the same of rows and of edges. build.go and build_edges.go make the
// documents of results; the other files only write them.
package report
