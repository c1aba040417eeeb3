package page

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"pairrank"
	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/calibration"
	"pairrank/internal/report"
	"pairrank/kernel"
	"pairrank/relation"
)

const evil = `<script>alert("1 & 2")</script>`

// problem is rows of three features, the first named as a script, in queries or one list.
func problem(t *testing.T, m, q int) pairrank.Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(m), 4))
	x, y, queries := make([][]float64, m), make([]float64, m), []string(nil)
	for i := range x {
		x[i] = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		if x[i][0]+r.NormFloat64() > 0 {
			y[i] = 1
		}
		if q > 1 {
			queries = append(queries, fmt.Sprint(evil, i%q))
		}
	}
	set, err := pairrank.Rows(x, y, queries)
	if err != nil {
		t.Fatal(err)
	}
	set.Names = []string{evil, "b", ""}
	return pairrank.Problem{Set: set}
}

// ranked is a comparison of two rankings of q queries, and the evaluation of the first.
func ranked(t *testing.T, q int) (*report.Comparison, *report.Evaluation, *report.Calibration) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(q), 5))
	in := [2]metric.Input{}
	var of []int32
	var ids []string
	for g := range q {
		ids = append(ids, fmt.Sprint(evil, g))
		for range 5 {
			of = append(of, int32(g))
			y := float64(r.IntN(3))
			for k := range in {
				in[k].Labels, in[k].Scores = append(in[k].Labels, y),
					append(in[k].Scores, y+float64(1+4*k)*r.NormFloat64())
			}
		}
	}
	metrics, err := metric.ParseList("ndcg,disagreement,map")
	if err != nil {
		t.Fatal(err)
	}
	var reports [2]*metric.Report
	for k := range in {
		in[k].Queries = data.NewQueries(of, ids)
		if reports[k], err = metric.Evaluate(in[k], metrics, metric.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	o := compare.Options{Resamples: 200, Seed: 1}
	found, err := compare.Reports(reports[0], reports[1], o)
	if err != nil {
		t.Fatal(err)
	}
	rankings := [2]report.Ranking{{Kind: "model", File: "a.txt"}, {Kind: "scores", File: evil}}
	d := report.NewComparison(found, metric.Default, rankings, o)
	d.AddQueries(reports[0], reports[1])
	c, err := calibration.Calibrate(in[0], calibration.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range in {
		in[k].Queries = nil
		for i := range in[k].Labels {
			in[k].Labels[i] = min(1, in[k].Labels[i])
		}
	}
	d.Areas = report.NewAreas(in[:], nil, nil)
	e := &report.Evaluation{Rankings: rankings[:], Reports: reports[:], Areas: report.NewAreas(in[:1], nil, nil)}
	return d, e, report.NewCalibration(evil, c)
}

// severalRanked is a comparison of four rankings.
func severalRanked(t *testing.T) *report.Comparisons {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 5))
	var reports []*metric.Report
	var rankings []report.Ranking
	for k := range 4 {
		one := &metric.Report{Results: []metric.Result{{Metric: metric.NDCG}, {Metric: metric.Disagreement}}}
		for g := range 30 {
			v := metric.Value{Value: 0.5 + 0.1*float64(k) + 0.1*r.NormFloat64(), Defined: g > 2}
			one.PerQuery = append(one.PerQuery, metric.QueryValues{ID: fmt.Sprint(g), Values: []metric.Value{v, v}})
		}
		reports = append(reports, one)
		rankings = append(rankings, report.Ranking{Kind: "model", File: fmt.Sprint(evil, k)})
	}
	o := compare.Options{Resamples: 200, Seed: 1}
	found, err := compare.All(reports, o)
	if err != nil {
		t.Fatal(err)
	}
	d := report.NewComparisons(found, metric.Default, rankings, nil, o)
	d.Data = []string{"f1.txt", evil}
	return d
}

// made are the documents that a test has made, which the others read.
var made map[string]report.Document

// documents are of every kind, by a name.
func documents(t *testing.T) map[string]report.Document {
	t.Helper()
	if made == nil {
		made = makeDocuments(t)
	}
	return maps.Clone(made)
}

