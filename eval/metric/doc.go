// Package metric measures how good a ranking is: pairwise disagreement, AUC,
// Kendall's τ-b, NDCG, MAP, precision and reciprocal rank, each over the rows of
// queries.
//
// The flow:
//
//  1. [Parse] turns names into metrics; a [Metric] prints its name again.
//  2. [Evaluate] takes labels and scores of all queries and returns a [Report]:
//     every metric over the queries, every query's values, warnings.
//  3. [Evaluator] is one query at a time, without allocation: labels once, then
//     many score vectors, each giving a [Term] that a [Mean] adds up. Evaluate
//     is made of it, and so is model selection.
//
// By default a value never depends on the order of the rows: documents with tied scores are
// averaged over all their orders, in closed form (McSherry and Najork, Computing Information
// Retrieval Performance Measures Efficiently in the Presence of Tied Scores, ECIR 2008). A query
// without a relevant document, or without two different labels, has no value: it is undefined, left
// out of the mean and counted. A [Style] replaces these conventions by those of trec_eval, the
// LETOR scripts or the MSLR script; a metric that the style's tool does not compute is an error.
//
// docs/metrics.md has every formula and one query evaluated by hand.
//
// Notation: m rows of a query; y labels (relevance); f scores, higher first; i a
// position from 1; k a cut-off; t documents before a tie group, n in it, r of
// them relevant.
package metric
