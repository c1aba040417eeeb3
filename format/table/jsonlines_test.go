package table

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

func readJSON(text string, opts Options) (*data.Set, error) {
	return ReadJSONLines(strings.NewReader(text), "j", opts)
}

func TestJSONLines(t *testing.T) {
	zero := Options{Missing: data.MissingZero}
	for _, c := range []struct {
		name, text string
		opts       Options
		want       string
		ids        []string
		schema     data.Schema
	}{
		{"features by name", "\n" + `{"label":2,"qid":"q7","id":"d1","features":{"a":1,"b":0.5}}` + "\r\n" +
			`{"label":0,"qid":7,"id":22,"features":{"b":2e1,"a":-3}}` + "\n\n", Options{},
			`2×2 [1 0.5 -3 20] y=[2 0] q=["q7" "7"] of=[0 1] names=["a" "b"]`, []string{"d1", "22"},
			data.Schema{Label: "label", Query: "qid", ID: "id"}},
		{"features in a list", `{"features":[1,true],"y":1,"group":"g","fold":1,"note":{"x":[1]}}`, Options{},
			`1×2 [1 1] y=[1] q=[] of=[0] names=[]`, nil,
			data.Schema{Label: "y", Group: "group", Fold: "fold", Ignored: []string{"note"}}},
		{"a row of a table", `{"label":1,"a":2,"group":3}` + "\n" + `{"group":"4","label":0,"a":"5"}`, Options{},
			`2×2 [2 3 5 4] y=[1 0] q=[] of=[0 0] names=["a" "group"]`, nil, data.Schema{Label: "label"}},
		{"texts", `{"y":"tumor","sex":"m","a":1}` + "\n" + `{"y":"normal","sex":"f","a":"NA"}`,
			Options{Positive: "tumor", Factors: []string{"sex"}, Missing: data.MissingMean},
			`2×3 [0 1 1 1 0 1] y=[1 0] q=[] of=[0 0] names=["sex=f" "sex=m" "a"]`, nil,
			data.Schema{Label: "y", Positive: "tumor", Negative: "normal", Filled: []data.Filled{{Column: "a", Rows: 1,
				By: "mean"}},
				Factors: []data.Factor{{Column: "sex", Levels: []string{"f", "m"}}}}},
		{"factors among features",
			`{"y":1,"features":{"a":1,"sex":"m"}}` + "\n" + `{"y":0,"features":{"sex":"f","a":2}}`,
			Options{Factors: []string{"se*"}}, `2×3 [1 0 1 2 1 0] y=[1 0] q=[] of=[0 0] names=["a" "sex=f" "sex=m"]`,
			nil,
			data.Schema{Label: "y", Factors: []data.Factor{{Column: "sex", Levels: []string{"f", "m"}}}}},
		{"absent and null", `{"y":1,"features":{"a":4,"b":1}}` + "\n" + `{"y":1,"features":{"b":null,"c":2}}`,
			Options{Missing: data.MissingMin}, `2×3 [4 1 2 4 1 2] y=[1 1] q=[] of=[0 0] names=["a" "b" "c"]`, nil,
			data.Schema{Label: "y", Filled: []data.Filled{{Column: "a", Rows: 1, By: "min"}, {Column: "b", Rows: 1,
				By: "min"},
				{Column: "c", Rows: 1, By: "min"}}}},
		{"names of roles among features", `{"y":1,"features":{"label":4,"id":1}}`, Options{},
			`1×2 [4 1] y=[1] q=[] of=[0] names=["label" "id"]`, nil, data.Schema{Label: "y"}},
		{"escapes", `{"y":1,"features":{"\u00e4":4,"ö\"":1}}` + "\n" + `{"y":1,"features":{"ä":5,"\u00f6\u0022":6}}`,
			Options{},
			`2×2 [4 1 5 6] y=[1 1] q=[] of=[0 0] names=["ä" "ö\""]`, nil, data.Schema{Label: "y"}},
		{"named columns", `{"grade":1,"doc":9007199254740993,"a":2,"b":1}`, Options{Label: "grade", ID: "doc",
			Ignore: []string{"4"}},
			`1×1 [2] y=[1] q=[] of=[0] names=["a"]`, []string{"9007199254740993"},
			data.Schema{Label: "grade", ID: "doc", Ignored: []string{"b"}}},
		{"by the names of a model", `{"y":1,"features":{"b":1,"a":2}}`, Options{Names: []string{"a", "b"}, Features: 2},
			`1×2 [2 1] y=[1] q=[] of=[0] names=["a" "b"]`, nil, data.Schema{Label: "y"}},
		{"a feature of a model that no row has", `{"id":"u","features":{"b":1}}`,
			Options{Names: []string{"a", "b"}, Features: 2, Missing: zero.Missing, MayLackLabel: true},
			`1×2 [0 1] y=[0] q=[] of=[0] names=["a" "b"]`, []string{"u"},
			data.Schema{ID: "id", Filled: []data.Filled{{Column: "a", Rows: 1, By: "zero"}}}},
		{"no features", `{"y":1,"features":{}}`, Options{}, `1×0 [] y=[1] q=[] of=[0] names=[]`, nil,
			data.Schema{Label: "y"}},
	} {
		set, err := readJSON(c.text, c.opts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := describe(set); got != c.want || !slices.Equal(set.IDs, c.ids) || !reflect.DeepEqual(*set.Schema,
			c.schema) {
			t.Errorf("%s:\n%s ids %q, %+v, want\n%s ids %q, %+v", c.name, got, set.IDs, *set.Schema, c.want, c.ids,
				c.schema)
		}
	}
}

func TestJSONLinesRefuses(t *testing.T) {
	const first = `{"y":1,"features":{"a":4,"b":1}}` + "\n"
	for _, c := range []struct {
		text string
		opts Options
		want string
	}{
		{"", Options{}, `j: no rows: there is no object`},
		{"{\n\"y\": 1\n}", Options{}, `j:1:1: the object does not end on this line: there is one object a line`},
		{`[1]`, Options{}, `j:1:1: not an object: JSON lines are one object a line: "[1]"`},
		{first + `{"y":1,"features":{"a":4,b:1}}`, Options{},
			`j:2:26: invalid character 'b' looking for beginning of object key string`},
		{`{"y":1} {"y":2}`, Options{}, `j:1:9: invalid character '{' after top-level value`},
		{first + `{"y":1,"features":{"a":4,"a":1}}`, Options{}, `j:2:26: the member stands twice: "\"a\""`},
		{first + `{"y":1,"features":[4,1]}`, Options{},
			`j:2:1: the object has a list of features, but that of line 1 has an object of features`},
		{`{"y":1,"features":[4,1]}` + "\n" + `{"y":1,"features":[4]}`, Options{},
			`j:2:19: 1 features, but line 1 has 2: "[4]"`},
		{first + `{"y":1,"features":{"a":4}}`, Options{}, `j:2:1: "b": the value is missing`},
		{first + `{"y":1,"features":{"a":4,"b":null}}`, Options{}, `j:2:1: "b": the value is missing`},
		{first + `{"y":1,"features":{"a":4,"b":"x"}}`, Options{},
			`j:2:1: "b": not a finite number, in column "b": "x"`},
		{first + `{"y":1,"features":{"a":4,"b":1e999}}`, Options{}, `j:2:1: "b": not a finite number: "1e999"`},
		{first + `{"y":1,"features":{"a":4,"b":[1]}}`, Options{},
			`j:2:1: "b": not a finite number, in column "b": "[1]"`},
		{first + `{"features":{"a":4,"b":1}}`, Options{}, `j:2:1: "y": the label is missing`},
		{first + `{"y":"x","features":{"a":4,"b":1}}`, Options{}, `j:2:1: "y": not a finite number: "x"`},
		{`{"a":1,"features":{"a":4,"b":1}}`, Options{},
			`j: no column has a name of labels (label, y, target, relevance, grade, ` +
				`outcome, class): the columns are "a", "a", "b"`},
		{first, Options{Names: []string{"a", "c"}, Features: 2},
			`j: a feature of the model is not among the columns: "c"`},
		{first, Options{Names: []string{"a"}, Features: 1}, `j: a column is no feature of the model: "b"`},
		{`{"y":1,"features":[4,1]}`, Options{Features: 1}, `j: 2 features but the model has 1`},
		{strings.Repeat(" ", 50), Options{MaxLine: 10}, "j:1:11: the line is longer than 10 bytes"},
	} {
		if _, err := readJSON(c.text, c.opts); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error\n%v, want\n%s", c.text, err, c.want)
		}
	}
}

