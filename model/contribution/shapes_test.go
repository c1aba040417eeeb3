package contribution_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/model"
	. "pairrank/model/contribution"
)

// drawn is a model of splines, or for no knots a linear one, of random weights under a normaliser, with its rows: the
// features curve but for two of two values, one that is constant and a factor of three levels.
func drawn(r *rand.Rand, kind string, knots int, scale float64) (*model.Model, *data.Set) {
	names := []string{"curved", "round", "two", "rare", "constant", "f=a", "f=b", "f=c"}
	m, n := 20+r.IntN(30), len(names)
	set := &data.Set{X: data.NewDense(m, n, nil), Names: names, Queries: data.OneList(m)}
	for i := range m {
		row := set.X.(*data.Dense).Row(i)
		row[0], row[1], row[2], row[4] = scale*r.NormFloat64(), math.Round(2*r.NormFloat64()), float64(i%2), 7
		row[5+r.IntN(3)] = 1
	}
	set.X.(*data.Dense).Row(3)[3] = 5
	norm, err := data.FitNormalizer(kind, set)
	if err != nil {
		panic(err)
	}
	own := &data.Set{X: set.X.(*data.Dense).Clone(), Queries: set.Queries}
	if err := norm.Apply(own); err != nil {
		panic(err)
	}
	out := &model.Model{Info: model.Info{Learner: "rankrls", Rows: m}, Names: names, Normalizer: norm}
	schema := &data.Schema{Factors: []data.Factor{{Column: "f", Levels: []string{"a", "b", "c"}}}}
	if err := out.Info.SetSchema(schema); err != nil {
		panic(err)
	}
	if knots == 0 {
		w := data.NewDense(1, n, nil)
		for j := range n {
			w.Data[j] = r.NormFloat64()
		}
		out.Scorer = &model.Linear{Weights: w}
		return out, set
	}
	spline := &model.Spline{Map: kernel.NewSplineMap(kernel.Spline{Knots: knots, Bends: 2}, nil, own.X, nil)}
	spline.Weights = data.NewDense(1, spline.Map.Features(), nil)
	for d := range spline.Weights.Data {
		spline.Weights.Data[d] = r.NormFloat64()
	}
	spline.Describe(own.X, nil)
	out.Scorer = spline
	return out, set
}

// valueOf is what a shape adds to a row.
func valueOf(s *Shape, set *data.Set, row []float64) float64 {
	if s.Levels == nil {
		return s.At(row[s.Number-1])
	}
	for k := range s.Levels {
		if row[s.Number-1+k] == 1 {
			return s.Adds[k]
		}
	}
	panic("no level")
}

// The sum of the shapes is the score but for a constant; each has the mean 0 and its importance as the standard
// deviation over the rows; its numbers are those of the curve; a straight line has one slope.
func TestShapesAddUpToTheScore(t *testing.T) {
	const rounding = 1e-12
	r := rand.New(rand.NewPCG(46, 5))
	for trial := range 200 {
		kind := []string{data.NormalizeNone, data.NormalizeZScore, data.NormalizeMinMax}[trial%3]
		m, set := drawn(r, kind, trial%7, 1)
		shapes, err := Shapes(m)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := m.Score(set)
		if err != nil {
			t.Fatal(err)
		}
		rest, size := make([]float64, len(scores)), 1.0
		for k := range shapes {
			s := &shapes[k]
			mean, square := 0.0, 0.0
			for i := range rest {
				v := valueOf(s, set, data.ToDense(set.X).Row(i))
				rest[i] += v
				mean, square, size = mean+v/float64(len(rest)), square+v*v/float64(len(rest)), max(size, math.Abs(v))
			}
			if !s.Guessed && !(math.Abs(mean) < rounding*10 && math.Abs(math.Sqrt(square)-s.Importance) < 1e-7) {
				t.Errorf("%s: mean %v, standard deviation %v, importance %v", s.Name, mean, math.Sqrt(square), s.Importance)
			}
			if k > 0 && s.Importance > shapes[k-1].Importance || s.Guessed != (trial%7 == 0) {
				t.Errorf("%s after %s, guessed %v", s.Name, shapes[k-1].Name, s.Guessed)
			}
			if s.Levels == nil && (len(s.Slopes) != len(s.Knots)+1 || trial%7 == 0 && len(s.Slopes) != 1) {
				t.Errorf("%s: slopes %v at knots %v", s.Name, s.Slopes, s.Knots)
			}
			two := s.Name == "two" || s.Name == "rare"
			if !s.Guessed && s.Two != two || s.Name == "f" != (s.Levels != nil) {
				t.Errorf("%+v", s)
			}
		}
		for i := range rest {
			if d := scores[i] - rest[i] - (scores[0] - rest[0]); !(math.Abs(d) < rounding*10*size) {
				t.Fatalf("trial %d: row %d is %v off", trial, i, d)
			}
		}
	}
}

