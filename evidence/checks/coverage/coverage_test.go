package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pairrank/evidence/papers/experiment"
)

// little is enough to see that the program works.
var little = settings{simulations: 3, resamples: 100, population: 300, seed: 1, studies: studies[:1],
	boards: boards[:2], ways: wayBoards[:1], next: nextBoards[:1], nests: nests[:1], contrasts: contrasts[:1],
	curved: curvedStudies[:1], few: fewNodes[:1], scaled: scaledBoards[:1], trusted: trustedBoards[:1],
	systems: []int{10}, timed: 1}

// Every section of a page is written, and the same for the same seed.
func TestSectionsAreReproducible(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	var pages [2]string
	for k := range pages {
		text := ""
		for _, name := range experiment.Names(sections) {
			text += "<!-- " + name + " -->\n<!-- /" + name + " -->\n"
		}
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := run(context.Background(), &experiment.Output{Program: "coverage", Page: page}, little); err != nil {
			t.Fatal(err)
		}
		out, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		pages[k] = string(out)
	}
	if pages[0] != pages[1] {
		t.Error("two runs differ")
	}
	all, err := laws(context.Background(), little)
	if err != nil {
		t.Fatal(err)
	}
	unitRows := 0
	for _, u := range unitBoards {
		unitRows += len(u.ways)
	}
	want := (2 + 1) + 2*len(all)*len(methods) + (len(all)+1)*len(tests) + 1 + 2*len(families)*len(tests) + 1 +
		len(little.studies) + 1 + len(little.nests) + 1 + 2*len(little.contrasts) + 2 + len(little.curved) +
		2*(1+len(labelled)) + len(labelled) + 1 + len(little.boards) + 2*(1+len(little.ways)) +
		1 + len(noise) + 1 + len(little.few) + 1 + len(groupAreas) + 1 + 2*len(rareBoards) +
		1 + unitRows + 1 + len(featuredBoards) + 1 + len(heldBoards) + 1 + len(boardLosses)*len(units) +
		1 + len(little.scaled) + 1 + len(little.trusted) + 2*(1+len(tableKinds)) + 2*len(tableKinds) - 1 +
		2*(1+little.timed) + 1 + len(little.next) + 1 + len(shuffled) + 1 + 2*len(rankings)*len(valuesOf) + 1 + len(tests)
	if got := strings.Count(pages[0], "\n| "); got != want {
		t.Errorf("%d lines of tables, want %d:\n%s", got, want, pages[0])
	}
}

// The mean of a law is that of what it draws.
func TestMeansOfLaws(t *testing.T) {
	all, err := laws(context.Background(), little)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 0))
	for _, l := range all {
		for _, l := range []law{l, l.exchanged()} {
			d := l.drawn(rng, 200_000)
			m, squares, _ := moments(d)
			q := float64(len(d))
			if away := math.Abs(m - l.mean); away > 5*math.Sqrt(squares)/q { // five standard errors
				t.Errorf("%s: mean %v of draws, %v said", l.name, m, l.mean)
			}
			for _, x := range d {
				if math.Abs(x) > l.most {
					t.Fatalf("%s: %v is beyond %v", l.name, x, l.most)
				}
			}
		}
	}
}

