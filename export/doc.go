// Package export writes models in the formats of other programs: search engines, other learners,
// ONNX, and source text that scores without this library.
//
// [Write] takes a model of rows or a model of pairs, a [Target] and [Options]. Targets differ in
// what they can express: for anything else a target returns a *fault.RefusedError that says
// what to do instead. Notes list what is lost, such as precision, or a constant that does not
// change the order. docs/exports.md has the formats.
//
// Package format/foreign reads models of other tools.
package export
