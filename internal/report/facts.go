package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Facts describe the training of a model. Trainings, estimates and models have the same facts, for rows and for
// edges.
type Facts struct {
	Learner string `json:"learner"`
	Solver  string `json:"solver,omitempty"`
	Why     string `json:"solver_why,omitempty"` // why that solver
	Kernel  string `json:"kernel,omitempty"`     // for edges the pairwise one
	Formula string `json:"formula,omitempty"`    // of the objective
	Loss    string `json:"loss,omitempty"`
}

// Data counts the rows, or the edges, that a model is trained on.
type Data struct {
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	Queries  int    `json:"queries"`         // for edges the row nodes
	Pairs    Number `json:"pairs"`           // compared pairs
	Weight   Number `json:"weight,omitzero"` // the sum of the weights of the rows, where they have some
}

// weighing says what rows weigh, "" where they have no weights.
func weighing(sum Number) string {
	if sum == 0 {
		return ""
	}
	return fmt.Sprintf(" of weight %.6g, a pair counts the product of two", float64(sum))
}

// marshal is the JSON of v, without escapes for < and &.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// object is the JSON of parts as one object: first the keys in order, then the others in their order. With it
// documents keep the order of their keys for any parts that they are made of.
func object(order string, parts ...any) ([]byte, error) {
	var keys []string
	values := map[string]json.RawMessage{}
	for _, part := range parts {
		text, err := marshal(part)
		if err != nil {
			return nil, err
		}
		d := json.NewDecoder(bytes.NewReader(text))
		_, _ = d.Token() // encoding/json wrote it
		for d.More() {
			key, _ := d.Token()
			var value json.RawMessage
			_ = d.Decode(&value)
			keys, values[key.(string)] = append(keys, key.(string)), value
		}
	}
	first := strings.Fields(order)
	place := func(key string) int {
		if k := slices.Index(first, key); k >= 0 {
			return k
		}
		return len(first)
	}
	slices.SortStableFunc(keys, func(a, b string) int { return place(a) - place(b) })
	text := []byte("{")
	for k, key := range keys {
		if k > 0 {
			text = append(text, ',')
		}
		text = append(fmt.Appendf(text, "%q:", key), values[key]...)
	}
	return append(text, '}'), nil
}
