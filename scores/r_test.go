package scores

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// jackknifeInR prints a line a system of a long table: the worth by lm, and its standard error by leaving out units.
const jackknifeInR = `
d <- read.csv(commandArgs(TRUE)[1], colClasses = c("factor", "factor", "factor", "numeric"))
worths <- function(d) {
	a <- c(0, coef(lm(score ~ system + item, d))[paste0("system", levels(d$system)[-1])])
	a - mean(a)
}
a <- worths(d)
without <- sapply(levels(d$unit), function(g) worths(droplevels(d[d$unit != g, ])))
G <- ncol(without)
se <- sqrt((G - 1) / G * rowSums((without - rowMeans(without))^2))
cat(sprintf("%.17g %.17g\n", a, se), sep = "")
`

func TestWorthsOfR(t *testing.T) {
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("there is no Rscript")
	}
	for _, c := range []struct {
		of      int
		missing float64
	}{{1, 0}, {1, .2}, {4, 0}, {4, .2}} {
		p := drawn(rand.New(rand.NewPCG(3, 5)), 6, 24, c.of, c.missing)
		ranking, err := Rank(t.Context(), *p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		of, _ := p.units()
		var long strings.Builder
		long.WriteString("system,item,unit,score\n")
		for i, item := range p.Items {
			for k, y := range p.Y.Row(i) {
				if !math.IsNaN(y) {
					fmt.Fprintf(&long, "%s,%s,%d,%.17g\n", p.Systems[k], item, of[i], y)
				}
			}
		}
		folder := t.TempDir()
		program, file := filepath.Join(folder, "jackknife.R"), filepath.Join(folder, "scores.csv")
		for name, text := range map[string]string{program: jackknifeInR, file: long.String()} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command(r, program, file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		lines := strings.Fields(string(out))
		if len(lines) != 2*len(p.Systems) {
			t.Fatalf("R printed %q", out)
		}
		want := map[string][2]float64{}
		for k, name := range p.Systems {
			var w [2]float64
			for j := range w {
				if _, err := fmt.Sscan(lines[2*k+j], &w[j]); err != nil {
					t.Fatal(err)
				}
			}
			want[name] = w
		}
		for _, s := range ranking.Systems {
			if w := want[s.Name]; !near(s.Score, w[0], 1e-10) || !near(s.SE, w[1], 1e-10) {
				t.Errorf("units of %d items, %v missing: %s has %v ± %v, and %v of R", c.of, c.missing, s.Name, s.Score, s.SE, w)
			}
		}
	}
}
