package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/model"
	"pairrank/model/contribution"
	"pairrank/relation/pairmodel"
)

// wanted are the scores of rows by package model.
func wanted(t *testing.T, src Source, rows [][]float64) []float64 {
	t.Helper()
	m, err := model.ReadFile(src.File)
	if err != nil {
		t.Fatal(err)
	}
	x := data.NewDense(len(rows), m.Features(), nil)
	for i, row := range rows {
		copy(x.Row(i), row)
	}
	scores, err := m.Score(&data.Set{X: x})
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// Every form of the rows gives the bytes of package model, whichever model.
func TestScoresAreThoseOfModel(t *testing.T) {
	sources := allKinds(t)
	s := made(t, Options{Models: sources, Missing: "zero"})
	rows := [][]float64{{1, 2, 3}, {0, 0.25, -1}, {1e-3, 1e6, 2}, {0, 0, 0}}
	for _, src := range sources[:7] {
		want := wanted(t, src, rows)
		matrix, _ := json.Marshal(rows)
		forms := []string{fmt.Sprintf(`{"rows":%s}`, matrix),
			fmt.Sprintf(`{"rows":%s,"missing":"error","ids":["1","2","3","4"]}`, matrix)}
		names := []string{"1", "2", "3"}
		if src.Name == "linear" || src.Name == "stumps" {
			names = []string{"a", "b", "c"}
		}
		forms = append(forms,
			fmt.Sprintf(`{"rows":[{"%[1]s":1,"%[3]s":3,"%[2]s":2},{"%[2]s":0.25,"%[3]s":-1},`+
				`[1e-3,1000000,2],{"%[1]s":null}]}`,
				names[0], names[1], names[2]),
			`{"rows":[[1,2,3,99],[0,0.25,-1],[0.001,1e6,2],[]],"extra_features":"ignore"}`,
			`{"extra_features":"ignore","rows":[[1,2,3,null],[null,25e-2,-1],[0.001,1e6,2],{"x":1}]}`)
		if names[0] == "1" { // as exports call them
			forms = append(forms, `{"rows":[{"f1":1,"f3":3,"f2":2},{"f2":0.25,"3":-1},[1e-3,1000000,2],{"f1":null}]}`)
		}
		for _, form := range forms {
			if src.Name == "outputs" {
				var got struct{ Scores [][]float64 }
				json.Unmarshal(send(s, "POST", "/v1/models/outputs/score", form).text, &got)
				if !near(slices.Concat(got.Scores...), want) {
					t.Errorf("%s: %s is %v, want %v", src.Name, form, got, want)
				}
				continue
			}
			var got scored
			send(s, "POST", "/v1/models/"+src.Name+"/score", form).into(t, 200, &got)
			if !near(got.Scores, want) || got.Model != src.Name || got.Order != nil {
				t.Errorf("%s: %s is %v, want %v", src.Name, form, got, want)
			}
		}
		if got := send(s, "POST", "/v1/models/"+src.Name+"/score", forms[0]); src.Name != "outputs" {
			var exact scored
			got.into(t, 200, &exact)
			if !slices.Equal(exact.Scores, want) {
				t.Errorf("%s: other bytes than those of predict: %v, want %v", src.Name, exact.Scores, want)
			}
		}
	}
}

// near allows the last bits, in which products of dense and sparse rows differ.
func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-13*math.Max(1, math.Abs(y)) })
}

func TestRank(t *testing.T) {
	s := made(t, Options{Models: allKinds(t)})
	var got scored
	send(s, "POST", "/v1/models/stumps/rank",
		`{"rows":[[0,0,-2],[1,0,0],[2,0,0],[1,5,9]],"ids":["w","x","y","z"]}`).into(t, 200, &got)
	if !slices.Equal(got.Scores, []float64{0, 1.25, 3.25, 1.25}) || !slices.Equal(got.Order, []int{2, 1, 3, 0}) ||
		!slices.Equal(got.IDs, []string{"w", "x", "y", "z"}) {
		t.Errorf("%+v", got)
	}
	send(s, "POST", "/v1/models/stumps/rank", `{"rows":[[0,0,-2],[1,0,0],[2,0,0]],"top":2}`).into(t, 200, &got)
	if !slices.Equal(got.Order, []int{2, 1}) || len(got.Scores) != 3 {
		t.Errorf("%+v", got)
	}
	send(s, "POST", "/v1/models/linear/rank", `{"rows":[]}`).into(t, 200, &got)
	if len(got.Scores) != 0 || got.Order == nil {
		t.Errorf("%+v", got)
	}
	var outputs struct {
		Model, Version string
		Scores         [][]float64
		Order          [][]int
	}
	send(s, "POST", "/v1/models/outputs/rank", `{"rows":[[1,0,0],[-1,0,0]]}`).into(t, 200, &outputs)
	if len(outputs.Order) != 2 || len(outputs.Order[0]) != 2 ||
		outputs.Scores[outputs.Order[1][0]][1] < outputs.Scores[outputs.Order[1][1]][1] {
		t.Errorf("%+v", outputs)
	}
	send(s, "POST", "/v1/models/given/score", `{"rows":[[1,0,2,0]]}`).into(t, 200, &got)
	if !slices.Equal(got.Scores, []float64{-3}) {
		t.Errorf("%+v", got)
	}
}

