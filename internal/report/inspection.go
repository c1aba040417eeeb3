package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pairrank/data"
	"pairrank/internal/spell"
	"pairrank/model"
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
	text := fmt.Sprintf("%s %.6g", measure, s.Error)
	if s.Value != nil {
		text = fmt.Sprintf("%s %.6g, %s", s.Metric, float64(*s.Value), text)
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
	order := make([]int, w.Cols)
	size := make([]float64, w.Cols)
	for j := range order {
		order[j] = j
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

// WriteText writes the document for people.
func (r *Inspection) WriteText(w io.Writer) error {
	if err := writeList(w, r.lines()); err != nil {
		return err
	}
	if r.Stumps != nil {
		return r.Stumps.write(w)
	}
	if r.Pairwise != nil {
		return r.Pairwise.write(w)
	}
	if len(r.Weights) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nlargest weights, %d of %d\n", len(r.Weights), r.Features)
	var rows [][]string
	for _, weight := range r.Weights {
		row := namedRow(weight.Feature, weight.Name)
		for _, v := range weight.Weights {
			row = append(row, fmt.Sprintf("% .6g", v))
		}
		rows = append(rows, row)
	}
	return writeList(w, rows)
}

// namedRow begins the row of a feature in a list, with its name if it has one.
func namedRow(feature int, name string) []string {
	row := []string{fmt.Sprint("  ", feature)}
	if name != "" {
		row = append(row, strings.Map(printable, name))
	}
	return row
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

// lines are the facts with their names.
func (r *Inspection) lines() [][]string {
	chosen, lambda := "", ""
	if r.Lambda != nil {
		lambda = strconv.FormatFloat(*r.Lambda, 'g', -1, 64)
	}
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
	if s := r.Selection; s != nil {
		chosen = s.text(r.Outputs)
	}
	lines := [][]string{
		{"learner", r.Learner},
		{"solver", r.Solver},
		{"objective", r.Objective},
		{"lambda", lambda},
		{"selection", chosen},
		{"cost", r.Cost},
		{"ties", r.Ties},
		{"query weight", r.QueryWeight},
		{"loss", r.Loss},
		{"kernel", r.Kernel},
		{"normalizer", r.Normalizer},
		{"trained on", trained},
		{"features", features},
		{"outputs", outputs},
	}
	for _, name := range r.Order {
		if name != training.ChosenBy { // part of the selection
			lines = append(lines, []string{name, r.furtherText(name)})
		}
	}
	if r.Support != nil {
		lines = append(lines, []string{"support", spell.Plural(r.Support.Rows, "row") + ", " + r.Support.Storage})
	}
	if r.Random != nil {
		drawn := fmt.Sprintf("%d features, cosines and sines at frequencies drawn by seed %d", r.Random.Features,
			r.Random.Seed)
		lines = append(lines, []string{"random", drawn})
	}
	return slices.DeleteFunc(lines, func(line []string) bool { return line[1] == "" })
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
