package foreign

import (
	"fmt"
	"strings"

	"pairrank/internal/modelfile"
	"pairrank/model"
)

// ranklib reads a model of RankLib: the first line names the learner; after the comments one line
// has the model.
func (in *reader) ranklib() (*model.Model, []string, error) {
	first, err := in.need()
	if err != nil {
		return nil, nil, err
	}
	learner, is := strings.CutPrefix(first, "##")
	if learner = strings.TrimSpace(learner); !is || learner == "" {
		return nil, nil, fmt.Errorf("this is no model of RankLib: it begins with %q, not with ## and the name of a learner",
			modelfile.Clip(first))
	}
	parse := map[string]func(fields []string, from string) (*model.Model, []string, error){
		"Coordinate Ascent": weighted, "Linear Regression": weighted, "RankBoost": boosted,
	}[learner]
	if parse == nil {
		return nil, nil, unknown{fmt.Errorf("models of %q are not supported", modelfile.Clip(learner)),
			"supported: Coordinate Ascent, Linear Regression and RankBoost"}
	}
	body, err := in.body()
	if err != nil {
		return nil, nil, err
	}
	return parse(strings.Fields(body), "ranklib "+learner)
}

// body is the first line that is neither empty nor a comment, without the comment at its end.
func (in *reader) body() (string, error) {
	for {
		text, err := present(in.long())
		if err != nil {
			return "", err
		}
		text = strings.TrimSpace(text)
		if text == "" || strings.HasPrefix(text, "##") {
			continue
		}
		text, _, _ = strings.Cut(text, "#")
		return text, nil
	}
}

// weighted reads "index:weight …". Index 0 is a constant; in files that Linear Regression of
// RankLib writes it is the weight of another feature. Either changes no order.
func weighted(fields []string, from string) (*model.Model, []string, error) {
	var index []int
	var value []float64
	var notes []string
	highest := 0
	for k, field := range fields {
		if left, right, _ := strings.Cut(field, ":"); left == "0" && k == 0 && from == "ranklib Linear Regression" {
			constant, err := modelfile.ParseNumber(right)
			if err != nil {
				return nil, nil, err
			}
			notes = constantNote(constant)
			continue
		}
		j, v, err := pair(field)
		if err != nil {
			return nil, nil, err
		}
		index, value, highest = append(index, j), append(value, v), max(highest, j)
	}
	weights, seen := make([]float64, highest), make([]bool, highest)
	for e, j := range index {
		if seen[j-1] {
			return nil, nil, fmt.Errorf("feature %d appears twice", j)
		}
		weights[j-1], seen[j-1] = value[e], true
	}
	return linear(weights, from), notes, nil
}

// boosted reads "index:threshold:weight …", the weak rankers [x > threshold] of RankBoost.
func boosted(fields []string, from string) (*model.Model, []string, error) {
	s := &model.Stumps{Terms: make([]model.Stump, len(fields))}
	for k, field := range fields {
		parts := strings.Split(field, ":")
		if len(parts) != 3 {
			return nil, nil, fmt.Errorf("not index:threshold:weight: %q", modelfile.Clip(field))
		}
		j, err := featureIndex(parts[0])
		if err != nil {
			return nil, nil, err
		}
		t := model.Stump{Feature: j - 1}
		if t.Threshold, err = modelfile.ParseNumber(parts[1]); err == nil {
			t.Weight, err = modelfile.ParseNumber(parts[2])
		}
		if err != nil {
			return nil, nil, err
		}
		s.Terms[k], s.Features = t, max(s.Features, j)
	}
	return &model.Model{Info: info(from), Scorer: s}, nil, nil
}
