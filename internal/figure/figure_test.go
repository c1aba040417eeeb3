package figure

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
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

// TestWrite writes into a folder, or nowhere.
func TestWrite(t *testing.T) {
	f, dir := &Figure{Title: "x"}, t.TempDir()
	if err := errors.Join(f.Write("", "a.svg"), f.Write(dir, "a.svg")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.svg")); err != nil || string(text) != f.SVG() {
		t.Errorf("%q, %v", text, err)
	}
}

// TestTicks writes values with their units.
func TestTicks(t *testing.T) {
	for got, want := range map[string]string{
		Seconds(0.02): "20 ms", Seconds(3): "3 s", Seconds(1000): "1000 s", Bytes(2e7): "20 MB", Thousands(512000): "512k", Thousands(1500): "1500", Plain(0.1234): "0.123", Plain(2e4): "20000",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
