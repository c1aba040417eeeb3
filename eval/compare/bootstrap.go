package compare

import (
	"math/bits"
	"math/rand/v2"
)

// The draws of the bootstrap are those of rand.Rand.IntN(q) on one sequence of random words, for
// every number q of differences. So the words are generated once for all samples, and samples with
// the same q share the drawn rows. The sums of a sample are added in the order of its rows,
// whatever the other samples are.

// group holds the samples with the same number of differences.
type group struct {
	samples []*sample
	q       int
	tables  []table
}

// table holds the differences of up to four samples of a group, with those of a row next to each
// other: their sums do not wait for each other, and a row is looked up once.
type table struct {
	width  int // 1, 2 or 4; the last of 4 may be empty
	values []float64
}

// widest is the number of samples of a table.
const widest = 4

// alike gathers samples by their number of differences.
func alike(samples []*sample) (groups []*group) {
	of := map[int]*group{}
	for _, s := range samples {
		q := len(s.centred)
		g := of[q]
		if g == nil {
			g = &group{q: q}
			of[q], groups = g, append(groups, g)
		}
		g.samples = append(g.samples, s)
	}
	for _, g := range groups {
		for first := 0; first < len(g.samples); first += widest {
			g.tables = append(g.tables, newTable(g.samples[first:min(first+widest, len(g.samples))]))
		}
	}
	return groups
}

func newTable(samples []*sample) table {
	t := table{width: len(samples)}
	if t.width == 1 {
		t.values = samples[0].centred
		return t
	}
	if t.width == 3 {
		t.width = 4
	}
	t.values = make([]float64, t.width*len(samples[0].centred))
	for j, s := range samples {
		for i, x := range s.centred {
			t.values[i*t.width+j] = x
		}
	}
	return t
}

// moments are the sums and the sums of squares of the rows drawn so far, for each sample of a
// table.
type moments struct{ sum, squares [widest]float64 }

// add adds drawn rows.
func (t table) add(m *moments, rows []uint32) {
	switch t.width {
	case 1:
		t.addOne(m, rows)
	case 2:
		t.addTwo(m, rows)
	default:
		t.addFour(m, rows)
	}
}

// Products are rounded before they are added, on every machine alike.

func (t table) addOne(m *moments, rows []uint32) {
	sum, squares := m.sum[0], m.squares[0]
	for _, i := range rows {
		x := t.values[i]
		sum += x
		squares += float64(x * x)
	}
	m.sum[0], m.squares[0] = sum, squares
}

func (t table) addTwo(m *moments, rows []uint32) {
	s0, s1, r0, r1 := m.sum[0], m.sum[1], m.squares[0], m.squares[1]
	for _, i := range rows {
		v := t.values[2*int(i):][:2]
		x, y := v[0], v[1]
		s0 += x
		s1 += y
		r0 += float64(x * x)
		r1 += float64(y * y)
	}
	m.sum[0], m.sum[1], m.squares[0], m.squares[1] = s0, s1, r0, r1
}

func (t table) addFour(m *moments, rows []uint32) {
	s0, s1, s2, s3 := m.sum[0], m.sum[1], m.sum[2], m.sum[3]
	r0, r1, r2, r3 := m.squares[0], m.squares[1], m.squares[2], m.squares[3]
	for _, i := range rows {
		v := t.values[4*int(i):][:4]
		x, y, z, w := v[0], v[1], v[2], v[3]
		s0 += x
		s1 += y
		s2 += z
		s3 += w
		r0 += float64(x * x)
		r1 += float64(y * y)
		r2 += float64(z * z)
		r3 += float64(w * w)
	}
	m.sum, m.squares = [widest]float64{s0, s1, s2, s3}, [widest]float64{r0, r1, r2, r3}
}

// wordsAtOnce is the number of random words that are generated at a time; they stay in the
// first-level cache.
const wordsAtOnce = 1024

// drawing is the memory of a goroutine that draws.
type drawing struct {
	words [wordsAtOnce]uint64
	rows  [wordsAtOnce]uint32
	at    []progress
}

// progress is the state of the draws of a group.
type progress struct {
	draw    int // that is being drawn
	rows    int // that it has
	moments []moments
}

// draw makes the draws from one number up to another, of every group.
func (d *drawing) draw(groups []*group, rng *rand.ChaCha8, from, to int) {
	for len(d.at) < len(groups) {
		d.at = append(d.at, progress{moments: make([]moments, len(groups[len(d.at)].tables))})
	}
	for a := range d.at {
		p := &d.at[a]
		p.draw, p.rows = from, 0
		clear(p.moments)
	}
	for left := len(groups); left > 0; {
		for k := range d.words {
			d.words[k] = rng.Uint64()
		}
		left = 0
		for a, g := range groups {
			if p := &d.at[a]; p.draw < to {
				g.take(p, d.rows[:rowsTo(&d.rows, &d.words, uint64(g.q))], to)
				if p.draw < to {
					left++
				}
			}
		}
	}
}

// rowsTo turns random words into rows below q, as rand.Rand.IntN does, and returns their number. A
// word x gives ⌊x q / 2⁶⁴⌋, or no row where that would make some rows more likely than others
// (Lemire, Fast random integer generation in an interval, ACM Transactions on Modeling and Computer
// Simulation 29, 2019).
func rowsTo(dst *[wordsAtOnce]uint32, words *[wordsAtOnce]uint64, q uint64) (n int) {
	if q&(q-1) == 0 {
		for k, word := range words {
			dst[k] = uint32(word & (q - 1))
		}
		return len(words)
	}
	least := -q % q
	for _, word := range words {
		row, rest := bits.Mul64(word, q)
		dst[n&(wordsAtOnce-1)] = uint32(row)
		if rest >= least {
			n++
		}
	}
	return n
}

// take adds rows to the draws of a group, up to one number.
func (g *group) take(p *progress, rows []uint32, to int) {
	for len(rows) > 0 && p.draw < to {
		part := rows[:min(len(rows), g.q-p.rows)]
		for a, t := range g.tables {
			t.add(&p.moments[a], part)
		}
		rows = rows[len(part):]
		if p.rows += len(part); p.rows < g.q {
			return
		}
		for j, s := range g.samples {
			m := &p.moments[j/widest]
			s.ts[p.draw] = s.studentised(m.sum[j%widest], m.squares[j%widest])
		}
		clear(p.moments)
		p.draw++
		p.rows = 0
	}
}
