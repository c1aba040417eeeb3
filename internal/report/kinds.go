package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Kind is the kind of a document: its first key.
type Kind string

// The kinds of documents.
const (
	KindTraining     Kind = "training"
	KindEstimate     Kind = "estimate"
	KindEdgeTraining Kind = "edge-training"
	KindEdgeEstimate Kind = "edge-estimate"
	KindInspection   Kind = "inspection"
	KindEvaluation   Kind = "evaluation"
	KindCalibration  Kind = "calibration"
	KindComparison   Kind = "comparison"
	KindComparisons  Kind = "comparisons"
	KindExplanation  Kind = "explanation"
	KindNodeRanking  Kind = "node-ranking"
	KindNodeScores   Kind = "node-scores"
	KindCheck        Kind = "check"
	KindEdgeCheck    Kind = "edge-check"
	KindSumming      Kind = "summing"
	KindBuild        Kind = "build"
	KindLeaderboard  Kind = "leaderboard"
	KindScores       Kind = "scores"
	KindJudgement    Kind = "judgement"
)

// documentOf is an empty document of a kind, nil of one that is unknown. The table of all kinds is in here, and no
// variable: that would link the views of all into a program that reads no document.
func documentOf(k Kind) Document {
	empty := map[Kind]func(k Kind) Document{
		KindTraining:     func(k Kind) Document { return &Training{Kind: k} },
		KindEstimate:     func(k Kind) Document { return &Estimate{Kind: k} },
		KindEdgeTraining: func(k Kind) Document { return &Relation{Kind: k} },
		KindEdgeEstimate: func(k Kind) Document { return &Relation{Kind: k} },
		KindInspection:   func(k Kind) Document { return &Inspection{Kind: k} },
		KindEvaluation:   func(Kind) Document { return &Evaluation{} },
		KindCalibration:  func(k Kind) Document { return &Calibration{Kind: k} },
		KindComparison:   func(k Kind) Document { return &Comparison{Kind: k} },
		KindComparisons:  func(k Kind) Document { return &Comparisons{Kind: k} },
		KindExplanation:  func(k Kind) Document { return &Explanation{Kind: k} },
		KindNodeRanking:  func(k Kind) Document { return &NodeRanking{Kind: k} },
		KindNodeScores:   func(k Kind) Document { return &NodeScores{Kind: k} },
		KindCheck:        func(k Kind) Document { return &Check{Kind: k} },
		KindEdgeCheck:    func(k Kind) Document { return &EdgeCheck{Kind: k} },
		KindSumming:      func(k Kind) Document { return &Summing{Kind: k} },
		KindBuild:        func(k Kind) Document { return &Build{Kind: k} },
		KindLeaderboard:  func(k Kind) Document { return &Leaderboard{Kind: k} },
		KindScores:       func(k Kind) Document { return &Scores{Kind: k} },
		KindJudgement:    func(k Kind) Document { return &Judgement{Kind: k} },
	}[k]
	if empty == nil {
		return nil
	}
	return empty(k)
}

// Read reads a document from its JSON form and returns it by its kind, as *Training. It is the document that
// was written, with the same text and page. Read returns an error for anything else. The document may lack
// parts, as others may have written it. The cost is that of the text.
func Read(r io.Reader) (Document, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	keys := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, fmt.Errorf("not a JSON document: %w", err)
	}
	kind := Kind("")
	if name := keys["kind"]; name == nil {
		kind = kindBefore(func(key string) bool { return keys[key] != nil })
	} else if err := json.Unmarshal(name, &kind); err != nil || documentOf(kind) == nil {
		return nil, fmt.Errorf("not a pairrank document: unknown kind %.40s", name)
	}
	if kind == "" {
		return nil, errors.New("not a document of train, cv, compare, evaluate, inspect or rank: " +
			"none of them has its keys")
	}
	document := documentOf(kind)
	if err := json.Unmarshal(text, document); err != nil {
		return nil, fmt.Errorf("not a pairrank document: %w", err)
	}
	return document, nil
}

// keysBefore are the keys by which a document of earlier versions, which have no kind, is known: the first line of
// which it has all.
var keysBefore = []struct {
	kind Kind
	keys []string
}{
	{KindEdgeTraining, []string{"row_kernel", "model"}},
	{KindEdgeEstimate, []string{"row_kernel"}},
	{KindTraining, []string{"formula", "selection"}},
	{KindComparisons, []string{"standings"}},
	{KindComparison, []string{"comparisons"}},
	{KindNodeRanking, []string{"given", "columns"}},
	{KindNodeRanking, []string{"given_col", "rows"}},
	{KindNodeRanking, []string{"all", "pairs"}},
	{KindEvaluation, []string{"style", "metrics"}},
	{KindEvaluation, []string{"style", "rankings"}},
	{KindEstimate, []string{"method", "seconds"}},
	{KindInspection, []string{"learner", "features"}},
}

// kindBefore finds the kind of a document of earlier versions by its keys; "" is none.
func kindBefore(has func(key string) bool) Kind {
	for _, before := range keysBefore {
		if !slices.ContainsFunc(before.keys, func(key string) bool { return !has(key) }) {
			return before.kind
		}
	}
	return ""
}
