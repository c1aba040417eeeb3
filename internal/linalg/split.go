package linalg

import "pairrank/internal/parallel"

// A product of a transposed matrix with few entries and very many terms, such
// as XᵀX of a long table, is cut along its terms: the pieces are multiplied side by side and
// their results added in order. The pieces depend on the sizes only, so that
// the bits do not depend on the number of goroutines.

const (
	splitTerms   = 4096      // fewer terms are not worth cutting
	splitEntries = 256 * 256 // more entries give enough blocks without
	splitPieces  = 32        // at most so many partial results are kept
)

func (p product) splits() bool {
	return p.a.rs == 1 && p.k >= 2*splitTerms && p.m*p.n <= splitEntries && p.b.tri == full
}

// pieces is the number of pieces and the terms in each but the last.
func (p product) pieces() (count, terms int) {
	count = min(splitPieces, p.k/splitTerms)
	terms = roundUp((p.k+count-1)/count, blockK)
	return (p.k + terms - 1) / terms, terms
}

// piece is the product over the terms [k0,k1), into c without gaps.
func (p product) piece(k0, k1 int, c []float64) product {
	p.a.data = p.a.data[k0*p.a.cs:]
	p.b.data = p.b.data[k0*p.b.cs:]
	p.k, p.beta, p.c, p.ldc = k1-k0, 0, c, p.n
	return p
}

// add adds a piece's result to the wanted part of C.
func (p product) add(c []float64) {
	for i := range p.m {
		if lo, hi := p.wanted(i, 0, p.n); lo < hi {
			Axpy(1, c[i*p.n+lo:i*p.n+hi], p.c[i*p.ldc+lo:])
		}
	}
}

func (p product) splitParallel(w int) {
	count, terms := p.pieces()
	size := p.m * p.n
	parts := borrow(count * size)
	defer giveBack(parts)
	parallel.ForWorkers(w, count, func(_, q int) {
		p.piece(q*terms, min(p.k, (q+1)*terms), (*parts)[q*size:(q+1)*size]).serial()
	})
	p.scale(0, p.m, 0, p.n)
	for q := range count {
		p.add((*parts)[q*size : (q+1)*size])
	}
}
