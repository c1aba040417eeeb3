package figure

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestFigure checks that a figure is XML, small and has every point in its plot.
func TestFigure(t *testing.T) {
	f := &Figure{Title: "a < b"}
	for _, scale := range []float64{1e-6, 0.19, 7e4} {
		p := Panel{Title: "x & y", Unit: "s", X: Thousands, Y: Seconds}
		for k := range markers {
			s := Series{Name: "line", Style: k, Dashed: k == 4}
			for m := 1000.0; m <= 512000; m *= 2 {
				s.Points = append(s.Points, [2]float64{m, scale * math.Pow(m/1000, float64(k)/2)})
			}
			p.Series = append(p.Series, s)
		}
		f.Panels = []Panel{p, {Title: "empty"}, p}
		text := f.SVG()
		if len(text) >= 20_000 {
			t.Errorf("the figure has %d bytes", len(text))
		}
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		var values []float64
		for _, s := range p.Series {
			for _, q := range s.Points {
				values = append(values, q[1])
			}
		}
		a := newAxis(values, 100, true)
		for _, v := range append(values, a.ticks...) {
			if at := a.at(v); at < -closeness || at > 100+closeness {
				t.Errorf("%v is at %v of 100", v, at)
			}
		}
		if len(a.ticks) < 2 || len(a.ticks) > mostTicks {
			t.Errorf("ticks %v", a.ticks)
		}
	}
}

// TestRange does not spread a short range over a long axis.
func TestRange(t *testing.T) {
	a := newAxis([]float64{0.47, 0.51}, 100, true)
	if math.Abs(a.lo-0.4) > closeness || math.Abs(a.hi-0.6) > closeness || len(a.ticks) != 3 {
		t.Errorf("from %g to %g with ticks %v", a.lo, a.hi, a.ticks)
	}
}

// TestNearValues labels no two values that are closer than a label is wide.
func TestNearValues(t *testing.T) {
	if a := newAxis([]float64{1000, 2000, 16000, 16512, 16000}, 330, false); !slices.Equal(a.ticks,
		[]float64{1000, 2000, 16000}) || a.hi < 16512 {
		t.Errorf("ticks %v up to %v", a.ticks, a.hi)
	}
}

// TestTicks writes values with their units.
func TestTicks(t *testing.T) {
	for got, want := range map[string]string{
		Seconds(0.02): "20 ms", Seconds(3): "3 s", Seconds(1000): "1000 s", Bytes(2e7): "20 MB",
		Thousands(512000): "512k", Thousands(1500): "1500", Plain(0.1234): "0.123", Plain(2e4): "20000",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestNames draws names of lines that end at one place next to each other, and rows of panels below
// each other.
func TestNames(t *testing.T) {
	p := Panel{Title: "six lines", X: Plain, Y: Plain, Direct: true}
	for k := range markers {
		p.Series = append(p.Series, Series{Name: strings.Repeat("w", k+1), Style: k,
			Points: [][2]float64{{1, 1 + float64(k)}, {100, 1}}})
	}
	one, two := &Figure{Panels: []Panel{p}}, &Figure{Panels: []Panel{p, p, p}, Columns: 2}
	text := one.SVG()
	if strings.Contains(text, "M0 286h30") {
		t.Error("there is a legend, too")
	}
	var width, height int
	if _, err := fmt.Sscanf(text[strings.Index(text, "viewBox"):], `viewBox="0 0 %d %d"`, &width, &height); err != nil {
		t.Fatal(err)
	}
	last := math.Inf(-1)
	for k := range markers {
		var x, y float64
		label := fmt.Sprintf(`<text class="m%d" `, k)
		at := strings.Index(text, label)
		if at < 0 {
			t.Fatalf("line %d has no name", k)
		}
		if _, err := fmt.Sscanf(text[at+len(label):], `x="%f" y="%f"`, &x, &y); err != nil {
			t.Fatal(err)
		}
		if y < last+nameLine || y > plotHeight+nameLine || left+x+float64(nameLetter*(k+1)) > float64(width) {
			t.Errorf("name %d is at %g, %g after %g, of %d × %d", k, x, y, last, width, height)
		}
		last = y
	}
	text = two.SVG()
	for _, want := range []string{
		fmt.Sprintf(`viewBox="0 0 %d %d"`, 2*width, 2*height-top+heading),
		fmt.Sprintf("translate(%d %d)", width+left, top), fmt.Sprintf("translate(%d %d)", left, height+heading),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %q", want, text)
		}
	}
}

// TestSpread keeps the order and the distance, and ends at the limit.
func TestSpread(t *testing.T) {
	at := []float64{0, 1, 50, 99, 100}
	spread(at, 10, 100)
	if want := []float64{0, 10, 50, 90, 100}; !slices.Equal(at, want) {
		t.Errorf("%v, not %v", at, want)
	}
}

// TestLinear has few round ticks around the values, negative ones, too.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ values, ticks []float64 }{
		{[]float64{-0.021, 0.004}, []float64{-0.025, -0.02, -0.015, -0.01, -0.005, 0, 0.005}},
		{[]float64{0, 1}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{[]float64{3, 3}, []float64{2, 2.5, 3, 3.5, 4}},
		{[]float64{0.41, 0.52, 0.97}, []float64{0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}},
	} {
		a := newLinear(c.values, 100)
		near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
		if !slices.EqualFunc(a.ticks, c.ticks, near) {
			t.Errorf("%v: ticks %v, not %v", c.values, a.ticks, c.ticks)
		}
		if a.at(a.lo) != 0 || a.at(a.hi) != 100 {
			t.Errorf("%v: from %v to %v", c.values, a.at(a.lo), a.at(a.hi))
		}
	}
}
