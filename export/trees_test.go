package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/format/foreign"
	"pairrank/kernel"
	"pairrank/model"
)

// bent is a model in steps: a spline, a linear model with a normaliser, or stumps, and rows in queries; values near 0
// and far from it, some equal.
func bent(r *rand.Rand, kind string) (*model.Model, *data.Set) {
	const m, n = 400, 4
	x := normal(r, m, n, 0)
	queries := make([]int32, m)
	for i := range m {
		row := x.Row(i)
		row[1], row[2], row[3] = math.Round(2*row[1]), 1e-5*row[2], 1e6+100*row[3]
		queries[i] = int32(i / 20)
	}
	norm, err := data.FitNormalizer("zscore", &data.Set{X: x, Y: make([]float64, m)})
	if err != nil {
		panic(err)
	}
	at := &model.Model{Info: info, Normalizer: norm, Names: []string{"a", "b c", "ü", `"d"`}}
	z := normal(r, m, n, 0)
	switch kind {
	case "spline":
		hinges := kernel.NewSplineMap(kernel.Spline{Knots: 4, Bends: 2, In: "2=0,4=9"}, nil, z, nil)
		at.Scorer = &model.Spline{Map: hinges, Weights: normal(r, 1, hinges.Features(), 0)}
	case "linear":
		at.Scorer = &model.Linear{Weights: normal(r, 1, n, 0)}
	case "stumps":
		s := &model.Stumps{Features: n}
		for range 100 {
			s.Terms = append(s.Terms,
				model.Stump{Feature: r.IntN(n), Threshold: r.NormFloat64(), Weight: r.NormFloat64()})
		}
		s.Terms = append(s.Terms, s.Terms[0], model.Stump{Threshold: 1e300, Weight: 1},
			model.Stump{Threshold: -1e300, Weight: 1})
		at.Scorer = s
	}
	return at, &data.Set{X: x, Y: make([]float64, m), Queries: data.NewPartition(queries, m/20)}
}

// bough is a node of a tree of an engine.
type bough struct {
	feature     string
	threshold   float32
	strict      bool // x < threshold goes left, else x ≤ threshold
	left, right *bough
	leaf        float32
	missing     *bough
}

func (b *bough) of(value func(name string) float32) float32 {
	for b.left != nil {
		v := value(b.feature)
		switch {
		case v != v:
			b = b.missing
		case v < b.threshold || !b.strict && v == b.threshold:
			b = b.left
		default:
			b = b.right
		}
	}
	return b.leaf
}

// elasticNode is a node of the dump of XGBoost, as XGBoostJsonParser of the plugin reads it.
type elasticNode struct {
	ID        int           `json:"nodeid"`
	Depth     *int          `json:"depth"`
	Split     string        `json:"split"`
	Condition *float32      `json:"split_condition"`
	Yes       int           `json:"yes"`
	No        int           `json:"no"`
	Missing   int           `json:"missing"`
	Leaf      *float32      `json:"leaf"`
	Children  []elasticNode `json:"children"`
}

func (n *elasticNode) grown(t *testing.T) *bough {
	t.Helper()
	if n.Leaf != nil {
		return &bough{leaf: *n.Leaf}
	}
	if n.Depth == nil || n.Condition == nil || len(n.Children) != 2 || n.Children[0].ID != n.Yes ||
		n.Children[1].ID != n.No {
		t.Fatalf("the parser refuses %+v", n)
	}
	b := &bough{feature: n.Split, threshold: *n.Condition, strict: true, left: n.Children[0].grown(t),
		right: n.Children[1].grown(t)}
	b.missing = b.left
	if n.Missing == n.No {
		b.missing = b.right
	}
	return b
}

func elasticForest(t *testing.T, text string) (all []*bough) {
	t.Helper()
	var e elasticModel
	strict(t, text, &e)
	var trees []elasticNode
	strict(t, e.Model.Model.Definition, &trees)
	if e.Model.Model.Type != "model/xgboost+json" {
		t.Errorf("type %s", e.Model.Model.Type)
	}
	for k := range trees {
		all = append(all, trees[k].grown(t))
	}
	return all
}

// solrNode is a RegressionTreeNode of Solr, whose numbers are texts.
type solrNode struct {
	Feature   string    `json:"feature"`
	Threshold string    `json:"threshold"`
	Value     string    `json:"value"`
	Left      *solrNode `json:"left"`
	Right     *solrNode `json:"right"`
}