// Pairs are scored as package pairmodel scores them, nodes of training and of files.
func TestPairs(t *testing.T) {
	dir := t.TempDir()
	src := saved(t, dir, "pairs", pairs())
	src.Rows = write(t, dir+"/rows.tsv", "id\tu\tv\nnew\t2\t-1\nr2\t3\t3\n") // r2 is another one here
	src.Cols = write(t, dir+"/cols.tsv", "id\tw\nd1\t0.5\n")
	s := made(t, Options{Models: []Source{src}})
	var got scored
	send(s, "POST", "/v1/models/pairs/score", `{"pairs":[["r1","c2"],["new","c1"],["r2","d1"],["r3","d1"]]}`).into(t,
		200, &got)
	m := pairs()
	rows, err := m.RowValues(&pairmodel.Nodes{X: data.NewDense(4, 2, []float64{1, 0, 2, -1, 3, 3, 1, 1})})
	if err != nil {
		t.Fatal(err)
	}
	cols, err := m.ColValues(&pairmodel.Nodes{X: data.NewDense(3, 1, []float64{1, 0, 0.5})})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 4)
	m.ScorePairsTo(want, rows, cols, []int32{0, 1, 2, 3}, []int32{0, 1, 2, 2})
	if !near(got.Scores, want) {
		t.Errorf("scores %v, want %v", got.Scores, want)
	}
	send(s, "POST", "/v1/models/pairs/rank", `{"given":"r2","top":2}`).into(t, 200, &got)
	if !slices.Equal(got.Columns, []string{"d1", "c1", "c2"}) || len(got.Order) != 2 ||
		got.Scores[got.Order[0]] < got.Scores[got.Order[1]] || got.Given != "r2" {
		t.Errorf("%+v", got)
	}
	var why explained
	send(s, "POST", "/v1/models/pairs/explain", `{"pairs":[["r1","c2"],["r1","d1"]],"compare":[[0,1]],"top":3}`).into(t,
		200, &why)
	checkSum(t, why.Explanations[0].Sum, 3)
}

// checkSum holds an explanation to its parts.
func checkSum(t *testing.T, sum *contribution.Sum, top int) {
	t.Helper()
	total := sum.Rest
	for _, p := range sum.Parts {
		total += p.Contribution
	}
	want := sum.Scores[0]
	if len(sum.Scores) == 2 {
		want -= sum.Scores[1]
	}
	if math.Abs(total-want) > 1e-12*(1+math.Abs(want)) || math.Abs(sum.Total-want) > 1e-12*(1+math.Abs(want)) ||
		len(sum.Parts) > top {
		t.Errorf("parts of %v add up to %v: %+v", want, total, sum)
	}
}

func TestExplain(t *testing.T) {
	s := made(t, Options{Models: allKinds(t)})
	for _, name := range []string{"linear", "numbers", "scaled", "byquery", "kernel", "stumps"} {
		var scores scored
		body := `{"rows":[[1,2,3],[0.5,-1,2]],"ids":["A","B"]`
		send(s, "POST", "/v1/models/"+name+"/score", body+"}").into(t, 200, &scores)
		var rows, against explained
		send(s, "POST", "/v1/models/"+name+"/explain", body+"}").into(t, 200, &rows)
		send(s, "POST", "/v1/models/"+name+"/explain", body+`,"compare":[[0,1],[1,0]],"top":2}`).into(t, 200, &against)
		for i, e := range rows.Explanations {
			checkSum(t, e.Sum, 20)
			if e.Row != i || e.Against != nil || math.Abs(e.Total-scores.Scores[i]) > 1e-12*(1+math.Abs(e.Total)) {
				t.Errorf("%s: %+v, score %v", name, e, scores.Scores[i])
			}
		}
		if len(against.Explanations) != 2 || *against.Explanations[0].Against != 1 ||
			against.Explanations[0].Total != -against.Explanations[1].Total {
			t.Fatalf("%s: %+v", name, against)
		}
		checkSum(t, against.Explanations[0].Sum, 2)
	}
	many := strings.Repeat("[1,2,3],", 101)
	body := `{"rows":[` + many[:len(many)-1] + `]}`
	send(s, "POST", "/v1/models/linear/explain", body).problem(t, 413, "too-many-rows")
}

