package contribution

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/gaps"
	"pairrank/model"
)

// Shape is what a feature adds to the scores as a function of its value x: the curve of a model.Spline or the straight
// line w_j x of a model.Linear, less its mean over the rows of training. All numbers are on the scale of the data, but
// for a model that normalises by query. The levels of a factor are one Shape, of a number each.
//
// Where a model does not keep what its rows were, Guessed is true, and a mean is that of the values at X.
type Shape struct {
	Output int    `json:"output,omitempty"` // from 1, if a model has several
	Number int    `json:"number"`           // of the feature, as of a Part; of a factor that of its first level
	Name   string `json:"name,omitempty"`
	// Importance is the standard deviation of the shape over the rows of training.
	Importance float64  `json:"importance"`
	Levels     []string `json:"levels,omitempty"` // of a factor, which has no X
	// Knots are where the slope changes, ascending, and Slopes the slope below the first, between two and above the last.
	Knots  []float64 `json:"knots,omitempty"`
	Slopes []float64 `json:"slopes,omitempty"`
	// X are the ends and the knots, ascending, and Adds the score there, or at the levels.
	X    []float64 `json:"x,omitempty"`
	Adds []float64 `json:"adds"`
	// StdErr are standard errors of Adds, from trainings on halves of the rows; nil where there are none.
	StdErr []float64 `json:"stderr,omitempty"`
	// Rug are the least value, the nine deciles and the largest value in the rows of training.
	Rug []float64 `json:"rug,omitempty"`
	// Missing is what a missing value adds, and MissingStdErr its standard error, where the training gave missing values
	// of the feature a level of their own; nil elsewhere and for a model that normalises by query, where it is no one
	// number.
	Missing       *float64 `json:"missing,omitempty"`
	MissingStdErr *float64 `json:"missing_stderr,omitempty"`
	// Two says that the feature has two values, those of X, and nothing between them.
	Two     bool `json:"two_values,omitempty"`
	Guessed bool `json:"guessed,omitempty"`

	mean, square float64 // of a factor over the rows of training: of what its levels add, and of its square
}

// At is the score that a value adds: the sum over the shapes of a row is its score but for a constant. A factor adds
// the number of its level. The cost is O(K).
func (s *Shape) At(x float64) float64 {
	last := len(s.X) - 1
	switch {
	case x <= s.X[0]:
		return s.Adds[0] + s.Slopes[0]*(x-s.X[0])
	case x >= s.X[last]:
		return s.Adds[last] + s.Slopes[len(s.Slopes)-1]*(x-s.X[last])
	}
	k, _ := slices.BinarySearch(s.X, x) // X[k−1] < x ≤ X[k]
	return s.Adds[k] + (s.Adds[k-1]-s.Adds[k])*(s.X[k]-x)/(s.X[k]-s.X[k-1])
}

// Shapes returns the shapes of a model of one output by falling importance, equal ones in the order of the features,
// in O(nK + n log n). It returns an error for a model of several outputs, of which Output selects one, and for one that
// is no sum over features: those of kernels and of random features, and for stumps, whose thresholds inspect counts.
func Shapes(m *model.Model) ([]Shape, error) {
	if v := m.Outputs(); v != 1 {
		return nil, fmt.Errorf("the model has %d outputs: choose the one whose shapes to draw", v)
	}
	var curve func(j int) model.Curve
	var seen *data.Dense
	switch s := m.Scorer.(type) {
	case *model.Linear:
		curve = func(j int) model.Curve { return model.Curve{Slope: s.Weights.Row(0)[j]} }
	case *model.Spline:
		curve, seen = func(j int) model.Curve { return s.Curve(0, j) }, s.Seen
	default:
		return nil, fmt.Errorf("the model is no sum of curves of features: splines and linear models are")
	}
	var all []Shape
	factors := map[string]int{} // their places among all
	substitutes := m.Info.Substitutes()
	byQuery := m.Normalizer != nil && m.Normalizer.Kind == data.NormalizeQueryMinMax
	levels, given := substitutes.Levels(), m.Features()-len(substitutes.Levels())
	for j := range given {
		column, level := m.Factor(j)
		at, known := factors[column]
		if column == "" {
			var missing *float64
			if at, is := slices.BinarySearch(levels, j); is && !byQuery {
				missing = missingAdds(m, substitutes, curve(j), curve(given+at), j, given+at)
			}
			all = append(all, shapeOf(m, curve(j), seen, j, missing))
			continue
		}
		if !known {
			at, factors[column] = len(all), len(all)
			all = append(all, Shape{Number: j + m.Info.First(), Name: column, Guessed: seen == nil})
		}
		all[at].add(level, m, curve(j), seen, j)
	}
	for _, at := range factors {
		all[at].centre()
	}
	for k := range all {
		all[k].bound()
	}
	slices.SortStableFunc(all, func(a, b Shape) int { return cmp.Compare(b.Importance, a.Importance) })
	return all, nil
}

// scaled is how a normaliser maps feature j: x' = (x − shift)·scale, as it is without numbers.
func scaled(norm *data.Normalizer, j int) (shift, scale float64) {
	if norm == nil || norm.Scale == nil {
		return 0, 1
	}
	return norm.Shift[j], norm.Scale[j]
}

