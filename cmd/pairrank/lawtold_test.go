package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Laws of rows about what stands beside a number: notes, deviations, intervals, defaults.

// nestings are the spellings of a nested estimate.
func nestings(p path) []string {
	inner := "--nested=lqo"
	if p.shape == "list" {
		inner = "--nested=lpo"
	}
	return []string{"--nested", inner, "--nested=kfold:3"}
}

func toldUnderEverySpelling(b *bench, p path) string {
	s := b.sheet(p.shape, 11)
	file, flags := s.write(b, p, "rows.csv")
	var broken []string
	for _, treatment := range []string{"--normalize zscore", "--normalize minmax"} {
		flags := slices.Concat(flags, p.some(), strings.Fields(treatment))
		spellings := []string{""}
		if p.verb == "cv" {
			spellings = append(spellings, nestings(p)...)
		}
		for _, spelling := range spellings {
			d, r := b.document(p.line(b, file, append(slices.Clone(flags), strings.Fields(spelling)...)...)...)
			switch {
			case d == nil && r.code == 2 && spelling != "":
				b.refusal = "" // this learner is not nested so
			case d == nil:
				return r.failed()
			case !helped(d):
				broken = append(broken, strings.TrimSpace(treatment+" "+spelling))
			}
		}
	}
	if broken != nil {
		return "nothing is told with " + strings.Join(broken, "; ")
	}
	return ""
}

func trainChoosesAsCV(b *bench, p path) string {
	s := b.sheet(p.shape, 12)
	trained, r := b.cvOf(p, s)
	if trained == nil {
		return r.failed()
	}
	p.verb = "cv"
	d, r := b.cvOf(p, s)
	switch {
	case d == nil:
		return r.failed()
	case trained.Lambda != nil && d.Best != nil && !alike(*trained.Lambda, d.Best.Lambda):
		return fmt.Sprintf("train chooses %g, cv %g", *trained.Lambda, d.Best.Lambda)
	}
	return samePoints(trained.points(), d.points())
}

func defaultsAreExplicit(b *bench, p path) string {
	s := b.sheet(p.shape, 13)
	file, flags := s.write(b, p, "rows.csv")
	spelt := []string{"--normalize", "none"}
	if !p.gaps() {
		spelt = append(spelt, "--missing", "error")
	}
	if !p.has("--learner") {
		spelt = append(spelt, "--learner", "rankrls")
	}
	if !p.has("--kernel") && !p.has("rankboost") {
		spelt = append(spelt, "--kernel", "linear")
	}
	line := p.line(b, file, slices.Concat(flags, p.some())...)
	d, r := b.document(line...)
	e, q := b.document(append(line, spelt...)...)
	switch {
	case d == nil || e == nil:
		return r.failed() + "; " + q.failed()
	}
	if fmt.Sprint(d.Notes) != fmt.Sprint(e.Notes) {
		return fmt.Sprintf("notes %v, and %v", d.Notes, e.Notes)
	}
	return samePoints(d.points(), e.points())
}

// toldBy are the warnings and notes of a run on standard error.
func toldBy(r ran) (all []string) {
	for line := range strings.Lines(r.errs) {
		for _, kind := range []string{"warning", "note"} {
			if text, is := strings.CutPrefix(strings.TrimSpace(line), "pairrank: "+kind+": "); is {
				all = append(all, text)
			}
		}
	}
	return all
}

// lacksNoun finds the plural of nothing.
var lacksNoun = regexp.MustCompile(`\d s\b`)

// toldOnce tells the first warning or note of a run that its document or its page lacks.
func toldOnce(b *bench, line []string) string {
	page := b.name("page.html")
	d, r := b.document(append(line, "--report", page)...)
	if d == nil {
		return r.failed()
	}
	text, err := os.ReadFile(page)
	if err != nil {
		b.t.Fatal(err)
	}
	shown := strings.Join(strings.Fields(visibleText(string(text))), " ")
	for _, told := range toldBy(r) {
		k := slices.IndexFunc(d.Notes, func(n saidNote) bool { return n.Text == told })
		switch {
		case k < 0:
			return "JSON lacks: " + told
		case lacksNoun.MatchString(told):
			return "a number has no noun: " + told
		}
		of := d.Notes[k].Code != "" || d.Notes[k].Warning // others are what reading decided
		if of && !strings.Contains(shown, strings.Join(strings.Fields(told[1:]), " ")) {
			return "the page lacks: " + told
		}
	}
	return ""
}

func toldAlike(b *bench, p path) string {
	s := b.sheet(p.shape, 14)
	constant := s.each(func(_ int, x []float64) []float64 { return []float64{x[0], 7, x[0]} })
	file, flags := constant.write(b, p, "rows.csv")
	return toldOnce(b, p.line(b, file, slices.Concat(flags, p.some())...))
}

// noDeviation tells the first candidate whose deviation is zero, or that has one.
func noDeviation(points []point, any bool) string {
	for _, c := range points {
		if c.StdErr != nil && (any || *c.StdErr == 0) {
			return fmt.Sprintf("at %g %.5f ± %.5f", c.Lambda, c.Error, *c.StdErr)
		}
	}
	return ""
}

func noWidthOfZero(b *bench, p path) string {
	s := b.sheet(p.shape, 15)
	d, r := b.cvOf(p, s.each(func(i int, x []float64) []float64 { return []float64{5*s.y[i] + 0.01*x[1], x[2]} }))
	if d == nil {
		return r.failed()
	}
	return noDeviation(d.points(), false)
}

func noDeviationOfTwo(b *bench, p path) string {
	s := b.sheet(p.shape, 16).where(func(i int) bool { return i%3 > 0 || i > 6 })
	for i := range s.query {
		s.query[i] = fmt.Sprint("q", min(1, i/9))
	}
	d, r := b.cvOf(p, s)
	if d == nil {
		return r.failed()
	}
	return noDeviation(d.points(), true)
}

// onePositive is a list with one positive label: cv and train have the same error, or refuse it alike.
func onePositive(b *bench, p path) string {
	s := b.sheet(p.shape, 17)
	for i := range s.y {
		s.y[i] = 0
	}
	s.y[4] = 1
	other := p
	other.verb = map[string]string{"cv": "train", "train": "cv"}[p.verb]
	return sameBy(b, s, p, other)
}

// sameBy tells whether two paths find the same errors on a sheet, or refuse it with the same code.
func sameBy(b *bench, s *sheet, p, other path) string {
	d, r := b.cvOf(p, s)
	e, q := b.cvOf(other, s)
	switch {
	case r.code != q.code:
		return r.failed() + "; " + q.failed()
	case d == nil:
		return ""
	}
	return samePoints(d.points(), e.points())
}

// meaningsHaveACode is a table with a column called weight, which the user did not ask for, and then did by a range.
func meaningsHaveACode(b *bench, p path) string {
	s := b.sheet(p.shape, 18)
	file, flags := s.write(b, p, "rows.csv")
	text, err := os.ReadFile(file)
	if err != nil {
		b.t.Fatal(err)
	}
	file = b.put("rows.csv", strings.Replace(string(text), ",x2", ",weight", 1))
	line := p.line(b, file, slices.Concat(flags, p.some())...)
	if broken := toldOnce(b, line); broken != "" {
		return broken
	}
	for _, selected := range []bool{false, true} {
		if selected {
			line = append(line, "--feature-columns", "x1:x3")
		}
		switch d, r := b.document(line...); {
		case d == nil:
			return r.failed()
		case d.noted("like-weights") == selected:
			return fmt.Sprintf("with a range of features %v: a note is %v", selected, !selected)
		}
	}
	return ""
}
