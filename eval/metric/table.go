package metric

import (
	"math"

	"pairrank/internal/ostat"
)

// row is all that is known of a kind of metric. To add a metric, add its kind, its name for programs and its row in
// this file, and its definition to docs/metrics.md: its term is one of pairs, of times, or of positions.
type row struct {
	name  string // without a cut-off
	cut   cutoff
	trec  string // what trec_eval calls it where that is another name; a cut-off follows it as _5
	tools styles // that compute it, besides the default style
	only  string // why the default style does not compute it, or ""

	loss, pooled bool    // whether less is better, and whether pairs weigh alike, not queries
	least        float64 // of a query; the largest is 1
	needs        needs   // to be computed
	wants        string  // what a query needs to have a value

	pairs    func(p counted) Term                        // of the pairs of a query with some
	times    ostat.Weighing                              // of the comparable pairs of times; 0 where labels are none
	position func(e *Evaluator, j int, m Metric) float64 // of metric j, of a query that has what it wants
}

// The kinds of metrics, in the order they are listed.
const (
	disagreement kind = iota
	pooledDisagreement
	disagreementError
	concordance
	auc
	pooledAUC
	tauB
	ndcg
	meanNDCG
	averagePrecision
	precision
	recall
	reciprocalRank
	expectedRank
	cIndex
	unoC
	timeAUC
	numKinds
)

// The metrics without a cut-off; docs/metrics.md defines each.
var (
	// Disagreement is the mean over queries of the fraction of a query's
	// comparable pairs that are ordered wrongly, tied scores counting ½.
	Disagreement = Metric{kind: disagreement}
	// PooledDisagreement is that fraction of the comparable pairs of all queries.
	PooledDisagreement = Metric{kind: pooledDisagreement}
	// DisagreementError is the pooled fraction with a tied score a whole error,
	// sign(0) = −1 (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg, An
	// efficient algorithm for learning to rank from preference graphs, Machine
	// Learning 75, 2009, equation 1).
	DisagreementError = Metric{kind: disagreementError}
	// Concordance is 1 − Disagreement.
	Concordance = Metric{kind: concordance}
	// AUC is the mean over queries of the area under the ROC curve.
	AUC = Metric{kind: auc}
	// PooledAUC is AUC over the pairs of all queries; pairs never cross queries.
	PooledAUC = Metric{kind: pooledAUC}
	// TauB is the mean over queries of Kendall's τ-b.
	TauB = Metric{kind: tauB}
	// NDCG is normalised discounted cumulative gain over the whole list.
	NDCG = Metric{kind: ndcg}
	// MeanNDCG is the mean of NDCG@1 … NDCG@m; the LETOR 4.0 script has it.
	MeanNDCG = Metric{kind: meanNDCG}
	// MAP is the mean over queries of average precision.
	MAP = Metric{kind: averagePrecision}
	// MRR is the mean over queries of the reciprocal rank of the first relevant
	// document.
	MRR = Metric{kind: reciprocalRank}
	// ERR is the mean over queries of the expected reciprocal rank, for labels
	// from 0 to 4.
	ERR = Metric{kind: expectedRank}
	// CIndex is the share of the comparable pairs of censored times, of all strata, that scores order as the times, tied
	// scores ½ (Harrell, Califf, Pryor, Lee and Rosati 1982, Evaluating the yield of medical tests). Its cut-off is a
	// horizon, as [Parse] reads it from "c-index@365": the shorter time is at most that.
	CIndex = Metric{kind: cIndex}
	// UnoC is CIndex with pairs that weigh 1/G(t−)², G the Kaplan–Meier estimate of the time until censoring in the
	// stratum (Uno, Cai, Pencina, D'Agostino and Wei 2011).
	UnoC = Metric{kind: unoC}
)

// Timed are the metrics of censored times.
func Timed() []Metric { return []Metric{CIndex, UnoC} }

// NDCGAt is NDCG of the first k positions. It panics if k < 1.
func NDCGAt(k int) Metric { return cut(ndcg, k) }

// PrecisionAt is the fraction of relevant documents among the first k
// positions. It panics if k < 1.
func PrecisionAt(k int) Metric { return cut(precision, k) }

// RecallAt is the fraction of the relevant documents that are among the first k
// positions. It panics if k < 1.
func RecallAt(k int) Metric { return cut(recall, k) }

// ERRAt is ERR of the first k positions. It panics if k < 1.
func ERRAt(k int) Metric { return cut(expectedRank, k) }

// What many metrics want of a query.
const (
	twoLabels   = "two different labels"
	oneRelevant = "a relevant document"
	bothSides   = "a relevant and another document"
	oneAbove    = "a label above 0"
	twoTimes    = "a comparable pair of times"
	twoSides    = "an event until the horizon and a row whose time is beyond it"
)

