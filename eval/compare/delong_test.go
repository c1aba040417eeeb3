package compare

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// naiveShares are the shares of the rows of the other label that each row with a label beats, over explicit pairs.
func naiveShares(scores, y []float64, of float64) (v []float64) {
	for i, s := range scores {
		if y[i] != of {
			continue
		}
		sum, n := 0.0, 0.0
		for j, u := range scores {
			if y[j] == of {
				continue
			}
			n++
			switch {
			case s == u:
				sum += 0.5
			case (s > u) == (of == 1):
				sum++
			}
		}
		v = append(v, sum/n)
	}
	return v
}

// naiveCovariance is the sample covariance of two lists of shares over their length.
func naiveCovariance(a, b []float64) float64 {
	n, sumA, sumB, sum := float64(len(a)), 0.0, 0.0, 0.0
	for i := range a {
		sumA, sumB = sumA+a[i]/n, sumB+b[i]/n
	}
	for i := range a {
		sum += (a[i] - sumA) * (b[i] - sumB)
	}
	return sum / (n - 1) / n
}

// TestDeLongIsItsDefinition compares areas, their variances and that of the difference with DeLong's matrix over all
// pairs, on scores with and without ties.
func TestDeLongIsItsDefinition(t *testing.T) {
	const tiny = 1e-12
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		m := 4 + r.IntN(40)
		y, a, b := make([]float64, m), make([]float64, m), make([]float64, m)
		levels := []float64{2, 5, 1e9}[r.IntN(3)]
		for i := range y {
			y[i] = float64(i % 2)
			a[i], b[i] = math.Floor(levels*r.Float64()), math.Floor(levels*r.Float64())
		}
		r.Shuffle(m, func(i, j int) { y[i], y[j] = y[j], y[i] })
		got, err := DeLong(y, a, b)
		if err != nil {
			t.Fatal(err)
		}
		cov := func(s, u []float64) float64 {
			return naiveCovariance(naiveShares(s, y, 1), naiveShares(u, y, 1)) +
				naiveCovariance(naiveShares(s, y, 0), naiveShares(u, y, 0))
		}
		va, vb, vd := cov(a, a), cov(b, b), cov(a, a)+cov(b, b)-2*cov(a, b)
		area := func(s []float64) (mean float64) {
			shares := naiveShares(s, y, 1)
			for _, v := range shares {
				mean += v / float64(len(shares))
			}
			return mean
		}
		d := got.Differences[0]
		for name, pair := range map[string][2]float64{
			"area A": {got.Areas[0].AUC, area(a)}, "area B": {got.Areas[1].AUC, area(b)},
			"variance A":             {math.Pow(got.Areas[0].StdErr.Value, 2), va},
			"variance B":             {math.Pow(got.Areas[1].StdErr.Value, 2), vb},
			"difference":             {d.Difference, area(a) - area(b)},
			"variance of difference": {d.StdErr.Value * d.StdErr.Value, vd},
		} {
			if math.Abs(pair[0]-pair[1]) > tiny {
				t.Fatalf("%s: %v, want %v", name, pair[0], pair[1])
			}
		}
		if i := d.Interval; i.Defined && !(i.Lo < d.Difference && d.Difference < i.Hi && i.Lo >= -1 && i.Hi <= 1) {
			t.Fatalf("interval %+v of %v", i, d.Difference)
		}
		other, err := DeLong(y, b, a)
		if o := other.Differences[0]; err != nil || o.Difference != -d.Difference || o.P != d.P ||
			math.Abs(o.Interval.Lo+d.Interval.Hi) > tiny {
			t.Fatalf("exchanged: %+v, want the mirror of %+v, %v", o, d, err)
		}
	}
}

