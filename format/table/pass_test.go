package table

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pairrank/data"
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
				want, wantErr := ReadSetFrom(strings.NewReader(text), "t", opts)
				x := data.NewDense(0, 0, nil)
				each, blocks := takeEach(x)
				got, err := ReadSetFrom(strings.NewReader(text), "t", opts.Each(each))
				if fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Fatalf("%s, %s: %v, want %v", name, by, err, wantErr)
				}
				if err != nil {
					continue
				}
				if !reflect.DeepEqual(data.Matrix(x), want.X) {
					t.Fatalf("%s, %s: other values", name, by)
				}
				if streams := opts.Weight == ""; len(want.Y) > 1000/2 && streams != (*blocks > 5) {
					t.Errorf("%s, %s: %d blocks", name, by, *blocks)
				}
				got.X = want.X
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: the rest of the set differs", name, by)
				}
			}
		}
	}
}
