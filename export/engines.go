package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"pairrank/data"
	"pairrank/export/internal/plain"
	"pairrank/fault"
	"pairrank/model"
)

// defaultModel is the name of a model in a search engine where none is given.
const defaultModel = "pairrank"

// singleNote is the note on the precision of the search engines, which hold weights, features and
// scores as float32.
const singleNote = "the engine computes in single precision: scores agree to about 7 digits, and " +
	"closer rows may swap places"

// engine is a linear model as a search engine takes it.
type engine struct {
	names        []string
	weights      []float64
	shift, scale []float64 // separate from the weights, or nil
	kind         string
	notes        []string
}

// newEngine prepares a model for a search engine: with the normaliser folded into the weights, or
// with o.Normalizers the weights of the normalised features.
func newEngine(t Target, m *model.Model, o *Options) (*engine, error) {
	l, err := plain.NewLinear(string(t), m)
	if err != nil {
		return nil, err
	}
	names, made := plain.Names(l.Names, len(l.Weights))
	if err := plain.CheckNames(string(t), names); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &fault.RefusedError{Target: string(t), What: "a model without features", Help: "train with features"}
	}
	e := &engine{names: names, weights: l.Weights, notes: append(plain.NameNote(made, len(names)), singleNote)}
	if o.Normalizers {
		if e.shift, e.scale, e.kind = l.Shift, l.Scale, l.Kind; e.scale == nil {
			e.notes = append(e.notes, "the model has no normaliser to keep separate from the weights")
		}
	} else {
		var constant float64
		if e.weights, constant, err = l.Fold(); err != nil {
			return nil, err
		}
		e.notes = append(e.notes, constantNote(constant)...)
	}
	return e, e.checkSingle(t)
}

// constantNote is the note about a constant that is left out.
func constantNote(constant float64) []string {
	if constant == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the constant %g that the normaliser adds to every score is left out: it changes no "+
		"order", constant)}
}

// checkSingle refuses numbers that float32 has no place for.
func (e *engine) checkSingle(t Target) error {
	for _, list := range [][]float64{e.weights, e.shift, e.scale} {
		for j, v := range list {
			if math.Abs(v) > math.MaxFloat32 {
				return &fault.RefusedError{Target: string(t),
					What: fmt.Sprintf("%g, of feature %q, which is beyond single precision", v, e.names[j]),
					Help: "scale the feature before training"}
			}
		}
	}
	return nil
}

// ends is how a target calls the numbers of its normalisers: their names for minmax, and for
// zscore.
type ends struct{ least, most, mean, deviation string }

// normOf is the numbers of the normaliser of feature j by name, nil for a feature that was
// constant in training, which has none, and a weight that does not count then.
func (e *engine) normOf(j int, as ends) (kind string, values [2]number) {
	shift, scale := e.shift[j], e.scale[j]
	if e.kind == data.NormalizeMinMax {
		return "min_max", [2]number{{as.least, shift}, {as.most, shift + 1/scale}}
	}
	return "standard", [2]number{{as.mean, shift}, {as.deviation, 1 / scale}}
}

// number is a named number.
type number struct {
	name  string
	value float64
}

// weightOf is the weight of feature j: 0 where it was constant in training and its normaliser
// makes it 0.
func (e *engine) weightOf(j int) float64 {
	if e.scale != nil && e.scale[j] == 0 {
		return 0
	}
	return e.weights[j]
}

// checkNorm refuses the numbers of a normaliser that an engine does not take, as it has them:
// in single precision.
func checkNorm(t Target, name, kind string, values [2]number) error {
	a, b := float32(values[0].value), float32(values[1].value)
	why := ""
	switch {
	case kind == "standard" && !(b > 0):
		why = "its standard deviation must be above 0"
	case kind == "min_max" && !(a < b):
		why = "the minimum must be below the maximum, and in single precision they are the same"
	case kind == "min_max" && t == ElasticLTR && a < 0:
		why = "its minimum must be at least 0"
	case math.IsInf(float64(b), 0):
		why = "it is beyond single precision"
	}
	if why == "" {
		return nil
	}
	return &fault.RefusedError{Target: string(t), What: fmt.Sprintf("the normaliser %s{%s %g, %s %g} of feature %q: %s",
		kind, values[0].name, values[0].value, values[1].name, values[1].value, name, why),
		Help: "leave the normalisers folded into the weights, which is the default"}
}

