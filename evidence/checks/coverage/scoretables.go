package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"pairrank/data"
	"pairrank/scores"
)

// What tables of scores are drawn of: how many systems and items, what the worths of systems are, and what is peculiar
// of the scores.
var (
	tableSystems = []int{5, 10, 30, 180}
	tableItems   = []int{10, 41, 200}
	tableWorths  = []string{"equal", "two groups", "spread"}
	tableKinds   = []string{"independent items", "clusters of 5 items", "3 repeats", "20 % missing at random",
		"missing by difficulty", "skewed", "0 or 1"}
)

// manySystems have a tenth of the simulations.
const manySystems = 180

// scoreTable is a population of tables of scores y_si = a_s + b_i + e_si; b_i and e_si have variance 1, unless the kind
// says otherwise.
type scoreTable struct {
	kind, worth    string
	systems, items int
}

// tableDraw is what a table says of its population.
type tableDraw struct {
	cover float64 // share of intervals that hold the worth
	sets  bool    // all sets of ranks hold
	size  float64 // mean size of the sets
	first bool    // the first one is named alone
}

// clustered is how many items a cluster has.
const clustered = 5

// draw draws a table and ranks its systems.
func (t scoreTable) draw(ctx context.Context, rng *rand.Rand) (tableDraw, error) {
	p, worth := t.problem(rng)
	r, err := scores.Rank(ctx, *p, scores.Options{Seed: rng.Uint64()})
	if err != nil {
		return tableDraw{}, err
	}
	at := map[string]int{}
	for k, name := range p.Systems {
		at[name] = k
	}
	out := tableDraw{sets: true, first: r.Top == 1}
	for _, s := range r.Systems {
		of := worth[at[s.Name]]
		if s.Lo <= of && of <= s.Hi {
			out.cover += 1 / float64(t.systems)
		}
		above, below := 1, t.systems
		for _, w := range worth {
			switch {
			case w > of:
				above++
			case w < of:
				below--
			}
		}
		out.sets = out.sets && s.RankLo <= above && s.RankHi >= below
		out.size += float64(s.RankHi-s.RankLo+1) / float64(t.systems)
	}
	return out, nil
}

// problem draws a table, and returns the worths of its systems less their mean.
func (t scoreTable) problem(rng *rand.Rand) (*scores.Problem, []float64) {
	worth := t.worths()
	p := &scores.Problem{Unit: "item", Y: data.NewDense(t.items, t.systems, nil)}
	for k := range worth {
		p.Systems = append(p.Systems, fmt.Sprint("system ", k))
	}
	shared := make([]float64, t.systems)
	for i := range t.items {
		p.Items = append(p.Items, fmt.Sprint("item ", i))
		if t.kind == "clusters of 5 items" {
			p.Units, p.Unit = append(p.Units, i/clustered), "cluster"
			if i%clustered == 0 {
				for k := range shared {
					shared[k] = rng.NormFloat64()
				}
			}
		}
		difficulty := rng.NormFloat64()
		row := p.Y.Row(i)
		for k := range row {
			row[k] = difficulty + worth[k] + t.error(rng, shared[k])
			switch {
			case t.kind == "20 % missing at random" && rng.Float64() < .2,
				t.kind == "missing by difficulty" && rng.Float64() < .2-.3*math.Tanh(difficulty)*float64(k%3-1):
				row[k] = math.NaN()
			case t.kind == "0 or 1":
				row[k] = math.Round(.5 * (1 + math.Copysign(1, row[k]-.5)))
			}
		}
	}
	if t.kind == "0 or 1" {
		for k, w := range worth {
			worth[k] = solvedShare(w)
		}
	}
	mean := 0.0
	for _, w := range worth {
		mean += w / float64(len(worth))
	}
	for k := range worth {
		worth[k] -= mean
	}
	return p, worth
}