// The intervals that compare does not print. For many differences without skewness all are
// mean ± 1.96 standard errors; with skewness BCa goes to its side; of equal
// differences all are a point.
func TestMethods(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	s := settings{resamples: 4000}
	normal, skewed := make([]float64, 1000), make([]float64, 30)
	for i := range normal {
		normal[i] = rng.NormFloat64()
	}
	for i := range skewed {
		skewed[i] = rng.ExpFloat64()
	}
	m, squares, _ := moments(normal)
	unit := math.Sqrt(squares) / float64(len(normal))
	for _, way := range methods {
		lo, hi := way.interval(normal, bootstrapMeans(normal, s.resamples, rng), math.Inf(1), s, 1)
		// a quantile of 4000 draws has a standard error of 0.04 standard errors
		if math.Abs((lo-m)/unit+1.96) > 0.25 || math.Abs((hi-m)/unit-1.96) > 0.25 {
			t.Errorf("%s: %v to %v standard errors", way.name, (lo-m)/unit, (hi-m)/unit)
		}
		same := []float64{0.25, 0.25, 0.25}
		if lo, hi := way.interval(same, bootstrapMeans(same, 100, rng), 1, s, 1); lo != 0.25 || hi != 0.25 {
			t.Errorf("%s of equal differences: %v to %v", way.name, lo, hi)
		}
	}
	means := bootstrapMeans(skewed, s.resamples, rng)
	lo, hi := percentile(means)
	if low, high := bca(skewed, means); low <= lo || high <= hi {
		t.Errorf("skewed to the right: BCa %v to %v, percentiles %v to %v", low, high, lo, hi)
	}
	if lo, hi := studentised([]float64{0, 0, 1}, 1, 1000, 1); lo != -1 && hi != 1 {
		t.Errorf("three differences of two values: %v to %v", lo, hi)
	}
}

// claims are the sentences of docs/statistics.md with numbers of the tables of evidence/checks/coverage.md: the
// cells of a section's rows that match, for so many queries, are from least to
// most, rounded away from each other.
var claims = []struct {
	section, rows string
	from, to      int
	least, most   float64
	text          string
}{
	{"intervals", `\*\*as printed`, 20, 300, 91, 97, "| 20 and more | all | 91–97 % |"},
	{"intervals", `\| percentile`, 20, 300, 82, 96, "| 20 and more | all | 91–97 % | 82–96 % |"},
	{"intervals", mostDiffer + `.*as printed`, 10, 10, 90, 97, "| 10 | most differ | 90–97 % |"},
	{"intervals", mostDiffer + `.*\| percentile`, 10, 10, 81, 93, "| 10 | most differ | 90–97 % | 81–93 % |"},
	{"intervals", fewDiffer + `.*as printed`, 10, 10, 80, 95, "| 10 | most are 0 | 80–95 % |"},
	{"intervals", fewDiffer + `.*\| percentile`, 10, 10, 61, 88, "| 10 | most are 0 | 80–95 % | 61–88 % |"},
	{"intervals", mostDiffer + `.*as printed`, 3, 5, 83, 98, "| 3 or 5 | most differ | 83–98 % |"},
	{"intervals", mostDiffer + `.*\| percentile`, 3, 5, 64, 84, "| 3 or 5 | most differ | 83–98 % | 64–84 % |"},
	{"levels", `^\| (normal|long|skewed|70 %|p@1|AUC|LETOR)`, 3, 300, 0, 6, "no test rejected in more than 6 %"},
	{"levels", `^\| not symmetric.*Wilcoxon`, 10, 300, 15, 100, "Wilcoxon's test rejected in 15–100 %"},
	{"levels", `^\| not symmetric.*sign flips`, 10, 100, 8, 17, "sign flips in 8–17 % with 10 to 100 queries"},
	{"levels", `^\| not symmetric.*sign flips`, 300, 300, 5, 6, "and in 5 % with 300"},
	{"family", `Holm`, 3, 300, 0, 5, "in no more than 5 % with Holm's correction"},
	{"family", `^\| none .*as they are`, 50, 300, 12, 17, "in 12–17 % uncorrected"},
	{"several", `\| (none|one, from all others) \|`, 3, 300, 0, 7, "Measured: 0–7 %"},
	{"several", `^\| (Wilcoxon|sign flips)`, 10, 300, 5, 7, "are told apart in 5–7 % from 10 queries on"},
}

const mostDiffer, fewDiffer = `^\| (normal|long|skewed|AUC|.*ndcg|.*concordance)`, `^\| (70 %|p@1|.*p@5)`