// elastic writes the body of POST _ltr/_featureset/NAME/_createmodel, whose model definition
// is JSON in a string (Elasticsearch Learning to Rank, Uploading A Trained Model; the parser
// is LinearRankerParser, the normalisers MinMaxFeatureNormDefinition and
// StandardFeatureNormDefinition).
func elastic(w io.Writer, m *model.Model, o *Options) ([]string, error) {
	if inSteps(m, o) {
		return elasticTrees(w, m, o)
	}
	e, err := newEngine(ElasticLTR, m, o)
	if err != nil {
		return nil, err
	}
	var definition, norms object
	for j, name := range e.names {
		definition.add(name, json.Number(shortest(e.weightOf(j))))
		if e.scale == nil || e.scale[j] == 0 {
			continue
		}
		kind, values := e.normOf(j, ends{"minimum", "maximum", "mean", "standard_deviation"})
		if err := checkNorm(ElasticLTR, name, kind, values); err != nil {
			return nil, err
		}
		var numbers object
		for _, v := range values {
			numbers.add(v.name, json.Number(shortest(v.value)))
		}
		norms.add(name, object{{kind, numbers}})
	}
	text, err := json.Marshal(definition)
	if err != nil {
		return nil, err
	}
	inner := object{{"type", "model/linear"}, {"definition", string(text)}}
	if norms != nil {
		inner.add("feature_normalizers", norms)
	}
	notes := append(e.notes,
		"a document with a total below 0 ranks below those outside the rescoring window: make the window cover all "+
			"documents to rank")
	return notes, writeElastic(w, o, inner)
}

// writeElastic writes a model with its name.
func writeElastic(w io.Writer, o *Options, inner object) error {
	return writeJSON(w, object{{"model", object{{"name", cmp.Or(o.Name, defaultModel)}, {"model", inner}}}})
}

// solr writes a model for the model store (Apache Solr Reference Guide, Learning To Rank;
// LinearModel, MinMaxNormalizer and StandardNormalizer of package org.apache.solr.ltr). Every
// feature has a weight, and the parameters of a norm are texts.
func solr(w io.Writer, m *model.Model, o *Options) ([]string, error) {
	if inSteps(m, o) {
		return solrTrees(w, m, o)
	}
	e, err := newEngine(Solr, m, o)
	if err != nil {
		return nil, err
	}
	var weights object
	features := make([]object, len(e.names))
	for j, name := range e.names {
		features[j] = object{{"name", name}}
		weights.add(name, json.Number(shortest(e.weightOf(j))))
		if e.scale == nil || e.scale[j] == 0 {
			continue
		}
		kind, values := e.normOf(j, ends{"min", "max", "avg", "std"})
		if err := checkNorm(Solr, name, kind, values); err != nil {
			return nil, err
		}
		var params object
		for _, v := range values {
			params.add(v.name, shortest(v.value))
		}
		class := map[string]string{"min_max": "MinMaxNormalizer", "standard": "StandardNormalizer"}[kind]
		features[j].add("norm", object{{"class", "org.apache.solr.ltr.norm." + class}, {"params", params}})
	}
	return e.notes, writeSolr(w, o, "LinearModel", features, object{{"weights", weights}})
}

// writeSolr writes a model of a class with its name.
func writeSolr(w io.Writer, o *Options, class string, features []object, params object) error {
	return writeJSON(w, object{
		{"class", "org.apache.solr.ltr.model." + class},
		{"name", cmp.Or(o.Name, defaultModel)},
		{"features", features},
		{"params", params},
	})
}

// object is a JSON object whose keys keep their order.
type object []member

type member struct {
	key   string
	value any
}

func (o *object) add(key string, value any) { *o = append(*o, member{key, value}) }

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for k, m := range o {
		if k > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func writeJSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// shortest is the shortest text that reads back as v. It is a number of JSON, too.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
