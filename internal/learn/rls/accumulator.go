package rls

import (
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// accumulator sums the moments XᵀLX and Xᵀr over components of scored rows. A
// component with mean x̄ and Laplacian diag(d) + Σ_c s_c 1_c1_cᵀ on centred values
// (goals.Blocks) adds the outer products of the rows √d_i (x_i − x̄) and
// √s_c Σ_c (x_i − x̄), which are gathered into panels. Centring first keeps the digits
// that the difference XᵀDX − XᵀPPᵀX loses where features lie far from 0. With weights a of the rows, x̄ and the sums of
// classes are those of a_i x_i.
type accumulator struct {
	d      *design
	rows   reader
	to     panelSums
	panel  linalg.Mat // rows × k
	target linalg.Mat // rows × v: r_i / √d_i
	n      int        // rows in the panel
	mean   []float64
	alone  bool // no other accumulator is at work: it may use all cores
}

// panelSums adds ZᵀZ and Zᵀt for a panel of rows Z with targets t.
type panelSums interface{ addPanel(z, t linalg.Mat) }

// plainSums are moments that panels are added to in place.
type plainSums pencil.Moments

func (s plainSums) addPanel(z, t linalg.Mat) {
	linalg.Syrk(linalg.Upper, linalg.T, 1, z, 1, s.A)
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, z, t, 1, s.B)
}

func newAccumulator(d *design) *accumulator {
	return &accumulator{d: d, rows: reader{x: d.x}, mean: make([]float64, d.k),
		panel: linalg.NewMat(panelRows, d.k), target: linalg.NewMat(panelRows, d.goal.Outputs)}
}

// panelRows is how many rows are multiplied, and made, at a time.
const panelRows = 512

// reader reads rows of a matrix: of a rowMaker some are made at a time, and kept until others are needed.
type reader struct {
	x    data.Matrix
	made *data.Dense // or nil
	have []int32     // its rows
	at   []int32     // the numbers from 0
}

// some returns a matrix that has the first of some rows, at most panelRows where they are made, and their numbers
// in it.
func (r *reader) some(rows []int32) (x data.Matrix, at []int32) {
	maker, is := r.x.(rowMaker)
	if !is {
		return r.x, rows
	}
	if first := slices.Index(r.have, rows[0]); first >= 0 && first+len(rows) <= len(r.have) &&
		slices.Equal(r.have[first:first+len(rows)], rows) {
		return r.made, r.at[first : first+len(rows)]
	}
	rows = rows[:min(len(rows), panelRows)]
	if r.made == nil || cap(r.at) < len(rows) {
		_, k := r.x.Dims()
		r.made, r.at = data.NewDense(len(rows), k, nil), pick.All[int32](len(rows))
	}
	r.made.Rows, r.have = len(rows), append(r.have[:0], rows...)
	maker.RowsTo(r.made, rows)
	return r.made, r.at[:len(rows)]
}

// add adds component p.
func (s *accumulator) add(p int) {
	d := s.d
	rows := d.goal.L.Components().Part(p)
	if len(rows) == 0 || d.folded[rows[0]] == 0 {
		return // a query without a pair
	}
	clear(s.mean)
	if d.goal.Centred() {
		s.sumTo(s.mean, rows, nil)
		linalg.Scal(1/d.mass(rows), s.mean)
	}
	for left := rows; len(left) > 0; {
		n := min(len(left), s.panel.Rows-s.n)
		s.fill(left[:n])
		left = left[n:]
		s.addFullPanel()
	}
	classes, scale := d.blocks.Classes()
	lo, hi := d.blocks.ClassesOf(p)
	for c := lo; c < hi; c++ {
		if members := classes.Part(c); len(members) > 1 && scale[c] > 0 {
			s.addClass(members, scale[c])
		}
	}
}

// addClass adds the row √s Σ (x_i − x̄) of a class of tied rows.
func (s *accumulator) addClass(members []int32, scale float64) {
	row := s.panel.Row(s.n)
	clear(row)
	s.sumTo(row, members, s.mean)
	linalg.Scal(math.Sqrt(scale), row)
	clear(s.target.Row(s.n))
	s.n++
	s.addFullPanel()
}

func (s *accumulator) addFullPanel() {
	if s.n == s.panel.Rows {
		s.addPanel()
	}
}

// fill appends rows to the panel, which has room for them.
func (s *accumulator) fill(rows []int32) {
	at := s.n
	s.n += len(rows)
	x, places := s.rows.some(rows)
	body := func(_, lo, hi int) {
		for a := lo; a < hi; a++ {
			s.weightTo(at+a, int(rows[a]), x, int(places[a]))
		}
	}
	if s.alone && len(rows)*s.d.k > 1<<14 {
		parallel.Chunks(len(rows), 64, body)
		return
	}
	body(0, 0, len(rows))
}

// weightTo writes √d_i (x_i − x̄) and r_i/√d_i to row a of the panel; x_i is a row of x.
func (s *accumulator) weightTo(a, i int, x data.Matrix, place int) {
	root := math.Sqrt(s.d.folded[i])
	row, target := s.panel.Row(a), s.target.Row(a)
	if root == 0 {
		clear(row)
		clear(target)
		return
	}
	if dense, is := x.(*data.Dense); is {
		for c, v := range dense.Row(place) {
			row[c] = root * (v - s.mean[c])
		}
	} else {
		x.RowTo(row, place)
		for c, v := range row {
			row[c] = root * (v - s.mean[c])
		}
	}
	for c, r := range s.d.linearTerm(i) {
		target[c] = r / root
	}
}

// sumTo adds Σ a_i (x_i − centre) to dst, in pieces of a fixed number of rows; nil is 0. It centres row
// by row, since the sum of rows far from 0 loses the digits of small ones.
func (s *accumulator) sumTo(dst []float64, rows []int32, centre []float64) {
	const piece = 4096
	if len(rows) <= piece {
		s.addRows(&s.rows, dst, rows, centre)
		return
	}
	pieces := (len(rows) + piece - 1) / piece
	sums := linalg.NewMat(pieces, s.d.k)
	parallel.For(pieces, func(_, q int) {
		s.addRows(&reader{x: s.d.x}, sums.Row(q), rows[q*piece:min(len(rows), (q+1)*piece)], centre)
	})
	for q := range pieces {
		linalg.Axpy(1, sums.Row(q), dst)
	}
}

func (s *accumulator) addRows(from *reader, dst []float64, rows []int32, centre []float64) {
	row := make([]float64, len(dst))
	for len(rows) > 0 {
		x, places := from.some(rows)
		for b, i := range rows[:len(places)] {
			a := s.d.weightOf(i)
			if centre == nil {
				x.AddRowTo(dst, a, int(places[b]))
				continue
			}
			x.RowTo(row, int(places[b]))
			if a != 1 {
				for c, v := range row {
					dst[c] += a * (v - centre[c])
				}
				continue
			}
			for c, v := range row {
				dst[c] += v - centre[c]
			}
		}
		rows = rows[len(places):]
	}
}

// addPanel adds the panel to the sums and empties it.
func (s *accumulator) addPanel() {
	if s.n == 0 {
		return
	}
	n := s.n
	s.n = 0
	s.to.addPanel(s.panel.Slice(0, n, 0, s.panel.Cols), s.target.Slice(0, n, 0, s.target.Cols))
}
