package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pairrank/data"
	"pairrank/internal/figure"
	"pairrank/internal/spell"
	"pairrank/model"
	"pairrank/model/contribution"
	"pairrank/model/training"
	"pairrank/relation/pairmodel"
)

// Inspection is the document of a model: what it holds and how it was trained.
type Inspection struct {
	Kind Kind `json:"kind"`
	Facts
	Objective   string              `json:"objective,omitempty"` // its formula
	Lambda      *float64            `json:"lambda,omitempty"`    // if there is one
	Cost        string              `json:"cost,omitempty"`
	Ties        string              `json:"ties,omitempty"`
	QueryWeight string              `json:"query_weight,omitempty"`
	Selection   *InspectedSelection `json:"selection,omitempty"`
	Further     map[string]string   `json:"facts,omitempty"`
	Order       []string            `json:"fact_order,omitempty"` // the order of Further in the model
	Data
	Outputs    int               `json:"outputs"`
	Normalizer string            `json:"normalizer,omitempty"`
	Support    *InspectedSupport `json:"support,omitempty"`
	Random     *InspectedRandom  `json:"random_features,omitempty"`
	Weights    []InspectedWeight `json:"weights,omitempty"`
	Stumps     *InspectedStumps  `json:"stumps,omitempty"`
	Pairwise   *InspectedPairs   `json:"pairwise,omitempty"`
	// Shapes are the curves of splines, of each output by falling importance.
	Shapes []contribution.Shape `json:"shapes,omitempty"`
}

// MarshalJSON writes the keys in the order of all versions.
func (r Inspection) MarshalJSON() ([]byte, error) {
	type plain Inspection
	return object("kind learner solver objective lambda cost ties query_weight loss selection facts fact_order rows "+
		"queries pairs features outputs kernel", plain(r))
}

// InspectedSelection describes the choice of λ.
type InspectedSelection struct {
	Method string  `json:"method"`
	Metric string  `json:"metric"`          // the metric that chose
	Value  *Number `json:"value,omitempty"` // of the metric, unless it is the error
	Error  float64 `json:"error"`
	Count  int     `json:"count"`
	// Measure is the name of Error.
	Measure string `json:"measure"`
}

// text is the selection of a model of so many outputs on one line, each number with its name.
func (s *InspectedSelection) text(outputs int) string {
	measure := cmp.Or(s.Measure, "error")
	text := fmt.Sprintf("%s %s", measure, Number(s.Error))
	if s.Value != nil {
		text = fmt.Sprintf("%s %s, %s", s.Metric, *s.Value, text)
	}
	if outputs > 1 {
		text += fmt.Sprintf(" (means of %d outputs)", outputs)
	}
	text += fmt.Sprintf(" by %s, best of %d", s.Method, s.Count)
	if s.Metric != measure {
		text += " by " + s.Metric
		if s.Value == nil {
			text += ", whose value is not in the model"
		}
	}
	return text
}

// InspectedSupport are the support rows of a kernel model.
type InspectedSupport struct {
	Rows    int    `json:"rows"`
	Storage string `json:"storage"`
}

// InspectedRandom describes the random features of a model, which has one weight for each.
type InspectedRandom struct {
	Features int    `json:"features"`
	Seed     uint64 `json:"seed"`
}

// InspectedStumps sums up the stumps by feature.
type InspectedStumps struct {
	Rounds   int                `json:"rounds"`
	Features []InspectedFeature `json:"features"` // by falling weight
}

// InspectedFeature is the sum of the stumps of a feature.
type InspectedFeature struct {
	Feature int     `json:"feature"`
	Name    string  `json:"name,omitempty"`
	Stumps  int     `json:"stumps"`
	Weight  float64 `json:"weight"` // sum of the magnitudes
}

// InspectedWeight are the weights of a feature, one for each output.
type InspectedWeight struct {
	Feature int       `json:"feature"`
	Name    string    `json:"name,omitempty"`
	Weights []float64 `json:"weights"` // one for each output
}

// NewPairInspection is the document of a model of pairs of nodes.
func NewPairInspection(p *pairmodel.Model) *Inspection {
	r := inspectFacts(p.Info)
	r.Outputs = 1
	if p.Info.Lambda != 0 && p.Kernel != pairmodel.Similarity {
		r.Lambda = &p.Info.Lambda
	}
	r.Pairwise = inspectPairwise(p)
	return r
}

