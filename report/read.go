package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// errNoText is the error of WriteText for a document that was read.
var errNoText = errors.New("a document that was read from JSON has no text: what it was made of is not in it")

// Read reads a document from its JSON form: a *Training, *Estimate, *Relation, *Comparison, *Comparisons,
// *Evaluation, *Inspection or *NodeRanking, told by its keys. It has all that JSON holds,
// and no WriteText, which is an error but for comparisons. Read returns an error for anything else; what is
// read may lack parts, as others may have written it. The cost is that of the text.
func Read(r io.Reader) (any, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	keys := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, fmt.Errorf("not a JSON document: %w", err)
	}
	document := documentOf(func(key string) bool { return keys[key] != nil })
	if document == nil {
		return nil, fmt.Errorf("not a document of train, cv, compare, evaluate, inspect or rank: its keys are of none of them")
	}
	if err := json.Unmarshal(text, document); err != nil {
		return nil, fmt.Errorf("not a document as pairrank writes it: %w", err)
	}
	return document, nil
}

// documentOf is an empty document of the kind that has some keys, or nil.
func documentOf(has func(key string) bool) any {
	switch {
	case has("row_kernel"):
		return new(Relation)
	case has("formula") && has("selection"):
		return new(Training)
	case has("standings"):
		return new(Comparisons)
	case has("comparisons"):
		return new(Comparison)
	case has("given") && has("columns"), has("given_col") && has("rows"), has("all") && has("pairs"):
		return new(NodeRanking)
	case has("style") && (has("metrics") || has("rankings")):
		return new(Evaluation)
	case has("method") && has("seconds"):
		return new(Estimate)
	case has("learner") && has("features"):
		return new(Inspection)
	}
	return nil
}

// UnmarshalJSON reads what MarshalJSON writes. It returns an error for other JSON, and for
// rankings that are not of the same queries and metrics.
func (e *Evaluation) UnmarshalJSON(text []byte) error {
	var several struct {
		Rankings []json.RawMessage `json:"rankings"`
		Columns  *Columns          `json:"columns"`
	}
	if err := json.Unmarshal(text, &several); err != nil {
		return err
	}
	if several.Rankings == nil {
		several.Rankings = []json.RawMessage{text}
	}
	*e = Evaluation{Columns: several.Columns}
	for _, one := range several.Rankings {
		r := rankedReport{}
		if err := errors.Join(json.Unmarshal(one, &r.of), json.Unmarshal(one, &r.report)); err != nil {
			return err
		}
		if r.report == nil {
			return fmt.Errorf("a ranking is null")
		}
		if r.of.File != "" {
			e.Rankings = append(e.Rankings, r.of)
		}
		e.Reports = append(e.Reports, r.report)
	}
	if len(e.Reports) == 0 || len(e.Reports) > 1 && len(e.Rankings) != len(e.Reports) {
		return fmt.Errorf("there are %d rankings with %d files", len(e.Reports), len(e.Rankings))
	}
	return e.checkAlike()
}

// checkAlike refuses rankings that were not measured alike.
func (e *Evaluation) checkAlike() error {
	first := e.Reports[0]
	for _, r := range e.Reports[1:] {
		if len(r.Results) != len(first.Results) || len(r.PerQuery) != len(first.PerQuery) {
			return fmt.Errorf("the rankings are not of the same metrics and queries")
		}
		for j := range r.Results {
			if r.Results[j].Metric != first.Results[j].Metric {
				return fmt.Errorf("the rankings are not of the same metrics")
			}
		}
	}
	return nil
}
