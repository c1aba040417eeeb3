package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Words give the rows that rand.Rand gives.
func TestRowsAreThoseOfIntN(t *testing.T) {
	for _, q := range []int{2, 3, 5, 7, 8, 100, 1023, 1024, 9_999, 1 << 20, 1<<31 - 1} {
		source, rng := generator(3, bootstrapSequence, 0), rand.New(generator(3, bootstrapSequence, 0))
		var d drawing
		for k := range d.words {
			d.words[k] = source.Uint64()
		}
		n := rowsTo(&d.rows, &d.words, uint64(q))
		for k, row := range d.rows[:n] {
			if want := rng.IntN(q); int(row) != want {
				t.Fatalf("q = %d: row %d is %d, want %d", q, k, row, want)
			}
		}
	}
}

// fixed is a source of given words.
type fixed []uint64

func (f *fixed) Uint64() uint64 {
	word := (*f)[0]
	*f = (*f)[1:]
	return word
}

// Words that would make some rows more likely than others make none: of 2⁶⁴ words 2⁶⁴ mod q,
// which are spread evenly, the first of them 0.
func TestWordsThatMakeNoRow(t *testing.T) {
	for _, q := range []uint64{3, 10, 9_999} {
		var d drawing
		var words fixed
		for k := range d.words {
			switch k % 4 {
			case 0: // the least word of a row: refused, or not by little
				d.words[k] = uint64(math.Ceil(float64(k%int(q))*math.Ldexp(1, 64)/float64(q))) + uint64(k&16)>>4
			case 1:
				d.words[k] = 0
			default:
				d.words[k] = uint64(k) * 0x9e3779b97f4a7c15
			}
			words = append(words, d.words[k])
		}
		n := rowsTo(&d.rows, &d.words, q)
		if n >= len(d.words)-len(d.words)/4+1 {
			t.Errorf("q = %d: %d words make %d rows, and 0 makes none", q, len(d.words), n)
		}
		words = append(words, 1<<63, 1<<63) // should the last have been refused
		rng := rand.New(&words)
		for k, row := range d.rows[:n] {
			if want := rng.IntN(int(q)); int(row) != want {
				t.Fatalf("q = %d: row %d is %d, want %d", q, k, row, want)
			}
		}
	}
}

// naiveStudentised is t* of every draw of one sample, one row after another.
func naiveStudentised(s *sample, resamples int, seed uint64) (ts []float64) {
	q := len(s.centred)
	for k := range resamples {
		if k%perDraw == 0 {
			ts = append(ts, make([]float64, min(perDraw, resamples-k))...)
			rng := rand.New(generator(seed, bootstrapSequence, k))
			for a := k; a < len(ts); a++ {
				sum, squares := 0.0, 0.0
				for range q {
					x := s.centred[rng.IntN(q)]
					sum += x
					squares += float64(x * x)
				}
				ts[a] = s.studentised(sum, squares)
			}
		}
	}
	return ts
}

// Samples of any sizes have the draws that each has alone, to the last bit, however many of them
// share the rows.
func TestDrawsAreTheSameForAll(t *testing.T) {
	const resamples = perDraw + 70
	rng := rand.New(rand.NewPCG(15, 0))
	for _, sizes := range [][]int{{2}, {40, 40}, {7, 7, 7}, {300, 2, 300, 9, 300, 300, 300},
		{5, 5, 5, 5, 5, 5, 5, 5, 5, 1500, 1499}} {
		var samples []*sample
		for _, q := range sizes {
			d := make([]float64, q)
			for i := range d {
				d[i] = 0.1 * rng.NormFloat64()
			}
			samples = append(samples, newSample(d, 1))
		}
		for _, s := range samples {
			s.ts = make([]float64, resamples)
		}
		var d drawing
		groups := alike(samples)
		for from := 0; from < resamples; from += perDraw {
			d.draw(groups, generator(6, bootstrapSequence, from), from, min(from+perDraw, resamples))
		}
		for j, s := range samples {
			for k, want := range naiveStudentised(s, resamples, 6) {
				if s.ts[k] != want {
					t.Fatalf("sample %d of %v: t* of draw %d is %v, want %v", j, sizes, k, s.ts[k], want)
				}
			}
		}
	}
}

// naiveDrawnFrom draws one pattern after another and adds one difference after another.
func naiveDrawnFrom(d []float64, least float64, resamples int, seed uint64) (count int) {
	var rng *rand.ChaCha8
	for k := range resamples {
		if k%perDraw == 0 {
			rng = generator(seed, flipSequence, k)
		}
		sum, word := 0.0, uint64(0)
		for i, x := range d {
			if i%64 == 0 {
				word = rng.Uint64()
			}
			if word>>(63-i%64)&1 == 1 {
				x = -x
			}
			sum += x
		}
		if math.Abs(sum) >= least {
			count++
		}
	}
	return count
}

// Patterns that are summed in one loop are counted as one after another.
func TestFlipsSideBySide(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 0))
	for _, n := range []int{1, 41, 63, 64, 65, 128, 300} {
		d, least := make([]float64, n), 0.0
		for i := range d {
			d[i] = math.Abs(rng.NormFloat64())
			least += d[i] / math.Sqrt(float64(n))
		}
		for _, resamples := range []int{1, 3, perDraw, perDraw + 1, 1000} {
			if got, want := drawnFrom(d, least, resamples, 2), naiveDrawnFrom(d, least, resamples, 2); got != want {
				t.Errorf("%d differences, %d patterns: %d reach %v, want %d", n, resamples, got, least, want)
			}
		}
	}
}

// A draw of a row, and the cost of the random words, for one sample and for four.
func BenchmarkDraw(b *testing.B) {
	const q = 9_999
	rng := rand.New(rand.NewPCG(17, 0))
	for _, samples := range []int{1, 2, 4} {
		var all []*sample
		for range samples {
			d := make([]float64, q)
			for i := range d {
				d[i] = rng.NormFloat64()
			}
			all = append(all, newSample(d, math.Inf(1)))
		}
		for _, s := range all {
			s.ts = make([]float64, perDraw)
		}
		groups := alike(all)
		b.Run(fmt.Sprintf("q=%d/samples=%d", q, samples), func(b *testing.B) {
			var d drawing
			b.ReportAllocs()
			for b.Loop() {
				d.draw(groups, generator(1, bootstrapSequence, 0), 0, perDraw)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/perDraw/q, "ns/row")
		})
	}
}
