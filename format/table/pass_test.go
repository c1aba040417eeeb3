package table

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/npy"
)

// eachText is a table with a factor, an id, queries and missing values; wrong are lines in the place of others.
func eachText(rows int, missing float64, wrong map[int]string) string {
	random := rand.New(rand.NewPCG(uint64(rows), 2))
	var b strings.Builder
	b.WriteString("id,y,a,sex,b,qid,more\n")
	for i := range rows {
		if line, is := wrong[i]; is {
			b.WriteString(line + "\n")
			continue
		}
		cell := func() string {
			if random.Float64() < missing {
				return []string{"", "NA"}[random.IntN(2)]
			}
			return fmt.Sprintf("%.4g", random.NormFloat64())
		}
		fmt.Fprintf(&b, "r%d,%d,%s,%s,%s,q%d,7\n", i, random.IntN(3), cell(), []string{"f", "m", "x"}[random.IntN(3)], cell(),
			random.IntN(9))
	}
	return b.String()
}

// ofTraining are the options of reading rows for a model of the columns a, sex and b.
func ofTraining(t *testing.T, missing data.Missing) Options {
	train, err := ReadSetFrom(strings.NewReader(eachText(400, 0.1, nil)), "t", Options{Factors: []string{"sex"},
		Ignore: []string{"more"}, Missing: missing})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Features: len(train.Names), Names: train.Names, Schema: train.Schema, Substitutes: train.Substitutes,
		Missing: data.MissingModel, MayLackLabel: true}
}

// takeEach returns a function that puts blocks together, and the number of blocks.
func takeEach(x *data.Dense) (each func(first int, block *data.Set) error, blocks *int) {
	blocks = new(int)
	return func(first int, block *data.Set) error {
		rows := data.Clone(block.X).(*data.Dense)
		*x = *data.NewDense(first+rows.Rows, rows.Cols, append(x.Data[:first*rows.Cols], rows.Data...))
		*blocks++
		return nil
	}, blocks
}

// objectsOf are the rows of a table as JSON lines; absent leaves out members without a value, and a line with other
// fields is no JSON.
func objectsOf(text string, absent bool) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	names := strings.Split(lines[0], ",")
	var b strings.Builder
	for _, line := range lines[1:] {
		fields := strings.Split(line, ",")
		if len(fields) != len(names) {
			b.WriteString("{\"id\": 1\n")
			continue
		}
		var members []string
		for k, f := range fields {
			_, err := strconv.ParseFloat(f, 64)
			switch {
			case f == "" && absent:
				continue
			case f == "":
				f = "null"
			case err != nil:
				f = strconv.Quote(f)
			}
			members = append(members, strconv.Quote(names[k])+": "+f)
		}
		b.WriteString("{" + strings.Join(members, ", ") + "}\n")
	}
	return b.String()
}

// archiveOf are the rows of a table as an archive of arrays.
func archiveOf(t *testing.T, text string) string {
	t.Helper()
	set, err := ReadSetFrom(strings.NewReader(text), "t", Options{Factors: []string{"sex"}, Missing: data.MissingZero})
	if err != nil {
		return ""
	}
	x := set.X.(*data.Dense)
	for i := range x.Data {
		if i%13 == 5 && strings.Contains(text, "NA") {
			x.Data[i] = math.NaN()
		}
	}
	strs := func(of []string) *npy.Array { return &npy.Array{Shape: []int{len(of)}, Strings: of} }
	qids := make([]string, len(set.Y))
	for i := range qids {
		qids[i] = set.Queries.ID(int(set.Queries.Of()[i]))
	}
	var b bytes.Buffer
	err = npy.WriteArchive(&b, map[string]*npy.Array{"X": {Shape: []int{x.Rows, x.Cols}, Data: x.Data},
		"y": {Shape: []int{x.Rows}, Data: set.Y}, "id": strs(set.IDs), "qid": strs(qids), "names": strs(set.Names)})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// eachIsTheMatrix compares what Each receives with the matrix without it.
func eachIsTheMatrix(t *testing.T, name, path string, opts Options) {
	t.Helper()
	want, wantErr := ReadSet(path, opts)
	x := data.NewDense(0, 0, nil)
	each, blocks := takeEach(x)
	got, err := ReadSet(path, opts.Each(each))
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("%s: %v, want %v", name, err, wantErr)
	}
	if err != nil {
		return
	}
	if !reflect.DeepEqual(data.Matrix(x), data.Matrix(data.ToDense(want.X))) {
		t.Fatalf("%s: other values", name)
	}
	if streams := opts.Weight == ""; len(want.Y) > 1000/2 && streams != (*blocks > 5) {
		t.Errorf("%s: %d blocks", name, *blocks)
	}
	got.X = want.X
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the rest of the set differs", name)
	}
}

