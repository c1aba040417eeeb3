package table

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

func read(text string, opts Options) (*data.Set, error) {
	return ReadSetFrom(strings.NewReader(text), "t", opts)
}

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       Options
		want       string
		ids        []string
		schema     data.Schema
	}{
		{"texts as labels", "sample,diagnosis,g1\np1,tumor,1\np2,normal,2\np3,tumor,3\n",
			Options{Label: "diagnosis", Positive: "tumor"},
			`3×1 [1 2 3] y=[1 0 1] q=[] of=[0 0 0] names=["g1"]`, []string{"p1", "p2", "p3"},
			data.Schema{Label: "diagnosis", Positive: "tumor", Negative: "normal", ID: "sample"}},
		{"numbers as texts", "y,a\n1,0\n2,5\n", Options{Positive: "2"}, `2×1 [0 5] y=[0 1] q=[] of=[0 0] names=["a"]`,
			nil, data.Schema{Label: "y", Positive: "2", Negative: "1"}},
		{"booleans", "y,a\nTrue,FALSE\nFalse,true\n", Options{}, `2×1 [0 1] y=[1 0] q=[] of=[0 0] names=["a"]`, nil,
			data.Schema{Label: "y"}},
		{"factors", "y,sex,a,town\n1,m,5,x\n0,f,6,z\n0,m,7,y\n", Options{Factors: []string{"sex", "town"}},
			`3×6 [0 1 5 1 0 0 1 0 6 0 0 1 0 1 7 0 1 0] y=[1 0 0] q=[] of=[0 0 0] ` +
				`names=["sex=f" "sex=m" "a" "town=x" "town=y" "town=z"]`, nil,
			data.Schema{Label: "y", Factors: []data.Factor{{Column: "sex", Levels: []string{"f", "m"}},
				{Column: "town", Levels: []string{"x", "y", "z"}}}}},
		{"groups and folds", "y,patient,part,a\n1,u,1,2\n0,v,2,3\n0,u,1,4\n", Options{Group: "patient", Fold: "part"},
			`3×1 [2 3 4] y=[1 0 0] q=[] of=[0 0 0] names=["a"]`, nil,
			data.Schema{Label: "y", Group: "patient", Fold: "part"}},
		{"selected features", "y,a,b,c,g.1,g.2,id\n1,2,3,4,5,6,7\n",
			Options{Only: []string{"b:c", "g*", "id"}, Ignore: []string{"g?2"}},
			`1×4 [3 4 5 7] y=[1] q=[] of=[0] names=["b" "c" "g.1" "id"]`, nil,
			data.Schema{Label: "y", Ignored: []string{"a", "g.2"}, Accepted: []string{"id"}, Selected: true}},
		{"decimal commas", "y;a;b\n1;1,5;-2\n0;2,25e3;3\n", Options{},
			`2×2 [1.5 -2 2250 3] y=[1 0] q=[] of=[0 0] names=["a" "b"]`, nil, data.Schema{Label: "y", Commas: true}},
		{"genes × samples", "gene,p1,p2,p3\nBRCA1,1,2,3\ndiagnosis,tumor,normal,tumor\nTP53,4,5,6\n",
			Options{Transpose: true, Label: "diagnosis", Positive: "tumor"},
			`3×2 [1 4 2 5 3 6] y=[1 0 1] q=[] of=[0 0 0] names=["BRCA1" "TP53"]`, []string{"p1", "p2", "p3"},
			data.Schema{Label: "diagnosis", Positive: "tumor", Negative: "normal", ID: "1"}},
		{"missing by column", "y,a,b,c\n1,.,2,N/A\n0,5,NA,1\n", Options{Missing: data.MissingMean,
			MissingIn: map[string]data.Missing{"b": data.MissingZero}},
			`2×3 [5 2 1 5 0 1] y=[1 0] q=[] of=[0 0] names=["a" "b" "c"]`, nil,
			data.Schema{Label: "y", Filled: []data.Filled{{Column: "a", Rows: 1, By: "mean"},
				{Column: "b", Rows: 1, By: "zero"}, {Column: "c", Rows: 1, By: "mean"}}}},
		{"without the label", "b,id\n1,u\n", Options{MayLackLabel: true}, `1×1 [1] y=[0] q=[] of=[0] names=["b"]`,
			[]string{"u"}, data.Schema{ID: "id"}},
	} {
		set, err := read(c.text, c.opts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := describe(set); got != c.want || !slices.Equal(set.IDs, c.ids) || !reflect.DeepEqual(*set.Schema, c.schema) {
			t.Errorf("%s:\n%s ids %q, %+v, want\n%s ids %q, %+v", c.name, got, set.IDs, *set.Schema, c.want, c.ids, c.schema)
		}
	}
}

