package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/model"
)

// single bounds differences of scores in single precision, relative to the sum of the sizes of
// the terms.
const single = 1e-6

func normal(r *rand.Rand, rows, cols int, shift float64) *data.Dense {
	x := data.NewDense(rows, cols, nil)
	for k := range x.Data {
		x.Data[k] = shift + r.NormFloat64()
	}
	return x
}

var info = model.Info{Learner: "rankrls", Rows: 20}

// normalised is a linear model of n features and a normaliser of a kind.
func normalised(kind string, n int, shift float64) *model.Model {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	norm, err := data.FitNormalizer(kind, &data.Set{X: normal(r, 30, n, shift), Y: make([]float64, 30)})
	if err != nil {
		panic(err)
	}
	m := &model.Model{Info: info, Normalizer: norm, Scorer: &model.Linear{Weights: normal(r, 1, n, 0)}}
	for j := range n {
		m.Names = append(m.Names, fmt.Sprintf(`x%d "é"`, j+1))
	}
	if kind != data.NormalizeNone && n > 1 {
		norm.Shift[1], norm.Scale[1] = 0, 0 // constant in training
	}
	return m
}

func write(t *testing.T, m *model.Model, target Target, o Options) (string, []string) {
	t.Helper()
	var b bytes.Buffer
	notes, err := Write(&b, m, target, o)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), notes
}

// strict reads JSON and fails for an unknown or repeated key.
func strict(t *testing.T, text string, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	keys := json.NewDecoder(strings.NewReader(text))
	var seen []map[string]bool
	for wantKey := []bool{}; ; {
		token, err := keys.Token()
		if err != nil {
			return
		}
		last := len(wantKey) - 1
		switch token {
		case json.Delim('{'), json.Delim('['):
			if last >= 0 {
				wantKey[last] = seen[last] != nil
			}
			wantKey = append(wantKey, token == json.Delim('{'))
			var of map[string]bool
			if token == json.Delim('{') {
				of = map[string]bool{}
			}
			seen = append(seen, of)
			continue
		case json.Delim('}'), json.Delim(']'):
			wantKey, seen = wantKey[:last], seen[:last]
			continue
		}
		if wantKey[last] {
			if seen[last][token.(string)] {
				t.Fatalf("the key %q appears twice", token)
			}
			seen[last][token.(string)] = true
			wantKey[last] = false
		} else if seen[last] != nil {
			wantKey[last] = true
		}
	}
}

// elasticModel is the body of _createmodel as its parser takes it: StoredLtrModel and
// StoredFeatureNormalizers of the Elasticsearch Learning to Rank plugin (o19s), whose fields these
// are; any other is an error there, too.
type elasticModel struct {
	Model struct {
		Name  string `json:"name"`
		Model struct {
			Type        string                 `json:"type"`
			Definition  string                 `json:"definition"`
			Normalizers map[string]elasticNorm `json:"feature_normalizers"`
		} `json:"model"`
	} `json:"model"`
}

type elasticNorm struct {
	Standard *struct {
		Mean      float32 `json:"mean"`
		Deviation float32 `json:"standard_deviation"`
	} `json:"standard"`
	MinMax *struct {
		Minimum float32 `json:"minimum"`
		Maximum float32 `json:"maximum"`
	} `json:"min_max"`
}

// of is a value normalised, after the rules of the constructors: StandardFeatureNormDefinition
// wants a deviation above 0, MinMaxFeatureNormDefinition 0 ≤ minimum < maximum.
func (n elasticNorm) of(t *testing.T, v float32) float32 {
	t.Helper()
	switch {
	case n.Standard != nil && n.MinMax == nil:
		if !(n.Standard.Deviation > 0) {
			t.Errorf("a standard deviation of %v", n.Standard.Deviation)
		}
		return (v - n.Standard.Mean) / n.Standard.Deviation
	case n.MinMax != nil && n.Standard == nil:
		if !(n.MinMax.Minimum >= 0) || !(n.MinMax.Minimum < n.MinMax.Maximum) {
			t.Errorf("a range from %v to %v", n.MinMax.Minimum, n.MinMax.Maximum)
		}
		return (v - n.MinMax.Minimum) / (n.MinMax.Maximum - n.MinMax.Minimum)
	}
	t.Error("a feature has no normaliser or two")
	return v
}