func (n *solrNode) grown(t *testing.T) *bough {
	t.Helper()
	number := func(text string) float32 {
		v, err := strconv.ParseFloat(text, 32)
		if err != nil {
			t.Fatal(err)
		}
		return float32(v)
	}
	if n.Left == nil {
		return &bough{leaf: number(n.Value)}
	}
	return &bough{feature: n.Feature, threshold: number(n.Threshold) + float32(1e-6), left: n.Left.grown(t),
		right: n.Right.grown(t)}
}

func solrForest(t *testing.T, text string) (all []*bough) {
	t.Helper()
	var s struct {
		Class    string        `json:"class"`
		Name     string        `json:"name"`
		Features []solrFeature `json:"features"`
		Params   struct {
			Trees []struct {
				Weight string   `json:"weight"`
				Root   solrNode `json:"root"`
			} `json:"trees"`
		} `json:"params"`
	}
	strict(t, text, &s)
	if s.Class != "org.apache.solr.ltr.model.MultipleAdditiveTreesModel" || len(s.Features) != 4 {
		t.Errorf("class %s, features %v", s.Class, s.Features)
	}
	for k := range s.Params.Trees {
		if s.Params.Trees[k].Weight != "1" {
			t.Errorf("weight %s", s.Params.Trees[k].Weight)
		}
		all = append(all, s.Params.Trees[k].Root.grown(t))
	}
	return all
}

// xgboostForest follows the arrays of a model file of XGBoost as its predictor does: the right child is beside the
// left one.
func xgboostForest(t *testing.T, text string) (all []*bough) {
	t.Helper()
	var x struct {
		Learner struct {
			Names   []string `json:"feature_names"`
			Booster struct {
				Model struct {
					Trees []struct {
						Default    []int         `json:"default_left"`
						Left       []int         `json:"left_children"`
						Right      []int         `json:"right_children"`
						Parents    []int         `json:"parents"`
						Conditions []json.Number `json:"split_conditions"`
						Indices    []int         `json:"split_indices"`
						Rows       []json.Number `json:"sum_hessian"`
					} `json:"trees"`
				} `json:"model"`
			} `json:"gradient_booster"`
		} `json:"learner"`
	}
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		t.Fatal(err)
	}
	for k := range x.Learner.Booster.Model.Trees {
		tree := &x.Learner.Booster.Model.Trees[k]
		var grown func(at int) *bough
		grown = func(at int) *bough {
			condition := tree.Conditions[at].String()
			v, err := strconv.ParseFloat(condition, 32)
			if err != nil || !strings.Contains(condition, "e") || !strings.Contains(tree.Rows[at].String(), "e") {
				t.Fatalf("%s is a whole number to XGBoost: %v", condition, err)
			}
			if tree.Left[at] < 0 {
				return &bough{leaf: float32(v)}
			}
			if left, right := tree.Left[at], tree.Right[at]; right != left+1 || tree.Parents[left] != at ||
				tree.Parents[right] != at {
				t.Fatalf("node %d of %+v", at, tree)
			}
			b := &bough{feature: x.Learner.Names[tree.Indices[at]], threshold: float32(v), strict: true,
				left: grown(tree.Left[at]), right: grown(tree.Right[at])}
			if b.missing = b.right; tree.Default[at] == 1 {
				b.missing = b.left
			}
			return b
		}
		all = append(all, grown(0))
	}
	return all
}

// Each engine, by its own rules in single precision, has the scores of the steps that RankLib has and this library
// reads back, up to a constant; a total is at least 0; and pairs keep their order.
func TestTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 4))
	for range 10 {
		for _, kind := range []string{"spline", "linear", "stumps"} {
			m, set := bent(r, kind)
			o := Options{Data: set}
			if kind == "stumps" {
				o.Data = nil
			}
			text, notes := write(t, m, RankLib, o)
			back, _, err := foreign.Read(strings.NewReader(text), "ranklib", foreign.RankLib)
			if err != nil {
				t.Fatal(err)
			}
			if kind != "stumps" && !strings.Contains(strings.Join(notes, "\n"), "between the values of 400 rows") {
				t.Errorf("notes %q", notes)
			}
			x := set.X.(*data.Dense)
			steps := make([]float64, x.Rows)
			back.Scorer.ScoreTo(steps, narrowed(x))
			for target, read := range map[Target]func(*testing.T, string) []*bough{ElasticLTR: elasticForest,
				Solr: solrForest, XGBoost: xgboostForest} {
				text, _ := write(t, m, target, o)
				checkForest(t, fmt.Sprint(kind, " ", target), read(t, text), m.Names, x, steps)
			}
			if kind != "stumps" {
				checkKept(t, kind, m, set, steps)
			}
		}
	}
}

