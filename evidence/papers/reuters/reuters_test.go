package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pairrank/data"
	"pairrank/internal/kernels"
	"pairrank/internal/learn/ranksvm"
	"pairrank/kernel"
)

// The numbers of the paper are in order, and every AUC is in its interval.
func TestPaper(t *testing.T) {
	if len(paper) != numTopics {
		t.Fatalf("%d topics", len(paper))
	}
	for k, q := range paper {
		if k > 0 && q.topic <= paper[k-1].topic {
			t.Errorf("%s after %s", q.topic, paper[k-1].topic)
		}
		for _, p := range []published{q.rankRLS, q.rls, q.rankSVM} {
			if !(p.lo <= p.auc && p.auc <= p.hi && p.hi < 1) {
				t.Errorf("%s: %v", q.topic, p)
			}
		}
	}
}

// A comment tells the split and the topics.
func TestDescribed(t *testing.T) {
	split, topics := described(" newid=5 lewis=TRAIN modapte=TEST topics=grain,wheat")
	if split != "TEST" || !slices.Equal(topics, []string{"grain", "wheat"}) {
		t.Errorf("%q, %q", split, topics)
	}
	if split, topics = described("newid=2 modapte=- topics="); split != "-" || topics != nil {
		t.Errorf("%q, %q", split, topics)
	}
}

// The most numerous topics are in the order of their names, and have labels of their own.
func TestNumerous(t *testing.T) {
	c := &collection{topics: [][]string{{"b", "c"}, {"c"}, nil, {"a", "b"}}}
	if got := c.numerous(2); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("%q", got)
	}
	if got := c.labels([]string{"b", "c"}); !slices.Equal(got, []float64{1, 1, 0, 1, 0, 0, 1, 0}) {
		t.Errorf("%v", got)
	}
}

// A draw parts the rows, has enough positive ones, and is the same for the same seed.
func TestDraw(t *testing.T) {
	const m, v, size = 60, 2, 20
	y := make([]float64, m*v)
	for i := range m {
		y[i*v+i%2] = float64(i % 5 / 4)
	}
	for seed := range uint64(20) {
		train, rest, _ := draw(y, v, size, 2, seed)
		if len(train) != size || !slices.IsSorted(train) || !slices.IsSorted(rest) || !enough(y, v, train, 2) {
			t.Fatalf("seed %d: %v", seed, train)
		}
		all := slices.Sorted(slices.Values(slices.Concat(train, rest)))
		for i := range m {
			if all[i] != i {
				t.Fatalf("seed %d: row %d is %d", seed, i, all[i])
			}
		}
		if again, _, _ := draw(y, v, size, 2, seed); !slices.Equal(again, train) {
			t.Errorf("seed %d: %v, then %v", seed, train, again)
		}
	}
}

// documents are made counts of words; every document has a word once.
func documents(r *rand.Rand, m, n int) *data.CSR {
	x := &data.CSR{Rows: m, Cols: n, Ptr: []int{0}}
	for range m {
		words := r.Perm(n)[:5+r.IntN(5)]
		slices.Sort(words)
		for a, j := range words {
			x.Col = append(x.Col, int32(j))
			x.Val = append(x.Val, float64(1+min(a, 1)*r.IntN(9)))
		}
		x.Ptr = append(x.Ptr, len(x.Col))
	}
	return x
}

// Counts come back from tf-idf of length 1 that was rounded to six digits, and what is
// no tf-idf is an error.
func TestCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	x := documents(r, 200, 30)
	idf := inverse(x)
	weighted := tfidf.of(x, idf)
	for p, v := range weighted.Val {
		scale := math.Pow(10, 5-math.Floor(math.Log10(v)))
		weighted.Val[p] = math.Round(v*scale) / scale
	}
	got, err := counts(weighted, idf)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Val, x.Val) {
		t.Error("the counts are other ones")
	}
	if _, err := counts(x, idf); err == nil {
		t.Error("counts were taken for tf-idf")
	}
	for i := range weighted.Rows {
		if s := data.SquaredNorm(tfidf.of(x, idf), i); math.Abs(s-1) > 1e-12 {
			t.Fatalf("document %d has length² %v", i, s)
		}
	}
}

// The weights of the words that occur are those of all words.
func TestUsed(t *testing.T) {
	x := &data.CSR{Rows: 2, Cols: 5, Ptr: []int{0, 2, 3}, Col: []int32{1, 4, 1}, Val: []float64{2, 3, 5}}
	c := used(x)
	if _, n := c.of.Dims(); n != 2 {
		t.Fatalf("%d words", n)
	}
	if got := c.widen([]float64{7, 8}); !slices.Equal(got, []float64{0, 7, 0, 0, 8}) {
		t.Errorf("%v", got)
	}
}

