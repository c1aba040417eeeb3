package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
)

// The forms and values of λ at which topics are looked at that differ from the paper's.
var (
	nearby = []form{binary, logs, tfidf}
	stops  = experiment.Powers(-15, 15, 5)
)

// elsewhere is the AUC of a topic in one form: by λ of stops, draw by draw.
type elsewhere struct {
	form
	auc [][]float64
}

// look measures the AUC of some topics at every one of stops, whatever λ was chosen, in
// all nearby forms: by topic and form.
func (t *tasks) look(ctx context.Context, s settings, goal func(t *trial) (*goals.Goal, error),
	topics []int) ([][]elsewhere, error) {
	out := make([][]elsewhere, len(topics))
	for _, f := range nearby {
		for a := range topics {
			out[a] = append(out[a], elsewhere{f, make([][]float64, len(stops))})
		}
		x := f.of(t.counts, t.idf)
		for d := range s.draws {
			drawn, err := newTrial(x, t.y, numTopics, trainingSize, s.octaves, s.seed+uint64(d))
			if err != nil {
				return nil, err
			}
			g, err := goal(drawn)
			if err != nil {
				return nil, err
			}
			path, err := rls.Factor(ctx, rls.Dual(drawn.k), g)
			if err != nil {
				return nil, err
			}
			for l, lambda := range stops {
				fit := path.At(lambda)
				err := eachTopic(len(topics), func(a int) error {
					r, err := drawn.score(drawn.weights(fit, topics[a]), topics[a])
					auc := out[a][len(out[a])-1].auc
					auc[l] = append(auc[l], r.auc)
					return err
				})
				if err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// where says in which forms and at which λ a draw may have what the paper has.
func where(theirs float64, all []elsewhere) string {
	var places []string
	for _, e := range all {
		var at []string
		for l, auc := range e.auc {
			mean, sd := experiment.Moments(auc)
			if math.Abs(mean-theirs) <= apart(sd, len(auc)) {
				at = append(at, fmt.Sprintf("%.0f", math.Log2(stops[l])))
			}
		}
		if at != nil {
			places = append(places, fmt.Sprintf("at log₂ λ = %s in “%s”", strings.Join(at, ", "), e.name))
		}
	}
	if places == nil {
		return "No λ gives it in the forms of documents looked at."
	}
	return "The paper says neither its λ nor the form of its documents. A draw may have it " +
		strings.Join(places, "; ") + "."
}

// explain gives the findings of learner l that differ their reason, and adds rows to the
// table of what was looked at.
func (t *tasks) explain(ctx context.Context, s settings, l int, differ []topicFinding, table *experiment.Table,
	found *experiment.Result) error {
	if len(differ) == 0 {
		return nil
	}
	if inPaper[l].goal == nil {
		for _, d := range differ {
			found.Findings[d.at].Reason = reasonForm
		}
		return nil
	}
	var topics []int
	for _, d := range differ {
		topics = append(topics, d.topic)
	}
	seen, err := t.look(ctx, s, inPaper[l].goal, topics)
	if err != nil {
		return err
	}
	for a, d := range differ {
		theirs := inPaper[l].of(paper[d.topic]).auc
		found.Findings[d.at].Reason = where(theirs, seen[a])
		for _, e := range seen[a] {
			row := []any{inPaper[l].name + ", " + paper[d.topic].topic, theirs, e.name}
			for _, auc := range e.auc {
				mean, _ := experiment.Moments(auc)
				row = append(row, mean)
			}
			table.Row(row...)
		}
	}
	return nil
}

// elsewhereTable is the table of what is looked at, without rows.
func elsewhereTable() *experiment.Table {
	heads := []string{"", "%s", "paper", "%.3f", "a word in a document", "%s"}
	for _, lambda := range stops {
		heads = append(heads, fmt.Sprintf("log₂ λ = %.0f", math.Log2(lambda)), "%.3f")
	}
	return experiment.NewTable(heads...)
}
