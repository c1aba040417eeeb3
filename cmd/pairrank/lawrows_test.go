package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
)

// knotsByColumn are splines whose features have different knots.
const knotsByColumn = "--spline 2 --spline-in x1=5"

// rowPaths are the ways of rows: learners and solvers, by what is held out, in training and in cross-validation.
func rowPaths() (paths []path) {
	for _, verb := range []string{"cv", "train"} {
		for shape, methods := range map[string][]string{"list": {"lpo", "loo", "kfold:3"}, "queries": {"lqo", "kfold:3"}} {
			for _, method := range methods {
				for _, flags := range []string{
					"", "--solver primal", "--solver dual", "--solver cg", "--query-weight size", "--cost unit",
					"--kernel gaussian:gamma=0.5", "--kernel polynomial:gamma=1,coef0=1,degree=2", "--kernel clinical",
					"--kernel gaussian:gamma=0.5 --random-features 4", "--kernel gaussian:gamma=0.5 --basis 5", "--features 2",
					"--spline 2", "--solver dual --spline 9", "--learner ranksvm --spline 2", knotsByColumn,
					"--learner rls", "--learner rls --kernel gaussian:gamma=0.5", "--learner rls --kernel clinical",
					"--kernel linear+gaussian:gamma=0.5", "--kernel 0.5*linear+2*clinical",
					"--learner ranksvm", "--learner ranksvm --loss squared-hinge",
					"--learner ranksvm --kernel gaussian:gamma=0.5", "--learner ranksvm --kernel clinical", "--learner rankboost",
				} {
					paths = append(paths, path{"rows", shape, verb, flags, method, ""})
				}
				for _, flags := range []string{
					"", "--solver dual", "--solver cg", "--query-weight size", "--cost unit", "--kernel gaussian:gamma=0.5",
					"--kernel gaussian:gamma=0.5 --random-features 4", "--kernel gaussian:gamma=0.5 --basis 5", "--features 2",
					"--spline 2", "--solver dual --spline 9", "--learner ranksvm --spline 2",
					"--learner rls", "--learner ranksvm", "--learner ranksvm --kernel gaussian:gamma=0.5", "--learner rankboost",
				} {
					for _, with := range []string{"weights", "times", "weights and times"} {
						paths = append(paths, path{"rows", shape, verb, flags, method, with})
					}
				}
				for _, flags := range []string{
					"", "--solver dual", "--spline 2", "--learner ranksvm --spline 2", knotsByColumn, "--features 2",
					"--features 2 --spline 2", "--kernel gaussian:gamma=0.5", "--learner rls", "--learner rankboost",
				} {
					paths = append(paths, path{"rows", shape, verb, flags, method, "gaps"})
				}
			}
		}
	}
	slices.SortStableFunc(paths, func(a, b path) int { return strings.Compare(a.shape, b.shape) })
	return paths
}

func (p path) has(flag string) bool { return strings.Contains(p.flags, flag) }

// some are flags that keep a run short: three λ, or numbers of rounds, and no interval.
func (p path) some() []string {
	flags := []string{"--lambdas", "0.1,1,100"}
	if p.has("rankboost") {
		flags = []string{"--rounds", "1,3"}
	}
	if p.verb == "cv" {
		flags = append(flags, "--interval", "none")
	}
	return flags
}

// cvOf is the document of the path on a sheet.
func (b *bench) cvOf(p path, s *sheet, more ...string) (*said, ran) {
	file, flags := s.write(b, p, "rows.csv")
	return b.document(p.line(b, file, slices.Concat(flags, p.some(), more)...)...)
}

