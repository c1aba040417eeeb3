package plain

import (
	"fmt"
	"strings"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/modelfile"
	"pairrank/model"
)

// Linear scores a row of n raw features by Σ_j Weights_j z_j + Σ_k Bends_k, z_j = (x_j − Shift_j) Scale_j. A linear
// model is a spline without bends.
type Linear struct {
	Names        []string  // of the features, or nil
	Weights      []float64 // n
	Bends        []Bend    // of a spline, by feature, knots ascending
	Shift, Scale []float64 // n, or nil without a normaliser
	Kind         string    // of the normaliser, or ""
	Missing      []float64 // Substitutes of the model
}

// Bend adds Weight (z − Knot)₊ to a score, z the normalised feature.
type Bend struct {
	Feature      int // from 0
	Knot, Weight float64
}

// NewLinear is NewCurves, and refuses bends.
func NewLinear(target string, m *model.Model) (*Linear, error) {
	l, err := NewCurves(target, m)
	if err == nil && len(l.Bends) > 0 {
		return nil, notLinear(target, m)
	}
	return l, err
}

// NewCurves takes the one output of a linear model or of a spline. It returns a *fault.RefusedError for a model of
// another kind, of several outputs, or one that normalises by query.
func NewCurves(target string, m *model.Model) (*Linear, error) {
	if err := CheckRows(target, m); err != nil {
		return nil, err
	}
	l := &Linear{Names: m.Names, Missing: Substitutes(m)}
	switch s := m.Scorer.(type) {
	case *model.Linear:
		l.Weights = s.Weights.Row(0)
	case *model.Spline:
		l.Weights, l.Bends = s.Weights.Row(0)[:m.Features()], Bends(s, 0)
	default:
		return nil, notLinear(target, m)
	}
	if v := m.Outputs(); v != 1 {
		return nil, severalOutputs(target, v)
	}
	l.Shift, l.Scale, l.Kind = Normaliser(m)
	return l, nil
}

// Bends are those of output o of a spline.
func Bends(s *model.Spline, o int) (all []Bend) {
	for j := range s.Map.Inputs() {
		c := s.Curve(o, j)
		for k, w := range c.Bends {
			all = append(all, Bend{j, c.Knots[k], w})
		}
	}
	return all
}

// CheckRows returns why a model cannot be exported whatever its scorer is: parts that do
// not fit, numbers that are not finite, and a *fault.RefusedError for normalising by query.
func CheckRows(target string, m *model.Model) error {
	if err := m.Check(); err != nil {
		return err
	}
	if strings.Contains(m.KernelSpec(), "clinical") {
		return refuse(target, "a model of the clinical kernel", "score with predict or serve, or train with another kernel")
	}
	if norm := m.Normalizer; norm != nil && norm.Kind == data.NormalizeQueryMinMax {
		return refuse(target, "a model that normalises by query (query-minmax), since it scores each row alone",
			"train with the normalization zscore or minmax, whose numbers are exported, or normalise the rows of "+
				"each query before scoring and train without normalization")
	}
	return nil
}

// notLinear is the refusal of a model of the wrong kind.
func notLinear(target string, m *model.Model) error {
	what, help := "stumps", "use xgboost, es-ltr, solr, ranklib, onnx, go, js, sql or html"
	switch m.Scorer.(type) {
	case *model.Spline:
		what = "a model of splines (" + m.KernelSpec() + ")"
	case *model.Fourier:
		what, help = "a model of random features ("+m.KernelSpec()+")", "use onnx, or train with a linear kernel"
	case *model.Kernel:
		what, help = "a kernel model ("+m.KernelSpec()+")", "use onnx, or train with a linear kernel"
	}
	return refuse(target, what, help)
}

// severalOutputs is the refusal of v scores of a row.
func severalOutputs(target string, v int) error {
	return refuse(target, fmt.Sprintf("a model of %d outputs, since it gives a row one score", v),
		"use onnx, or train with one label")
}

// Normaliser is the numbers of the normaliser of a model, nil where it has none.
func Normaliser(m *model.Model) (shift, scale []float64, kind string) {
	if norm := m.Normalizer; norm != nil && len(norm.Scale) > 0 {
		return norm.Shift, norm.Scale, norm.Kind
	}
	return nil, nil, ""
}

// Fold folds the normaliser into the weights: Σ_j w_j x_j + constant is the score, up to the
// rounding of the largest w_j shift_j. It returns an Overflow.
func (l *Linear) Fold() (weights []float64, constant float64, err error) {
	if l.Scale == nil {
		return l.Weights, 0, nil
	}
	weights = make([]float64, len(l.Weights))
	for j, w := range l.Weights {
		weights[j] = w * l.Scale[j]
		if weights[j] != 0 {
			constant -= weights[j] * l.Shift[j]
		}
		if modelfile.NotFinite(weights[j]) || modelfile.NotFinite(constant) {
			return nil, 0, Overflow("the weight of feature %d overflows when the scale %g of its normaliser is "+
				"folded into it", j+1, l.Scale[j])
		}
	}
	return weights, constant, nil
}

// Overflow is the numerical fault of a number that double precision does not hold.
func Overflow(format string, args ...any) error {
	return fault.As(fault.Numerical, fault.Overflow, fmt.Errorf(format, args...))
}

// Names is the names of n features, or f1 … fn where the model has none; made reports that.
func Names(names []string, n int) (all []string, made bool) {
	if names != nil {
		return names, false
	}
	all = make([]string, n)
	for j := range all {
		all[j] = fmt.Sprintf("f%d", j+1)
	}
	return all, true
}

// NameNote is the note about names that were made up.
func NameNote(made bool, n int) []string {
	if !made {
		return nil
	}
	return []string{fmt.Sprintf("the model has no feature names: the features are called f1 … f%d, in column order", n)}
}

// CheckNames returns a *fault.RefusedError for a name that stands twice or is empty, where a target
// finds features by name.
func CheckNames(target string, names []string) error {
	seen := make(map[string]bool, len(names))
	for j, name := range names {
		if name == "" {
			return refuse(target, fmt.Sprintf("feature %d, whose name is empty, since it finds features by name",
				j+1), "name the column and train again")
		}
		if seen[name] {
			return refuse(target, fmt.Sprintf("two features called %q, since it finds features by name",
				modelfile.Clip(name)), "rename one of the columns and train again")
		}
		seen[name] = true
	}
	return nil
}
