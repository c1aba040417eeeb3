package stream

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/knots"
	"pairrank/internal/parallel"
	"pairrank/internal/quantile"
	"pairrank/internal/spell"
	"pairrank/kernel"
)

// knotRows is the number of rows of a part whose values are sorted together.
const knotRows = quantile.Size

// withKnots are the options with the knots of a spline, which it finds in the rows of the parts unless they are given,
// and how it found them.
func (o Options) withKnots(ctx context.Context, parts []Part) (Options, string, error) {
	if o.Map == nil || o.Map.Knots != nil {
		return o, "", nil
	}
	spline, is := o.Map.Kernel.(kernel.Spline)
	if !is {
		return o, "", nil
	}
	given := o.Map
	o.Map = nil // the rows are read as without a map
	reading, err := o.Resolved()
	if err == nil {
		err = (&Mapping{Kernel: spline, Basis: given.Basis, Knots: [][]float64{}}).checkKnots(spline)
	}
	if in, _ := knots.Parse(spline.In); err == nil && o.Names != nil { // before the files are read
		_, err = in.Of(knots.Unknown, o.Names, 0)
		err = fault.As(fault.Data, "", err)
	}
	if err != nil {
		return o, "", err
	}
	all := newColumns(&reading)
	r := run[columns]{name: "finding knots", parts: parts, memory: reading.knotMemory, merge: all.merge}
	r.one = func(ctx context.Context, p Part, learn func(n int)) (*columns, error) {
		c := newColumns(&reading)
		err := p.each(ctx, learn, c.add)
		c.flush()
		return c, err
	}
	if err := r.all(ctx, o.Monitor); err != nil {
		return o, "", err
	}
	knots, told, err := all.knots(spline, o.Names)
	o.Map = &Mapping{Kernel: spline, Knots: knots}
	return o, told, fault.As(fault.Data, "", err)
}

// knotMemory is the bytes that finding knots takes for a part of n features: values that wait, and levels of sketches,
// enough for a billion rows.
func (o *Options) knotMemory(n int) float64 {
	const word, levels = 8, 20
	return float64(n) * word * (knotRows + 2*levels*quantile.Size)
}

// columns are the features of rows as sketches of their values.
type columns struct {
	options  *Options
	sketches []*quantile.Sketch
	values   [][]float64 // of each feature, in the rows that wait
	weights  []float64   // of these rows
	before   float64     // the weight of the rows that do not wait
	row      []float64
	scratch  queryScratch
	spare    []columnSpare // of each worker
}

// columnSpare is memory for one feature at a time.
type columnSpare struct {
	points []quantile.Point
	of     quantile.Spare
}

func newColumns(o *Options) *columns {
	return &columns{options: o, spare: make([]columnSpare, parallel.Workers())}
}

// add adds the rows of a query, as they will be mapped. Other faults of a query than those of its features are told
// when it is summed.
func (c *columns) add(q data.Query) error {
	q, some, err := c.options.present(q)
	if err != nil || !some || q.X == nil {
		return err
	}
	x, err := c.options.normal(q.X, &c.scratch)
	if err != nil {
		return placed(&q, err)
	}
	m, n := x.Dims()
	if err := c.widen(n); err != nil {
		return at(&q, err)
	}
	if cap(c.row) < n {
		c.row = make([]float64, n)
	}
	row := c.row[:n]
	for i := range m {
		x.RowTo(row, i)
		at := len(c.weights)
		for j, v := range row {
			c.values[j][at] = v
		}
		for _, values := range c.values[n:] {
			values[at] = 0
		}
		weight := 1.0
		if q.Weights != nil {
			weight = q.Weights[i]
		}
		if c.weights = append(c.weights, weight); len(c.weights) == knotRows {
			c.flush()
		}
	}
	return nil
}

// widen makes room for features that no row before had: they were 0.
func (c *columns) widen(n int) error {
	have := len(c.sketches)
	if n <= have {
		return nil
	}
	// The sums will take more than without hinges.
	if err := c.options.checkMemory(n, c.options.memory(n)); err != nil {
		return err
	}
	for range n - have {
		c.sketches, c.values = append(c.sketches, &quantile.Sketch{}), append(c.values, make([]float64, knotRows))
	}
	for _, s := range c.sketches[have:] {
		c.addZeros(s, c.before)
	}
	return nil
}

// addZeros adds rows of some weight, which have 0, to a sketch.
func (c *columns) addZeros(s *quantile.Sketch, weight float64) {
	if weight > 0 {
		s.Add([]quantile.Point{{Weight: weight}}, &c.spare[0].of)
	}
}

// flush adds the rows that wait to the sketches.
func (c *columns) flush() {
	parallel.ForWorkers(len(c.spare), len(c.sketches), func(worker, j int) {
		spare := &c.spare[worker]
		spare.points = spare.points[:0]
		for i, weight := range c.weights {
			spare.points = append(spare.points, quantile.Point{Value: c.values[j][i], Weight: weight})
		}
		c.sketches[j].Add(spare.points, &spare.of)
	})
	for _, weight := range c.weights {
		c.before += weight
	}
	c.weights = c.weights[:0]
}

// merge adds the rows of o, of which none waits.
func (c *columns) merge(o *columns) error {
	if err := c.widen(len(o.sketches)); err != nil {
		return err
	}
	parallel.ForWorkers(len(c.spare), len(c.sketches), func(worker, j int) {
		if j < len(o.sketches) {
			c.sketches[j].Merge(o.sketches[j], &c.spare[worker].of)
		}
	})
	for _, s := range c.sketches[len(o.sketches):] {
		c.addZeros(s, o.before)
	}
	c.before += o.before
	return nil
}

// knots are the quantiles of the features that a spline bends at, and a sentence about how they were found.
func (c *columns) knots(spline kernel.Spline, names []string) (found [][]float64, told string, err error) {
	in, err := knots.Parse(spline.In)
	if err != nil {
		return nil, "", err
	}
	counts, err := in.Of(len(c.sketches), names, spline.Knots)
	if err != nil {
		return nil, "", err
	}
	found = make([][]float64, len(c.sketches))
	most, bent, worst, pruned := 0, 0, 0.0, 0
	for j, s := range c.sketches {
		if counts[j] == 0 {
			continue
		}
		points := s.Points()
		values, weights := make([]float64, len(points)), make([]float64, len(points))
		for i, p := range points {
			values[i], weights[i] = p.Value, p.Weight
		}
		of := kernel.Spline{Knots: counts[j], Bends: spline.Bends}
		found[j] = kernel.NewSplineMap(of, nil, data.NewDense(len(points), 1, values), weights).Knots(0)
		most, bent = max(most, len(points)), bent+1
		if s.Error() > 0 {
			pruned, worst = pruned+1, max(worst, s.Error()/c.before)
		}
	}
	told = fmt.Sprintf("the knots are exact quantiles, of a first reading that kept up to %d values of a feature", most)
	if pruned > 0 {
		told = fmt.Sprintf("the knots are quantiles of a first reading that kept up to %d values of a feature: the share of "+
			"the rows below a knot is off by at most %.2g %%, and exact for %d of %s", most, 100*worst, bent-pruned,
			spell.Plural(bent, "feature"))
	}
	if bent == 0 {
		told = "no feature has knots: every curve is a straight line"
	}
	if text := in.Straight(names, func(j int) []float64 { return found[j] }); text != "" {
		told += "; " + text
	}
	return found, told, nil
}