// Dual coordinate descent over all pairs finds the optimum that cutting planes find
// through the kernel map.
func TestPairSVM(t *testing.T) {
	const m = 40
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 2))
		x := documents(r, m, 12)
		y := make([]float64, m)
		for i := range y {
			y[i] = float64(r.IntN(3))
		}
		k := kernel.Matrix(kernel.Gaussian{Gamma: 0.1}, x, x)
		for _, c := range []float64{1e-3, 1, 10} {
			svm := newPairSVM(k, y, c)
			done, err := svm.train(context.Background(), 1e-6, seed, time.Minute)
			if err != nil || !done {
				t.Fatalf("%v, %v", done, err)
			}
			for p, a := range svm.alpha {
				if a < 0 || a > c {
					t.Fatalf("variable %d is %v of %v", p, a, c)
				}
			}
			solver, err := ranksvm.New(kernels.NewMap(k).Rows(kernel.Matrix(kernel.Gaussian{Gamma: 0.1}, x, x)), y,
				data.OneList(m), ranksvm.Options{Epsilon: 1e-8})
			if err != nil {
				t.Fatal(err)
			}
			fit, err := solver.Train(context.Background(), 1/(2*c*float64(len(svm.pairs))))
			if err != nil {
				t.Fatal(err)
			}
			if got := svm.objective(); math.Abs(got-fit.Objective) > 1e-5*fit.Objective+1e-8 {
				t.Errorf("seed %d, C %g: %v, not %v", seed, c, got, fit.Objective)
			}
		}
	}
}

// A training that takes longer than its limit says so.
func TestPairSVMLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	x := documents(r, 30, 12)
	y := make([]float64, 30)
	for i := range y {
		y[i] = float64(i % 2)
	}
	svm := newPairSVM(kernel.Matrix(kernel.Linear{}, x, x), y, 1e3)
	if done, err := svm.train(t.Context(), 0, 1, 0); done || err != nil {
		t.Errorf("%v, %v", done, err)
	}
}

// The slope of a power law is its exponent, whatever is below the first size.
func TestSlope(t *testing.T) {
	points := [][2]float64{{10, 1e9}}
	for m := 1000.0; m <= 8000; m *= 2 {
		points = append(points, [2]float64{m, 3 * math.Pow(m, 2.5)})
	}
	if got := slope(points); math.Abs(got-2.5) > 1e-9 {
		t.Errorf("%v", got)
	}
	if !math.IsNaN(slope(points[:2])) {
		t.Error("a slope of one point")
	}
}

// Differences below the printed digits are no victories.
func TestFight(t *testing.T) {
	d := fight([]float64{0.9, 0.8, 0.7004, 0.6}, []float64{0.8, 0.9, 0.7, 0.5})
	if d.better != 2 || d.alike != 1 || d.worse != 1 || !(d.p > 0.1) {
		t.Errorf("%+v", d)
	}
}

// madeTrial has documents of two made topics, each of a word of its own.
func madeTrial(t *testing.T) *trial {
	const m, v, size = 120, 2, 60
	r := rand.New(rand.NewPCG(4, 4))
	x := documents(r, m, 25)
	y := make([]float64, m*v)
	for i := range m {
		cols, _ := x.Row(i)
		for k := range v {
			if slices.Contains(cols, int32(k)) {
				y[i*v+k] = 1
			}
		}
	}
	trial, err := newTrial(binary.of(x, inverse(x)), y, v, size, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return trial
}

// least is what the AUC of a made topic has to be.
const least = 0.8

// Every learner ranks the documents of made topics.
func TestLearners(t *testing.T) {
	trial := madeTrial(t)
	for _, l := range []learner{rankRLS, signedRLS, plainRLS, centredRLS, rankSVM, untied} {
		got, err := l.learn(t.Context(), trial)
		if err != nil {
			t.Fatal(err)
		}
		for k, r := range got {
			if r.auc < least || r.held < least || r.positives != positive(column(trial.truth, trial.v, k)) {
				t.Errorf("%s, topic %d: %+v", l.name, k, r)
			}
		}
	}
}

// The best λ in hindsight is at least as good as the chosen one, also by leave-pair-out
// through the entrance.
func TestChoice(t *testing.T) {
	const nearTie = 0.01 // the entrance solves again, which may order what is all but tied
	trial := madeTrial(t)
	for _, c := range chosen {
		best, err := c.by[2].learn(t.Context(), trial)
		if err != nil {
			t.Fatal(err)
		}
		for l, by := range c.by {
			got, err := by.learn(t.Context(), trial)
			if err != nil {
				t.Fatal(err)
			}
			for k, r := range got {
				if r.auc < least || r.auc > best[k].auc+nearTie {
					t.Errorf("%s, topic %d, %s: %+v, in hindsight %+v", c.name, k, howChosen[l], r, best[k])
				}
			}
		}
	}
}
