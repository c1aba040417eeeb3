package export

import (
	"fmt"
	"io"
	"strings"

	"pairrank/data"
	"pairrank/export/internal/onnx"
	"pairrank/export/internal/plain"
	"pairrank/export/internal/source"
	"pairrank/fault"
	"pairrank/internal/spell"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

// Target is the program or language a model is written for.
type Target string

// The targets.
const (
	ElasticLTR Target = "es-ltr"    // Elasticsearch and OpenSearch Learning to Rank, model/linear or model/xgboost+json
	Solr       Target = "solr"      // Solr Learning To Rank, LinearModel or MultipleAdditiveTreesModel
	XGBoost    Target = "xgboost"   // a model file of XGBoost
	RankLib    Target = "ranklib"   // Coordinate Ascent, or RankBoost for steps
	SVMrank    Target = "svmrank"   // SVM-light text
	LIBLINEAR  Target = "liblinear" // L2R_L2LOSS_SVR
	ONNX       Target = "onnx"      // ai.onnx 13 in double precision
	Go         Target = "go"        // a file without dependencies
	JavaScript Target = "js"        // an ES module
	SQL        Target = "sql"       // a SELECT
	HTML       Target = "html"      // a page that scores in the browser
)

// ability is what a target can express, and its names.
type ability struct {
	Target    Target
	What      string // description of the format
	Extension string // of its files
	Linear    bool   // linear models of one output
	Stumps    bool
	Splines   bool
	Steps     bool   // splines and linear models as steps between the values of Options.Data
	Kernels   bool   // Gaussian, polynomial and precomputed, and random features
	Outputs   bool   // several outputs a row
	Pairs     bool   // models of pairs of nodes
	Double    bool   // scores in float64, else float32
	Constant  bool   // keeps the constant of a folded normaliser
	Missing   bool   // treats missing values as the training did, or refuses them; else they are 0
	Name      string // the meaning of Options.Name, "" where the target has none

	rows  func(w io.Writer, m *model.Model, o *Options) (notes []string, err error)
	pairs func(w io.Writer, p *pairmodel.Model, name string) (notes []string, err error)
}

// Options are the options of a target. The zero value is the default of all.
type Options struct {
	// Name is the name in the target: of the stored model for ElasticLTR, Solr and ONNX, of the
	// package for Go, of the table for SQL, the title for HTML. The default is DefaultName of the
	// target.
	Name string

	// Normalizers keeps the normaliser separate from the weights, so that the weights are those of
	// the model: for ElasticLTR as feature_normalizers, for Solr as the norm of each feature.
	// Without it the normaliser is folded into the weights.
	Normalizers bool

	// Data are rows, such as those of the training: a target of steps takes a spline, which needs them, or a
	// linear model as steps between their values. Notes say how far the steps are from the curves.
	Data *data.Set
}

// abilities are all targets, in the order of lists.
var abilities = []ability{
	{Target: ElasticLTR, What: "Elasticsearch or OpenSearch LTR, model/linear or xgboost+json", Extension: "json",
		Linear: true, Stumps: true, Steps: true, Name: "model", rows: elastic},
	{Target: Solr, What: "Solr LTR, LinearModel or MultipleAdditiveTreesModel", Extension: "json", Linear: true,
		Stumps: true, Steps: true, Name: "model", rows: solr},
	{Target: XGBoost, What: "XGBoost, model.json", Extension: "json", Stumps: true, Steps: true, Missing: true,
		rows: xgboost},
	{Target: RankLib, What: "RankLib, Coordinate Ascent or RankBoost", Extension: "txt", Linear: true, Stumps: true,
		Steps: true, rows: ranklib},
	{Target: SVMrank, What: "SVMrank, SVM-light text", Extension: "dat", Linear: true, Double: true,
		Constant: true, rows: svmrank},
	{Target: LIBLINEAR, What: "LIBLINEAR, L2R_L2LOSS_SVR", Extension: "model", Linear: true, Double: true,
		Constant: true, rows: liblinear},
	{Target: ONNX, What: "ONNX, ai.onnx 13", Extension: "onnx", Linear: true, Stumps: true, Splines: true,
		Kernels: true, Outputs: true, Pairs: true, Double: true, Constant: true, Missing: true,
		Name: "graph", rows: named(onnx.WriteRows), pairs: onnx.WritePairs},
	{Target: Go, What: "Go source, one file", Extension: "go", Linear: true, Stumps: true, Splines: true, Double: true,
		Constant: true, Missing: true, Name: "package", rows: named(source.WriteGo)},
	{Target: JavaScript, What: "JavaScript, an ES module", Extension: "mjs", Linear: true, Stumps: true, Splines: true,
		Double: true, Constant: true, Missing: true, rows: unnamed(source.WriteJavaScript)},
	{Target: SQL, What: "SQL, a SELECT", Extension: "sql", Linear: true, Stumps: true, Splines: true, Double: true,
		Constant: true, Missing: true, Name: "table", rows: named(source.WriteSQL)},
	{Target: HTML, What: "a page that scores in the browser", Extension: "html", Linear: true, Stumps: true,
		Splines: true, Double: true, Constant: true, Missing: true, Name: "title", rows: named(source.WriteHTML)},
}

// inSteps reports whether a target of ability.Steps that has linear models, too, takes a model as steps.
func inSteps(m *model.Model, o *Options) bool {
	switch m.Scorer.(type) {
	case *model.Stumps, *model.Spline:
		return true
	}
	return o.Data != nil
}

// writer writes a model of rows for a target, and returns notes.
type writer = func(w io.Writer, m *model.Model, o *Options) (notes []string, err error)

// named passes the name to a writer that knows no other option.
func named(write func(io.Writer, *model.Model, string) ([]string, error)) writer {
	return func(w io.Writer, m *model.Model, o *Options) ([]string, error) { return write(w, m, o.Name) }
}

func unnamed(write func(io.Writer, *model.Model) ([]string, error)) writer {
	return func(w io.Writer, m *model.Model, _ *Options) ([]string, error) { return write(w, m) }
}

// Targets returns the names of all targets.
func Targets() []string {
	names := make([]string, len(abilities))
	for k, a := range abilities {
		names[k] = string(a.Target)
	}
	return names
}

// abilityOf returns what a target can express. For an unknown target it returns an error that lists
// the targets.
func abilityOf(t Target) (ability, error) {
	for _, a := range abilities {
		if a.Target == t {
			return a, nil
		}
	}
	names := Targets()
	if near := spell.Nearest(string(t), names); near != "" {
		return ability{}, fmt.Errorf("unknown target %q, did you mean %s? known are %s", t,
			near, strings.Join(names, ", "))
	}
	return ability{}, fmt.Errorf("unknown target %q: known are %s", t, strings.Join(names, ", "))
}

// Write writes a model of rows or of pairs for a target. It returns notes on what is lost, each a
// sentence without a full stop. The cost is linear in the numbers of the model. The memory is one
// copy of them, for ONNX two; sparse support rows are written dense.
//
// It returns a *fault.RefusedError for a model or an option that the target cannot express, another error
// for a model whose parts do not fit, one of the kind fault.Numerical where a number overflows,
// and the errors of w. It writes nothing of a refused model.
func Write[M *model.Model | *pairmodel.Model](w io.Writer, m M, t Target, o Options) (notes []string, err error) {
	a, err := abilityOf(t)
	if err != nil {
		return nil, err
	}
	if o.Name != "" && a.Name == "" {
		return nil, &fault.RefusedError{Target: string(t), What: "a name", Help: "leave the name out"}
	}
	if o.Normalizers && t != ElasticLTR && t != Solr {
		return nil, &fault.RefusedError{Target: string(t), What: "normalizers separate from the weights",
			Help: "leave the option out; it is for es-ltr and solr"}
	}
	if o.Data != nil && !a.Steps {
		return nil, &fault.RefusedError{Target: string(t), What: "steps between the values of rows",
			Help: "leave the rows (--data) out; they are for es-ltr, solr, xgboost and ranklib"}
	}
	switch m := any(m).(type) {
	case *pairmodel.Model:
		if a.pairs == nil {
			return nil, &fault.RefusedError{Target: string(t), What: "a model of pairs of nodes", Help: "use onnx"}
		}
		return a.pairs(w, m, o.Name)
	case *model.Model:
		return a.writeRows(w, m, &o)
	}
	panic("export: a model of no known type")
}

// writeRows writes a model of rows, with the notes that the target as such makes necessary.
func (a *ability) writeRows(w io.Writer, m *model.Model, o *Options) (notes []string, err error) {
	var more []string
	if !a.Missing {
		if more, err = plain.ZeroForMissing(string(a.Target), m); err != nil {
			return nil, err
		}
	}
	notes, err = a.rows(w, m, o)
	if err != nil {
		return nil, err
	}
	if !a.Missing && a.Name == "" && m.Info.First() == 0 {
		more = append(more, "features count from 1 there, and from 0 in the text of the training: add 1 to each index")
	}
	return append(notes, more...), nil
}
