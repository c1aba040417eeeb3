package metric

import (
	"bytes"
	"encoding/json"
	"fmt"

	"pairrank/internal/spell"
)

// Report is the result of an evaluation.
type Report struct {
	Style    Style
	Results  []Result      // in the order of the requested metrics
	PerQuery []QueryValues // in the order of the queries
	Warnings []string      // sentences for people
}

// Result is one metric over all queries.
type Result struct {
	Metric    Metric
	Mean      Value // undefined when no query is defined
	Queries   int   // queries that count
	Undefined int   // queries left out for want of a relevant document or pair
}

// QueryValues is every metric of one query, in the order of Results. The value
// of a pooled metric is that of the query's own pairs.
type QueryValues struct {
	ID     string
	Values []Value
}

func newReport(in *Input, metrics []Metric, opts Options, terms []Term) *Report {
	q, v := in.queries(), len(metrics)
	r := &Report{Style: opts.Style, PerQuery: make([]QueryValues, q)}
	means := make([]Mean, v)
	values := make([]Value, q*v)
	for g := range q {
		own := values[g*v : (g+1)*v : (g+1)*v]
		for j, t := range terms[g*v : (g+1)*v] {
			means[j].Add(t)
			own[j] = t.Value()
		}
		r.PerQuery[g] = QueryValues{in.id(g), own}
	}
	var told spell.Once
	for j, m := range metrics {
		a := means[j]
		r.Results = append(r.Results, Result{m, a.Value(), a.Queries, a.Undefined})
		if a.Undefined > 0 {
			told.Add(m.String(), undefinedWarning(m, a))
		}
	}
	if outside := unscored(in); outside > 0 {
		for _, m := range metrics {
			if m.row().pairs != nil {
				told.Add(m.String(), fmt.Sprintf("looks only at rows with a score: %d unretrieved documents do not "+
					"count", outside))
			}
		}
	}
	r.Warnings = told.Sentences()
	return r
}

// undefinedWarning says why a metric is undefined, or its mean leaves queries out.
func undefinedWarning(m Metric, a Mean) string {
	if a.Queries == 0 {
		return fmt.Sprintf("is undefined: no query has %s", m.row().wants)
	}
	return fmt.Sprintf("is undefined on %d of %d queries, without %s: they are left out of the mean",
		a.Undefined, a.Queries+a.Undefined, m.row().wants)
}

// unscored counts the documents outside the lists.
func unscored(in *Input) (n int) {
	for _, u := range in.Unretrieved {
		n += len(u)
	}
	return n
}

// MarshalJSON writes {"style", "metrics": {NAME: {"mean", "queries",
// "undefined"}}, "per_query": [{"query", "values": {NAME: number}}],
// "warnings"}, metrics in the order of Results. An undefined value is null; nil
// PerQuery and no Warnings are left out.
func (r *Report) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"style":`)
	put := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			panic("metric: " + err.Error()) // strings and finite numbers only
		}
		b.Write(text)
	}
	put(r.Style)
	b.WriteString(`,"metrics":{`)
	for j, res := range r.Results {
		r.putName(&b, j)
		put(struct {
			Mean      Value `json:"mean"`
			Queries   int   `json:"queries"`
			Undefined int   `json:"undefined"`
		}{res.Mean, res.Queries, res.Undefined})
	}
	b.WriteByte('}')
	if r.PerQuery != nil {
		b.WriteString(`,"per_query":[`)
		for g, q := range r.PerQuery {
			if g > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`{"query":`)
			put(q.ID)
			b.WriteString(`,"values":{`)
			for j, v := range q.Values {
				r.putName(&b, j)
				put(v)
			}
			b.WriteString(`}}`)
		}
		b.WriteByte(']')
	}
	if len(r.Warnings) > 0 {
		b.WriteString(`,"warnings":`)
		put(r.Warnings)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// putName starts the value of metric j inside an object.
func (r *Report) putName(b *bytes.Buffer, j int) {
	if j > 0 {
		b.WriteByte(',')
	}
	fmt.Fprintf(b, "%q:", r.Results[j].Metric)
}