// narrowed is rows in single precision.
func narrowed(x *data.Dense) *data.Dense {
	out := data.NewDense(x.Rows, x.Cols, nil)
	for k, v := range x.Data {
		out.Data[k] = float64(float32(v))
	}
	return out
}

func checkForest(t *testing.T, what string, trees []*bough, names []string, x *data.Dense, want []float64) {
	t.Helper()
	largest, first := 0.0, 0.0
	for _, v := range want {
		largest = max(largest, math.Abs(v))
	}
	for i := range x.Rows {
		var sum float32
		for _, tree := range trees {
			sum += tree.of(func(name string) float32 {
				for j, n := range names {
					if n == name {
						return float32(x.Row(i)[j])
					}
				}
				t.Fatalf("%s: a feature %q", what, name)
				return 0
			})
		}
		if i == 0 {
			first = float64(sum) - want[0]
		}
		if off := float64(sum) - want[i] - first; !(math.Abs(off) <= 4*single*largest) || sum < 0 {
			t.Fatalf("%s: row %d has %v, want %v", what, i, float64(sum)-first, want[i])
		}
	}
}

// checkKept fails where more than one of 100 pairs in a query change places.
func checkKept(t *testing.T, kind string, m *model.Model, set *data.Set, steps []float64) {
	t.Helper()
	f, err := m.Score(set)
	if err != nil {
		t.Fatal(err)
	}
	kept, pairs := 0, 0
	for i := range f {
		for k := i - i%20; k < i; k++ {
			if pairs++; (f[i] > f[k]) == (steps[i] > steps[k]) && steps[i] != steps[k] {
				kept++
			}
		}
	}
	if share := float64(kept) / float64(pairs); share < 0.99 {
		t.Errorf("%s: %v of the pairs keep their order", kind, share)
	}
}

// A missing value goes where what stood for it in training goes, and by itself has its score.
func TestXGBoostMissing(t *testing.T) {
	own := &model.Model{Info: model.Info{Learner: "rankboost", Rows: 5}, Scorer: &model.Stumps{Features: 2}}
	if err := own.Info.SetSubstitutes(&data.Substitutes{By: []data.Missing{data.MissingOwn, data.MissingError},
		Mean: []float64{1}, Own: []int{0}}); err != nil {
		t.Fatal(err)
	}
	for _, target := range []Target{XGBoost, ElasticLTR, Solr, RankLib, SVMrank, LIBLINEAR} {
		var refused *fault.RefusedError
		if _, err := Write(io.Discard, own, target, Options{}); !errors.As(err, &refused) ||
			!strings.Contains(refused.What, "level of its own") {
			t.Errorf("%s: a level is %v", target, err)
		}
	}
	r := rand.New(rand.NewPCG(46, 5))
	m, set := bent(r, "spline")
	if err := m.Info.SetSubstitutes(&data.Substitutes{Mean: []float64{0.5, 1, 0, 1e6},
		By: []data.Missing{data.MissingMean, data.MissingMean, data.MissingZero, data.MissingMean}}); err != nil {
		t.Fatal(err)
	}
	text, _ := write(t, m, XGBoost, Options{Data: set})
	values := map[string]float32{"a": 0.5, "b c": 1, "ü": 0, `"d"`: 1e6}
	for k, tree := range xgboostForest(t, text) {
		got := tree.of(func(string) float32 { return float32(math.NaN()) })
		if want := tree.of(func(name string) float32 { return values[name] }); got != want {
			t.Errorf("tree %d: a missing value is %v, want %v", k, got, want)
		}
	}
}

// XGBoost has no names with brackets, and the note says so; a model that scores all rows alike has no tree.
func TestXGBoostNames(t *testing.T) {
	m, set := bent(rand.New(rand.NewPCG(46, 6)), "linear")
	m.Names[1] = "b[1]"
	text, notes := write(t, m, XGBoost, Options{Data: set})
	if !strings.Contains(text, `"feature_names":[]`) || !strings.Contains(strings.Join(notes, "\n"), "without names") {
		t.Errorf("notes %q", notes)
	}
	m.Scorer = &model.Linear{Weights: data.NewDense(1, 4, nil)}
	able(t, &ability{Target: XGBoost}, "no steps", false, m, Options{Data: set})
}

// Solr adds its slack to a threshold.
func TestSlackened(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 7))
	const closest = 2.4e-13
	for range 100_000 {
		v := math.Float32frombits(r.Uint32())
		if v != v || math.Abs(float64(v)) > 1e30 {
			continue
		}
		got := slackened(v) + float32(1e-6)
		if got > v || float64(v)-float64(got) > closest && got < math.Nextafter32(v, -math.MaxFloat32) {
			t.Fatalf("%v becomes %v", v, got)
		}
	}
}
