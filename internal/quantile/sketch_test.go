package quantile

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// draws are the weighted values of tests, by name.
func draws(r *rand.Rand, m int) map[string][]Point {
	all := map[string][]Point{}
	for name, of := range map[string]func(i int) Point{
		"normal":     func(int) Point { return Point{r.NormFloat64(), 1} },
		"ascending":  func(i int) Point { return Point{float64(i), 1} },
		"descending": func(i int) Point { return Point{float64(m - i), 1} },
		"weighed":    func(int) Point { return Point{r.NormFloat64(), r.ExpFloat64() + 1e-3} },
		"heavy":      func(int) Point { return Point{r.NormFloat64(), math.Exp(3 * r.NormFloat64())} },
		"half zeros": func(int) Point { return Point{max(0, r.NormFloat64()), 1} },
		"few":        func(int) Point { return Point{float64(r.IntN(300)) / 7, 1} },
		"wide":       func(int) Point { return Point{math.Exp(100*r.NormFloat64()) * float64(1-2*r.IntN(2)), 1} },
	} {
		points := make([]Point, m)
		for i := range points {
			points[i] = of(i)
		}
		all[name] = points
	}
	return all
}

// sketchOf adds points in batches of some size.
func sketchOf(points []Point, batch int) *Sketch {
	s, spare := &Sketch{}, &Spare{}
	for part := range slices.Chunk(slices.Clone(points), batch) {
		s.Add(part, spare)
	}
	return s
}

// exact are the points, ascending, a value once.
func exact(points []Point) []Point {
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) })
	return distinct(points)
}

// farthest is the largest difference of the ranks by two lists of points, and the weight.
func farthest(of, by []Point) (apart, total float64) {
	got, k := 0.0, 0
	for i, p := range of {
		for ; k < len(by) && by[k].Value < p.Value; k++ {
			got += by[k].Weight
			apart = max(apart, math.Abs(got-total)) // between two values
		}
		if k < len(by) && by[k].Value == p.Value {
			got += by[k].Weight
			k++
		}
		total += p.Weight
		apart = max(apart, math.Abs(got-total))
		if i == len(of)-1 && k < len(by) {
			return math.Inf(1), total // a point beyond all values
		}
	}
	return apart, total
}

// Ranks are within Error, which is within the bound that the doc comment states, whatever the values, their order and
// their weights; the extremes are kept.
func TestRanksAreWithinTheBound(t *testing.T) {
	const rounding = 1e-12 // of sums of 100,000 weights, relative
	for name, points := range draws(rand.New(rand.NewPCG(1, 2)), 100_000) {
		all := exact(points)
		for _, batch := range []int{1 << 12, 1000} {
			s := sketchOf(points, batch)
			kept := s.Points()
			apart, total := farthest(all, kept)
			bound := total * (1 + math.Log2(float64(len(points))/Size)) / (Size - 2)
			if apart > s.Error()+rounding*total || s.Error() > bound {
				t.Errorf("%s by %d: ranks are %v apart, the error %v, the bound %v", name, batch, apart, s.Error(), bound)
			}
			if kept[0].Value != all[0].Value || kept[len(kept)-1].Value != all[len(all)-1].Value {
				t.Errorf("%s by %d: extremes %v and %v", name, batch, kept[0], kept[len(kept)-1])
			}
			if t.Logf("%s by %d: %d points, apart %.3g %%, error %.3g %%, bound %.3g %%", name, batch, len(kept),
				100*apart/total, 100*s.Error()/total, 100*bound/total); name == "few" &&
				(s.Error() != 0 || !reflect.DeepEqual(kept, all)) {
				t.Errorf("few values are not exact: error %v", s.Error())
			}
		}
	}
}

// Up to Size different values a sketch is exact, in any number of parts.
func TestFewValuesAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	points := make([]Point, 50_000)
	for i := range points {
		points[i] = Point{float64(r.IntN(Size)) - 2000, float64(1+r.IntN(8)) / 4}
	}
	merged := &Sketch{}
	for part := range slices.Chunk(points, 7001) {
		merged.Merge(sketchOf(part, 512), &Spare{})
	}
	for name, s := range map[string]*Sketch{"one": sketchOf(points, 4096), "merged": merged} {
		if got := s.Points(); s.Error() != 0 || !reflect.DeepEqual(got, exact(points)) {
			t.Errorf("%s: %d points, error %v", name, len(got), s.Error())
		}
	}
}

// Merged sketches keep the bound, and leave the one that is added as it is.
func TestMergedSketchesKeepTheBound(t *testing.T) {
	const rounding = 1e-12
	for name, points := range draws(rand.New(rand.NewPCG(5, 6)), 80_000) {
		for _, part := range []int{100, 30_000} {
			s, spare := &Sketch{}, &Spare{}
			for some := range slices.Chunk(points, part) {
				o := sketchOf(some, 4096)
				before := o.Points()
				if s.Merge(o, spare); !reflect.DeepEqual(before, o.Points()) {
					t.Fatalf("%s: the merged sketch changed", name)
				}
			}
			apart, total := farthest(exact(points), s.Points())
			bound := total * (1 + math.Log2(float64(len(points))/Size)) / (Size - 2)
			if apart > s.Error()+rounding*total || s.Error() > bound {
				t.Errorf("%s in parts of %d: ranks are %v apart, the error %v, the bound %v", name, part, apart, s.Error(),
					bound)
			}
			for h, l := range s.levels {
				if len(l.points) > Size {
					t.Errorf("%s: level %d has %d points", name, h, len(l.points))
				}
			}
		}
	}
}

// Points are ordered by value, those of a value as they came.
func TestAscending(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, points := range draws(r, 3000) {
		for i := range points {
			points[i].Weight = float64(i)
			if i%50 == 0 {
				points[i].Value = math.Copysign(0, float64(i%100)-1)
			}
		}
		want := slices.Clone(points)
		slices.SortStableFunc(want, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) })
		if got := ascending(points, &Spare{}); !slices.Equal(got, want) {
			t.Errorf("%s are not in order", name)
		}
	}
	if len(ascending(nil, &Spare{})) != 0 {
		t.Error("points of none")
	}
}

func BenchmarkAdd(b *testing.B) {
	const m = 1 << 12
	r, spare, s := rand.New(rand.NewPCG(9, 10)), &Spare{}, &Sketch{}
	batches := make([][]Point, 64)
	for k := range batches {
		for range m {
			batches[k] = append(batches[k], Point{r.Float64(), 1})
		}
	}
	batch := make([]Point, m)
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		copy(batch, batches[k%len(batches)])
		s.Add(batch, spare)
	}
	b.ReportMetric(float64(b.N)*m/b.Elapsed().Seconds(), "values/s")
}