// Rows with few of many features are a sparse matrix under --missing zero, with the values of the
// dense one.
func TestJSONLinesSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	var text strings.Builder
	want := data.NewDense(40, 30, nil)
	text.WriteString(`{"y":0,"features":{`)
	for j := range 30 {
		fmt.Fprintf(&text, `"f%d":0,`, j)
	}
	lines := strings.TrimSuffix(text.String(), ",") + "}}\n"
	for i := 1; i < 40; i++ {
		var fields []string
		for _, j := range r.Perm(30)[:3] {
			want.Row(i)[j] = float64(r.IntN(9) - 4)
			fields = append(fields, fmt.Sprintf(`"f%d":%g`, j, want.Row(i)[j]))
		}
		lines += `{"y":1,"features":{` + strings.Join(fields, ",") + "}}\n"
	}
	set, err := readJSON(lines, Options{Missing: data.MissingZero})
	if err != nil {
		t.Fatal(err)
	}
	x, sparse := set.X.(*data.CSR)
	if !sparse || set.Schema.Filled != nil {
		t.Fatalf("%T, filled %v", set.X, set.Schema.Filled)
	}
	data.Check("test", x)
	for i := range 40 {
		row := make([]float64, 30)
		if x.RowTo(row, i); !slices.Equal(row, want.Row(i)) {
			t.Errorf("row %d: %v, want %v", i+1, row, want.Row(i))
		}
	}
}

