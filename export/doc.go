// Package export writes models in the formats of other programs: search engines, other
// learners, ONNX, and source text that scores without this library.
//
// [Write] takes a model of rows or a model of pairs, a [Target] and [Options]; [Abilities]
// is the table of what each target can express. A target refuses what it cannot, with a
// [RefusedError] that says what to do instead, and what is lost on the way, such as
// precision or a constant that does not rank, comes back as notes. docs/exports.md has the
// formats.
//
// Below it are export/onnx, which writes ONNX graphs, and export/source, which writes Go,
// JavaScript, SQL and a page. Models of other tools are read by package format/foreign.
package export
