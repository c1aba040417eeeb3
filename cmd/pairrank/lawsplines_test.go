package main

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// Laws of rows about splines, and about values that are missing.

func splineLaws() []law {
	return []law{
		{"knots by column, alike, are those of all columns", unbent, knotsOfAllColumns},
		{"a stiff spline is straight lines", unbent, stiffIsStraight},
		{"columns without knots are straight lines", func(p path) string {
			if p.has("--kernel") || p.has("--spline") || p.has("rankboost") || p.has("--basis") {
				return "it has no straight lines"
			}
			return ""
		}, noKnotsAreLines},
		{"a gap is the mean, and a column that says so", func(p path) string {
			switch {
			case !p.gaps():
				return "there are no gaps"
			case p.has("--spline"):
				return "knots are those of the values that are there"
			case p.has("--features"):
				return "a feature comes in with its level"
			}
			return ""
		}, gapsAreColumns},
	}
}

// unbent is why a law of splines does not apply.
func unbent(p path) string {
	switch {
	case !p.has("--spline"):
		return "there is no spline"
	case p.has("--spline-in"):
		return "the columns differ"
	}
	return ""
}

// splineOf matches the flag of a spline, and its knots.
var splineOf = regexp.MustCompile(`--spline (\d+)`)

// inPlace is the path with another kernel in the place of its spline, $1 its knots.
func (p path) inPlace(of string) path {
	p.flags = splineOf.ReplaceAllString(p.flags, of)
	return p
}

func knotsOfAllColumns(b *bench, p path) string {
	s := b.sheet(p.shape, 21)
	return sameBy(b, s, p, p.inPlace("--spline-in x1=$1,x2=$1,x3=$1"))
}

// stiffIsStraight compares a spline whose bends cost much with straight lines.
func stiffIsStraight(b *bench, p path) string {
	s := b.sheet(p.shape, 22)
	return sameBy(b, s, p.inPlace("--kernel spline:knots=$1,bends=1e16"), p.inPlace("--kernel linear"))
}

func noKnotsAreLines(b *bench, p path) string {
	bent := p
	bent.flags += " --spline-in x1=0,x2=0,x3=0"
	return sameBy(b, b.sheet(p.shape, 23), p, bent)
}

// gapsAreColumns compares gaps with means of the other rows, and with a further column for each column with gaps.
func gapsAreColumns(b *bench, p path) string {
	s := b.sheet(p.shape, 24)
	means, has, gaps := make([]float64, 3), make([]float64, 3), make([]int, 3)
	for _, x := range s.x {
		for j, v := range x {
			if math.IsNaN(v) {
				gaps[j]++
				continue
			}
			means[j], has[j] = means[j]+v, has[j]+1
		}
	}
	filled := s.each(func(_ int, x []float64) []float64 {
		for j, v := range x[:3] {
			level := 0.0
			if math.IsNaN(v) {
				x[j], level = means[j]/has[j], 1
			}
			if gaps[j] > 0 {
				x = append(x, level)
			}
		}
		return x
	})
	d, r := b.cvOf(p, s)
	p.with = ""
	e, q := b.cvOf(p, filled)
	if d == nil || e == nil {
		return strings.Join([]string{r.failed(), q.failed()}, "; ")
	}
	if broken := samePoints(d.points(), e.points()); broken != "" {
		return fmt.Sprintf("gaps of %v: %s", gaps, broken)
	}
	return ""
}