// NewInspection is the document of a model of rows, with its top largest weights; 0 is all.
func NewInspection(m *model.Model, top int) *Inspection {
	r := inspectFacts(m.Info)
	r.Features, r.Outputs, r.Kernel = m.Features(), m.Outputs(), m.KernelSpec()
	if m.Info.Lambda != 0 {
		r.Lambda = &m.Info.Lambda
	}
	if m.Normalizer != nil {
		r.Normalizer = m.Normalizer.Kind
	}
	switch f := m.Scorer.(type) {
	case *model.Stumps:
		r.Lambda, r.Stumps = nil, inspectStumps(m, f, top)
	case *model.Kernel:
		r.Support = inspectSupport(f)
	case *model.Fourier:
		r.Random = &InspectedRandom{f.Kernel.Features, f.Kernel.Seed}
	case *model.Spline:
		r.Shapes = inspectShapes(m, top)
	case *model.Linear:
		r.Weights = largestWeights(f.Weights, m.Names, top)
	}
	return r
}

func inspectSupport(k *model.Kernel) *InspectedSupport {
	s := &InspectedSupport{k.Coef.Rows, "dense"}
	switch k.Support.(type) {
	case nil:
		s.Storage = "training row numbers"
	case *data.CSR:
		s.Storage = "sparse"
	}
	return s
}

// inspectFacts converts the facts of the training.
func inspectFacts(f model.Info) *Inspection {
	r := &Inspection{
		Kind: KindInspection, Facts: Facts{Learner: f.Learner, Solver: f.Solver, Loss: f.Loss}, Objective: f.Objective,
		Cost: f.Cost, Ties: f.Ties, QueryWeight: f.QueryWeight,
		Data: Data{Rows: f.Rows, Queries: f.Queries, Pairs: Number(f.Pairs)},
	}
	if f.Selection != nil {
		r.Selection = inspectSelection(&f)
	}
	for _, fact := range f.Further {
		if r.Further == nil {
			r.Further = map[string]string{}
		}
		r.Further[fact.Name], r.Order = fact.Value, append(r.Order, fact.Name)
	}
	return r
}

// inspectSelection describes the choice, and gives the error its name.
func inspectSelection(f *model.Info) *InspectedSelection {
	s := f.Selection
	out := &InspectedSelection{Method: s.Method, Metric: s.Metric, Error: s.Error, Count: s.Count, Measure: s.Metric}
	by, value := f.ChosenBy()
	if by == "" {
		return out
	}
	if out.Metric = by; by == s.Metric { // in files that name the error by the metric
		out.Measure = "error"
	}
	if !math.IsNaN(value) {
		out.Value = new(Number(value))
	}
	return out
}

