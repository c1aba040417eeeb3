// Package report has what is told of a result: documents of plain data, each with a
// JSON form, by encoding/json, and a text for people, by WriteText.
package report
