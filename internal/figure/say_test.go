package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	linePaths = regexp.MustCompile(`<path class="(?:line|rule)[^"]*" d="([^"]*)"`)
	barPaths  = regexp.MustCompile(`<path class="bar[^"]*" d="M([0-9.]+) ([0-9.]+)V([0-9.]+)`)
	saidTexts = regexp.MustCompile(`<text class="(said|soft)( end)?" x="([0-9.]+)" y="([0-9.]+)">` +
		`(λ = [^<]*|chance)</text>`)
	commands = regexp.MustCompile(`([MLH])([0-9.]+) ?([0-9.]*)`)
)

// inkOf are points of the lines, rules and intervals of a drawing, one a unit of length apart at most.
func inkOf(svg string) (ink [][2]float64) {
	number := func(text string) float64 { v, _ := strconv.ParseFloat(text, 64); return v }
	between := func(x0, y0, x1, y1 float64) {
		n := math.Ceil(math.Hypot(x1-x0, y1-y0)) + 1
		for k := 0.0; k <= n; k++ {
			ink = append(ink, [2]float64{x0 + (x1-x0)*k/n, y0 + (y1-y0)*k/n})
		}
	}
	for _, path := range linePaths.FindAllStringSubmatch(svg, -1) {
		x, y := 0.0, 0.0
		for _, c := range commands.FindAllStringSubmatch(path[1], -1) {
			toX, toY := number(c[2]), number(c[3])
			switch c[1] {
			case "L":
				between(x, y, toX, toY)
			case "H":
				toY = y
				between(x, y, toX, toY)
			}
			x, y = toX, toY
		}
	}
	for _, bar := range barPaths.FindAllStringSubmatch(svg, -1) {
		between(number(bar[1]), number(bar[2]), number(bar[1]), number(bar[3]))
	}
	return ink
}

// Names stand on no line, rule or interval, however lines run.
func TestNamesStandOnNoLine(t *testing.T) {
	names := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		p := &Plot{X: Axis{Label: "λ", Powers: true}, Y: Axis{Label: "held-out error", Within: &[2]float64{0, 1}}}
		n := 3 + r.IntN(30)
		for k := range 1 + r.IntN(5) {
			l, v := Line{Style: k, Name: fmt.Sprint("gamma=", k)}, 0.2+0.5*r.Float64()
			for i := range n {
				v = min(1, max(0, v+0.05*r.NormFloat64()))
				l.X, l.Y, l.Says = append(l.X, math.Exp2(float64(i))), append(l.Y, v), append(l.Says, "said")
			}
			p.Lines = append(p.Lines, l)
		}
		at := r.IntN(n)
		y := p.Lines[0].Y[at]
		name := fmt.Sprintf("λ = 2^%d: %.5f", at, y)
		p.Marks = []Mark{{X: math.Exp2(float64(at)), Y: y, Hi: y + 0.01, Name: name, Style: 1, Ring: true}}
		p.Marks[0].Lo = max(0, y-0.1*r.Float64())
		if r.IntN(2) == 0 {
			p.Rules = []Rule{{Y: 0.5, Name: "chance"}}
		}
		svg := (&Drawing{Title: "title", Body: p}).Inline("f")
		ink := inkOf(svg)
		for _, text := range saidTexts.FindAllStringSubmatch(svg, -1) {
			names++
			x, _ := strconv.ParseFloat(text[3], 64)
			y, _ := strconv.ParseFloat(text[4], 64)
			wide := width(strings.ReplaceAll(text[5], "&#39;", "'"))
			if text[1] == "said" {
				wide *= bold
			}
			if text[2] != "" {
				x -= wide
			}
			for _, q := range ink {
				if q[0] > x && q[0] < x+wide && q[1] > y-ascent && q[1] < y+descent {
					t.Errorf("%d: %s at %.0f %.0f lies on what is drawn at %.0f %.0f", seed, text[5], x, y, q[0], q[1])
					break
				}
			}
		}
	}
	if names < 300 {
		t.Errorf("only %d names were found", names)
	}
}
