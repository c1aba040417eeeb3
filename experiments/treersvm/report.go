package main

import (
	"fmt"
	"math"
	"time"

	"pairrank/experiments/internal/experiment"
	"pairrank/internal/figure"
)

// none stands for a number that was not measured.
var none = math.NaN()

// megabytes are 10^6 bytes.
func megabytes(bytes int) string {
	if bytes == 0 {
		return "–"
	}
	return experiment.Digits(float64(bytes) / 1e6)
}

// repeat is the median of the seconds that work takes in so many runs, or fewer
// where patience ends before.
func repeat(runs int, patience time.Duration, work func() error) (seconds float64, err error) {
	var all []float64
	for began := time.Now(); len(all) < runs && (len(all) == 0 || time.Since(began) < patience); {
		run := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		all = append(all, time.Since(run).Seconds())
	}
	return experiment.Median(all), nil
}

// slopes is the last line of a table whose rows are sizes: of each column the
// slope, by least squares, of its logarithm on that of the size, from some size
// on.
func slopes(sizes []int, table [][]float64, from int) string {
	line := fmt.Sprintf("| **slope from %d** |", from)
	for k := range table[0] {
		line += fmt.Sprintf(" %s |", slope(sizes, table, k, from))
	}
	return line + "\n"
}

// slope is that of column k, "–" where there are fewer than two numbers.
func slope(sizes []int, table [][]float64, k, from int) string {
	var n, sx, sy, sxx, sxy float64
	for i, m := range sizes {
		if v := table[i][k]; m >= from && !math.IsNaN(v) {
			x, y := math.Log(float64(m)), math.Log(v)
			n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
		}
	}
	if n < 2 {
		return "–"
	}
	return fmt.Sprintf("%.2f", (n*sxy-sx*sy)/(n*sxx-sx*sx))
}

// quoted is what the paper says of 512,000 rows, beside a line here.
type quoted struct {
	name, paper string
	style       int // of the line; -1: there is none
}

// besidePaper is a table of the paper's times and of the largest here.
func besidePaper(what string, p figure.Panel, quotes []quoted) string {
	largest := 0.0
	for _, s := range p.Series {
		if n := len(s.Points); n > 0 {
			largest = max(largest, s.Points[n-1][0])
		}
	}
	text := fmt.Sprintf("| %s | the paper, 512,000 rows of RCV1 | here, %.0f rows, %s |\n|---|---|---|\n", what, largest, p.Title)
	for _, q := range quotes {
		here := ""
		for _, s := range p.Series {
			if s.Style == q.style {
				here = timeAt(s, largest)
			}
		}
		text += fmt.Sprintf("| %s | %s | %s |\n", q.name, q.paper, here)
	}
	return text
}

// timeAt is the time at so many rows; where the line ends before, its last one and
// what that comes to if the time is quadratic.
func timeAt(s figure.Series, rows float64) string {
	if len(s.Points) == 0 {
		return "–"
	}
	last := s.Points[len(s.Points)-1]
	if last[0] == rows {
		return experiment.Digits(last[1]) + " s"
	}
	more := rows / last[0]
	return fmt.Sprintf("%s s with %.0f rows, that is %s s if quadratic", experiment.Digits(last[1]), last[0], experiment.Digits(last[1]*more*more))
}