// Objects whose columns, or whose form, are known after all of them are handed on as a whole, as they are without Each.
func TestEachOfLateColumns(t *testing.T) {
	defer func(values int) { panelValues = values }(panelValues)
	panelValues = 1
	for name, line := range map[string]func(i int) string{
		"sparse": func(i int) string { return fmt.Sprintf(`{"y": 1, "f%d": 2}`, i%9) },
		"a late column": func(i int) string {
			return fmt.Sprintf(`{"y": 1, "f0": %d%s}`, i, []string{"", `, "other": 3`}[i/450])
		},
		"a late feature": func(i int) string {
			return fmt.Sprintf(`{"y": 1, "f0": %d%s}`, i, []string{"", `, "f3": 3`}[i/450])
		},
		"another form behind those handed on": func(i int) string {
			return []string{`{"y": 1, "f0": 2}`, `{"features": [1]}`}[min(1, i/leastPanel)]
		},
		"longer lists": func(i int) string {
			return fmt.Sprintf(`{"y": 1, "features": [1,2,3,4,5,6,7,8,%d%s]}`, i, []string{"", `,1`}[i/450])
		},
	} {
		var text strings.Builder
		for i := range 500 {
			text.WriteString(line(i) + "\n")
		}
		opts := Options{Features: 9, MayLackLabel: true, Missing: data.MissingZero}
		for j := range 9 {
			opts.Names = append(opts.Names, fmt.Sprintf("f%d", j))
		}
		for _, extra := range []bool{false, true} {
			opts.Extra = extra
			path := file(t, "t.jsonl", text.String())
			want, wantErr := ReadSet(path, opts)
			x := data.NewDense(0, 0, nil)
			each, _ := takeEach(x)
			got, err := ReadSet(path, opts.Each(func(first int, block *data.Set) error {
				return each(first, &data.Set{X: data.ToDense(block.X)})
			}))
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: %v, want %v", name, err, wantErr)
			}
			if err == nil && (!reflect.DeepEqual(x, data.ToDense(want.X)) || len(got.Y) != len(want.Y)) {
				t.Errorf("%s: other values", name)
			}
		}
	}
}

// Each receives the matrix that ReadSet returns without it; the rest of the Set, and every error, is the same.
func TestEachIsTheMatrix(t *testing.T) {
	defer func(values int) { panelValues = values }(panelValues)
	panelValues = 1
	for name, text := range map[string]string{
		"plain": eachText(700, 0, nil), "missing": eachText(700, 0.1, nil), "few": eachText(3, 0.1, nil),
		"a mistake": eachText(700, 0.1, map[int]string{650: "r,1,z,f,2,q,7"}),
		"fields":    eachText(700, 0, map[int]string{650: "r,1"}),
		"no level":  eachText(700, 0.1, map[int]string{650: "r,1,3,other,2,q,7"}),
		"no query":  eachText(700, 0.1, map[int]string{650: "r,1,3,f,2,,7"}),
	} {
		for _, by := range []data.Missing{data.MissingMean, data.MissingMin, data.MissingZero} {
			for _, change := range []func(o *Options){func(*Options) {}, func(o *Options) { o.Substitutes = nil },
				func(o *Options) { o.Missing = data.MissingMean }, func(o *Options) { o.Substitutes.Mean = nil },
				func(o *Options) { o.Weight = "more" }, func(o *Options) { o.Extra = true }} {
				opts := ofTraining(t, by)
				change(&opts)
				for format, content := range map[string]string{"t.csv": text, "all.jsonl": objectsOf(text, false),
					"some.jsonl": objectsOf(text, true), "t.npz": archiveOf(t, text)} {
					if content == "" || format == "t.npz" && opts.Weight != "" {
						continue
					}
					eachIsTheMatrix(t, fmt.Sprintf("%s, %s, %s", name, format, by), file(t, format, content), opts)
				}
			}
		}
	}
}
