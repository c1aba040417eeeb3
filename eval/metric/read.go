package metric

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// UnmarshalJSON reads what MarshalJSON writes, the metrics in the order of the text. It
// returns an error for other JSON, for metrics that are unknown, and for queries whose
// metrics are not those of the means.
func (r *Report) UnmarshalJSON(text []byte) error {
	var d struct {
		Style    Style
		Metrics  ordered
		PerQuery []struct {
			Query  string           `json:"query"`
			Values map[Metric]Value `json:"values"`
		} `json:"per_query"`
		Warnings []string
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	*r = Report{Style: d.Style, Results: d.Metrics, Warnings: d.Warnings}
	for _, q := range d.PerQuery {
		values := QueryValues{ID: q.Query}
		for _, res := range r.Results {
			v, known := q.Values[res.Metric]
			if !known {
				return fmt.Errorf("query %q has no value of %s", q.Query, res.Metric)
			}
			values.Values = append(values.Values, v)
		}
		r.PerQuery = append(r.PerQuery, values)
	}
	return nil
}

// ordered are results in the order of the keys of an object.
type ordered []Result

// UnmarshalJSON reads an object with a mean for each metric.
func (o *ordered) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("the metrics are not an object")
	}
	seen := map[Metric]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var mean struct {
			Mean      Value `json:"mean"`
			Queries   int   `json:"queries"`
			Undefined int   `json:"undefined"`
		}
		res := Result{}
		if err := res.Metric.UnmarshalText([]byte(name.(string))); err != nil {
			return err
		}
		if err := d.Decode(&mean); err != nil {
			return err
		}
		if seen[res.Metric] {
			return fmt.Errorf("metric %s is listed twice", res.Metric)
		}
		seen[res.Metric] = true
		res.Mean, res.Queries, res.Undefined = mean.Mean, mean.Queries, mean.Undefined
		*o = append(*o, res)
	}
	return nil
}