// ends are the least and the largest value of feature j, normalised, where a model does not keep what its rows were:
// half the distance of the outer knots beyond them, or a unit.
func ends(knots []float64) (lo, hi float64) {
	if len(knots) == 0 {
		return 0, 1
	}
	lo, hi = knots[0], knots[len(knots)-1]
	room := (hi - lo) / 2
	if room == 0 {
		room = 1
	}
	return lo - room, hi + room
}

// missingAdds is what a missing value of feature j adds, whose level is a feature of its own.
func missingAdds(m *model.Model, substitutes *data.Substitutes, c, level model.Curve, j, at int) *float64 {
	stands, _ := gaps.Value(substitutes, j)
	shift, scale := scaled(m.Normalizer, j)
	_, one := scaled(m.Normalizer, at)
	adds := c.At((stands-shift)*scale) + level.Slope*one
	return &adds
}

// shapeOf is the shape of feature j, with what a missing value adds, or nil.
func shapeOf(m *model.Model, c model.Curve, seen *data.Dense, j int, missing *float64) Shape {
	s := Shape{Number: j + m.Info.First(), Guessed: seen == nil, Missing: missing}
	if m.Names != nil {
		s.Name = m.Names[j]
	}
	lo, hi := ends(c.Knots)
	var mean float64
	if seen != nil {
		rug := seen.Row(j)[:model.Deciles]
		lo, hi, s.Rug = rug[0], rug[len(rug)-1], slices.Clone(rug)
		mean, s.Importance = seen.Row(j)[model.Deciles], seen.Row(j)[model.Deciles+1]
	}
	shift, scale := scaled(m.Normalizer, j)
	if scale == 0 {
		s.constant(shift, mean)
		return s
	}
	s.Knots, s.X = slices.Clone(c.Knots), append(slices.Clone(c.Knots), lo, hi)
	slices.Sort(s.X)
	s.X = slices.Compact(s.X)
	for _, slope := range slopes(c) {
		s.Slopes = append(s.Slopes, slope*scale)
	}
	for _, x := range s.X {
		s.Adds = append(s.Adds, c.At(x))
	}
	a, b := s.Adds[0], s.Adds[len(s.Adds)-1]
	if s.Guessed {
		mean, s.Importance = spread(s.Adds)
	} else if len(s.X) == 2 {
		s.Two = s.endsAlone(a, b, mean)
	}
	for k := range s.Adds {
		s.Adds[k] -= mean
	}
	if missing != nil {
		*missing -= mean
	}
	for _, list := range [][]float64{s.Knots, s.X, s.Rug} {
		for k, v := range list {
			const rounding = 1e-14
			if list[k] = v/scale + shift; math.Abs(list[k]) <= rounding*math.Abs(shift) {
				list[k] = 0
			}
		}
	}
	if scale < 0 {
		for _, list := range [][]float64{s.Knots, s.X, s.Rug, s.Adds, s.Slopes} {
			slices.Reverse(list)
		}
	}
	return s
}

// constant is the shape of a feature of one value.
func (s *Shape) constant(at, mean float64) {
	s.Slopes, s.X, s.Adds, s.Rug = []float64{0}, []float64{at}, []float64{0}, nil
	if s.Missing == nil {
		s.Importance = 0
		return
	}
	s.Adds[0], *s.Missing = -mean, *s.Missing-mean
}

// endsAlone reports whether no values are between two ends, of which one adds a and the other one b: then the variance
// of a mean between them is the largest that there is. Where missing values have a share in both, the deciles say it.
func (s *Shape) endsAlone(a, b, mean float64) bool {
	const rounding = 1e-9
	if s.Missing != nil {
		ends := []float64{s.Rug[0], s.Rug[len(s.Rug)-1]}
		return !slices.ContainsFunc(s.Rug, func(v float64) bool { return !slices.Contains(ends, v) })
	}
	return math.Abs((mean-a)*(b-mean)-s.Importance*s.Importance) <= rounding*(b-a)*(b-a)
}

// spread is the mean of some values and their standard deviation.
func spread(values []float64) (mean, sd float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(sd)
}

// add adds a level to a factor.
func (s *Shape) add(level string, m *model.Model, c model.Curve, seen *data.Dense, j int) {
	shift, scale := scaled(m.Normalizer, j)
	below, adds := c.At(-shift*scale), c.At((1-shift)*scale)-c.At(-shift*scale)
	s.Levels, s.Adds = append(s.Levels, level), append(s.Adds, adds)
	if seen != nil { // the mean of the curve less its value at 0 is the share of the level times what it adds
		share := seen.Row(j)[model.Deciles] - below
		s.mean, s.square = s.mean+share, s.square+share*adds
	}
}

// centre takes the mean off the levels: a row has one of them, or none.
func (s *Shape) centre() {
	mean := s.mean
	if s.Guessed {
		mean, s.Importance = spread(s.Adds)
	} else {
		s.Importance = math.Sqrt(max(0, s.square-mean*mean))
	}
	for k := range s.Adds {
		s.Adds[k] -= mean
	}
}

// most bounds the numbers of shapes: documents and drawings take finite ones, and their differences.
const most = 1e300

// bound keeps all numbers finite.
func (s *Shape) bound() {
	within := func(v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return max(-most, min(most, v))
	}
	for _, list := range [][]float64{s.Knots, s.Slopes, s.X, s.Adds, s.Rug} {
		for k, v := range list {
			list[k] = within(v)
		}
	}
	if s.Missing != nil {
		*s.Missing = within(*s.Missing)
	}
	s.Importance = within(s.Importance)
}
