package goals

import (
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Blocks is the Laplacian diag(d) + Σ_g s_g 1_g1_gᵀ of scored rows. Each component (a query) is a
// group. Where ties are left out, each class of tied rows in it is another group. For a query of
// m_q rows, a class of m_c rows and pair weight w
//
//	ties in    d_i = w m_q,           s_q = −w
//	ties out   d_i = w (m_q − m_c),   s_q = −w,   s_c = +w
//
// (Pahikkala et al. 2009, section 3, equation 25, and its remark on tied
// pairs). A product with an m×k matrix costs O(mk).
//
// Where rows have weights a_i, the vectors 1_g of the groups become a_g, with the weights of its rows, and with the
// sums a_q and a_c of the weights of a query and a class
//
//	d_i = w a_i (a_q − a_c),   s_q = −w,   s_c = +w
type Blocks struct {
	parts   *data.Partition // the components
	diag    []float64       // d, length m
	whole   []float64       // s_q of the group of all rows of each component
	classes *data.Partition // nil when there are none; a class lies in one component
	scale   []float64       // s_c of each class
	first   []int           // classes of component p are first[p]..first[p+1]
	between []float64       // eigenvalue of L on the class means of each component, w m_q
	weights *weights        // of the rows; nil where each is 1
}

// Dim returns the number of rows m.
func (b *Blocks) Dim() int { return len(b.diag) }

// Components returns the queries.
func (b *Blocks) Components() *data.Partition { return b.parts }

// Blocks returns b; see BlocksOf.
func (b *Blocks) Blocks() *Blocks { return b }

// Diag returns d; the caller must not change it.
func (b *Blocks) Diag() []float64 { return b.diag }

// Whole returns s_q for each component, 0 where the component compares no rows; the caller must not
// change it.
func (b *Blocks) Whole() []float64 { return b.whole }

// Classes returns the groups of tied rows with their scales s_c, or nil. On values whose mean over
// each component is 0, L acts as diag(d) + Σ_c s_c 1_c1_cᵀ: the groups of whole components have no
// effect.
func (b *Blocks) Classes() (*data.Partition, []float64) { return b.classes, b.scale }

// ListWeight returns c where L = cC for a single list of m rows, tied or not, with the centring C =
// I − 11ᵀ/m. It returns 1 where L is the identity. ok is false for any other L, as with weights of
// rows, and for nil. Cost O(1), or O(m) for singletons.
func (b *Blocks) ListWeight() (c float64, ok bool) {
	switch {
	case b == nil || b.classes != nil || b.weights != nil:
		return 0, false
	case b.parts.Len() == 1 && b.whole[0] != 0:
		return b.between[0], true
	}
	for p, w := range b.whole {
		if w != 0 || b.between[p] != 1 {
			return 0, false
		}
	}
	return 1, true
}

// DiagonalTo fills dst, of length m, with the diagonal of L, in O(m). It panics when dst
// is shorter.
func (b *Blocks) DiagonalTo(dst []float64) {
	of := b.parts.Of()
	for i, d := range b.diag {
		own := b.whole[of[i]]
		if b.classes != nil {
			own += b.scale[b.classes.Of()[i]]
		}
		dst[i] = d + own*b.Square(i)
	}
}

// SubmatrixTo fills dst, h×h row-major, with L_HH: the h rows and columns of L that are
// listed. Cost O(h²). It panics when dst is shorter than h² or a row is not in [0,m).
func (b *Blocks) SubmatrixTo(dst []float64, h []int32) {
	of := b.parts.Of()
	for x, i := range h {
		row := dst[x*len(h) : (x+1)*len(h)]
		for y, j := range h {
			row[y] = 0
			if of[i] == of[j] {
				row[y] = b.whole[of[i]]
				if b.classes != nil && b.classes.Of()[i] == b.classes.Of()[j] {
					row[y] += b.scale[b.classes.Of()[i]]
				}
			}
			if b.weights != nil {
				row[y] *= b.weights.vector[i] * b.weights.vector[j]
			}
			if i == j {
				row[y] += b.diag[i]
			}
		}
	}
}

// Compares reports whether component p has a pair with a weight.
func (b *Blocks) Compares(p int) bool { return b.whole[p] != 0 }

// ClassesOf returns the range lo ≤ c < hi of the classes of tied rows of component p, in
// O(1); it is empty where there are none. It panics when p is out of range.
func (b *Blocks) ClassesOf(p int) (lo, hi int) {
	if b.classes == nil {
		return 0, 0
	}
	return b.first[p], b.first[p+1]
}

// EachGroup calls f with the rows, ascending, of every group g of scale s_g ≠ 0: the
// components first, then the classes of tied rows. It costs one call a group.
func (b *Blocks) EachGroup(f func(rows []int32, scale float64)) {
	for p, s := range b.whole {
		if s != 0 {
			f(b.parts.Part(p), s)
		}
	}
	for c, s := range b.scale {
		if s != 0 {
			f(b.classes.Part(c), s)
		}
	}
}

// MulTo computes dst = L x for x of m×k in O(mk), in parallel over components, or
// over columns when they are many. It panics when the lengths do not fit.
func (b *Blocks) MulTo(dst, x []float64, k int) {
	checkShapes("Blocks", b.Dim(), k, dst, x)
	if b.weighs() {
		b.mulWeightedTo(dst, x, k)
		return
	}
	const width = 64
	if k >= 2*width {
		parallel.Chunks(k, width, func(_, lo, hi int) {
			sum := make([]float64, 2*(hi-lo))
			for p := range b.parts.Len() {
				b.mulPart(dst, x, k, lo, hi, p, sum)
			}
		})
		return
	}
	const parts = 64
	if k == 1 {
		parallel.Chunks(b.parts.Len(), parts, func(_, lo, hi int) {
			for p := lo; p < hi; p++ {
				b.mulVecPart(dst, x, p)
			}
		})
		return
	}
	parallel.Chunks(b.parts.Len(), parts, func(_, lo, hi int) {
		sum := make([]float64, 2*k)
		for p := lo; p < hi; p++ {
			b.mulPart(dst, x, k, 0, k, p, sum)
		}
	})
}

// mulPart is MulTo on component p and columns [lo,hi). sum has room for two
// rows: the sum over the component, then that over a class.
func (b *Blocks) mulPart(dst, x []float64, k, lo, hi, p int, sum []float64) {
	rows := b.parts.Part(p)
	w := hi - lo
	all, class := sum[:w], sum[w:2*w]
	sumRows(all, x, k, lo, rows)
	for c := range all {
		all[c] *= b.whole[p]
	}
	if b.classes == nil {
		for _, i := range rows {
			d := b.diag[i]
			xi, yi := x[int(i)*k+lo:int(i)*k+hi], dst[int(i)*k+lo:int(i)*k+hi]
			for c, y := range all[:len(xi)] {
				yi[c] = d*xi[c] + y
			}
		}
		return
	}
	for g := b.first[p]; g < b.first[p+1]; g++ {
		members := b.classes.Part(g)
		sumRows(class, x, k, lo, members)
		s := b.scale[g]
		for _, i := range members {
			d := b.diag[i]
			xi, yi := x[int(i)*k+lo:int(i)*k+hi], dst[int(i)*k+lo:int(i)*k+hi]
			for c, v := range xi {
				yi[c] = d*v + s*class[c] + all[c]
			}
		}
	}
}

// mulVecPart is mulPart for a single column.
func (b *Blocks) mulVecPart(dst, x []float64, p int) {
	rows := b.parts.Part(p)
	all := b.whole[p] * sumOf(x, rows)
	if b.classes == nil {
		for _, i := range rows {
			dst[i] = b.diag[i]*x[i] + all
		}
		return
	}
	for g := b.first[p]; g < b.first[p+1]; g++ {
		members := b.classes.Part(g)
		class := b.scale[g]*sumOf(x, members) + all
		for _, i := range members {
			dst[i] = b.diag[i]*x[i] + class
		}
	}
}

// sumOf is Σ x_i over rows, in four interleaved sums.
func sumOf(x []float64, rows []int32) float64 {
	var s0, s1, s2, s3 float64
	for len(rows) >= 4 {
		s0 += x[rows[0]]
		s1 += x[rows[1]]
		s2 += x[rows[2]]
		s3 += x[rows[3]]
		rows = rows[4:]
	}
	for _, i := range rows {
		s0 += x[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func sumRows(sum, x []float64, k, lo int, rows []int32) {
	clear(sum)
	for _, i := range rows {
		linalg.Axpy(1, x[int(i)*k+lo:][:len(sum)], sum)
	}
}

// Root returns F with FF = L, the symmetric positive semidefinite square root, m×m, in O(m). F has
// the structure of L. On a component the eigenvalues of L are w(m_q−m_c) within a class, w m_q
// between the classes, and 0 for the constant.
//
// With weights of rows, the diagonal A, L is A^½ S S A^½ for the S that Root returns. Its vectors of groups are
// √a_g.
func (b *Blocks) Root() *Blocks { return b.apply(math.Sqrt, 0) }

// Pinv returns the pseudo-inverse L⁺, m×m, which has the structure of L, in O(m). With weights of rows it is
// A^-½ (SS)⁺ A^-½, which inverts L on the range of L, up to a constant on each component; its values on a component
// have the weighted mean 0. The Pinv of an S is its pseudo-inverse.
func (b *Blocks) Pinv() *Blocks {
	order := 0
	if b.weights != nil {
		order = -b.weights.order
	}
	return b.apply(func(v float64) float64 {
		if v == 0 {
			return 0
		}
		return 1 / v
	}, order)
}

// apply is the spectral function f(L), for an f with f(0) = 0. With weights of rows it is A^(order/2) f(M) A^(order/2)
// for L = A^(p/2) M A^(p/2), where p is the order of b.
func (b *Blocks) apply(f func(float64) float64, order int) *Blocks {
	if b.weights != nil {
		return b.applyWeighted(f, order)
	}
	r := *b
	r.diag = make([]float64, len(b.diag))
	r.whole = make([]float64, len(b.whole))
	r.scale = make([]float64, len(b.scale))
	r.between = make([]float64, len(b.between))
	for p := range b.parts.Len() {
		rows := b.parts.Part(p)
		between := f(b.between[p])
		r.between[p] = between
		if b.whole[p] != 0 {
			r.whole[p] = -between / float64(len(rows))
		}
		if b.classes == nil {
			for _, i := range rows {
				r.diag[i] = f(b.diag[i])
			}
			continue
		}
		for g := b.first[p]; g < b.first[p+1]; g++ {
			members := b.classes.Part(g)
			within := 0.0
			for _, i := range members {
				within = f(b.diag[i])
				r.diag[i] = within
			}
			if b.scale[g] != 0 {
				r.scale[g] = (between - within) / float64(len(members))
			}
		}
	}
	return &r
}

// Identity returns L = I, m×m, the Laplacian of plain regression over m rows, in O(m).
func Identity(m int) *Blocks {
	b := newBlocks(data.Singletons(m))
	for i := range b.diag {
		b.diag[i] = 1
		b.between[i] = 1
	}
	return b
}

func newBlocks(parts *data.Partition) *Blocks {
	return &Blocks{
		parts:   parts,
		diag:    make([]float64, len(parts.Rows)),
		whole:   make([]float64, parts.Len()),
		between: make([]float64, parts.Len()),
	}
}

// completeBlocks compares every two rows of a part, tied or not, with weight
// w(p) in part p.
func completeBlocks(parts *data.Partition, w func(p int) float64) *Blocks {
	b := newBlocks(parts)
	for p := range parts.Len() {
		rows := parts.Part(p)
		if len(rows) < 2 {
			continue
		}
		weight := w(p)
		b.whole[p] = -weight
		b.between[p] = weight * float64(len(rows))
		for _, i := range rows {
			b.diag[i] = weight * float64(len(rows))
		}
	}
	return b
}

// untiedBlocks compares every two rows of a part that are in different
// classes. classes are given in the order of the parts: first[p]..first[p+1].
func untiedBlocks(parts, classes *data.Partition, first []int, w func(p int) float64) *Blocks {
	b := newBlocks(parts)
	b.classes, b.first = classes, first
	b.scale = make([]float64, classes.Len())
	for p := range parts.Len() {
		rows := parts.Part(p)
		if first[p+1]-first[p] < 2 {
			continue // no pair: every coefficient stays exactly zero
		}
		weight := w(p)
		b.whole[p] = -weight
		b.between[p] = weight * float64(len(rows))
		for g := first[p]; g < first[p+1]; g++ {
			members := classes.Part(g)
			b.scale[g] = weight
			for _, i := range members {
				b.diag[i] = weight * float64(len(rows)-len(members))
			}
		}
	}
	return b
}
