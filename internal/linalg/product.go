package linalg

import "pairrank/internal/parallel"

// Blocking: an mc×kc block of packed A stays in the second-level cache, a
// kc×nr panel of packed B passes through the first, and kc×nc of B is in the
// third. They are variables only so that tests can exercise the edges; kc is
// the one that decides the bits of a result.
var (
	blockM = 192
	blockK = 256
	blockN = 3072
)

// Below this many operations a routine runs on the caller's goroutine.
const serialFlops = 4e6

// product is C := alpha A Bᵀ + beta C with A m×k and B n×k, over the wanted
// part of C. Rows of B are columns of the right-hand operand, so that both
// are packed alike.
type product struct {
	m, n, k     int
	alpha, beta float64
	a, b        operand
	c           []float64
	ldc         int
	part        Uplo // full, or the triangle of C that is wanted
}

// run computes the product on as many goroutines as its size deserves.
func (p product) run() {
	flops := 2 * float64(p.m) * float64(p.n) * float64(p.k)
	if p.part != full {
		flops /= 2
	}
	if flops < serialFlops {
		p.serial()
		return
	}
	p.parallel(parallel.Workers())
}

// trivial handles the cases without any multiplication.
func (p product) trivial() bool {
	if p.m == 0 || p.n == 0 {
		return true
	}
	if p.k == 0 || p.alpha == 0 {
		p.scale(0, p.m, 0, p.n)
		return true
	}
	return false
}

func roundUp(x, to int) int { return (x + to - 1) / to * to }

// serial computes the product on the caller's goroutine. It allocates nothing
// once the scratch memory is there.
func (p product) serial() {
	if p.trivial() {
		return
	}
	mc, nc, kc := p.blocks(1)
	pb := borrow(kc * nc)
	pa := borrow(mc*kc + active.mr*active.nr)
	for jc := 0; jc < p.n; jc += nc {
		jn := min(nc, p.n-jc)
		for pc := 0; pc < p.k; pc += kc {
			kn := min(kc, p.k-pc)
			pack(*pb, active.nr, p.b, jc, jn, pc, kn, 1)
			for ic := 0; ic < p.m; ic += mc {
				p.block(*pa, *pb, ic, min(mc, p.m-ic), jc, 0, jn, pc, kn)
			}
		}
	}
	giveBack(pa)
	giveBack(pb)
}

// parallel computes the product on w goroutines. Each entry of C is the same
// sum in the same order however the blocks are cut and dealt out.
func (p product) parallel(w int) {
	if p.trivial() {
		return
	}
	if p.splits() {
		p.splitParallel(w)
		return
	}
	mc, nc, kc := p.blocks(w)
	rows := (p.m + mc - 1) / mc
	strips := 1 // a product with few rows is also cut across
	if rows < 2*w {
		strips = min((2*w+rows-1)/rows, max(1, p.n/(4*active.nr)))
	}
	pb := borrow(kc * nc)
	defer giveBack(pb)
	pas := make([]*[]float64, w)
	for i := range pas {
		pas[i] = borrow(mc*kc + active.mr*active.nr)
		defer giveBack(pas[i])
	}
	for jc := 0; jc < p.n; jc += nc {
		jn := min(nc, p.n-jc)
		width := roundUp((jn+strips-1)/strips, active.nr)
		for pc := 0; pc < p.k; pc += kc {
			kn := min(kc, p.k-pc)
			p.packParallel(*pb, w, jc, jn, pc, kn)
			parallel.ForWorkers(w, rows*strips, func(worker, q int) {
				ic, js := q/strips*mc, q%strips*width
				if p.part == Lower { // the longest rows first
					ic = (rows - 1 - q/strips) * mc
				}
				if js < jn {
					p.block(*pas[worker], *pb, ic, min(mc, p.m-ic), jc, js, min(js+width, jn), pc, kn)
				}
			})
		}
	}
}

// packParallel packs the columns [jc,jc+jn) of the right operand.
func (p product) packParallel(pb []float64, w, jc, jn, pc, kn int) {
	size := 4 * active.nr
	parallel.ForWorkers(w, (jn+size-1)/size, func(_, q int) {
		j := q * size
		pack(pb[j*kn:], active.nr, p.b, jc+j, min(size, jn-j), pc, kn, 1)
	})
}

// blocks chooses the blocking for w goroutines. The row blocks have equal size, and their number is
// a multiple of w; a triangle, whose blocks differ in work, gets more blocks.
func (p product) blocks(w int) (mc, nc, kc int) {
	mr, nr := active.mr, active.nr
	count := (p.m + blockM - 1) / blockM
	if w > 1 {
		least := w
		if p.part != full {
			least = 6 * w
		}
		count = roundUp(max(count, least), w)
	}
	mc = roundUp((p.m+count-1)/count, mr)
	nc = roundUp(min(blockN, p.n), nr)
	return mc, nc, min(blockK, p.k)
}

