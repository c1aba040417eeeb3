package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"pairrank"
	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/report"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/contribution"
	"pairrank/relation"
)

// kinds are the kinds of all documents.
var kinds = []report.Kind{report.KindTraining, report.KindEstimate, report.KindEdgeTraining, report.KindEdgeEstimate,
	report.KindInspection, report.KindEvaluation, report.KindCalibration, report.KindComparison,
	report.KindComparisons, report.KindExplanation, report.KindNodeRanking, report.KindNodeScores, report.KindCheck,
	report.KindEdgeCheck, report.KindSumming, report.KindBuild, report.KindLeaderboard, report.KindScores,
	report.KindJudgement}

// unpaged are documents of the kinds that have no page, and more of the kinds that have one.
func unpaged(t *testing.T) map[string]report.Document {
	t.Helper()
	out := map[string]report.Document{}
	for name, o := range map[string]pairrank.Options{
		"cg": {Learner: pairrank.LeastSquares{Solver: pairrank.CG}}, "svm": {Learner: pairrank.RankSVM{}},
		"exhausted": {Learner: pairrank.RankBoost{Rounds: []int{3, 400}}}, "drawn": {PairsSample: 50},
	} {
		p := problem(t, 30, 1)
		if name == "exhausted" { // a constant feature has no stump
			p.Set, _ = pairrank.Rows([][]float64{{1}, {1}, {1}, {1}}, []float64{0, 1, 0, 1},
				[]string{"a", "a", "b", "b"})
		}
		result, err := pairrank.Train(t.Context(), p, o)
		if err != nil {
			t.Fatal(name, err)
		}
		d := report.NewTraining(result, report.About{Model: "m", Moments: "s", Stream: report.NewStream(1, 30, 1e9, false)})
		if name == "drawn" {
			d.Measure = "relative-squared-error"
		}
		out[name] = d
		out[name+" model"] = report.NewInspection(result.Model, 2)
	}
	splines(out)
	named := &comparison.Problem{Items: []string{"a", "b", "c"}, Lines: []comparison.Line{
		{Left: 0, Right: 1, Wins: 3, Losses: 1, Annotator: -1, Stratum: -1},
		{Left: 1, Right: 2, Wins: 2, Ties: 1, Annotator: -1, Stratum: -1}}}
	out["judged"] = report.NewJudgement(named, named.Judge([]float64{3, 1, 2}))
	out["ties alone"] = report.NewJudgement(&comparison.Problem{}, (&comparison.Problem{}).Judge(nil))
	compared := problem(t, 30, 1)
	named.Items = nil
	compared.Comparisons = named
	e, err := pairrank.Estimate(t.Context(), compared, pairrank.EstimateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out["compared"] = report.NewEstimate(e, "rankrls", report.About{})
	several := problem(t, 60, 12)
	several.Labels = data.NewDense(60, 2, nil)
	for i := range 60 {
		several.Labels.Row(i)[0], several.Labels.Row(i)[1] = several.Set.Y[i], float64(i%5)
	}
	kernels := []kernel.Kernel{kernel.Gaussian{Gamma: 0.1}, kernel.Gaussian{Gamma: 1}}
	for name, o := range map[string]pairrank.Options{
		"kernels": {Kernels: kernels, Metric: &metric.MAP},
		"rounds":  {Learner: pairrank.RankBoost{Rounds: []int{3, 9}}},
		"outputs": {Kernels: kernels, Metric: &metric.MAP}, "given": {Lambdas: []float64{1}},
	} {
		p := several
		if o.Learner != nil || name == "kernels" {
			p = problem(t, 60, 12)
		}
		e, err := pairrank.Estimate(t.Context(), p, pairrank.EstimateOptions{Options: o, Importance: name == "rounds"})
		if err != nil {
			t.Fatal(name, err)
		}
		d := report.NewEstimate(e, "learner", report.About{Metric: o.Metric})
		if name == "rounds" {
			worth, err := e.Importance(t.Context(), cv.ImportanceAuto)
			if err != nil {
				t.Fatal(err)
			}
			d.AddImportance(worth)
		}
		out["estimate of "+name] = d
		if o.Learner == nil {
			result, err := pairrank.Train(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			out["training of "+name] = report.NewTraining(result, report.About{Metric: o.Metric, Valid: "v"})
		}
	}
	out["checked"] = &report.Check{Kind: report.KindCheck, File: "f.txt", Errors: 2, Warnings: 1, Rows: 3,
		Labels: []report.LabelRows{{Label: 1, Rows: 2}}, Problems: []report.CheckProblem{
			{Severity: "error", Line: 2, Column: 1, Text: "x", Message: "is no number"},
			{Severity: "warning", Message: "one label"}}}
	weights := &model.Model{Info: model.Info{Learner: "rankrls"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{2, -3})}}
	sum, err := contribution.Between(weights, []float64{1, 2}, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	out["explanation"] = &report.Explanation{Kind: report.KindExplanation, LeftOut: 2, Explained: []report.Explained{
		{Query: "q", Of: []report.ExplainedRow{{Row: 1, ID: "d"}, {Row: 2}}, Sum: sum}}}
	out["edges checked"] = report.NewEdgeCheck(&relation.Summary{Edges: 3, Rows: relation.NodeSummary{Nodes: 2}}, 1,
		[]string{"x"})
	out["summing"] = &report.Summing{Kind: report.KindSumming, Directory: "d",
		Files: []report.Unit{{File: "f", Rows: 3}}}
	if out["build"], err = report.NewBuild(); err != nil {
		t.Fatal(err)
	}
	out["pairs"] = &report.NodeRanking{Kind: report.KindNodeRanking, All: true,
		Pairs: []report.RankedPair{{Row: "a", Column: "b", Score: 0.1}}}
	return out
}

// told returns the text of a document and its page; "" is none.
func told(t *testing.T, d report.Document) (text, styled, page string) {
	t.Helper()
	var plain, marked bytes.Buffer
	if err := errors.Join(d.View().WriteText(&plain), d.View().WriteText(report.Styled{Writer: &marked})); err != nil {
		t.Fatal(err)
	}
	if _, err := viewOf(d); err == nil {
		page = render(t, d)
	}
	return plain.String(), marked.String(), page
}

// A document that is read back is the one that was written, for every kind: it has the same JSON, text and
// page. Documents that earlier versions wrote without a kind are recognised by their keys.
func TestReadBack(t *testing.T) {
	seen := map[report.Kind]bool{}
	all := documents(t)
	maps.Copy(all, unpaged(t))
	for name, d := range all {
		raw, err := json.Marshal(d)
		if err != nil {
			t.Fatal(name, err)
		}
		back, err := report.Read(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again, err := json.Marshal(back); err != nil || !bytes.Equal(again, raw) {
			t.Errorf("%s: read back and written it is another document: %v\n%s\n%s", name, err, raw, again)
		}
		text, styled, page := told(t, d)
		textBack, styledBack, pageBack := told(t, back)
		if textBack != text || styledBack != styled {
			t.Errorf("%s: the text that was read differs\n%s\n%s", name, styled, styledBack)
		}
		if pageBack != page {
			t.Errorf("%s: the page of the document that was read differs", name)
		}
		var head struct{ Kind report.Kind }
		if err := json.Unmarshal(raw, &head); err != nil {
			t.Fatal(err)
		}
		first := fmt.Sprintf(`{"kind":%q,`, head.Kind)
		old, begins := bytes.CutPrefix(raw, []byte(first))
		if seen[head.Kind] = true; !begins {
			t.Errorf("%s does not begin with its kind: %.40s", name, raw)
		}
		before, err := report.Read(strings.NewReader("{" + string(old)))
		switch head.Kind {
		case report.KindCalibration, report.KindExplanation, report.KindNodeScores, report.KindCheck,
			report.KindEdgeCheck, report.KindSumming, report.KindBuild, report.KindLeaderboard, report.KindScores,
			report.KindJudgement:
			if err == nil {
				t.Errorf("%s is read without its kind", name)
			}
		default:
			if err != nil || reflect.TypeOf(before) != reflect.TypeOf(d) {
				t.Fatalf("%s is read without its kind as %T: %v", name, before, err)
			}
			if text, _, page := told(t, before); text != textBack || page != pageBack {
				t.Errorf("%s: without its kind it has another text or page", name)
			}
		}
	}
	for _, kind := range kinds {
		if !seen[kind] {
			t.Errorf("there is no document of kind %s", kind)
		}
	}
	if _, err := report.Read(strings.NewReader(`{"kind":"x","style":"default","metrics":{}}`)); err == nil {
		t.Error("an unknown kind is read")
	}
}

// splines adds models of splines to documents: of what their rows were, and of numbers that overflow.
func splines(out map[string]report.Document) {
	for outputs, bound := range map[int]float64{1: 1, 2: 1e200} {
		spline := &model.Spline{Map: kernel.SplineOf(kernel.Spline{Knots: 2, Bends: 1}, [][]float64{{1, 3}, nil, {2}}),
			Weights: data.NewDense(outputs, 6, nil)}
		for k := range spline.Weights.Data {
			spline.Weights.Data[k] = bound * float64(k*k%7-3)
		}
		if outputs == 1 {
			spline.Describe(data.NewDense(4, 3, []float64{0, 1, 2, 2, 1, 4, 4, 0, 1, 9, 1, 3}), nil)
		}
		m := &model.Model{Names: []string{evil, "b", "c"}, Info: model.Info{Learner: "rankrls"}, Scorer: spline,
			Normalizer: &data.Normalizer{Kind: data.NormalizeQueryMinMax}}
		out[fmt.Sprint("splines of ", outputs)] = report.NewInspection(m, 0)
	}
}
