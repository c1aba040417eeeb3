package npy

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"pairrank/internal/parallel"
)

// A run is so many entries, 128 kB of them at most, that lie side by side in a file and
// are read at once. Columns are read in tiles of so many rows, a cache line of columns at
// a time.
const (
	RunEntries  = 1 << 14
	TileRows    = 1 << 12
	TileColumns = 8
)

// placed reads the numbers of an array where they lie in a file, run by run, on all
// cores: a run goes from the file to its place in the result by way of memory that stays
// in the cache.
type placed struct {
	npyLayout
	from io.ReaderAt
	nan  bool
	raw  [][]byte // of a worker, for the bytes of a run
	sums []uint32 // CRC-32 of the runs, in the order of the file; nil when not wanted

	mu    sync.Mutex
	fault error // of the first entry that has one
	at    int   // that entry
}

// layoutAt is how the array lies in the size bytes of r.
func layoutAt(r io.ReaderAt, size int64, names bool) (npyLayout, error) {
	return readLayout(bufio.NewReader(io.NewSectionReader(r, 0, size)), size, names)
}

// readNumbersAt reads the numbers of an array that takes size bytes of r. sum is the
// CRC-32 of these bytes, where that is wanted.
func readNumbersAt(r io.ReaderAt, l npyLayout, size int64, nan, summed bool) (a *Array, sum uint32, err error) {
	p := &placed{npyLayout: l, from: r, nan: nan, raw: make([][]byte, parallel.Workers())}
	a = &Array{Shape: l.Shape, Most: l.exact(), Data: make([]float64, l.count)}
	length := p.rowMajor
	if l.columnMajor() {
		length = p.columnMajor
	}
	lengths := length(a.Data, summed)
	switch {
	case p.fault != nil:
		return nil, 0, p.fault
	case size > int64(l.start+l.count*l.item):
		return nil, 0, errBytesFollow
	case l.fortran && !l.columnMajor():
		if err := CheckFree(l.Header, l.count); err != nil {
			return nil, 0, err
		}
		a.Data = fromFortran(a.Data, l.Shape)
	}
	if summed {
		sum, err = p.sum(lengths)
	}
	return a, sum, err
}

// rowMajor reads entries that lie in the file as they do in dst. lengths has the number
// of entries of a run.
func (p *placed) rowMajor(dst []float64, summed bool) (lengths func(k int) int) {
	p.wants((len(dst)+RunEntries-1)/RunEntries, summed)
	parallel.Chunks(len(dst), RunEntries, func(worker, lo, hi int) {
		p.run(worker, lo/RunEntries, lo, dst[lo:hi])
	})
	return func(k int) int { return min(RunEntries, len(dst)-k*RunEntries) }
}

// columnMajor reads the columns of an m×n matrix into the rows of dst.
func (p *placed) columnMajor(dst []float64, summed bool) (lengths func(k int) int) {
	m, n := p.Shape[0], p.Shape[1]
	height, width := min(m, TileRows), TileColumns
	if m <= TileRows {
		width = max(1, RunEntries/m) // whole columns, which lie side by side
	}
	tiles, groups := (m+height-1)/height, (n+width-1)/width
	whole := tiles == 1
	if whole {
		p.wants(groups, summed)
	} else {
		p.wants(n*tiles, summed)
	}
	columns := make([][]float64, len(p.raw))
	parallel.For(tiles*groups, func(worker, piece int) {
		t, g := piece/groups, piece%groups
		r0, r1 := t*height, min(m, (t+1)*height)
		c0, c1 := g*width, min(n, (g+1)*width)
		h := r1 - r0
		if columns[worker] == nil {
			columns[worker] = make([]float64, height*min(width, n))
		}
		tile := columns[worker][:h*(c1-c0)]
		if whole {
			p.run(worker, g, c0*m, tile)
		} else {
			for j := c0; j < c1; j++ {
				p.run(worker, j*tiles+t, j*m+r0, tile[(j-c0)*h:][:h])
			}
		}
		turnTo(dst[r0*n+c0:], n, tile, h)
	})
	return func(k int) int {
		if whole {
			return m * min(width, n-k*width)
		}
		return min(height, m-k%tiles*height)
	}
}

// turnTo writes the columns of a tile, h entries each, into rows that begin every stride
// entries of dst.
func turnTo(dst []float64, stride int, tile []float64, h int) {
	width := len(tile) / h
	for i := range h {
		row := dst[i*stride:][:width]
		for j := range row {
			row[j] = tile[j*h+i]
		}
	}
}

// wants sets aside the checksums of so many runs.
func (p *placed) wants(runs int, summed bool) {
	if summed {
		p.sums = make([]uint32, runs)
	}
}

// run reads run k, the entries from at on, into dst.
func (p *placed) run(worker, k, at int, dst []float64) {
	size := len(dst) * p.item
	if len(p.raw[worker]) < size {
		p.raw[worker] = make([]byte, size)
	}
	raw := p.raw[worker][:size]
	if n, err := p.from.ReadAt(raw, int64(p.start+at*p.item)); n < size {
		p.fail(at, err)
		return
	}
	if p.sums != nil {
		p.sums[k] = crc32.ChecksumIEEE(raw)
	}
	if done := decodeTo(dst, raw, p.Descr, p.nan); done < len(dst) {
		_, err := entry(raw[done*p.item:], p.Descr, p.nan)
		p.fail(at+done, fmt.Errorf("entry %d: %w", at+done+1, err))
	}
}

// fail keeps the fault of the first entry that has one, whichever is found first.
func (p *placed) fail(at int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault == nil || at < p.at {
		p.fault, p.at = err, at
	}
}

// sum is the CRC-32 of header and entries.
func (p *placed) sum(lengths func(k int) int) (uint32, error) {
	head := make([]byte, p.start)
	if n, err := p.from.ReadAt(head, 0); n < len(head) {
		return 0, err
	}
	var all JoinedSums
	all.Add(crc32.ChecksumIEEE(head), len(head))
	for k, sum := range p.sums {
		all.Add(sum, lengths(k)*p.item)
	}
	return all.Sum, nil
}