// TestDeLongEqualsPROC compares with R's package pROC 1.18.0: areas, DeLong's standard errors, the statistic and the
// p-value of the paired test, and partial areas. testdata/proc.txt has of each set the labels, two scores, and the
// numbers, by
//
//	suppressMessages(library(pROC))
//	set.seed(27)
//	row <- function(...) cat(format(c(...), digits = 17, trim = TRUE, scientific = FALSE), sep = " ", fill = 1e6)
//	for (s in 1:20) {
//	  p <- sample(2:40, 1); n <- sample(2:40, 1); levels <- sample(c(3, 6, 20, 1000), 1)
//	  y <- sample(rep(0:1, c(n, p)))
//	  a <- floor(levels * rnorm(p + n, y) / 3); b <- floor(levels * (rnorm(p + n, y / 2) + a / levels) / 3)
//	  ra <- roc(y, a, levels = 0:1, direction = "<", quiet = TRUE)
//	  rb <- roc(y, b, levels = 0:1, direction = "<", quiet = TRUE)
//	  t <- roc.test(ra, rb, method = "delong", paired = TRUE)
//	  part <- function(focus, correct) as.numeric(auc(ra, partial.auc = c(1, 0.75), partial.auc.focus = focus,
//	    partial.auc.correct = correct, allow.invalid.partial.auc.correct = TRUE))
//	  row(y); row(a); row(b)
//	  row(auc(ra), sqrt(var(ra, method = "delong")), auc(rb), sqrt(var(rb, method = "delong")), t$statistic, t$p.value,
//	    part("specificity", FALSE), part("specificity", TRUE), part("sensitivity", FALSE), part("sensitivity", TRUE))
//	}
func TestDeLongEqualsPROC(t *testing.T) {
	const tiny = 1e-10
	f, err := os.Open("testdata/proc.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	next := func() (numbers []float64) {
		lines.Scan()
		for word := range strings.FieldsSeq(lines.Text()) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, v)
		}
		return numbers
	}
	sets := 0
	for y := next(); y != nil; y = next() {
		a, b, want := next(), next(), next()
		got, err := DeLong(y, a, b)
		if err != nil {
			t.Fatal(err)
		}
		curve, err := cv.NewROC(a, y)
		if err != nil {
			t.Fatal(err)
		}
		d := got.Differences[0]
		bySpecificity := curve.Partial(cv.PartialRange{Of: "specificity", From: 0.75, To: 1})
		bySensitivity := curve.Partial(cv.PartialRange{Of: "sensitivity", From: 0.75, To: 1})
		for k, v := range []float64{got.Areas[0].AUC, got.Areas[0].StdErr.Value, got.Areas[1].AUC,
			got.Areas[1].StdErr.Value, d.Z.Value, d.P.Value, bySpecificity.Area, bySpecificity.Standardised,
			bySensitivity.Area, bySensitivity.Standardised} {
			if math.Abs(v-want[k]) > tiny {
				t.Errorf("set %d, number %d: %v, pROC has %v", sets, k, v, want[k])
			}
		}
		sets++
	}
	if sets < 20 {
		t.Errorf("%d sets", sets)
	}
}