// Another unit of a feature changes its axis alone where features are normalised.
func TestShapesOfAnotherUnit(t *testing.T) {
	const unit, rounding = 1024, 1e-9
	m, _ := drawn(rand.New(rand.NewPCG(1, 1)), data.NormalizeZScore, 4, 1)
	other, _ := drawn(rand.New(rand.NewPCG(1, 1)), data.NormalizeZScore, 4, unit)
	a, err := Shapes(m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Shapes(other)
	if err != nil {
		t.Fatal(err)
	}
	for k := range a {
		scale := 1.0
		if a[k].Name == "curved" {
			scale = unit
		}
		if a[k].Name != b[k].Name || !near(a[k].Importance, b[k].Importance, rounding) {
			t.Errorf("%v and %v", a[k], b[k])
		}
		for i, x := range a[k].X {
			if !near(x*scale, b[k].X[i], rounding*scale) || !near(a[k].Adds[i], b[k].Adds[i], rounding) {
				t.Errorf("%s: %v at %v and %v at %v", a[k].Name, a[k].Adds, a[k].X, b[k].Adds, b[k].X)
			}
		}
	}
}

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

// A part of a spline is the value of its curve, dense and sparse; the parts add up to the score.
func TestPartsOfSplines(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 7))
	for range 60 {
		m, set := drawn(r, data.NormalizeMinMax, 3, 1)
		m.Normalizer.Shift = make([]float64, len(set.Names)) // so that sparse rows stay sparse
		sparse := &data.Set{X: gen.Sparse(data.ToDense(set.X), gen.NotZero), Names: set.Names, Queries: set.Queries}
		scores, err := m.Score(set)
		if err != nil {
			t.Fatal(err)
		}
		one, err := Row(m, sparse, 2)
		if err != nil {
			t.Fatal(err)
		}
		checkAddsUp(t, "a row", one, scores[2])
		sum, err := Rows(m, set, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		checkAddsUp(t, "two rows", sum, scores[0], scores[1])
		other, err := Rows(m, sparse, 0, 1)
		if err != nil || !reflect.DeepEqual(sum, other) {
			t.Errorf("%v, %v and %v", err, sum, other)
		}
		spline := m.Scorer.(*model.Spline)
		for _, p := range sum.Parts {
			c := spline.Curve(0, p.Number-1)
			if want := c.At(p.Normalized[0]) - c.At(p.Normalized[1]); !alike(p.Contribution, want) || p.Weight != 0 ||
				!reflect.DeepEqual(p.Knots, c.Knots) || p.Slopes[0] != c.Slope || len(p.Slopes) != len(p.Knots)+1 {
				t.Errorf("%+v, want %v", p, want)
			}
		}
	}
}

// Models that are no sums of curves have no shapes, and those of several outputs one output at a time.
func TestModelsWithoutShapes(t *testing.T) {
	for name, s := range scorers() {
		shapes, err := Shapes(&model.Model{Info: model.Info{Learner: "rankrls", Rows: features}, Scorer: s})
		if _, linear := s.(*model.Linear); linear != (err == nil) || linear && len(shapes) != features {
			t.Errorf("%s: %v", name, err)
		}
	}
	several := &model.Model{Scorer: &model.Linear{Weights: data.NewDense(2, 3, nil)}}
	if _, err := Shapes(several); err == nil {
		t.Error("the shapes of two outputs")
	}
}
