package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// FourierMap makes the features z of a Fourier kernel, for rows with any number of features. It
// draws the frequencies of a feature when a row first has it; they do not depend on the number of
// features.
type FourierMap struct {
	kernel Fourier
	scale  float64 // √(2γ), the standard deviation of a frequency

	growing     sync.Mutex
	frequencies atomic.Pointer[data.Dense] // n×P for the n features met so far
}

// NewFourierMap makes the map of a kernel, in O(1). Each feature that is first seen later takes P
// draws, about 40 ns each, and 8P bytes. The frequency of feature j in pair p, both from 0, is
//
//	ω_jp = √(2γ) Φ⁻¹(u),   u = (⌊r/2¹²⌋ + ½) 2⁻⁵²,
//
// where r is the p-th word of 64 bits, from 0, in the sequence of ChaCha8 (c2sp.org/chacha8rand).
// Its key is the seed and j, eight little-endian bytes each, and the 16 letters "pairrank.fourier":
// a feature that appears late changes no other, and more pairs continue where fewer end.
// Φ⁻¹ is algorithm AS 241. It panics where Check of the kernel returns an error.
func NewFourierMap(k Fourier) *FourierMap {
	if err := k.Check(); err != nil {
		panic("kernel: " + err.Error())
	}
	f := &FourierMap{kernel: k, scale: math.Sqrt(2 * k.Gamma)}
	f.frequencies.Store(&data.Dense{Cols: k.Features / 2, Stride: k.Features / 2})
	return f
}

// Features is D.
func (f *FourierMap) Features() int { return f.kernel.Features }

// Kernel returns the kernel that the features approximate.
func (f *FourierMap) Kernel() Fourier { return f.kernel }

// Frequencies returns the frequencies of the first n features, n×P, feature j in row j. The caller
// must not change them.
func (f *FourierMap) Frequencies(n int) *data.Dense {
	w := f.frequencies.Load()
	if w.Rows < n {
		w = f.grow(n)
	}
	return &data.Dense{Rows: n, Cols: w.Cols, Stride: w.Stride, Data: w.Data[:n*w.Cols]}
}

// grow draws the frequencies of n features or more. Where there are some already it at least
// doubles their number, so that rows that widen one by one stay cheap.
func (f *FourierMap) grow(n int) *data.Dense {
	f.growing.Lock()
	defer f.growing.Unlock()
	old := f.frequencies.Load()
	if old.Rows >= n {
		return old
	}
	values := old.Data[:old.Rows*old.Cols]
	if cap(values) < n*old.Cols {
		values = make([]float64, len(values), max(n, 2*old.Rows)*old.Cols)
		copy(values, old.Data)
	}
	w := &data.Dense{Rows: n, Cols: old.Cols, Stride: old.Cols, Data: values[:n*old.Cols]}
	parallel.For(n-old.Rows, func(_, j int) { f.draw(w.Row(old.Rows+j), old.Rows+j) })
	f.frequencies.Store(w)
	return w
}

// draw sets dst to the frequencies of feature j.
func (f *FourierMap) draw(dst []float64, j int) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], f.kernel.Seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(j))
	copy(key[16:], "pairrank.fourier")
	sequence := rand.NewChaCha8(key)
	for p := range dst {
		dst[p] = f.scale * normalQuantile(sequence.Uint64())
	}
}

// Checksum returns the SHA-256 of the frequencies of feature 0, eight little-endian bytes each. A
// file of weights stores it, so that a reader can check that it draws the same frequencies. One
// feature is enough, and a small file may claim any number of them. Cost O(P).
func (f *FourierMap) Checksum() [32]byte {
	row := make([]float64, f.kernel.Features/2)
	f.draw(row, 0)
	bytes := make([]byte, 0, 8*len(row))
	for _, w := range row {
		bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(w))
	}
	return sha256.Sum256(bytes)
}

// RowsTo sets dst, m×D, to z of the m rows of x: P cosines, then P sines. It costs mnP
// multiplications, or P for each stored value of sparse rows, and P sines and cosines a row.
// It panics when dst is not m×D.
func (f *FourierMap) RowsTo(dst *data.Dense, x data.Matrix) {
	data.Check("kernel: FourierMap.RowsTo: x", x)
	m, n := x.Dims()
	pairs := f.kernel.Features / 2
	if dst.Rows != m || dst.Cols != 2*pairs {
		panic(fmt.Sprintf("kernel: %d random features of %d rows to %d×%d", 2*pairs, m, dst.Rows, dst.Cols))
	}
	w := linalg.Mat(*f.Frequencies(n))
	angles := linalg.Mat{Rows: m, Cols: pairs, Stride: dst.Stride, Data: dst.Data}
	sparse, is := x.(*data.CSR)
	if d, dense := x.(*data.Dense); dense {
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, linalg.Mat(*d), w, 0, angles)
	}
	const rows = 16
	parallel.Chunks(m, rows, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := dst.Row(i)
			if is {
				clear(row[:pairs])
				cols, vals := sparse.Row(i)
				linalg.AddRows(vals, cols, w, row)
			}
			f.turn(row)
		}
	})
}

// turn replaces the angles in the first half of a row by its features.
func (f *FourierMap) turn(row []float64) {
	pairs := len(row) / 2
	linalg.SinCos(row[pairs:], row[:pairs], row[:pairs])
	linalg.Scal(1/math.Sqrt(float64(pairs)), row)
}

// RowTo is RowsTo for one dense row x, with the same bits, on the caller's goroutine. It allocates
// only where x has features that were not seen before. It panics when len(dst) ≠ D.
func (f *FourierMap) RowTo(dst, x []float64) {
	if len(dst) != f.kernel.Features {
		panic(fmt.Sprintf("kernel: %d random features to %d values", f.kernel.Features, len(dst)))
	}
	w := f.frequencies.Load()
	if w.Rows < len(x) {
		w = f.grow(len(x))
	}
	pairs := f.kernel.Features / 2
	linalg.MulRowTo(dst[:pairs], x, linalg.Mat{Rows: len(x), Cols: pairs, Stride: pairs, Data: w.Data[:len(x)*pairs]})
	f.turn(dst)
}
