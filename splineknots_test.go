package pairrank

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

// TestKnotsOfSingleFeatures: a spline with K knots for each name is the spline of K knots, to the bit, and one without
// knots has the scores of straight lines; a model reads back with the list, whatever the names are.
func TestKnotsOfSingleFeatures(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 21))
	for _, l := range []Learner{LeastSquares{}, LeastSquares{Solver: Dual}, LeastSquares{Regression: true}, RankSVM{},
		Greedy{Features: 2}} {
		set := splineSet(r, 5)
		set.Censored, set.Weights = nil, nil
		set.Names = []string{`a,"b"`, "c+linear", "\x00\n\\=", " many "}
		trained := func(k kernel.Kernel) *Result {
			o := Options{Learner: l, Kernels: []kernel.Kernel{k}, Lambdas: []float64{0.5}}
			result, err := Train(t.Context(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		list := func(count string) string {
			k, err := kernel.Parse("spline:knots=0,in=" + strings.ReplaceAll(
				`"a,\"b\""=K,"c+linear"=K,"\x00\n\\="=K," many "=K`, "K", count))
			if err != nil {
				t.Fatal(err)
			}
			return k.(kernel.Spline).In
		}
		one, all := trained(kernel.Spline{Knots: 3, Bends: 1}), trained(kernel.Spline{Bends: 1, In: list("3")})
		a, b := one.Model.Scorer.(*model.Spline), all.Model.Scorer.(*model.Spline)
		if !slices.Equal(a.Weights.Data, b.Weights.Data) {
			t.Errorf("%T: weights %v, and %v by names", l, a.Weights.Data, b.Weights.Data)
		}
		var text bytes.Buffer
		if err := all.Model.Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := model.Read(&text, "again")
		if err != nil {
			t.Fatal(err)
		}
		if of := again.Scorer.(*model.Spline).Map.Kernel(); of != b.Map.Kernel() {
			t.Errorf("%T: %v reads back as %v", l, b.Map.Kernel(), of)
		}
		straight, none := trained(kernel.Linear{}), trained(kernel.Spline{Bends: 1, In: list("0")})
		for i := range set.Y {
			row := set.X.(*data.Dense).Row(i)
			want, got := straight.Model.ScoreRow(row), none.Model.ScoreRow(row)
			if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
				t.Errorf("%T: row %d scores %v without knots, and %v by straight lines", l, i, got, want)
			}
		}
	}
}

// TestKnotsOfNoFeature: knots of what is no feature, or of one feature twice, are refused; a feature that cannot bend
// is noted.
func TestKnotsOfNoFeature(t *testing.T) {
	set := splineSet(rand.New(rand.NewPCG(46, 22)), 5)
	set.Names[2], set.Names[3] = "sex=f", "sex=m"
	for in, want := range map[string]string{
		"manny=2": `knots are given for "manny", which is neither the name of a feature nor a number from 1 to 4: did you ` +
			`mean many?`,
		"5=2": `"5", which is neither the name of a feature nor a number from 1 to 4`,
		"1=3,bends=2": `knots are given for "bends", which is neither the name of a feature nor a number from 1 to 4: ` +
			"bends= of all features stands before in=",
		"1=2,many=3":   `knots are given for "1" and "many", which are both feature 1`,
		"sex=2,sex=f=": `"sex=f=" is not NAME=K, with K knots from 0 to 64`,
		"few=65":       "few has from 0 to 64 knots, not 65",
		"b=1,a=1":      "knots of single features of a spline are a=1,b=1 in this form, not b=1,a=1",
		"a=1,a=2":      "a has knots twice: 1 and 2",
		"few=2,sex=3":  `"sex" stays a straight line: no quantile lies between its least and its largest value`,
		"few=2,sex=0":  "nothing",
	} {
		result, err := Train(t.Context(), Problem{Set: set}, Options{Lambdas: []float64{1},
			Kernels: []kernel.Kernel{kernel.Spline{Bends: 1, In: in}}})
		said := ""
		if err != nil {
			said = err.Error()
		} else {
			for _, n := range result.Notes {
				said += n.Text
			}
			said += "nothing"
		}
		if !strings.Contains(said, want) || want == "nothing" && strings.Contains(said, "straight") {
			t.Errorf("%s: %s\nwant %s", in, said, want)
		}
	}
}