// Numbers and texts are written as encoding/json writes them.
func TestAppendIsMarshal(t *testing.T) {
	for _, v := range append(drawn(9, 500), 0, math.Copysign(0, -1), 1e21, -1e21, 9.999e20, 1e-6, 9.9e-7, 1e-9, 5e-324,
		math.MaxFloat64, 1e100, 123456789012345680000) {
		for range 3 {
			want, _ := json.Marshal(v)
			if got := appendNumber(nil, v); string(got) != string(want) {
				t.Fatalf("%s, want %s", got, want)
			}
			v *= 1e-7
		}
	}
	for _, text := range []string{"", "a", `"`, "<&>", "é", "\u2028", "\x00", "\xff", "a\\b", "\x7f"} {
		want, _ := json.Marshal(text)
		if got := appendText(nil, text); string(got) != string(want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// For explanations in a long query only a few rows are normalised, with the same result as among
// all others.
func TestExplainInLongQuery(t *testing.T) {
	m := linear(3, 3, 1, nil)
	m.Normalizer = &data.Normalizer{Kind: data.NormalizeQueryMinMax}
	const rows = 50
	x := data.NewDense(rows, 3, drawn(9, 3*rows))
	list := make([][]float64, rows)
	for i := range list {
		list[i] = x.Row(i)
	}
	body, err := json.Marshal(map[string]any{"rows": list, "compare": [][2]int{{7, 3}, {3, 3}, {49, 7}}})
	if err != nil {
		t.Fatal(err)
	}
	s := made(t, Options{Models: []Source{saved(t, t.TempDir(), "m", m)}})
	var got explained
	send(s, "POST", "/v1/models/m/explain", string(body)).into(t, 200, &got)
	for _, e := range got.Explanations {
		want, err := contribution.Rows(m, &data.Set{X: x}, e.Row, *e.Against)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(e.Sum, want) {
			t.Errorf("row %d against %d: %+v, want %+v", e.Row, *e.Against, e.Sum, want)
		}
	}
	if len(got.Explanations) != 3 || got.Explanations[2].Row != 49 || *got.Explanations[2].Against != 7 {
		t.Errorf("%d explanations", len(got.Explanations))
	}
}

// A column of texts in training is given by its text, as in the table.
func TestTexts(t *testing.T) {
	m := linear(1, 3, 1, []string{"a", "sex=f", "sex=m"})
	schema := &data.Schema{Factors: []data.Factor{{Column: "sex", Levels: []string{"f", "m"}}}}
	if err := m.Info.SetSchema(schema); err != nil {
		t.Fatal(err)
	}
	w := m.Scorer.(*model.Linear).Weights.Row(0)
	s := made(t, Options{Models: []Source{saved(t, t.TempDir(), "texts", m)}})
	for _, c := range []struct {
		body, code string
		want       float64
	}{
		{`{"rows":[{"a":2,"sex":"f"}]}`, "", 2*w[0] + w[1]},
		{`{"rows":[{"sex":"m","a":2}]}`, "", 2*w[0] + w[2]},
		{`{"rows":[{"a":2,"sex=f":0,"sex=m":1}]}`, "", 2*w[0] + w[2]},
		{`{"rows":[{"a":2,"sex":"x"}],"extra_features":"ignore"}`, "", 2 * w[0]},
		{`{"rows":[{"a":2,"sex":null}],"missing":"zero"}`, "", 2 * w[0]},
		{`{"rows":[{"a":2,"sex":"x"}]}`, "unknown-level", 0},
		{`{"rows":[{"a":2,"sex":1}]}`, "malformed", 0},
		{`{"rows":[{"a":2,"sex":null}]}`, "missing", 0},
		{`{"rows":[{"a":2,"sex":"f","sex=f":1}]}`, "malformed", 0},
		{`{"rows":[{"a":2}]}`, "missing", 0},
	} {
		answer := send(s, "POST", "/v1/models/texts/score", c.body)
		if c.code != "" {
			if !strings.Contains(string(answer.text), `"code":"`+c.code+`"`) {
				t.Errorf("%s: %s, want %s", c.body, answer.text, c.code)
			}
			continue
		}
		var got scored
		answer.into(t, 200, &got)
		if !near(got.Scores, []float64{c.want}) {
			t.Errorf("%s: %v, want %v", c.body, got.Scores, c.want)
		}
	}
}
