package figure

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// nasty are names that break a drawing which does not escape or clip them.
var nasty = []string{"<script>alert(1)</script>", `a"b'c&d`, strings.Repeat("W", 300), "\x00\x1b[31m\u202e",
	"漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "", "\xff\xfe", "q 1"}

// someBody is a drawing of random numbers, of any size, some of them NaN, and any names.
func someBody(r *rand.Rand) Body {
	scale := math.Pow(10, 20*r.Float64()-10)
	value := func() float64 {
		if r.IntN(12) == 0 {
			return math.NaN()
		}
		return scale * (r.Float64() - 0.3)
	}
	name := func() string { return nasty[r.IntN(len(nasty))] }
	n := r.IntN(12)
	switch r.IntN(4) {
	case 0:
		rows := &Rows{Label: name(), Bars: r.IntN(2) == 0, Axis: r.IntN(2) == 0}
		for range n {
			v := value()
			rows.Rows = append(rows.Rows, Row{Name: name(), Value: v, Lo: v - scale, Hi: v + scale,
				Text: name(), Style: r.IntN(5)})
		}
		return rows
	case 1:
		h := &Heat{Low: name(), High: name()}
		for range 1 + n {
			h.Cols = append(h.Cols, name())
		}
		for range n {
			h.Rows = append(h.Rows, name())
			share, says := make([]float64, len(h.Cols)), make([]string, len(h.Cols))
			for j := range share {
				share[j], says[j] = value(), name()
			}
			h.Share, h.Says = append(h.Share, share), append(h.Says, says)
		}
		return h
	case 2:
		p := &Panels{}
		for range n {
			plot := somePlot(r, scale, value, name)
			for k := range plot.Lines {
				plot.Lines[k].Name = ""
			}
			for k := range plot.Marks {
				plot.Marks[k].Name, plot.Rules[k].Name = "", ""
			}
			if plot.Rug = []float64{2, 3}; r.IntN(2) == 0 {
				plot.X = Axis{Ticks: []float64{1, 2, 3}, Tick: func(float64) string { return name() }}
			}
			plot.X.Include = []float64{1, 4}
			p.Names, p.Plots = append(p.Names, name()+"."), append(p.Plots, plot)
		}
		return p
	}
	return somePlot(r, scale, value, name)
}

// somePlot is a plot of random numbers.
func somePlot(r *rand.Rand, scale float64, value func() float64, name func() string) *Plot {
	n := r.IntN(12)
	p := &Plot{X: Axis{Label: name(), Powers: r.IntN(2) == 0}, Y: Axis{Label: name()}}
	for k := range r.IntN(4) {
		l, b := Line{Name: name(), Style: k}, Band{Style: k}
		for i := range n {
			x, y := math.Exp2(float64(i)-5), value()
			l.X, l.Y, l.Says = append(l.X, x), append(l.Y, y), append(l.Says, name())
			b.X, b.Lo, b.Hi = append(b.X, x), append(b.Lo, y-scale), append(b.Hi, y+scale)
		}
		p.Lines, p.Bands = append(p.Lines, l), append(p.Bands, b)
	}
	if !p.X.Powers {
		for i := range n {
			p.Bars = append(p.Bars, Bar{X: float64(i), Y: value(), Says: name()})
		}
	}
	if v := value(); !math.IsNaN(v) {
		p.Marks = []Mark{{X: 1, Y: v, Lo: v - scale, Hi: v + scale, Name: name(), Ring: true}}
		p.Rules = []Rule{{Y: v, Name: name()}}
	}
	return p
}

var (
	coordinates = regexp.MustCompile(` (?:d|x|y|transform)="[^"]*"`)
	numbers     = regexp.MustCompile(`-?[0-9.]+(?:e[+-]?[0-9]+)?`)
)

// Drawings of any numbers and names are XML without a script, have a title, and nothing
// over the edge.
func TestDrawings(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		body := someBody(r)
		d := &Drawing{Title: nasty[seed%uint64(len(nasty))], Desc: "said", Body: body}
		c := &canvas{}
		height := body.draw(c)
		if c.left < 0 || c.right > drawingWidth+0.5 {
			t.Errorf("%d: texts of %T reach from %.0f to %.0f of %d", seed, body, c.left, c.right, drawingWidth)
		}
		for _, text := range []string{d.SVG(), d.Inline("f1")} {
			elements := elementsOf(t, text)
			if elements["script"] > 0 || elements["title"] == 0 || elements["desc"] != 1 {
				t.Fatalf("%d: elements %v", seed, elements)
			}
			if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%d: a number that is none in\n%s", seed, text)
			}
		}
		for _, list := range coordinates.FindAllString(d.Inline("f1"), -1) {
			for _, text := range numbers.FindAllString(list, -1) {
				if v, err := strconv.ParseFloat(text, 64); err == nil &&
					(v > max(drawingWidth, height)+1 || v < -drawingWidth) {
					t.Errorf("%d: %T has a coordinate %v of %d × %.0f in %s", seed, body, v, drawingWidth, height, list)
				}
			}
		}
	}
}

// elementsOf counts the elements of XML.
func elementsOf(t *testing.T, text string) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if e, is := token.(xml.StartElement); is {
			count[e.Name.Local]++
		}
	}
}

// Every point of a line agrees with the ticks: a tick and the same value have the same place.
func TestScale(t *testing.T) {
	a := Axis{}
	s := a.newScale([]float64{0.1, 0.4, math.NaN(), 0.2}, 300, mostLabels)
	for k, v := range s.ticks {
		if got, err := strconv.ParseFloat(s.texts[k], 64); err != nil || math.Abs(got-v) > 1e-12 ||
			s.at(v) < 0 || s.at(v) > 300 {
			t.Errorf("tick %v is written %s and stands at %v", v, s.texts[k], s.at(v))
		}
	}
	if len(s.ticks) < 3 || len(s.ticks) > mostLabels+1 {
		t.Errorf("ticks %v", s.texts)
	}
	a = Axis{Powers: true}
	s = a.newScale([]float64{math.Exp2(-20), math.Exp2(20)}, 300, mostLabels)
	for k, v := range s.ticks {
		if s.texts[k] != Power(math.Exp2(v)) || math.Abs(s.at(math.Exp2(v))-s.place(v)) > 1e-9 {
			t.Errorf("tick %v is written %s", v, s.texts[k])
		}
	}
	one := (&Axis{Within: &[2]float64{0, 1}}).newScale([]float64{0.3}, 100, mostLabels)
	if one.lo < 0 || one.hi > 1 || one.lo >= 0.3 || one.hi <= 0.3 {
		t.Errorf("a single value is on %v to %v", one.lo, one.hi)
	}
}

// Numbers and texts are written as they are meant.
func TestTexts(t *testing.T) {
	for got, want := range map[string]string{
		Power(8): "2³", Power(1.0 / 1024): "2⁻¹⁰", Power(math.Exp2(1.5)): "2^1.5", Power(0.1): "0.1",
		Short(-0.12345): "−0.1235", Short(math.NaN()): "–",
		decimals(0.25, 0.05): "0.25", decimals(0, 0.1): "0", decimals(3, 1): "3",
		Visible("a\x00b\u202e"): "a\ufffdb\ufffd",
		clip("short", 200):      "short", fmt.Sprint(wrap("one two three", 60)): "[one two three]",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, name := range nasty {
		if got := clip(name, 90); width(got) > 90 {
			t.Errorf("%q is clipped to %q, %.0f wide", name, got, width(got))
		}
	}
}