// worths are those of the systems.
func (t scoreTable) worths() []float64 {
	worth := make([]float64, t.systems)
	for k := range worth {
		switch t.worth {
		case "two groups":
			worth[k] = .5 * float64(k%2)
		case "spread":
			worth[k] = 3 * float64(k) / float64(t.systems-1)
		}
	}
	return worth
}

// error draws the error of a cell, of variance 1; a half of that is the cluster's, where there are clusters.
func (t scoreTable) error(rng *rand.Rand, shared float64) float64 {
	e := rng.NormFloat64()
	switch t.kind {
	case "clusters of 5 items":
		return math.Sqrt(.5) * (e + shared)
	case "3 repeats": // half of the variance is the item's, half that of a single repeat
		sum := 0.0
		for range 3 {
			sum += rng.NormFloat64()
		}
		return math.Sqrt(.5) * (e + sum/3)
	case "skewed": // lognormal
		return (math.Exp(e) - math.Exp(.5)) / math.Sqrt((math.E-1)*math.E)
	}
	return e
}

// solvedShare is the share of all items where a system of a worth has more than ½: b and e are standard normal.
func solvedShare(worth float64) float64 { return .5 * math.Erfc((.5-worth)/2) }

// scoreTables is the section on tables of scores.
func scoreTables(ctx context.Context, s settings) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Coverage in %% of intervals of single worths, and of all sets of ranks together; %d simulations per "+
		"cell (%d with\n%d systems), seed %d. A cell has the least of three: all systems alike, two groups .5 apart, and "+
		"spread over 3:\n\n", s.simulations, max(2, s.simulations/10), manySystems, s.seed)
	head := "| scores | items |"
	for _, systems := range s.systems {
		head += fmt.Sprintf(" %d systems |", systems)
	}
	b.WriteString(head + "\n" + strings.Repeat("|---", len(s.systems)+2) + "|\n")
	sizes := "\nThe mean size of the sets of 10 systems that are spread, and in how many tables of 100 the first one is " +
		"named alone:\n\n| scores | 10 items | 41 items | 200 items |\n|---|---|---|---|\n"
	for kind, name := range tableKinds {
		sizes += "| " + name + " |"
		for at, items := range tableItems {
			if name == "clusters of 5 items" && items < 3*clustered {
				sizes += " two clusters |"
				continue
			}
			line := fmt.Sprintf("| %s | %d |", name, items)
			for _, systems := range s.systems {
				cell, spread, err := leastCover(ctx, s, scoreTable{kind: name, systems: systems, items: items},
					uint64(7_000_000+1000*kind+100*at+systems))
				if err != nil {
					return "", err
				}
				if line += cell; systems == 10 {
					sizes += spread
				}
			}
			b.WriteString(line + "\n")
			fmt.Fprintln(os.Stderr, line)
		}
		sizes += "\n"
	}
	return b.String() + sizes, nil
}

// leastCover is the cell of a population: the least coverage over the worths, and the sizes of sets where these are
// spread.
func leastCover(ctx context.Context, s settings, t scoreTable, number uint64) (cell, spread string, err error) {
	if t.systems == manySystems {
		s.simulations = max(2, s.simulations/10)
	}
	cover, sets := 1.0, 1.0
	for k, worth := range tableWorths {
		t.worth = worth
		all, err := results(ctx, s, number*10+uint64(k), func(_ int, rng *rand.Rand) (tableDraw, error) {
			return t.draw(ctx, rng)
		})
		if err != nil {
			return "", "", err
		}
		c, held, size, first := 0.0, 0.0, 0.0, 0.0
		for _, d := range all {
			c, size = c+d.cover, size+d.size
			for _, is := range []struct {
				true bool
				sum  *float64
			}{{d.sets, &held}, {d.first, &first}} {
				if is.true {
					*is.sum++
				}
			}
		}
		n := float64(len(all))
		cover, sets = min(cover, c/n), min(sets, held/n)
		spread = fmt.Sprintf(" %.2f, %.0f |", size/n, 100*first/n)
	}
	return fmt.Sprintf(" %.1f / %.1f |", 100*cover, 100*sets), spread, nil
}
