package trec

import (
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/metric"
)

// JoinOptions say which queries are evaluated.
type JoinOptions struct {
	// Complete adds judged queries for which nothing was retrieved (-c of trec_eval): they count as
	// 0 where a relevant document was judged. False leaves them out.
	Complete bool
}

// Joined is a run with the labels of its judgements.
type Joined struct {
	Input    metric.Input // with names of queries, DocIDs and Unretrieved
	Warnings []string
}

// Join labels the documents of a run by their judgements, for [metric.Evaluate]. A document not
// judged, or judged below 0, has label 0. Documents judged above 0 but absent from the run are the
// query's unretrieved ones. Queries are in the order of the judgements, the documents of each in
// that of the run; queries of the run without judgement are left out. It costs O(1) a line of each,
// for hashing. It returns an error when no query is left, or a query has a document twice in the
// run or the judgements.
func Join(run *Run, qrels []Judgment, opts JoinOptions) (*Joined, error) {
	j := &joiner{judged: map[key]int{}, retrieved: map[key]bool{}, groups: map[string][]Retrieved{}}
	if err := j.index(run, qrels); err != nil {
		return nil, err
	}
	out := &Joined{Input: metric.Input{Unretrieved: [][]float64{}, DocIDs: []string{}}}
	in := &out.Input
	bounds, ids := []int{0}, []string(nil)
	unjudged, absent := 0, 0
	for _, id := range j.queries {
		docs := j.groups[id]
		if len(docs) == 0 {
			if absent++; !opts.Complete {
				continue
			}
		}
		for _, d := range docs {
			rel, known := j.judged[key{id, d.Doc}]
			if !known || rel < 0 {
				rel = 0
				unjudged++
			}
			in.Labels = append(in.Labels, float64(rel))
			in.Scores = append(in.Scores, d.Score)
			in.DocIDs = append(in.DocIDs, d.Doc)
		}
		bounds = append(bounds, len(in.Labels))
		ids = append(ids, id)
		in.Unretrieved = append(in.Unretrieved, j.missed[id])
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("run and qrels have no query in common: %d queries are retrieved, %d judged",
			len(j.groups), len(j.queries))
	}
	in.Queries = data.Consecutive(bounds)
	in.Queries.IDs = ids
	out.Warnings = j.warnings(opts, unjudged, absent, len(in.Labels))
	return out, nil
}

// joiner holds both files by query.
type joiner struct {
	queries   []string // judged ones, in order
	judged    map[key]int
	missed    map[string][]float64 // labels of documents absent from the run
	retrieved map[key]bool
	groups    map[string][]Retrieved
}

func (j *joiner) index(run *Run, qrels []Judgment) error {
	for _, d := range run.Docs {
		k := key{d.Query, d.Doc}
		if j.retrieved[k] {
			return fmt.Errorf("document %q of query %q is in the run twice", d.Doc, d.Query)
		}
		j.retrieved[k] = true
		j.groups[d.Query] = append(j.groups[d.Query], d)
	}
	j.missed = map[string][]float64{}
	for _, q := range qrels {
		k := key{q.Query, q.Doc}
		if _, twice := j.judged[k]; twice {
			return fmt.Errorf("document %q of query %q is in the qrels twice", q.Doc, q.Query)
		}
		j.judged[k] = q.Relevance
		if _, known := j.missed[q.Query]; !known {
			j.queries = append(j.queries, q.Query)
			j.missed[q.Query] = nil
		}
		if !j.retrieved[k] && q.Relevance > 0 {
			j.missed[q.Query] = append(j.missed[q.Query], float64(q.Relevance))
		}
	}
	if len(qrels) == 0 {
		return errors.New("the qrels have no judgement")
	}
	return nil
}

// warnings lists what was left out.
func (j *joiner) warnings(opts JoinOptions, unjudged, absent, rows int) (list []string) {
	without := 0
	for id := range j.groups {
		if _, known := j.missed[id]; !known {
			without++
		}
	}
	if without > 0 {
		list = append(list, fmt.Sprintf("%d of %d queries of the run have no judgement: they are left out", without,
			len(j.groups)))
	}
	if absent > 0 && !opts.Complete {
		list = append(list, fmt.Sprintf("%d of %d judged queries have no document in the run: they are left out",
			absent, len(j.queries)))
	}
	if unjudged > 0 {
		list = append(list, fmt.Sprintf("%d of %d retrieved documents are not judged: they count as not relevant",
			unjudged, rows))
	}
	return list
}
