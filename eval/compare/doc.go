// Package compare says whether one ranking is better than another on the same
// queries, or whether the difference may be chance.
//
// The flow:
//
//  1. metric.Evaluate gives the value of every query under ranking A and under
//     ranking B.
//  2. Reports pairs them: for every metric the differences d = a − b over the queries where both
//     are defined, with rounding errors flushed; their mean with an interval; the numbers of wins;
//     and two tests of the hypothesis that A and B are alike.
//  3. FlushRounding, Interval, Wilcoxon, SignFlip and Holm are the parts of Reports, for any
//     differences.
//
// The tests ask different questions. Wilcoxon's signed ranks weigh a query by
// the rank of its difference, so that one odd query cannot decide; the sign-flip
// test, also called Fisher's randomisation test, is about the mean itself. On
// rankings they mostly agree (Smucker, Allan and Carterette, A comparison of
// statistical significance tests for information retrieval evaluation, CIKM 2007,
// who recommend the latter). Both are two-sided, need no normal distribution
// and assume that the queries are independent draws.
//
// docs/statistics.md has the measured coverage of the intervals and levels of the tests.
//
// A metric that pools pairs over queries has no value for a single query, and is an error. Use its
// counterpart by query.
//
// DeLong compares scores of single rows with two labels by their areas under the ROC curve.
//
// Notation: q queries; a, b values of one query; d = a − b; n differences that
// are not 0.
package compare