func TestGroupsAndFolds(t *testing.T) {
	set, err := read("y,patient,part,a\n1,u,1,2\n0,v,2,3\n0,u,1,4\n", Options{Group: "patient", Fold: "part"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.Groups.IDs, []string{"u", "v"}) || !slices.Equal(set.Folds.Of(), []int32{0, 1, 0}) {
		t.Errorf("groups %q, folds %v", set.Groups.IDs, set.Folds.Of())
	}
}

func TestRolesRefused(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       Options
		err        string
	}{
		{"two ids", "id,sample,y\nu,v,1\n", Options{},
			`t:1:4: columns 1 and 2 may both be the id: the columns are "id", "sample", "y": "sample"`},
		{"which label", "y,a\nu,1\nv,2\nu,3\n", Options{},
			`t: the labels in column "y" are "u" (2), "v" (1): which one is the positive label is not said`},
		{"three labels", "y,a\nu,1\nv,2\nw,3\n", Options{Positive: "u"},
			`t: the labels in column "y" are "u" (1), "v" (1), "w" (1): labels that are texts are two`},
		{"other positive", "y,a\nu,1\nv,2\n", Options{Positive: "w"},
			`t: the labels in column "y" are "u" (1), "v" (1): none is "w"`},
		{"a text among numbers", "y,a\n1,1\nv,2\n", Options{}, `t:3:1: not a finite number: "v"`},
		{"date", "y,seen\n1,2024-01-31\n", Options{}, `t:2:3: a date, not a number, in column "seen": "2024-01-31"`},
		{"commas and points", "y;a\n1;1,5\n0;1.5\n", Options{},
			`t:3:3: numbers have a decimal comma here, and a decimal point there: "1.5"`},
		{"thousands", "y;a\n1;1.234,5\n", Options{}, `t:2:3: a number with thousands separators, in column "a": "1.234,5"`},
		{"no such range", "y,a,b\n1,2,3\n", Options{Only: []string{"b:a"}}, `t:1:1: no columns "b:a" among 3`},
		{"no such pattern", "y,a,b\n1,2,3\n", Options{Only: []string{"c*"}}, `t:1:1: no column "c*" among 3`},
		{"two roles", "y,a\n1,2\n", Options{Group: "a", Fold: "a"},
			`t:1:3: this column is both the fold and the group: "a"`},
		{"turned", "gene,p1,p2\ny,1,0\na,1,x\n", Options{Transpose: true},
			`t: column "p2", row "a": not a finite number, in column "a": "x"`},
	} {
		if _, err := read(c.text, c.opts); err == nil || err.Error() != c.err {
			t.Errorf("%s: error %v, want\n%s", c.name, err, c.err)
		}
	}
	var texts *TextLabelsError
	_, err := read("y,a\nu,1\nv,2\n", Options{})
	if !errors.As(err, &texts) || !slices.Equal(texts.Levels, []string{"u", "v"}) {
		t.Errorf("text labels: %v", err)
	}
}