// block multiplies the rows [ic,ic+in) of A by the packed columns [j0,j1) of
// the panel pb, which starts at column jc and holds the kn terms from pc on.
func (p product) block(pa, pb []float64, ic, in, jc, j0, j1, pc, kn int) {
	mr, nr := active.mr, active.nr
	switch p.part {
	case Upper:
		j0 = max(j0, (ic-jc)/nr*nr)
	case Lower:
		j1 = min(j1, ic+in-jc)
	}
	if j0 >= j1 {
		return
	}
	pack(pa, mr, p.a, ic, in, pc, kn, p.alpha)
	beta := 1.0
	if pc == 0 {
		beta = p.beta
	}
	for j := j0; j < j1; j += nr {
		c, w := jc+j, min(nr, j1-j)
		bp := pb[j*kn : (j+nr)*kn]
		lo, hi := p.wholeTiles(ic, in, c, w)
		p.edgeTiles(pa, bp, ic, in, 0, lo, c, w, kn, beta)
		p.tiles(pa[lo*kn:hi*kn], bp, ic+lo, hi-lo, c, kn, beta)
		p.edgeTiles(pa, bp, ic, in, hi, in, c, w, kn, beta)
	}
}

// wholeTiles is the range of the rows [ic,ic+in), counted from ic, that have the tiles of the columns
// [c,c+w) that are all wanted and inside C.
func (p product) wholeTiles(ic, in, c, w int) (lo, hi int) {
	mr := active.mr
	if w < active.nr {
		return 0, 0
	}
	hi = in / mr * mr
	switch p.part {
	case Upper: // the last row of a tile is not below its first column
		hi = min(hi, max(0, c-ic+1)/mr*mr)
	case Lower: // the first row of a tile is not above its last column
		lo = min(hi, roundUp(max(0, c+w-1-ic), mr))
	}
	return lo, hi
}

// tiles multiplies the tiles of n rows from row r on and of the columns from c on, all of them wanted.
func (p product) tiles(ap, bp []float64, r, n, c, kn int, beta float64) {
	if n == 0 {
		return
	}
	nr := active.nr
	cs := p.c[r*p.ldc+c:][:(n-1)*p.ldc+nr]
	if beta != 0 && beta != 1 {
		for x := range n {
			Scal(beta, cs[x*p.ldc:][:nr])
		}
	}
	active.micro(kn, n/active.mr, ap, bp, cs, p.ldc, beta == 0)
}

// edgeTiles multiplies the wanted ones among the other tiles, of the rows [lo,hi) counted from ic.
func (p product) edgeTiles(pa, bp []float64, ic, in, lo, hi, c, w, kn int, beta float64) {
	mr := active.mr
	edge := pa[len(pa)-mr*active.nr:]
	for i := lo; i < hi; i += mr {
		r, h := ic+i, min(mr, in-i)
		if p.part == Upper && c+w <= r || p.part == Lower && c >= r+h {
			continue
		}
		p.edgeTile(edge, pa[i*kn:(i+mr)*kn], bp, r, h, c, w, kn, beta)
	}
}

// edgeTile computes a tile whose entries are not all wanted or inside C: in scratch memory, from
// which it copies the wanted entries.
func (p product) edgeTile(tile, ap, bp []float64, r, h, c, w, kn int, beta float64) {
	nr := active.nr
	if beta != 0 {
		clear(tile)
		for x := range h {
			if lo, hi := p.wanted(r+x, c, c+w); lo < hi {
				t := tile[x*nr+lo-c : x*nr+hi-c]
				copy(t, p.c[(r+x)*p.ldc+lo:])
				scaleBy(beta, t)
			}
		}
	}
	active.micro(kn, 1, ap, bp, tile, nr, beta == 0)
	for x := range h {
		if lo, hi := p.wanted(r+x, c, c+w); lo < hi {
			copy(p.c[(r+x)*p.ldc+lo:], tile[x*nr+lo-c:x*nr+hi-c])
		}
	}
}

// wanted cuts the columns [lo,hi) of row i of C down to the wanted ones.
func (p product) wanted(i, lo, hi int) (int, int) {
	switch p.part {
	case Upper:
		lo = max(lo, i)
	case Lower:
		hi = min(hi, i+1)
	}
	return lo, hi
}

// scale multiplies the wanted part of a block of C by beta.
func (p product) scale(i0, i1, j0, j1 int) {
	for i := i0; i < i1; i++ {
		if lo, hi := p.wanted(i, j0, j1); lo < hi {
			scaleBy(p.beta, p.c[i*p.ldc+lo:i*p.ldc+hi])
		}
	}
}

// scaleBy multiplies x by beta; 0 overwrites whatever is there, NaN included.
func scaleBy(beta float64, x []float64) {
	switch beta {
	case 0:
		clear(x)
	case 1:
	default:
		for i := range x {
			x[i] *= beta
		}
	}
}