// What is written is read the same.
func TestWriteJSONLines(t *testing.T) {
	s := sampleSet()
	s.Y, s.IDs = []float64{1, 0, 2.5}, []string{"u", "<v>", "\"w\n"}
	s.Groups = data.NewQueries([]int32{0, 1, 0}, []string{"g", "h"})
	s.Folds = data.NewQueries([]int32{0, 0, 1}, []string{"1", "2"})
	bare := *s
	bare.Names = nil
	for _, s := range []*data.Set{s, &bare} {
		var b bytes.Buffer
		if err := WriteSet(&b, JSONL, s); err != nil {
			t.Fatal(err)
		}
		got, err := readJSON(b.String(), Options{})
		if err != nil || describe(got) != describe(denseCopy(s)) || !slices.Equal(got.IDs, s.IDs) ||
			!reflect.DeepEqual(got.Groups, s.Groups) || !reflect.DeepEqual(got.Folds, s.Folds) {
			t.Errorf("%s: %+v, %v", b.String(), got, err)
		}
	}
	s.Names = []string{"a", "a"}
	if err := WriteSet(&bytes.Buffer{}, JSONL, s); err == nil {
		t.Error("equal names are written")
	}
	var b bytes.Buffer
	if err := WriteScoreLines(&b, s, []float64{1, 2, 3}, 1); err != nil {
		t.Fatal(err)
	}
	q := s.Queries.ID(int(s.Queries.Of()[0]))
	if line, _, _ := strings.Cut(b.String(), "\n"); line != fmt.Sprintf(`{"id":"u","qid":%q,"score":1}`, q) {
		t.Error(line)
	}
	b.Reset()
	if err := WriteScoreLines(&b, nil, []float64{1, 2, 3, 4},
		2); err != nil || b.String() != "{\"scores\":[1,2]}\n{\"scores\":[3,4]}\n" {
		t.Errorf("%s %v", b.String(), err)
	}
}

// FuzzJSONLines: what is read can be written, and is then read the same.
func FuzzJSONLines(f *testing.F) {
	for _, s := range []string{
		`{"label":2,"qid":"q7","id":"d1","features":{"a":1,"b":0.5}}`,
		`{"y":1,"features":[1,2]}` + "\n" + `{"y":0,"features":[3,null]}`,
		`{"y":1,"a":2}` + "\n\n" + `{"a":3,"y":true,"b":"NA"}`, `{"y":1,"features":{"\u00e4":4,"x":{"y":[1,"]"]}}}`,
		"[1]\n", "{",
		`{"y":1,"features":{"a":1}}` + "\n" + `{"y":1,"features":{"b":1,"a":"true"}}`,
		"\xef\xbb\xbf{\"label\":-0,\"\":1e-400}",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, zero bool) {
		opts := Options{NoLabel: strings.Contains(text, "N")}
		if zero {
			opts.Missing = data.MissingZero
		}
		set, err := readJSON(text, opts)
		if err != nil {
			return
		}
		data.Check("fuzz", set.X)
		var b, again bytes.Buffer
		if err := WriteSet(&b, JSONL, set); err != nil {
			return // a text that is not UTF-8, or the name of a level twice
		}
		back, err := readJSON(b.String(), Options{MaxLine: 1 << 24})
		if err != nil {
			t.Fatalf("%s: %v", b.String(), err)
		}
		if err := WriteSet(&again, JSONL, back); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
			t.Fatalf("%s, want %s; %v", again.String(), b.String(), err)
		}
	})
}

func BenchmarkReadJSONLines(b *testing.B) {
	const m, n = 20_000, 46
	r := rand.New(rand.NewPCG(1, 1))
	s := &data.Set{X: data.NewDense(m, n, nil), Y: make([]float64, m), Queries: data.OneList(m)}
	for k := range s.X.(*data.Dense).Data {
		s.X.(*data.Dense).Data[k] = r.NormFloat64()
	}
	for j := range n {
		s.Names = append(s.Names, fmt.Sprintf("feature%d", j))
	}
	for _, format := range []Format{JSONL, CSV} {
		b.Run(fmt.Sprintf("m=%d/n=%d/%v", m, n, map[Format]string{JSONL: "jsonl", CSV: "csv"}[format]),
			func(b *testing.B) {
				var text bytes.Buffer
				if err := WriteSet(&text, format, s); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(text.Len()))
				b.ReportAllocs()
				for b.Loop() {
					var err error
					if format == JSONL {
						_, err = ReadJSONLines(bytes.NewReader(text.Bytes()), "j", Options{})
					} else {
						_, err = ReadSetFrom(bytes.NewReader(text.Bytes()), "t", Options{Separator: ','})
					}
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(m*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			})
	}
}