// TestAnyOrder: a table read as that of a model gives the same set in any order of its columns,
// with and without columns of no use.
func TestAnyOrder(t *testing.T) {
	lines := [][]string{{"id", "y", "a", "sex", "b", "seen"}, {"u", "sick", "1", "m", "2", "x"},
		{"v", "well", "3", "f", "4", "y"}, {"w", "sick", "5", "d", "6", "z"}}
	text := func(order []int) string {
		var b strings.Builder
		for _, line := range lines {
			for k, c := range order {
				if k > 0 {
					b.WriteByte(',')
				}
				b.WriteString(line[c])
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	model, err := read(text([]int{0, 1, 2, 3, 4, 5}),
		Options{Positive: "sick", Factors: []string{"sex"}, Ignore: []string{"seen"}})
	if err != nil {
		t.Fatal(err)
	}
	like := Options{Features: len(model.Names), Names: model.Names, Schema: model.Schema}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		order := random.Perm(6)
		set, err := read(text(order), like)
		if err != nil {
			t.Fatalf("%v: %v", order, err)
		}
		if describe(set) != describe(model) || !slices.Equal(set.IDs, model.IDs) {
			t.Errorf("%v: %s, want %s", order, describe(set), describe(model))
		}
	}
	for _, c := range []struct {
		text  string
		extra bool
		want  string
	}{
		{"a,sex\n1,m\n", false, `t:1:1: a feature of the model is not among the columns: "b"`},
		{"a,b,c,sex\n1,2,3,m\n", false, `t:1:5: a column is no feature of the model: "c": "c"`},
		{"a,b,sex\n1,2,x\n", false, `t:2:5: the model has no level "x" of column "sex": "x"`},
		{"c,b,sex,a\n1,2,x,3\n", true, `1×5 [3 0 0 0 2] y=[0] q=[] of=[0] names=["a" "sex=d" "sex=f" "sex=m" "b"]`},
		{"a,b,sex,y\n1,2,m,dead\n", false, `t: the labels in column "y" are "dead" (1): "dead" is not among the labels of ` +
			`the training, "sick" and "well"`},
		{"a,b,sex,y\n1,2,m,dead\n", true, `1×5 [1 0 0 1 2] y=[0] q=[] of=[0] names=["a" "sex=d" "sex=f" "sex=m" "b"]`},
		{"a,b,sex,y\n1,2,m,1\n1,2,m,0\n", false,
			`2×5 [1 0 0 1 2 1 0 0 1 2] y=[1 0] q=[] of=[0 0] names=["a" "sex=d" "sex=f" "sex=m" "b"]`},
		{"a,b,sex,y\n1,2,m,1\n1,2,m,well\n", false, `t: the labels in column "y" are "1" (1), "well" (1): "1" is not ` +
			`among the labels of the training, "sick" and "well"`},
	} {
		like := like
		like.Extra, like.MayLackLabel = c.extra, c.extra || !strings.Contains(c.text, "y\n")
		set, err := read(c.text, like)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = describe(set)
		}
		if got != c.want {
			t.Errorf("%q: %s, want\n%s", c.text, got, c.want)
		}
	}
}

// TestSameNumbers: a table without a header is read by the numbers of the columns in the training.
func TestSameNumbers(t *testing.T) {
	model, err := read("1,2,3\n4,5,6\n", Options{Label: "2"})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"1,2,3\n": "1×2 [1 3] y=[2] q=[] of=[0] names=[]",
		"1,3\n":   "1×2 [1 3] y=[0] q=[] of=[0] names=[]",
	} {
		set, err := read(text, Options{Features: 2, Schema: model.Schema, MayLackLabel: true})
		if err != nil || describe(set) != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestFilling: the cells of another format give the same set as the text.
func TestFilling(t *testing.T) {
	text := "id,y,a,sex,qid\nu,sick,1.5,m,7\nv,well,,f,8\nw,sick,5,d,7\n"
	opts := Options{Positive: "sick", Factors: []string{"sex"}, Missing: data.MissingMean}
	want, err := read(text, opts)
	if err != nil {
		t.Fatal(err)
	}
	f, err := byOptions{opts}.Fill("t", []string{"id", "y", "a", "sex", "qid"}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range []struct {
		id, y, sex string
		qid        float64
	}{{"u", "sick", "m", 7}, {"v", "well", "f", 8}, {"w", "sick", "d", 7}} {
		err = errors.Join(err, f.Text(i, 0, row.id), f.Text(i, 1, row.y), f.Text(i, 3, row.sex), f.Number(i, 4, row.qid))
	}
	err = errors.Join(err, f.Number(0, 2, 1.5), f.Missing(1, 2), f.Number(2, 2, 5))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Set()
	if err != nil {
		t.Fatal(err)
	}
	if describe(got) != describe(want) || !reflect.DeepEqual(got.Schema, want.Schema) || !slices.Equal(got.IDs, want.IDs) {
		t.Errorf("%s %+v, want %s %+v", describe(got), got.Schema, describe(want), want.Schema)
	}
}