var (
	ofPairs    = needs{pairs: true}
	ofAUC      = needs{auc: true}
	ofGain     = needs{position: true, gain: true}
	ofRelevant = needs{position: true, relevant: true}
	ofStops    = needs{position: true, stop: true}
	ofTimes    = needs{times: true}
)

// table has a row for each kind.
var table = [numKinds]row{
	disagreement: {name: "disagreement", loss: true, needs: ofPairs, wants: twoLabels,
		pairs: func(p counted) Term { return Term{p.wrong / p.n, 1} }},
	pooledDisagreement: {name: "pooled-disagreement", loss: true, pooled: true, needs: ofPairs, wants: twoLabels,
		pairs: func(p counted) Term { return Term{p.wrong, p.n} }},
	disagreementError: {name: "disagreement-error", loss: true, pooled: true, needs: ofPairs, wants: twoLabels,
		pairs: func(p counted) Term { return Term{p.wrong + p.half, p.n} }},
	concordance: {name: "concordance", needs: ofPairs, wants: twoLabels,
		pairs: func(p counted) Term { return Term{p.right / p.n, 1} }},
	auc: {name: "auc", needs: ofAUC, wants: bothSides,
		pairs: func(p counted) Term { return Term{p.right / p.n, 1} }},
	pooledAUC: {name: "pooled-auc", pooled: true, needs: ofAUC, wants: bothSides,
		pairs: func(p counted) Term { return Term{p.right, p.n} }},
	tauB: {name: "tau-b", least: -1, needs: ofPairs, wants: "two different labels and two different scores",
		pairs: func(p counted) Term {
			ranked := p.Concordant + p.Discordant + p.TiedLabel
			if ranked == 0 {
				return Term{}
			}
			return Term{(p.right - p.wrong) / math.Sqrt(p.n*ranked), 1}
		}},

	ndcg: {name: "ndcg", cut: optional, trec: "ndcg_cut", tools: of(TREC, LETOR3, LETOR4, MSLR), needs: ofGain,
		wants: oneAbove, position: (*Evaluator).gainAt},
	meanNDCG: {name: "mean-ndcg", tools: of(LETOR4), only: "the average of the LETOR 4.0 script: it needs style letor4",
		needs: ofGain, wants: oneAbove,
		position: func(e *Evaluator, _ int, _ Metric) float64 { return e.meanNDCG() }},
	averagePrecision: {name: "map", tools: of(TREC, LETOR3, LETOR4, MSLR), needs: ofRelevant, wants: oneRelevant,
		position: func(e *Evaluator, _ int, _ Metric) float64 { return e.averagePrecision() }},
	precision: {name: "p", cut: needed, trec: "P", tools: of(TREC, LETOR3, LETOR4, MSLR), needs: ofRelevant,
		wants: oneRelevant,
		position: func(e *Evaluator, _ int, m Metric) float64 {
			if e.convention.shortP && len(e.order) < m.k {
				return 0
			}
			return e.relevantWithin(m.k) / float64(m.k)
		}},
	recall: {name: "recall", cut: needed, trec: "recall", tools: of(TREC), needs: ofRelevant, wants: oneRelevant,
		position: func(e *Evaluator, _ int, m Metric) float64 { return e.relevantWithin(m.k) / float64(e.total) }},
	reciprocalRank: {name: "mrr", trec: "recip_rank", tools: of(TREC), needs: ofRelevant, wants: oneRelevant,
		position: func(e *Evaluator, _ int, _ Metric) float64 { return e.reciprocalRank() }},
	expectedRank: {name: "err", cut: optional, needs: ofStops, wants: oneAbove,
		position: func(e *Evaluator, _ int, m Metric) float64 { return e.expectedReciprocalRank(m.k) }},
	cIndex:  {name: "c-index", cut: optional, pooled: true, needs: ofTimes, wants: twoTimes, times: ostat.Alike},
	unoC:    {name: "uno-c", cut: optional, pooled: true, needs: ofTimes, wants: twoTimes, times: ostat.Squared},
	timeAUC: {name: "time-auc", cut: needed, pooled: true, needs: ofTimes, wants: twoSides, times: ostat.Dynamic},
}

// counted are the comparable pairs of a query: n of them, wrong and right ones with half of those of tied scores.
type counted struct {
	ostat.WeightedPairs
	n, wrong, right, half float64
}

// pairTerm is a metric of the pairs of a query; it is undefined without comparable ones.
func (r *row) pairTerm(p ostat.WeightedPairs) Term {
	n, half := p.Comparable(), 0.5*p.TiedScore
	if n == 0 {
		return Term{}
	}
	return r.pairs(counted{p, n, p.Discordant + half, p.Concordant + half, half})
}