func rowLaws() []law {
	return append(splineLaws(), []law{
		{"scores of constant features are ties", func(p path) string {
			switch {
			case p.has("--learner rls") && p.method == "loo":
				return "a score is the mean of the labels of the other rows"
			case p.timed() && p.method == "loo" && p.has("--solver cg"):
				return "scores of different trainings are ranked together, each with the rounding of its own"
			}
			return ""
		}, constantFeaturesTie},
		{"rows of their own are ties", func(p path) string {
			switch {
			case p.has("--features"):
				return "the features that are chosen separate rows"
			case p.has("random-features"):
				return "random features are equal in expectation only"
			case p.has("--basis"):
				return "a basis row is nearer to itself than others are"
			case p.has("--learner rls --kernel") && p.method == "loo":
				return "a score is the sum of the labels of the other rows"
			}
			return ""
		}, ownRowsTie},
		{"the order of rows and the names of queries change nothing", drawn, orderOfRows},
		{"the order of columns changes nothing", func(p path) string {
			switch {
			case p.has("rankboost"):
				return "equal stumps are taken in the order of columns"
			case p.has("random-features"):
				return "random features are drawn by the numbers of columns"
			}
			return drawn(p)
		}, orderOfColumns},
		{"threads change nothing", nil, threadsOfRows},
		{"a constant added to a feature changes nothing", func(p path) string {
			switch {
			case p.has("--learner rls") && !p.has("gaussian"):
				return "regression has no intercept"
			case p.has("polynomial"):
				return "the kernel is not invariant"
			case p.method == "loo" && (!p.has("gaussian") || p.has("linear+")) && !p.has("rankboost"):
				return "scores of different trainings, which have no constant, are ranked together"
			}
			return drawn(p)
		}, addedToFeature},
		{"a constant added to the labels of a query changes nothing", func(p path) string {
			if p.has("--learner rls") {
				return "regression is of the labels themselves"
			}
			return ""
		}, addedToLabels},
		{"copies of rows are told", nil, copiesOfRows},
		{"copies of queries are told", func(p path) string {
			if p.shape == "list" {
				return "a list has no queries"
			}
			return ""
		}, copiesOfQueries},
		{"held-out scores are those of a training without them, or a note says so", func(p path) string {
			switch {
			case p.verb == "train" || p.method == "lpo":
				return "no score a row is written"
			case p.timed() && strings.HasSuffix(p.flags, "ranksvm"):
				return "the optimum of the hinge is found within epsilon, by another way where the queries are others"
			case p.has("--features") || p.has("--basis"):
				return "the choice of features or basis rows is that of all rows, as the page says"
			}
			return drawn(p)
		}, heldOutIsWithout},
		{"what helps held-out rows is told under every spelling", nil, toldUnderEverySpelling},
		{"train chooses as cv", func(p path) string {
			if p.verb != "train" {
				return "cv is the other side"
			}
			return ""
		}, trainChoosesAsCV},
		{"defaults are their explicit spelling", nil, defaultsAreExplicit},
		{"text, JSON and page tell the same", nil, toldAlike},
		{"what names of columns may mean is told with a code", nil, meaningsHaveACode},
		{"no width of zero", nil, noWidthOfZero},
		{"no deviation over two units", func(p path) string {
			if p.method != "lqo" {
				return "two queries are held out"
			}
			return ""
		}, noDeviationOfTwo},
		{"one list of labels is refused or told alike by train and cv", nil, onePositive},
		{"weights of one are none", unweighted, weightsOfOne},
		{"a row of weight 0 is no row", unweighted, weightOfZero},
		{"the file of held-out scores is the error", func(p path) string {
			if p.verb == "train" {
				return "no file is written"
			}
			return ""
		}, heldOutFileIsTheError},
	}...)
}

// drawn is why the order of rows may change something.
func drawn(p path) string {
	if p.has("--basis") {
		return "basis rows are drawn by their numbers"
	}
	return ""
}

// halves tells the first error that is not ½.
func halves(points []point) string {
	for _, c := range points {
		if !alike(c.Error, 0.5) {
			return fmt.Sprintf("at %g error %.6f for .5", c.Lambda, c.Error)
		}
	}
	return ""
}

func constantFeaturesTie(b *bench, p path) string {
	d, r := b.cvOf(p, b.sheet(p.shape, 1).each(func(int, []float64) []float64 { return []float64{0.1, 3, -0.7} }))
	switch {
	case d == nil && r.code == 3: // refused: nothing distinguishes the rows
		return ""
	case d == nil:
		return r.failed()
	}
	return halves(d.points())
}

func ownRowsTie(b *bench, p path) string {
	s := b.sheet(p.shape, 2)
	d, r := b.cvOf(p, s.each(func(i int, _ []float64) []float64 {
		x := make([]float64, len(s.x))
		x[i] = 0.3
		return x
	}))
	if d == nil {
		return r.failed()
	}
	return halves(d.points())
}

// sameOn tells whether the path finds the same errors on two sheets.
func sameOn(b *bench, p path, s, other *sheet) string { return sameFor(b, p, s, p, other) }

// sameFor tells whether two paths find the same errors, each on its sheet.
func sameFor(b *bench, p path, s *sheet, to path, other *sheet) string {
	d, r := b.cvOf(p, s)
	e, q := b.cvOf(to, other)
	switch {
	case r.code != q.code:
		return r.failed() + "; " + q.failed()
	case d == nil || e == nil:
		return r.failed()
	}
	return samePoints(d.points(), e.points())
}

func orderOfRows(b *bench, p path) string {
	s, turned := b.sheet(p.shape, 3), &sheet{}
	for _, i := range rand.New(rand.NewPCG(3, 3)).Perm(len(s.x)) {
		turned.add(s, i, " of another name")
	}
	return sameOn(b, p, s, turned)
}

func orderOfColumns(b *bench, p path) string {
	s, to := b.sheet(p.shape, 4), p
	to.flags = strings.ReplaceAll(p.flags, "x1=", "x2=")
	return sameFor(b, p, s, to, s.each(func(_ int, x []float64) []float64 { return []float64{x[2], x[0], x[1]} }))
}

func threadsOfRows(b *bench, p path) string {
	s := b.sheet(p.shape, 5)
	_, one := b.cvOf(p, s, "--threads", "1")
	_, two := b.cvOf(p, s, "--threads", "2")
	if steady(one.out) != steady(two.out) {
		return "the documents differ"
	}
	return ""
}

