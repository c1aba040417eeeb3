package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"pairrank/eval/compare"
	"pairrank/eval/cv"
)

// groupArea is a population of groups of rows with two scores, half of whose variance is the group's. The labels differ
// by group, or within.
type groupArea struct {
	groups, rows int
	within       bool
	best         float64 // the area of rows of different groups
}

var groupAreas = func() (all []groupArea) {
	for _, groups := range []int{8, 20, 60} {
		for _, within := range []bool{false, true} {
			all = append(all, groupArea{groups, 4, within, 0.7}, groupArea{groups, 4, within, 0.9})
		}
	}
	return all
}()

// groupAreaFound are areas, of the first scores and of the difference, over groups and over rows.
type groupAreaFound struct {
	area, difference float64
	of               [2][2]cv.Interval // over groups, over rows: of the area, of the difference
}

// check draws the rows of all groups.
func (g groupArea) check(rng *rand.Rand) (out groupAreaFound, err error) {
	shift := 2 * math.Erfinv(2*g.best-1)
	m := g.groups * g.rows
	y, of, scores := make([]float64, m), make([]int32, m), [2][]float64{make([]float64, m), make([]float64, m)}
	var own [2]float64
	for i := range m {
		if i%g.rows == 0 {
			own = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
		}
		of[i] = int32(i / g.rows)
		if y[i] = float64(of[i] % 2); g.within {
			y[i] = float64(i % 2)
		}
		for k := range scores {
			scores[k][i] = shift*y[i] + (own[k]+rng.NormFloat64())*math.Sqrt(0.5)
		}
	}
	byGroups, err := compare.DeLongBy(of, nil, y, scores[0], scores[1])
	if err != nil {
		return out, err
	}
	byRows, err := compare.DeLong(y, scores[0], scores[1])
	out.area, out.difference = byGroups.Areas[0].AUC, byGroups.Differences[0].Difference
	for k, a := range []*compare.Areas{byGroups, byRows} {
		out.of[k] = [2]cv.Interval{a.Areas[0].Interval, a.Differences[0].Interval}
	}
	return out, err
}

// groupAreaTable is the section on areas of rows in groups.
func groupAreaTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% of intervals of an area, and of a difference of two equal ones, over groups of "+
		"four rows and, slanted, over rows; %d simulations per cell, seed %d:\n\n| groups | labels differ | area | "+
		"of the area | "+
		"of the difference |\n%s|\n", s.simulations, s.seed, strings.Repeat("|---", 5))
	for number, g := range groupAreas {
		found, err := results(ctx, s, uint64(9_830_000+number), func(_ int, rng *rand.Rand) (groupAreaFound, error) {
			return g.check(rng)
		})
		if err != nil {
			return "", err
		}
		mean := [2]float64{}
		for _, f := range found {
			mean[0] += f.area / float64(len(found))
		}
		var held [2][2][]bool
		for _, f := range found {
			for way := range held {
				for what, i := range f.of[way] {
					held[way][what] = append(held[way][what], i.Defined && i.Lo <= mean[what] && mean[what] <= i.Hi)
				}
			}
		}
		where := map[bool]string{true: "within groups", false: "by group"}[g.within]
		fmt.Fprintf(&text, "| %d | %s | %.2f | **%s**, *%s* | **%s**, *%s* |\n", g.groups, where, g.best, share(held[0][0]),
			share(held[1][0]), share(held[0][1]), share(held[1][1]))
	}
	return text.String(), nil
}
