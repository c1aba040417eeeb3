package table

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/npy"
)

func TestSetFromArrays(t *testing.T) {
	x := &npy.Array{Shape: []int{2, 1}, Data: []float64{1, math.NaN()}}
	y := &npy.Array{Shape: []int{2}, Data: []float64{3, 4}}
	ofSex := Options{MayLackLabel: true, Features: 3, Names: []string{"a", "sex=f", "sex=m"},
		Schema: &data.Schema{Factors: []data.Factor{{Column: "sex", Levels: []string{"f", "m"}}}}}
	for _, c := range []struct {
		name   string
		arrays map[string]*npy.Array
		opts   Options
		want   string // or the end of the error
	}{
		{"numbers as qid", map[string]*npy.Array{"X": {Shape: []int{2, 1}, Data: []float64{1, 2}}, "y": y,
			"qid": {Shape: []int{2}, Data: []float64{7, 10032}}}, Options{},
			`2×1 [1 2] y=[3 4] q=["7" "10032"] of=[0 1] names=[]`},
		{"missing", map[string]*npy.Array{"X": x, "y": y}, Options{Missing: data.MissingZero},
			`2×1 [1 0] y=[3 4] q=[] of=[0 0] names=[]`},
		{"missing refused", map[string]*npy.Array{"X": x, "y": y}, Options{}, "entry 2: NaN is not a finite number"},
		{"features of a model", map[string]*npy.Array{"X": {Shape: []int{2, 1}, Data: []float64{1, 2}}, "y": y},
			Options{Features: 1}, `2×1 [1 2] y=[3 4] q=[] of=[0 0] names=[]`},
		{"too few", map[string]*npy.Array{"X": {Shape: []int{2, 1}, Data: []float64{1, 2}}, "y": y}, Options{Features: 2},
			"1 features but the model has 2"},
		{"columns by number", map[string]*npy.Array{"X": {Shape: []int{2, 3}, Data: []float64{1, 7, 3, 4, 8, 6}}},
			Options{Label: "2", Ignore: []string{"1"}}, `2×1 [3 6] y=[7 8] q=[] of=[0 0] names=[]`},
		{"by the names of a model", map[string]*npy.Array{"X": {Shape: []int{2, 2}, Data: []float64{1, 2, 3, 4}}, "y": y,
			"names": {Shape: []int{2}, Strings: []string{"b", "a"}}}, Options{Features: 2, Names: []string{"a", "b"}},
			`2×2 [2 1 4 3] y=[3 4] q=[] of=[0 0] names=["a" "b"]`},
		{"lacking", map[string]*npy.Array{"X": {Shape: []int{2, 1}, Data: []float64{1, 2}}, "y": y,
			"names": {Shape: []int{1}, Strings: []string{"b"}}}, Options{Features: 2, Names: []string{"a", "b"}},
			`a feature of the model is not among the columns: "a"`},
		{"by another name", map[string]*npy.Array{"X": {Shape: []int{2, 1}, Data: []float64{1, 2}}, "grade": y},
			Options{Label: "grade"}, `2×1 [1 2] y=[3 4] q=[] of=[0 0] names=[]`},
		{"missing by column", map[string]*npy.Array{"X": {Shape: []int{2, 2}, Data: []float64{1, math.NaN(), 3, 4}},
			"y": y},
			Options{MissingIn: map[string]data.Missing{"2": data.MissingMean}},
			`2×2 [1 4 3 4] y=[3 4] q=[] of=[0 0] names=[]`},
		{"missing elsewhere", map[string]*npy.Array{"X": {Shape: []int{2, 2}, Data: []float64{math.NaN(), 2, 3, 4}},
			"y": y},
			Options{MissingIn: map[string]data.Missing{"2": data.MissingMean}},
			`column "1": the value is missing in row 1`},
		{"names of roles", map[string]*npy.Array{"X": {Shape: []int{2, 2}, Data: []float64{1, 2, 3, 4}}, "y": y,
			"names": {Shape: []int{2}, Strings: []string{"y", "qid"}}, "qid": {Shape: []int{2}, Data: []float64{7, 8}}},
			Options{}, `2×2 [1 2 3 4] y=[3 4] q=["7" "8"] of=[0 1] names=["y" "qid"]`},
		{"levels", map[string]*npy.Array{"X": {Shape: []int{2, 2}, Data: []float64{1, 2, 0, 4}}, "y": y,
			"names": {Shape: []int{2}, Strings: []string{"sex", "a"}}, "levels.sex": {Shape: []int{2},
				Strings: []string{"m", "f"}}}, Options{}, `2×3 [1 0 2 0 1 4] y=[3 4] q=[] of=[0 0] names=["sex=f" "sex=m" "a"]`},
		{"levels of a model", map[string]*npy.Array{"X": {Shape: []int{2, 2}, Data: []float64{1, 2, 0, 4}},
			"names": {Shape: []int{2}, Strings: []string{"sex", "a"}}, "levels.sex": {Shape: []int{2},
				Strings: []string{"m", "f"}}}, ofSex, `2×3 [2 1 0 4 0 1] y=[0 0] q=[] of=[0 0] names=["a" "sex=f" "sex=m"]`},
		{"a new level", map[string]*npy.Array{"X": {Shape: []int{1, 2}, Data: []float64{0, 2}},
			"names": {Shape: []int{2}, Strings: []string{"sex", "a"}}, "levels.sex": {Shape: []int{1},
				Strings: []string{"x"}}}, ofSex, `the model has no level "x" of column "sex"`},
		{"no level", map[string]*npy.Array{"X": {Shape: []int{1, 1}, Data: []float64{2}},
			"y":     {Shape: []int{1}, Data: y.Data[:1]},
			"names": {Shape: []int{1}, Strings: []string{"sex"}}, "levels.sex": {Shape: []int{2},
				Strings: []string{"m", "f"}}}, Options{}, `2 is no level of column "sex", which has 2, counted from 0`},
		{"no X", map[string]*npy.Array{"y": y}, Options{}, "there is no array X of rows × features: the arrays are y (2)"},
		{"no y", map[string]*npy.Array{"X": x}, Options{Missing: data.MissingZero},
			"there is no array y of 2 labels: the arrays are X (2×1)"},
		{"short qid", map[string]*npy.Array{"X": x, "y": y, "qid": {Shape: []int{1}, Data: []float64{7}}},
			Options{Missing: data.MissingZero}, "qid has 1 entries for 2 rows"},
	} {
		var b bytes.Buffer
		if err := npy.WriteArchive(&b, c.arrays); err != nil {
			t.Fatal(err)
		}
		s, err := ReadSet(file(t, "a.npz", b.String()), c.opts)
		if err != nil && !strings.HasSuffix(err.Error(), c.want) || err == nil && describe(s) != c.want {
			t.Errorf("%s: %v, %v; want %s", c.name, s, err, c.want)
		}
	}
	if _, err := ReadSet(file(t, "a.npz", "no zip"), Options{}); err == nil ||
		!strings.Contains(err.Error(), "a.npz: ") {
		t.Errorf("error %v", err)
	}
}