func TestDeLongOfFewOrEqualRows(t *testing.T) {
	y := []float64{0, 0, 1, 1}
	same, err := DeLong(y, []float64{1, 3, 2, 4}, []float64{10, 30, 20, 40})
	if d := same.Differences[0]; err != nil || d.Difference != 0 || !d.StdErr.Defined || d.StdErr.Value != 0 ||
		d.Interval.Defined || d.P.Defined || d.PHolm.Defined {
		t.Errorf("scores in the same order: %+v, %v", d, err)
	}
	one, err := DeLong([]float64{0, 0, 1}, []float64{1, 2, 3}, []float64{3, 2, 1})
	if d := one.Differences[0]; err != nil || d.Difference != 1 || d.StdErr.Defined || one.Areas[0].Interval.Defined {
		t.Errorf("one positive row: %+v, %v", one, err)
	}
	perfect, err := DeLong([]float64{0, 0, 0, 1, 1, 1}, []float64{1, 2, 3, 4, 5, 6})
	if i := perfect.Areas[0].Interval; err != nil || perfect.Differences != nil || !i.Defined || i.Hi != 1 || i.Lo > 0.8 {
		t.Errorf("all pairs in order: %+v, %v", perfect, err)
	}
	for name, bad := range map[string][2][]float64{
		"one label":    {{1, 1}, {1, 2}},
		"three labels": {{0, 1, 2}, {1, 2, 3}},
		"NaN score":    {{0, 1}, {math.NaN(), 1}},
		"no rows":      {{}, {}},
	} {
		if got, err := DeLong(bad[0], bad[1]); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	three, err := DeLong([]float64{0, 0, 0, 0, 1, 1, 1, 1}, []float64{1, 2, 3, 5, 4, 6, 7, 8},
		[]float64{8, 2, 3, 5, 4, 6, 7, 1}, []float64{1, 5, 2, 8, 3, 6, 7, 4})
	if err != nil || len(three.Differences) != 3 {
		t.Fatal(three, err)
	}
	for _, d := range three.Differences {
		if !(d.PHolm.Value >= d.P.Value && d.PHolm.Value <= 1) {
			t.Errorf("corrected %v of %v", d.PHolm, d.P)
		}
	}
}

// naiveClustered is Obuchowski's variance of the difference of two lists of shares, by loops over the groups.
func naiveClustered(u, w []float64, ofU, ofW []int32) float64 {
	centred := func(v []float64) []float64 {
		mean, out := 0.0, make([]float64, len(v))
		for _, x := range v {
			mean += x / float64(len(v))
		}
		for i, x := range v {
			out[i] = (x - mean) / float64(len(v))
		}
		return out
	}
	u, w = centred(u), centred(w)
	var k, k1, k0, s1, s0, s float64
	for g := range int32(100) {
		x, y, has1, has0 := 0.0, 0.0, 0.0, 0.0
		for i, v := range u {
			if ofU[i] == g {
				x, has1 = x+v, 1
			}
		}
		for j, v := range w {
			if ofW[j] == g {
				y, has0 = y+v, 1
			}
		}
		k, k1, k0 = k+max(has1, has0), k1+has1, k0+has0
		s1, s0, s = s1+x*x, s0+y*y, s+x*y
	}
	return k1/(k1-1)*s1 + k0/(k0-1)*s0 + 2*k/(k-1)*s
}

// TestDeLongByIsItsDefinition compares the variances over groups with their definition, and those over groups of one
// row with DeLong's. Labels differ within groups, or not.
func TestDeLongByIsItsDefinition(t *testing.T) {
	const tiny = 1e-12
	r := rand.New(rand.NewPCG(3, 4))
	defined := 0
	for k := range 300 {
		m, groups := 12+r.IntN(40), 4+r.IntN(12)
		y, a, b, of, alone := make([]float64, m), make([]float64, m), make([]float64, m), make([]int32, m), make([]int32, m)
		for i := range y {
			of[i], alone[i] = int32(r.IntN(groups)), int32(m-i)
			if y[i] = float64(r.IntN(2)); k%2 == 0 {
				y[i] = float64(of[i] % 2)
			}
			a[i], b[i] = float64(r.IntN(9)), r.NormFloat64()
		}
		plain, err := DeLong(y, a, b)
		if err != nil {
			continue // one label
		}
		single, err := DeLongBy(alone, nil, y, a, b)
		if err != nil {
			t.Fatal(err)
		}
		near := func(name string, got, want metric.Value) {
			if got.Defined && math.Abs(got.Value-want.Value) > tiny {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
		if single.Positives > 2 && single.Negatives > 2 {
			near("rows alone", single.Differences[0].StdErr, plain.Differences[0].StdErr)
			near("area of rows alone", single.Areas[0].StdErr, plain.Areas[0].StdErr)
		}
		var ofU, ofW []int32
		for i, g := range of {
			if y[i] == 1 {
				ofU = append(ofU, g)
			} else {
				ofW = append(ofW, g)
			}
		}
		got, err := DeLongBy(of, nil, y, a, b)
		if err != nil {
			t.Fatal(err)
		}
		u, w := naiveShares(a, y, 1), naiveShares(a, y, 0)
		near("area", got.Areas[0].StdErr, metric.Value{Value: math.Sqrt(naiveClustered(u, w, ofU, ofW))})
		for i, v := range naiveShares(b, y, 1) {
			u[i] -= v
		}
		for j, v := range naiveShares(b, y, 0) {
			w[j] -= v
		}
		d := got.Differences[0]
		if near("difference", d.StdErr, metric.Value{Value: math.Sqrt(naiveClustered(u, w, ofU, ofW))}); d.StdErr.Defined {
			defined++
		}
		if d.Interval.Defined && !(d.Interval.Lo <= d.Difference && d.Difference <= d.Interval.Hi) {
			t.Errorf("%+v", d)
		}
	}
	if defined < 200 {
		t.Errorf("only %d differences have a standard error", defined)
	}
}
