package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"pairrank/eval/cv"
	"pairrank/relation/edge"
)

// fewNodes are relations with few columns, and one without as the control. An interval by half-samples needs 16 nodes
// of those that are split; the others have ± s alone.
var fewNodes = []relational{
	{edge.Rows, 60, 10, 5, 2, false, 0},
	{edge.Cols, 60, 10, 5, 2, false, 0},
	{edge.Cols, 150, 8, 5, 2, false, 0},
	{edge.Pairs, 150, 8, 5, 2, false, 0},
	{edge.Both, 150, 8, 5, 2, false, 0},
}

// byT is a simulation whose interval given is that of the standard error with Student's quantile over its units.
func (r relational) byT(ctx context.Context, rng *rand.Rand) (estimated, error) {
	return r.drawBy(ctx, rng, cv.IntervalsNone)
}

// fewNodeTable is the section on the standard error of relations with few columns.
func fewNodeTable(ctx context.Context, s settings) (string, error) {
	return tableOf(ctx, s, s.few, 9_800_000, "estimate and population | simulations | its mean | "+
		"mean error of the trained models | sd of the estimate, mean s | "+
		"coverage in % of the error of the trained model, of the mean of those errors | width | no ±",
		func(r relational) int {
			if !strings.Contains(r.study().name, s.cells) {
				return skipped
			}
			return 1
		}, relational.byT, relational.row)
}

// row is a line of the table.
func (r relational) row(all []estimated) string {
	n := float64(len(all))
	mean, truth, squares, root, width, without := 0.0, 0.0, 0.0, 0.0, 0.0, 0
	for _, x := range all {
		mean, truth = mean+x.error/n, truth+x.truth/n
	}
	var own, average []bool
	for _, x := range all {
		squares += (x.error - mean) * (x.error - mean) / (n - 1)
		if !x.given.Defined {
			without++
			continue
		}
		root, width = root+math.Sqrt(x.variance), width+x.given.Hi-x.given.Lo
		own = append(own, x.given.Lo <= x.truth && x.truth <= x.given.Hi)
		average = append(average, x.given.Lo <= truth && truth <= x.given.Hi)
	}
	with := float64(len(own))
	return fmt.Sprintf("| %s | %d | %.3f | %.3f | %.3f, %.3f | %s, %s | %.3f | %d |\n", r.study().name, len(all), mean,
		truth, math.Sqrt(squares), root/with, share(own), share(average), width/with, without)
}

// givenByT fills in the interval by the standard error alone, over the fewest nodes of a side that is left out.
func (out *estimated) givenByT(p cv.Point, r relational) {
	units := r.rows
	if r.setting != edge.Rows {
		units = min(r.cols, map[bool]int{true: r.cols, false: r.rows}[r.setting == edge.Cols])
	}
	if p.StdErr.Defined {
		out.variance = p.StdErr.Value * p.StdErr.Value
		out.given = cv.ShareInterval(p.Error, out.variance, units)
	}
}

// noise are populations without a signal whose intervals must not lie beyond ½.
var noise = []study{
	twoClasses(60, 5, 0.1, 0),
	twoClasses(60, 5, 0.5, 0),
}

// noiseTable is the section on estimates where there is nothing to learn.
func noiseTable(ctx context.Context, s settings) (string, error) {
	return tableOf(ctx, s, noise, 9_810_000, "estimate and population | simulations | mean error | "+
		"coverage of ½ in % | AUC wholly below ½ | wholly above ½ | no interval | width", func(study) int { return 1 },
		func(p study, ctx context.Context, rng *rand.Rand) (estimated, error) { return p.draw(ctx, rng) }, study.beyond)
}

// beyond is a line of the table: the share of the intervals that lie on one side of ½.
func (s study) beyond(all []estimated) string {
	n := float64(len(all))
	mean, width, without := 0.0, 0.0, 0
	var worse, better, held []bool
	for _, x := range all {
		mean += x.error / n
		if !x.printed.Defined {
			without++
			continue
		}
		width += x.printed.Hi - x.printed.Lo
		worse, better = append(worse, x.printed.Lo > 0.5), append(better, x.printed.Hi < 0.5)
		held = append(held, x.printed.Lo <= 0.5 && 0.5 <= x.printed.Hi)
	}
	return fmt.Sprintf("| %s | %d | %.3f | %s | %s | %s | %d | %.3f |\n", s.name, len(all), mean, share(held),
		share(worse), share(better), without, width/float64(len(held)))
}
