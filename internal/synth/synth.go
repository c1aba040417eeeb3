// Package synth makes data sets of the shapes of public ones from a seed.
//
//   - LETOR makes queries of documents with graded labels.
//   - Patients makes a table of samples of two kinds with many genes.
//   - Houses makes one list of real labels with many ties.
//   - News makes sparse documents.
//   - Game makes players of rock-paper-scissors.
//
// The same parameters give the same bytes for any number of threads: every row has a separate
// random sequence, PCG seeded by the seed of the data set and the number of the row. Rows are
// written as they are made, so a file of any size needs little memory.
package synth

import (
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
)

// source is a random sequence that can be set to that of any part of a data set.
type source struct {
	*rand.Rand
	pcg  *rand.PCG
	seed uint64
}

func newSource(seed uint64) source {
	pcg := rand.NewPCG(seed, 0)
	return source{rand.New(pcg), pcg, seed}
}

// of sets the sequence to that of part i; purpose separates the sequences of different uses.
func (s source) of(purpose, i int) source {
	s.pcg.Seed(s.seed, uint64(purpose)<<48^uint64(i)*0x9e3779b97f4a7c15)
	return s
}

// The purposes of sequences.
const (
	forModel = iota + 1
	forSample
	forRows
	forQueries
	forSizes
)

// pieceRows is the number of rows, about, that one goroutine makes at a time.
const pieceRows = 1024

// pieces returns the number of pieces of so many rows.
func pieces(rows int) int { return (rows + pieceRows - 1) / pieceRows }

// writePieces writes the texts of the pieces 0 … n-1 in order; they are made on
// all cores, a few ahead of the writing.
func writePieces(w io.Writer, n int, fill func(text []byte, piece int) []byte) error {
	workers := runtime.GOMAXPROCS(0)
	type result struct {
		text []byte
		done chan struct{}
	}
	free := make(chan *result, 2*workers)
	for range cap(free) {
		free <- &result{done: make(chan struct{}, 1)}
	}
	type task struct {
		*result
		piece int
	}
	work := make(chan task, cap(free))
	ordered := make(chan *result, cap(free))
	quit := make(chan struct{})
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for t := range work {
				t.text = fill(t.text[:0], t.piece)
				t.done <- struct{}{}
			}
		})
	}
	wg.Go(func() {
		defer close(ordered)
		defer close(work)
		for piece := range n {
			select {
			case r := <-free:
				work <- task{r, piece}
				ordered <- r
			case <-quit:
				return
			}
		}
	})
	var err error
	for r := range ordered {
		<-r.done
		if _, err = w.Write(r.text); err != nil {
			break
		}
		free <- r
	}
	close(quit)
	wg.Wait()
	return err
}

// appendFixed appends k/10^digits with exactly that many decimals.
func appendFixed(text []byte, k, digits int) []byte {
	if k < 0 {
		text, k = append(text, '-'), -k
	}
	scale := 1
	for range digits {
		scale *= 10
	}
	text = appendInt(text, k/scale)
	if digits == 0 {
		return text
	}
	text = append(text, '.')
	for k %= scale; scale > 1; {
		scale /= 10
		text = append(text, byte('0'+k/scale%10))
	}
	return text
}

func appendInt(text []byte, k int) []byte {
	if k >= 10 {
		text = appendInt(text, k/10)
	}
	return append(text, byte('0'+k%10))
}

// clamp rounds x to an integer in [lo,hi].
func clamp(x float64, lo, hi int) int {
	return int(math.Round(min(max(x, float64(lo)), float64(hi))))
}
