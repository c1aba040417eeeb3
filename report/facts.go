package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Facts are how a model is learnt: those that a training, an estimate and a model tell alike, of rows and
// of edges.
type Facts struct {
	Learner string `json:"learner"`
	Solver  string `json:"solver,omitempty"`
	Why     string `json:"solver_why,omitempty"` // that solver
	Kernel  string `json:"kernel,omitempty"`     // of edges the pairwise one
	Formula string `json:"formula,omitempty"`    // of the objective
	Loss    string `json:"loss,omitempty"`
}

// Data is what a model is learnt from: rows, or of a model of edges these.
type Data struct {
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	Queries  int    `json:"queries"` // of edges the row nodes
	Pairs    Number `json:"pairs"`   // that are compared
}

// marshal is the JSON of v, with < and & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// object is the JSON of parts as one object: the keys that order names, in its order, then the others as
// they come. Documents keep the order of their keys by it, whichever parts they are made of.
func object(order string, parts ...any) ([]byte, error) {
	var keys []string
	values := map[string]json.RawMessage{}
	for _, part := range parts {
		text, err := marshal(part)
		if err != nil {
			return nil, err
		}
		d := json.NewDecoder(bytes.NewReader(text))
		_, _ = d.Token() // what encoding/json has written has no faults
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