func addedToFeature(b *bench, p path) string {
	s := b.sheet(p.shape, 6)
	return sameOn(b, p, s, s.each(func(_ int, x []float64) []float64 { return []float64{x[0], x[1] + 64, x[2]} }))
}

func addedToLabels(b *bench, p path) string {
	s := b.sheet(p.shape, 7)
	moved := s.each(func(_ int, x []float64) []float64 { return x })
	for i := range moved.y {
		if p.shape == "list" || moved.query[i] == "q1" {
			moved.y[i] += 5
		}
	}
	return sameOn(b, p, s, moved)
}

// toldCopies tells what is wrong with a run whose data have copies: it must be refused, or have the note.
func toldCopies(d *said, r ran, code string) string {
	switch {
	case d != nil && d.noted(code), d == nil && r.code == 3 && strings.Contains(r.errs, "--group-column"):
		return ""
	case d == nil:
		return r.failed()
	}
	return fmt.Sprintf("no note %s", code)
}

func copiesOfRows(b *bench, p path) string {
	s := b.sheet("list", 8)
	if p.shape == "queries" { // a row of a query again in another one
		s = b.sheet("queries", 8)
	}
	twice := &sheet{}
	for i := range s.x {
		twice.add(s, i, "")
		twice.add(s, i, "'")
	}
	for i := range twice.fold { // in folds apart
		twice.fold[i] = []string{fmt.Sprint(i / 18), "2"}[i%2]
	}
	d, r := b.cvOf(p, twice)
	if d != nil && p.shape == "queries" && d.noted("repeated-queries") {
		return ""
	}
	return toldCopies(d, r, "repeated-rows")
}

func copiesOfQueries(b *bench, p path) string {
	s, twice := b.sheet(p.shape, 9), &sheet{}
	for k, longer := range []string{"", " again"} {
		for i := range s.x {
			twice.add(s, i, longer)
			twice.fold[len(twice.fold)-1] = fmt.Sprint(k + i/15)
		}
	}
	d, r := b.cvOf(p, twice)
	return toldCopies(d, r, "repeated-queries")
}

// one are the flags of a single candidate.
func (p path) one() []string {
	if p.has("rankboost") {
		return []string{"--rounds", "3"}
	}
	return []string{"--lambda", "1"}
}

func heldOutIsWithout(b *bench, p path) string {
	var broken []string
	treatments := []string{"", "--normalize zscore", "--normalize minmax"}
	if p.shape == "queries" { // which leave whole
		treatments = append(treatments, "--normalize query-minmax")
	}
	for _, treatment := range treatments {
		s := b.sheet(p.shape, 10)
		file, flags := s.write(b, p, "all.csv")
		treated := append(slices.Clone(flags), append(p.one(), strings.Fields(treatment)...)...)
		d, r := b.document(p.line(b, file, append(treated, "--interval", "none", "--held-out", b.name("held.txt"))...)...)
		if d == nil {
			return r.failed()
		}
		out := func(i int) bool { return i < 3 } // the first query
		switch {
		case p.method == "loo":
			out = func(i int) bool { return i == 0 }
		case strings.HasPrefix(p.method, "kfold"):
			out = func(i int) bool { return s.fold[i] == "0" }
		}
		rest, flags := s.where(func(i int) bool { return !out(i) }).write(b, path{with: p.with}, "rest.csv")
		part, _ := s.where(out).write(b, path{with: p.with}, "part.csv")
		line := path{verb: "train", flags: p.flags}.line(b, rest, slices.Concat(flags, p.one(),
			strings.Fields(treatment))...)
		if r := b.run(append(line, "--select", "none")...); r.code != 0 {
			b.refusal = ""
			if r = b.run(line...); r.code != 0 {
				return "train " + r.failed()
			}
		}
		if r := b.run("predict", b.name("model.txt"), part, "-o", b.name("scores.txt")); r.code != 0 {
			return "predict " + r.failed()
		}
		if differ := differentScores(b); differ != "" && !helped(d) {
			broken = append(broken, treatment+": "+differ)
		}
	}
	return strings.Join(broken, "; ")
}

// differentScores tells the first held-out score that is not that of the model without it.
func differentScores(b *bench) string {
	read := func(name string) (all []float64) {
		text, err := os.ReadFile(b.name(name))
		if err != nil {
			b.t.Fatal(err)
		}
		for _, field := range strings.Fields(string(text)) {
			var v float64
			if _, err := fmt.Sscan(field, &v); err != nil {
				b.t.Fatal(err)
			}
			all = append(all, v)
		}
		return all
	}
	held := read("held.txt")
	for i, v := range read("scores.txt") {
		if !alike(v, held[i]) {
			return fmt.Sprintf("row %d has %.9g, held out %.9g", i+1, v, held[i])
		}
	}
	return ""
}

// aided matches the texts of notes that say that held-out rows helped.
var aided = regexp.MustCompile(`held[- ]out (ones|rows)`)

// helped reports whether a note says that held-out rows helped.
func helped(d *said) bool {
	return slices.ContainsFunc(d.Notes, func(n saidNote) bool { return aided.MatchString(n.Text) })
}
