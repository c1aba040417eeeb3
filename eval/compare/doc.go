// Package compare says whether one ranking is better than another on the same
// queries, or whether the difference may be chance.
//
// The flow:
//
//  1. metric.Evaluate gives the value of every query under ranking A and under
//     ranking B.
//  2. Reports pairs them: for every metric the differences d = a − b over the
//     queries where both are defined, whose rounding errors are flushed so that they
//     decide nothing, their mean with an interval, who won how often, and two tests of
//     "A and B are alike".
//  3. FlushRounding, Interval, Wilcoxon, SignFlip and Holm are its parts, for
//     differences from elsewhere.
//
// The tests ask different questions. Wilcoxon's signed ranks weigh a query by
// the rank of its difference, so that one odd query cannot decide; the sign-flip
// test, also called Fisher's randomisation test, is about the mean itself. On
// rankings they mostly agree (Smucker, Allan and Carterette, A comparison of
// statistical significance tests for information retrieval evaluation, CIKM 2007,
// who recommend the latter). Both are two-sided, need no normal distribution
// and assume that the queries are independent draws.
//
// docs/statistics.md has how often intervals and tests were measured to be right.
//
// A metric that pools pairs over queries has no value of a query to compare and
// is an error: its counterpart by query is not.
//
// Notation: q queries; a, b values of one query; d = a − b; n differences that
// are not 0.
package compare