// largestWeights are the features by falling magnitude of their weight for the output where it is largest;
// equal ones in the order of the features. top 0 is all.
func largestWeights(w *data.Dense, names []string, top int) []InspectedWeight {
	order := upTo(w.Cols)
	size := make([]float64, w.Cols)
	for j := range order {
		for o := range w.Rows {
			size[j] = max(size[j], math.Abs(w.Row(o)[j]))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	if top > 0 {
		order = order[:min(top, len(order))]
	}
	list := make([]InspectedWeight, len(order))
	for k, j := range order {
		list[k].Feature = j + 1
		if names != nil {
			list[k].Name = names[j]
		}
		for o := range w.Rows {
			list[k].Weights = append(list[k].Weights, w.Row(o)[j])
		}
	}
	return list
}

// View is the facts of the model, and its largest weights.
func (r *Inspection) View() *View {
	v := &View{Title: "Model"}
	r.facts(v)
	for _, f := range v.Facts {
		v.Keys = max(v.Keys, len(f.Key)+1)
	}
	switch {
	case r.Pairwise != nil:
		r.Pairwise.tell(v)
	case r.Stumps != nil:
		v.draw("", r.Stumps.tell(v))
	case len(r.Shapes) > 0:
		v.draw(ShapesFigure, r.tellShapes(v))
	case len(r.Weights) > 0:
		v.draw("", r.tellWeights(v))
	case r.Support != nil:
		v.Notes = append(v.Notes, fmt.Sprintf("A kernel model has no feature weights; the coefficients of its %s are not "+
			"shown.", spell.Plural(r.Support.Rows, "row")))
	}
	return v
}

// features adds the first columns of a table of features: the number and the name, which is that of the row on a page.
func (t *Table) features(of func(l int) (feature int, name string)) {
	t.add("feature", 0, func(l int) string {
		feature, _ := of(l)
		return strconv.Itoa(feature)
	}).OnPage = func(l int) string {
		feature, name := of(l)
		return featureName(name, feature)
	}
	for l := range t.Len {
		if _, name := of(l); name != "" {
			c := t.add("name", 0, func(l int) string {
				_, name := of(l)
				return strings.Map(printable, name)
			})
			c.In, c.Left = InText, true
			return
		}
	}
}

// tellWeights adds the weights, and returns the figure of the largest ones of the first output.
func (r *Inspection) tellWeights(v *View) *Figure {
	t := &Table{Caption: "Weights by magnitude", Len: len(r.Weights), Most: mostWeights,
		Above: fmt.Sprintf("largest weights, %d of %d", len(r.Weights), r.Features)}
	t.features(func(l int) (int, string) { return r.Weights[l].Feature, r.Weights[l].Name })
	weight := func(l, output int) float64 {
		if w := r.Weights[l].Weights; output < len(w) {
			return w[output]
		}
		return math.NaN()
	}
	column := len(t.Columns)
	for k := range r.Weights[0].Weights {
		c := t.add("weight", 0, func(l int) string { return fmt.Sprintf("% .6g", weight(l, k)) })
		if c.Left = true; k == 0 {
			c.OnPage = func(l int) string { return figure.Short(weight(l, 0)) }
		} else {
			c.In = InText
		}
	}
	t.Point = func(l int) Spot {
		p := Spot{Value: weight(l, 0)}
		if p.Value < 0 {
			p.Style = 1
		}
		return p
	}
	v.tell(t)
	if column == len(t.Columns) {
		return nil
	}
	f := &Figure{Title: fmt.Sprintf("The largest weight is that of %s: %s", t.name(0), t.pageCell(0, column)), Table: t,
		Desc: "A bar for each feature, to the left if its weight is negative.",
		Rows: &Rows{Label: "weight", Bars: true, Column: column},
		Text: []string{"A score is the sum of weight times feature. The difference of two scores is the sum of weight " +
			"times difference of the features.", "The features were not normalised: a weight is also large if its feature is " +
			"measured in a large unit."}}
	if r.Normalizer != "" {
		f.Text[1] = "The weights are those of the normalised features (" + r.Normalizer + ")."
	}
	if r.Outputs > 1 {
		f.Title = fmt.Sprintf("The weights of output 1 of %d, sorted by the largest weight of any output", r.Outputs)
	}
	f.smaller(max(len(r.Weights), r.Features))
	return f
}

// smaller says how many of all features a figure of weights leaves out.
func (f *Figure) smaller(all int) {
	if n := all - min(f.Table.Len, mostWeights); n > 0 {
		f.Left = fmt.Sprintf("%s with smaller weights are left out; pairrank inspect --top 0 prints all.",
			spell.Plural(n, "feature"))
	}
}

// printable keeps a name on its line: it replaces any space by a blank, and unprintable characters by the
// replacement character, so that they are visible.
func printable(r rune) rune {
	switch {
	case strconv.IsPrint(r):
		return r
	case unicode.IsSpace(r):
		return ' '
	}
	return unicode.ReplacementChar
}

// facts adds the facts with their names.
func (r *Inspection) facts(v *View) {
	trained := fmt.Sprintf("%s, %s, %s", spell.Plural(r.Rows, "row"), spell.Plural(r.Queries, "query"),
		pairsText(float64(r.Pairs)))
	features, outputs := strconv.Itoa(r.Features), strconv.Itoa(r.Outputs)
	if r.Pairwise != nil { // each side has them
		trained = fmt.Sprintf("%s of %s", spell.Plural(r.Rows, "edge"), spell.Plural(r.Queries, "row node"))
		if r.Pairs > 0 {
			trained += ", " + pairsText(float64(r.Pairs))
		}
		features, outputs = "", ""
	}
	v.state("learner", "%s", r.Learner)
	v.state("solver", "%s", r.Solver)
	v.state("objective", "%s", r.Objective)
	if r.Lambda != nil {
		v.fact(Finding, "lambda", "%s", strconv.FormatFloat(*r.Lambda, 'g', -1, 64))
	}
	if s := r.Selection; s != nil {
		v.fact(Finding, "selection", "%s", s.text(r.Outputs))
	}
	for _, f := range [][2]string{{"cost", r.Cost}, {"ties", r.Ties}, {"query weight", r.QueryWeight}, {"loss", r.Loss},
		{"kernel", r.Kernel}, {"normalizer", r.Normalizer}, {"trained on", trained}, {"features", features},
		{"outputs", outputs}} {
		v.state(f[0], "%s", f[1])
	}
	for _, name := range r.Order {
		if name != training.ChosenBy { // part of the selection
			v.state(name, "%s", r.furtherText(name))
		}
	}
	if r.Support != nil {
		v.state("support", "%s, %s", spell.Plural(r.Support.Rows, "row"), r.Support.Storage)
	}
	if r.Random != nil {
		v.state("random", "%d features, cosines and sines at frequencies drawn by seed %d", r.Random.Features, r.Random.Seed)
	}
}

// furtherText is a further fact for people.
func (r *Inspection) furtherText(name string) string {
	if name == training.ColumnsFact {
		var c Columns
		if json.Unmarshal([]byte(r.Further[name]), &c) == nil {
			return c.String()
		}
	}
	return r.Further[name]
}

// pairsText writes a count that may exceed the largest integer.
func pairsText(pairs float64) string {
	if pairs == 1 {
		return "1 pair"
	}
	if pairs < 1e15 {
		return strconv.FormatFloat(pairs, 'f', -1, 64) + " pairs"
	}
	return strconv.FormatFloat(pairs, 'g', 6, 64) + " pairs"
}
