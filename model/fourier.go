package model

import (
	"encoding/hex"
	"fmt"
	"math"
	"sync"

	"pairrank/data"
	"pairrank/internal/modelfile"
	"pairrank/kernel"
)

// Fourier scores W z(x), with z the D random Fourier features of a row: see kernel.Fourier. The
// model does not store the frequencies; the seed of the kernel determines them.
type Fourier struct {
	Kernel  kernel.Fourier
	Inputs  int         // n, the features of a row
	Weights *data.Dense // v × D

	making sync.Once
	drawn  *kernel.FourierMap // of Kernel, made when it is first asked for
}

// Map returns z of the model. It is made once, with frequencies for as many features as rows have.
// It panics where the kernel is invalid.
func (f *Fourier) Map() *kernel.FourierMap {
	f.making.Do(func() { f.drawn = kernel.NewFourierMap(f.Kernel) })
	return f.drawn
}

func (f *Fourier) shape() (features, outputs int) { return f.Inputs, f.Weights.Rows }

func (f *Fourier) spec() string { return f.Kernel.String() }

func (f *Fourier) version() int { return 4 }

func (f *Fourier) finite() error { return modelfile.CheckFinite("weight", f.Weights) }

func (f *Fourier) check(int) error {
	switch w := f.Weights; {
	case w == nil || w.Rows < 1:
		return fmt.Errorf("the model of random features has no weights")
	case w.Cols != f.Kernel.Features:
		return fmt.Errorf("%d weights of %d random features", w.Cols, f.Kernel.Features)
	case f.Inputs < 0 || f.Inputs > math.MaxInt32:
		return fmt.Errorf("%d features are not from 0 to %d", f.Inputs, math.MaxInt32)
	}
	return f.Kernel.Check()
}

// write writes the checksum of the frequencies and a line a random feature.
func (f *Fourier) write(w *modelfile.Writer) {
	sum := f.Map().Checksum()
	w.Line("frequencies", hex.EncodeToString(sum[:]))
	(&Linear{Weights: f.Weights}).write(w)
}

// ScoreTo sets dst, m×v row by row, to W z(x_i), in D(n/2 + v) multiplications and D/2 sines and
// cosines a row; for sparse rows their stored values replace n. It makes the features in panels of
// rows, so memory stays bounded for any m. x may have fewer than n columns; missing features are
// zero. It panics when x has more columns or len(dst) ≠ m·v.
func (f *Fourier) ScoreTo(dst []float64, x data.Matrix) {
	m, cols := x.Dims()
	v, width := f.Weights.Rows, f.Kernel.Features
	checkShape("Fourier.ScoreTo", len(dst), m*v, cols, f.Inputs)
	linear := &Linear{Weights: f.Weights}
	rows := min(m, max(panelRows, panelSize/width))
	panel := data.NewDense(rows, width, nil)
	for lo := 0; lo < m; lo += rows {
		hi := min(m, lo+rows)
		z := data.Slice(panel, 0, hi-lo).(*data.Dense)
		f.Map().RowsTo(z, data.Slice(x, lo, hi))
		linear.ScoreTo(dst[lo*v:hi*v], z)
	}
}

func (f *Fourier) scoreRow(p *prepared, x []float64) float64 {
	z := rows.Get().(*[]float64)
	defer rows.Put(z)
	if cap(*z) < f.Kernel.Features {
		*z = make([]float64, f.Kernel.Features)
	}
	*z = (*z)[:f.Kernel.Features]
	f.Map().RowTo(*z, x)
	return (&Linear{Weights: f.Weights}).scoreRow(p, *z)
}

// frequencies checks that this program draws the frequencies that the weights belong to.
func (b *builder) frequencies(value string) error {
	k, is := b.spec.(kernel.Fourier)
	if !is {
		return fmt.Errorf("frequencies belong to a fourier kernel, not to %s", b.spec)
	}
	want, err := hex.DecodeString(value)
	if err != nil || len(want) != 32 {
		return fmt.Errorf("not a SHA-256 in 64 hexadecimal digits: %q", modelfile.Clip(value))
	}
	b.checksum = [32]byte(want)
	b.frequent = &Fourier{Kernel: k, Inputs: b.n}
	return nil
}

// fourier completes the model of random features by its weights.
func (b *builder) fourier(w *data.Dense) error {
	b.frequent.Weights = w
	if b.frequent.Map().Checksum() != b.checksum {
		return fmt.Errorf("this program draws other frequencies for kernel %s than the training did", b.spec)
	}
	b.scorer(b.frequent)
	return nil
}
