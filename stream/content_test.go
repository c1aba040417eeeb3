package stream

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/codes"
	"pairrank/internal/gen"
)

// someRows are rows with values of few bits, many of them 0, as files have them.
func someRows(r *rand.Rand, m, n int) (x *data.Dense, y []float64) {
	x = data.NewDense(m, n, nil)
	for i := range x.Data {
		x.Data[i] = float64(r.IntN(4)) / 4 * float64(r.IntN(3)-1)
	}
	for range m {
		y = append(y, float64(r.IntN(3)))
	}
	return x, y
}

// permuted is rows in another order.
func permuted(r *rand.Rand, x *data.Dense, y []float64) (*data.Dense, []float64) {
	z, labels := data.NewDense(x.Rows, x.Cols, nil), make([]float64, len(y))
	for to, from := range r.Perm(x.Rows) {
		copy(z.Row(to), x.Row(from))
		labels[to] = y[from]
	}
	return z, labels
}

// widened has additional columns of zeros, and zeros of the other sign.
func widened(x *data.Dense, more int) *data.Dense {
	z := data.NewDense(x.Rows, x.Cols+more, nil)
	for i := range x.Rows {
		copy(z.Row(i), x.Row(i))
		for j, v := range z.Row(i) {
			if v == 0 {
				z.Row(i)[j] = math.Copysign(0, -1)
			}
		}
	}
	return z
}

// stored returns rows in sparse form with explicit zeros.
func stored(x *data.Dense) *data.CSR { return gen.Sparse(x, nil) }

// The content of a query depends on its rows, but not on their order, their storage, or zeros.
func TestQueryContentOfTheSameRows(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	for _, n := range []int{0, 1, 2, 7, 46, 5000} { // beyond the table of keys
		x, y := someRows(r, 12, n)
		want := contentOf(x, y, 1)
		z, labels := permuted(r, x, y)
		for name, got := range map[string]queryContent{
			"permuted": contentOf(z, labels, 1), "sparse": contentOf(sparseOf(x), y, 1), "wide": contentOf(widened(x,
				3), y, 1),
			"sparse, wide": contentOf(sparseOf(widened(z, 4)), labels, 1), "zeros stored": contentOf(stored(x), y, 1),
		} {
			if got != want || !got.known() {
				t.Errorf("%d features: %s has the content %x, want %x", n, name, got, want)
			}
		}
	}
}

// One bit of one value, or two values that change places, change the content.
func TestQueryContentOfOtherRows(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 2))
	for range 300 {
		m, n, v := 1+r.IntN(6), 1+r.IntN(9), 1+r.IntN(3)
		x, _ := someRows(r, m, n)
		y := make([]float64, m*v)
		for k := range y {
			y[k] = float64(r.IntN(3))
		}
		want := contentOf(x, y, v)
		for k := range x.Data {
			was := x.Data[k]
			for _, now := range []float64{math.Nextafter(was, 9), -was - 1, was * 0.5, was + 1} {
				x.Data[k] = now
				if now != was && contentOf(x, y, v) == want {
					t.Fatalf("%v for %v leaves the content as it is", now, was)
				}
			}
			x.Data[k] = was
			if other := r.IntN(len(x.Data)); x.Data[other] != was && k/n == other/n {
				x.Data[k], x.Data[other] = x.Data[other], was
				if contentOf(x, y, v) == want {
					t.Fatal("features that change places leave the content as it is")
				}
				x.Data[k], x.Data[other] = was, x.Data[k]
			}
		}
		for k, was := range y {
			if y[k] = was + 1; contentOf(x, y, v) == want {
				t.Fatal("another label leaves the content as it is")
			}
			y[k] = was
			if other := r.IntN(len(y)); y[other] != was && !slices.Equal(x.Row(k/v), x.Row(other/v)) {
				y[k], y[other] = y[other], was
				if contentOf(x, y, v) == want {
					t.Fatal("labels that change places leave the content as it is")
				}
				y[k], y[other] = was, y[k]
			}
		}
	}
}

// All queries of one shape with a few values have different contents.
func TestQueryContentsDiffer(t *testing.T) {
	seen := map[queryContent]string{}
	values := []float64{0, 1, -1, 2, 0.5, 1 << 40, 0x1p-1074}
	r := rand.New(rand.NewPCG(23, 3))
	for range 60000 {
		m := 1 + r.IntN(3)
		x, y := data.NewDense(m, 3, nil), make([]float64, m)
		rows := make([]string, m)
		for i := range m {
			for j := range 3 {
				x.Row(i)[j] = values[r.IntN(len(values))]
			}
			y[i] = values[r.IntN(len(values))]
			rows[i] = fmt.Sprint(x.Row(i), y[i])
		}
		slices.Sort(rows)
		text := fmt.Sprint(rows)
		c := contentOf(x, y, 1)
		if other, twice := seen[c]; twice && other != text {
			t.Fatalf("%s and %s have the same content", text, other)
		}
		seen[c] = text
	}
	if least := 40000; len(seen) < least {
		t.Errorf("%d contents, want more than %d", len(seen), least)
	}
}

// Sums that were written before contents existed are read, written in the present form, and forgotten by names,
// rows and sums.
func TestOfVersion1(t *testing.T) {
	b, err := os.ReadFile("testdata/statistics-1.bin")
	if err != nil {
		t.Fatal(err)
	}
	old := func() *Statistics {
		s := &Statistics{}
		if err := s.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := old()
	again := &Statistics{}
	if err := again.UnmarshalBinary(bytesOf(t, s)); err != nil || s.Rows() != 7 || s.Queries() != 3 ||
		s.Features() != 2 {
		t.Fatalf("%v, %d rows, %d queries, %d features", err, s.Rows(), s.Queries(), s.Features())
	}
	query := func(scale float64) *Statistics {
		return summed(t, s.Options(), []data.Query{{ID: "b", X: data.NewDense(2, 2, []float64{3 * scale, 0.125, 1, 2}),
			Y: []float64{1, 0}, Source: "b.txt", Line: 4}})
	}
	if unknown := s.Unchecked(query(1)); unknown != 1 {
		t.Errorf("the values of %d queries are not known, want 1", unknown)
	}
	if err := again.Subtract(query(1)); err != nil || again.Queries() != 2 {
		t.Errorf("%v, %d queries are left", err, again.Queries())
	}
	if again.Unchecked(summed(t, s.Options(), nil)) != 0 {
		t.Error("of no query there is one whose values are not known")
	}
	before := bytesOf(t, s)
	refused(t, s.Subtract(query(100)), codes.FaultQueryUnknown,
		"the sum of squares of feature 1 of fold 1 would be negative")
	if string(before) != string(bytesOf(t, s)) {
		t.Error("a refused subtraction changes the sums")
	}
}
