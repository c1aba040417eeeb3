package dense

import "pairrank/internal/linalg"

// form is the inverse RA⁻¹Rᵀ of a fitted system: the matrix, or for a board of a Path a half of it.
type form interface {
	inverse() linalg.Mat
	// between is G = T A⁻¹ Tᵀ of some rows T.
	between(rows []Row) linalg.Mat
}

// Inverse is RA⁻¹Rᵀ.
func (b *Fit) Inverse() linalg.Mat { return b.form.inverse() }

// Rounding is what rounding leaves of a margin of 0 of a board of a Path, beside the largest score.
func (b *Fit) Rounding() float64 {
	if h, is := b.form.(*halved); is {
		return h.slack
	}
	return 0
}

// manyRows is the share of the rows of the matrix from which between is faster by products with all of it.
const manyRows = 16

// whole is the matrix.
type whole linalg.Mat

func (d whole) inverse() linalg.Mat { return linalg.Mat(d) }

func (d whole) between(rows []Row) linalg.Mat {
	g := linalg.NewMat(len(rows), len(rows))
	if n := linalg.Mat(d).Rows; n >= ManyUnknowns && len(rows) >= n/manyRows {
		product := make([]float64, n)
		for i, r := range rows { // by products of a row with the whole matrix
			clear(product)
			for k, at := range r.at {
				linalg.Axpy(r.val[k], linalg.Mat(d).Row(int(at)), product)
			}
			for j := range i + 1 {
				g.Row(i)[j] = rows[j].Dot(product)
				g.Row(j)[i] = g.Row(i)[j]
			}
		}
		return g
	}
	for i := range rows {
		for j := range i + 1 {
			g.Row(i)[j] = Product(linalg.Mat(d), rows[i], rows[j])
			g.Row(j)[i] = g.Row(i)[j]
		}
	}
	return g
}

// halved is the matrix of a board of a Path, half·halfᵀ.
type halved struct {
	half  linalg.Mat
	slack float64 // what rounding leaves of a margin of 0, beside the largest score
}

func (h *halved) inverse() linalg.Mat { return gramOf(h.half) }

func (h *halved) between(rows []Row) linalg.Mat { return gramOf(inBasis(h.half, rows)) }

// gramOf is x xᵀ.
func gramOf(x linalg.Mat) linalg.Mat {
	g := linalg.NewMat(x.Rows, x.Rows)
	linalg.Syrk(linalg.Lower, linalg.NoTrans, 1, x, 0, g)
	linalg.Symmetrize(linalg.Lower, g)
	return g
}

// inBasis are some rows times a basis: a difference of two rows of it each.
func inBasis(basis linalg.Mat, rows []Row) linalg.Mat {
	t := linalg.NewMat(len(rows), basis.Cols)
	for i, r := range rows {
		x, y := basis.Row(int(r.at[0])), basis.Row(int(r.at[1]))
		for j := range t.Row(i) {
			t.Row(i)[j] = x[j] - y[j]
		}
	}
	return t
}