// checkSingle compares scores in single precision with those of the model, up to a constant common
// to all rows.
func checkSingle(t *testing.T, name string, m *model.Model, shift float64, score func(row []float64) float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	x := normal(r, 20, m.Features(), shift)
	var first, scale float64
	w := m.Scorer.(*model.Linear).Weights.Row(0)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			factor := 1.0
			if len(m.Normalizer.Scale) > 0 {
				factor = m.Normalizer.Scale[j]
			}
			scale = max(scale, math.Abs(w[j]*factor*v)*float64(m.Features()))
		}
	}
	for i := range x.Rows {
		d := score(x.Row(i)) - m.ScoreRow(x.Row(i))
		if i == 0 {
			first = d
		}
		if !(math.Abs(d-first) <= single*scale) {
			t.Errorf("%s: row %d is off by %v and the first by %v", name, i, d, first)
		}
	}
}

// The model of Elasticsearch keeps the rules of its parser and ranks as the model, computed as
// LinearRanker and the normalisers do: in single precision, a feature without a weight at 0.
func TestElasticKeepsItsRules(t *testing.T) {
	for _, kind := range []string{"none", "zscore", "minmax"} {
		for _, apart := range []bool{false, true} {
			const shift = 6 // so that minima are above 0
			m := normalised(kind, 5, shift)
			text, notes := write(t, m, ElasticLTR, Options{Name: "my ranker", Normalizers: apart})
			var e elasticModel
			strict(t, text, &e)
			if e.Model.Name != "my ranker" || e.Model.Model.Type != "model/linear" {
				t.Errorf("name %q, type %q", e.Model.Name, e.Model.Model.Type)
			}
			var weights map[string]float32
			strict(t, e.Model.Model.Definition, &weights)
			if len(weights) != 5 || (e.Model.Model.Normalizers != nil) != (apart && kind != "none") {
				t.Errorf("%d weights, normalisers %v", len(weights), e.Model.Model.Normalizers)
			}
			hasConstant := slices.ContainsFunc(notes,
				func(n string) bool { return strings.Contains(n, "the constant") })
			if hasConstant != (!apart && kind != "none") ||
				!slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "below 0") }) {
				t.Errorf("%s, apart %v: notes %q", kind, apart, notes)
			}
			checkSingle(t, fmt.Sprint(kind, apart), m, shift, func(row []float64) float64 {
				var sum float32
				for j, name := range m.Names {
					v := float32(row[j])
					if n, has := e.Model.Model.Normalizers[name]; has {
						v = n.of(t, v)
					}
					sum += v * weights[name]
				}
				return float64(sum)
			})
		}
	}
}

// solrModel is a model of Solr's model store: LTRScoringModel, LinearModel and Normalizer of
// package org.apache.solr.ltr.
type solrModel struct {
	Class    string        `json:"class"`
	Name     string        `json:"name"`
	Features []solrFeature `json:"features"`
	Params   struct {
		Weights map[string]float32 `json:"weights"`
	} `json:"params"`
}

type solrFeature struct {
	Name string `json:"name"`
	Norm *struct {
		Class  string            `json:"class"`
		Params map[string]string `json:"params"` // texts
	} `json:"norm"`
}