// The sentences of docs/statistics.md agree with the tables, and so does the help of compare.
func TestPageSaysWhatTheTablesHave(t *testing.T) {
	page := readFile(t, "evidence", "checks", "coverage.md")
	plain := strings.Join(strings.Fields(unlinked(readFile(t, "docs", "statistics.md"))), " ")
	for _, claim := range claims {
		_, table, found := strings.Cut(page, "<!-- "+claim.section+" -->")
		table, _, closed := strings.Cut(table, "<!-- /"+claim.section+" -->")
		if !found || !closed {
			t.Fatalf("evidence/checks/coverage.md has no section %s", claim.section)
		}
		table, _, _ = strings.Cut(table, "\nMedian length")
		if n := regexp.MustCompile(`; (\d+) simulations`).FindStringSubmatch(table); n == nil || len(n[1]) < 4 {
			t.Errorf("%s: fewer than 1000 simulations a cell: %q", claim.section, n)
		}
		rows := regexp.MustCompile(claim.rows)
		least, most := 100.0, 0.0
		for line := range strings.Lines(table) {
			if !rows.MatchString(line) {
				continue
			}
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for k, cell := range cells[len(cells)-len(counts):] {
				if counts[k] < claim.from || counts[k] > claim.to {
					continue
				}
				v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
				if err != nil {
					t.Fatal(err)
				}
				least, most = min(least, v), max(most, v)
			}
		}
		if math.Floor(least) != claim.least || math.Ceil(most) != claim.most {
			t.Errorf("%+v: the cells of the table are from %v to %v", claim, least, most)
		}
		if !strings.Contains(plain, claim.text) {
			t.Errorf("docs/statistics.md does not say %q", claim.text)
		}
	}
	help := strings.Join(strings.Fields(readFile(t, "cmd", "pairrank", "compare.go")), " ")
	if !strings.Contains(help, "coverage in simulations is 91-97 % from 20 queries on, and 80-97 % with 10") {
		t.Error("the help of compare does not say what the interval was measured to cover")
	}
}

// The same for the intervals of cv, of which the table has those that are printed in bold
// and those by the standard error slanted at the end.
func TestPageSaysWhatIntervalsOfCVCover(t *testing.T) {
	_, table, _ := strings.Cut(readFile(t, "evidence", "checks", "coverage.md"), "<!-- estimates -->")
	table, _, _ = strings.Cut(table, "<!-- /estimates -->")
	held := regexp.MustCompile(`\*\*([0-9.]+)\*\*, [0-9.]+, \*([0-9.–]+)\*`).FindAllStringSubmatch(table, -1)
	if len(held) != len(studies) {
		t.Fatalf("the table has %d populations, the program %d", len(held), len(studies))
	}
	least, most := [2]float64{100, 100}, [2]float64{}
	for _, cells := range held {
		for k, cell := range cells[1:] {
			if v, err := strconv.ParseFloat(cell, 64); err == nil {
				least[k], most[k] = min(least[k], v), max(most[k], v)
			}
		}
	}
	want := fmt.Sprintf("coverage %.0f-%.0f %% in simulations", math.Floor(least[0]), math.Ceil(most[0]))
	help := strings.Join(strings.Fields(readFile(t, "cmd", "pairrank", "cv.go")), " ")
	says := fmt.Sprintf("covered the error of the trained models in %.0f–%.0f %%, the interval by the standard error "+
		"in %.0f–%.0f %%", math.Floor(least[0]), math.Ceil(most[0]), math.Floor(least[1]), math.Ceil(most[1]))
	page := strings.Join(strings.Fields(unlinked(readFile(t, "docs", "statistics.md"))), " ")
	if !strings.Contains(page, says) {
		t.Errorf("docs/statistics.md does not say %q", says)
	}
	if !strings.Contains(help, want) {
		t.Errorf("the help of cv does not say %q", want)
	}
}

// unlinked is a page with the texts of its links in their place.
func unlinked(page string) string {
	return regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(page, "$1")
}

func readFile(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", "..", ".."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// No section of the page is left empty.
func TestPageIsWhole(t *testing.T) {
	page := readFile(t, "evidence", "checks", "coverage.md")
	for _, name := range experiment.Names(sections) {
		_, table, _ := strings.Cut(page, "<!-- "+name+" -->")
		if table, _, found := strings.Cut(table, "<!-- /"+name+" -->"); !found || strings.Count(table, "\n|") < 3 {
			t.Errorf("evidence/checks/coverage.md has no table of %s", name)
		}
	}
}