func makeDocuments(t *testing.T) map[string]report.Document {
	t.Helper()
	out := map[string]report.Document{}
	train := func(name string, p pairrank.Problem, o pairrank.Options) {
		result, err := pairrank.Train(t.Context(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		about := report.About{Model: evil, Metric: o.Metric}
		out[name], out[name+" model"] = report.NewTraining(result, about), report.NewInspection(result.Model, 0)
	}
	queries, list := problem(t, 60, 12), problem(t, 40, 1)
	ndcg, err := metric.Parse("ndcg@10")
	if err != nil {
		t.Fatal(err)
	}
	train("queries", queries, pairrank.Options{Metric: &ndcg})
	train("list", list, pairrank.Options{Lambdas: []float64{1}})
	train("boost", queries, pairrank.Options{Learner: pairrank.RankBoost{Rounds: []int{3, 9}}})
	train("selected", list, pairrank.Options{Learner: pairrank.Greedy{}, Lambdas: []float64{1, 30}})
	train("kernels", list,
		pairrank.Options{Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 0.1}, kernel.Gaussian{Gamma: 1}}})
	outputs := queries
	outputs.Labels = data.NewDense(60, 2, nil)
	for i := range 60 {
		outputs.Labels.Row(i)[0], outputs.Labels.Row(i)[1] = queries.Set.Y[i], float64(i%5)
	}
	train("outputs", outputs, pairrank.Options{})
	e, err := pairrank.Estimate(t.Context(), list, pairrank.EstimateOptions{ROC: true, LearningCurve: true,
		Importance: true, Permutations: 5, Nested: &cv.Method{Kind: cv.KFold}})
	if err != nil {
		t.Fatal(err)
	}
	d := report.NewEstimate(e, "rankrls", report.About{})
	roc, err := e.ROC(t.Context())
	curve, failed := e.LearningCurve(t.Context())
	pairs, wrongly := e.RowPairs(t.Context())
	worth, without := e.Importance(t.Context(), cv.ImportanceAuto)
	if err = errors.Join(err, failed, without, wrongly); err != nil {
		t.Fatal(err)
	}
	d.AddImportance(worth)
	answers, err := e.AnswerROC(t.Context(), roc, cv.ROCQuestions{Specificities: []float64{0.8},
		Sensitivities: []float64{0.8},
		Partial:       []cv.PartialRange{{Of: "specificity", From: 0.5, To: 1}}, Band: roc.BandSpecificities()})
	if err != nil {
		t.Fatal(err)
	}
	d.AddROC(e, roc, answers)
	named := *list.Set
	for range named.Y {
		named.IDs = append(named.IDs, evil)
	}
	d.AddRowPairs(&named, pairs)
	d.AddLearningCurve(curve)
	out["estimate"] = d
	few, err := pairrank.Estimate(t.Context(), list, pairrank.EstimateOptions{Options: pairrank.Options{
		Learner: pairrank.Greedy{}, Lambdas: []float64{1, 30}}, Nested: &cv.Method{Kind: cv.KFold, Folds: 5}})
	if err != nil {
		t.Fatal(err)
	}
	selection, err := few.Selection(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	chosen := report.NewEstimate(few, "rankrls", report.About{})
	chosen.AddSelection(selection, list.Set.Names)
	out["chosen"] = chosen
	out["several"] = severalRanked(t)
	out["comparison"], out["evaluation"], out["calibration"] = ranked(t, 30)
	addRelations(t, out)
	out["leaderboard"] = board(t, 12, comparison.Options{Loss: comparison.Logistic, Ties: comparison.Half})
	out["judged leaderboard"] = judged(t, 40)
	out["penalised leaderboard"] = board(t, 6, comparison.Options{Loss: comparison.Squared, Lambda: 1})
	maps.Copy(out, scoredDocuments(t))
	return out
}

// addRelations adds the documents of edges.
func addRelations(t *testing.T, out map[string]report.Document) {
	r := rand.New(rand.NewPCG(8, 8))
	p := relation.Problem{Rows: &relation.Nodes{X: data.NewDense(20, 2, nil)},
		Cols: &relation.Nodes{X: data.NewDense(18, 2, nil)}}
	scores := &report.NodeScores{Kind: report.KindNodeScores, Model: evil, OfRows: 20, OfCols: 40}
	for i := range 20 {
		p.Rows.ID = append(p.Rows.ID, fmt.Sprint("r", i))
		copy(p.Rows.X.Row(i), []float64{r.NormFloat64(), r.NormFloat64()})
		scores.Rows, scores.Scores = append(scores.Rows, fmt.Sprint(evil, i)),
			append(scores.Scores, []float64{r.NormFloat64(), 1, 2})
	}
	scores.Cols = []string{"a", evil, "c"}
	for j := range 18 {
		p.Cols.ID = append(p.Cols.ID, fmt.Sprint("c", j))
		copy(p.Cols.X.Row(j), []float64{r.NormFloat64(), r.NormFloat64()})
		for i := range 20 {
			p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j))
			p.Y = append(p.Y, p.Rows.X.Row(i)[0]*p.Cols.X.Row(j)[0]+r.NormFloat64())
		}
	}
	o := relation.Options{Also: report.RelationMetrics}
	e, err := relation.Estimate(t.Context(), p, relation.EstimateOptions{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	result, err := relation.Train(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	out["edges"] = report.NewRelationEstimate(e, &p, &o, report.About{})
	folds := o
	folds.Method, folds.Metric = &cv.Method{Kind: cv.KFold, Folds: 4}, &metric.TauB
	byFold, err := relation.Estimate(t.Context(), p, relation.EstimateOptions{Options: folds})
	if err != nil {
		t.Fatal(err)
	}
	out["edges by fold"] = report.NewRelationEstimate(byFold, &p, &folds, report.About{})
	out["edges trained"] = report.NewRelationTraining(result, &p, &o, report.About{Model: evil})
	out["edges model"] = report.NewPairInspection(result.Model)
	out["nodes"], out["ranking"] = scores, report.NewNodeRanking(evil, []string{"x", evil}, []float64{1, 2}, 0)
}
