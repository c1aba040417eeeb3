package metric

import "encoding/json"

// Term is the contribution of one query to a metric: the metric over queries is ΣNum / ΣDen. For a
// metric that weighs queries equally, Den is 1 and Num the query's value. For a pooled metric, Den
// is the query's number of comparable pairs and Num the number that the metric counts, ties as ½,
// each pair as the product of the weights of its rows. Den 0 is an undefined query.
type Term struct{ Num, Den float64 }

// Value returns the query's own value, Num/Den; it is undefined where Den is 0.
func (t Term) Value() Value {
	if t.Den == 0 {
		return Value{}
	}
	return Value{Value: t.Num / t.Den, Defined: true}
}

// Value is a number that may not exist. Value is 0 where it is not Defined; in
// JSON it is then null.
type Value struct {
	Value   float64
	Defined bool
}

// MarshalJSON writes the number or null.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.Defined {
		return []byte("null"), nil
	}
	return json.Marshal(v.Value)
}

// UnmarshalJSON reads a number, or null for an undefined value. It returns an error for
// anything else.
func (v *Value) UnmarshalJSON(text []byte) error {
	*v = Value{}
	if string(text) == "null" {
		return nil
	}
	if err := json.Unmarshal(text, &v.Value); err != nil {
		return err
	}
	v.Defined = true
	return nil
}

// Mean adds up the terms of one metric. The zero value is empty.
type Mean struct {
	Num, Den  float64
	Queries   int // defined queries: those that count
	Undefined int // queries without a value
}

// Add adds one query, in O(1). A query of Den 0 is undefined, and only counted.
func (a *Mean) Add(t Term) {
	if t.Den == 0 {
		a.Undefined++
		return
	}
	a.Queries++
	a.Num += t.Num
	a.Den += t.Den
}

// Value returns the metric over the queries so far, ΣNum/ΣDen; it is undefined where none
// of them is defined.
func (a Mean) Value() Value { return Term{a.Num, a.Den}.Value() }

// Over is what a standard error is over: N independent units of a kind, such as queries. Effective is their number by
// weight, (Σ d)²/Σ d² for the pairs d of each; 0 where each row counts in pairs with others. Rarer is the number of
// rows of the rarer of two labels; 0 where there are other than two.
type Over struct {
	N         int
	Of        string
	Effective float64
	Rarer     int
}