// of is a value normalised, after the rules of validate: MinMaxNormalizer wants a difference,
// StandardNormalizer a deviation above 0.
func (f *solrFeature) of(t *testing.T, v float32) float32 {
	t.Helper()
	number := func(key string) float32 {
		x, err := strconv.ParseFloat(f.Norm.Params[key], 32)
		if err != nil || len(f.Norm.Params) != 2 {
			t.Fatalf("parameters %v", f.Norm.Params)
		}
		return float32(x)
	}
	switch f.Norm.Class {
	case "org.apache.solr.ltr.norm.MinMaxNormalizer":
		if number("max")-number("min") == 0 {
			t.Error("a range of no width")
		}
		return (v - number("min")) / (number("max") - number("min"))
	case "org.apache.solr.ltr.norm.StandardNormalizer":
		if number("std") <= 0 {
			t.Error("a deviation of 0")
		}
		return (v - number("avg")) / number("std")
	}
	t.Errorf("a normaliser %q", f.Norm.Class)
	return v
}

// The model of Solr keeps the rules of its classes and ranks as the model.
func TestSolrKeepsItsRules(t *testing.T) {
	for _, kind := range []string{"none", "zscore", "minmax"} {
		for _, apart := range []bool{false, true} {
			const shift = -2
			m := normalised(kind, 5, shift)
			text, _ := write(t, m, Solr, Options{Normalizers: apart})
			var s solrModel
			strict(t, text, &s)
			if s.Class != "org.apache.solr.ltr.model.LinearModel" || s.Name != "pairrank" ||
				len(s.Features) != 5 || len(s.Params.Weights) != 5 {
				t.Errorf("class %q, name %q, %d features", s.Class, s.Name, len(s.Features))
			}
			for j, f := range s.Features {
				_, has := s.Params.Weights[f.Name]
				if want := apart && kind != "none" && j != 1; f.Name != m.Names[j] || !has || (f.Norm != nil) != want {
					t.Errorf("feature %q has a weight: %v, a norm: %v", f.Name, has, f.Norm != nil)
				}
			}
			checkSingle(t, fmt.Sprint(kind, apart), m, shift, func(row []float64) float64 {
				var sum float32
				for j, f := range s.Features {
					v := float32(row[j])
					if f.Norm != nil {
						v = f.of(t, v)
					}
					sum += v * s.Params.Weights[f.Name]
				}
				return float64(sum)
			})
		}
	}
}

// Numbers that an engine does not accept are refused, with what to do.
func TestEnginesRefuse(t *testing.T) {
	linear := func(weights ...float64) *model.Model {
		return &model.Model{Info: info, Scorer: &model.Linear{Weights: data.NewDense(1, len(weights), weights)}}
	}
	withNorm := func(kind string, shift, scale float64) *model.Model {
		m := linear(1)
		m.Normalizer = &data.Normalizer{Kind: kind, Shift: []float64{shift}, Scale: []float64{scale}}
		return m
	}
	twice := linear(1, 2)
	twice.Names = []string{"a", "a"}
	for _, c := range []struct {
		m     *model.Model
		t     Target
		apart bool
		want  string
	}{
		{withNorm("minmax", -1, 1), ElasticLTR, true, "its minimum must be at least 0"},
		{withNorm("minmax", 1, 1e9), ElasticLTR, true, "in single precision they are the same"},
		{withNorm("minmax", 1, 1e9), Solr, true, "in single precision they are the same"},
		{withNorm("zscore", 1, 1e300), Solr, true, "beyond single precision"},
		{withNorm("zscore", 1, 1e-39), ElasticLTR, true, "it is beyond single precision"},
		{withNorm("zscore", 1, math.MaxFloat32), ElasticLTR, true, ""},
		{withNorm("zscore", 1, 1e50), ElasticLTR, false, "beyond single precision"},
		{linear(1e39), Solr, false, "beyond single precision"},
		{linear(), Solr, false, "without features"},
		{twice, ElasticLTR, false, "two features called"},
		{withNorm("minmax", -1, 1), Solr, true, ""},
		{withNorm("minmax", -1, 1), ElasticLTR, false, ""},
	} {
		var b bytes.Buffer
		_, err := Write(&b, c.m, c.t, Options{Normalizers: c.apart})
		var refused *fault.RefusedError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.t, err)
		case c.want != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) ||
			refused.Hint() == "" || b.Len() > 0):
			t.Errorf("%s: %v, want %q", c.t, err, c.want)
		}
	}
}
