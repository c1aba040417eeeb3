package synth

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"

	"pairrank/data"
)

// News describes documents in the shape of the RCV1 collection as the RankSVM
// scaling experiments use it (Airola, Pahikkala and Salakoski, 2011, Training
// linear ranking SVMs in linearithmic time using red-black trees, section 5):
// rows of tf-idf values with unit norm, about 78 of 47,000 not zero, and as the
// label the dot product with one target document that is not among the rows.
//
// The collection itself is not reproduced: the words of a document are drawn
// without repetition from a Zipf-Mandelbrot law, p(rank) ∝ 1/(rank+20), the
// number of words from a log-normal distribution with mean 78 (deviation 0.6 of
// the logarithm), counts within a document from a geometric law; a value is
// (1 + ln count)·ln(1/p), six significant digits. Words have random numbers.
type News struct {
	Rows     int
	Features int // 0 is 47000; at least 1000
	Seed     uint64
}

const newsWords, newsSpread, newsOffset = 78, 0.6, 20

// newsModel is the vocabulary and the target document.
type newsModel struct {
	News
	cumulated []float64 // of the law, by rank
	idf       []float64 // by rank
	number    []int32   // rank → feature
	target    []float64 // the target document, dense
}

// newsRow is the memory for one row.
type newsRow struct {
	source
	seen map[int32]struct{}
	cols []int32
	vals []float64
	text []byte
}

func (n News) model() (*newsModel, error) {
	if n.Features == 0 {
		n.Features = 47_000
	}
	if n.Rows < 1 || n.Features < 1000 {
		return nil, fmt.Errorf("cannot make %d rows of %d features", n.Rows, n.Features)
	}
	if err := within(limit{"rows", n.Rows, maxRows}, limit{"features", n.Features, maxSparse}); err != nil {
		return nil, err
	}
	m := &newsModel{News: n, cumulated: make([]float64, n.Features), idf: make([]float64, n.Features),
		number: make([]int32, n.Features)}
	var sum float64
	for rank := range n.Features {
		sum += 1 / float64(rank+newsOffset)
		m.cumulated[rank] = sum
		m.number[rank] = int32(rank)
	}
	for rank := range m.idf {
		m.idf[rank] = math.Log(sum * float64(rank+newsOffset))
		m.cumulated[rank] /= sum
	}
	random := newSource(n.Seed).of(forModel, 0)
	random.Shuffle(n.Features, func(a, b int) { m.number[a], m.number[b] = m.number[b], m.number[a] })
	m.target = make([]float64, n.Features)
	row := newNewsRow(n.Seed)
	m.words(row, row.of(forModel, 1))
	for k, j := range row.cols {
		m.target[j] = row.vals[k]
	}
	return m, nil
}

func newNewsRow(seed uint64) *newsRow {
	return &newsRow{source: newSource(seed), seen: map[int32]struct{}{}}
}

// words makes the features of a row.
func (m *newsModel) words(row *newsRow, random source) {
	count := math.Exp(math.Log(newsWords) - newsSpread*newsSpread/2 + newsSpread*random.NormFloat64())
	want := clamp(count, 1, m.Features/4)
	clear(row.seen)
	row.cols, row.vals = row.cols[:0], row.vals[:0]
	var norm float64
	for len(row.cols) < want {
		rank := min(sort.SearchFloat64s(m.cumulated, random.Float64()), m.Features-1)
		j := m.number[rank]
		if _, again := row.seen[j]; again {
			continue
		}
		row.seen[j] = struct{}{}
		times := 1.0
		for random.Float64() < 0.25 {
			times++
		}
		x := (1 + math.Log(times)) * m.idf[rank]
		row.cols, row.vals = append(row.cols, j), append(row.vals, x)
		norm += x * x
	}
	norm = math.Sqrt(norm)
	for k, x := range row.vals {
		row.vals[k] = row.round(x/norm, 6)
	}
	sort.Sort((*byColumn)(row))
}

// round rounds to so many significant digits.
func (row *newsRow) round(x float64, digits int) float64 {
	row.text = strconv.AppendFloat(row.text[:0], x, 'g', digits, 64)
	x, _ = strconv.ParseFloat(string(row.text), 64)
	return x
}

// make makes row i and returns its label.
func (m *newsModel) make(row *newsRow, i int) float64 {
	m.words(row, row.of(forRows, i))
	var label float64
	for k, j := range row.cols {
		label += float64(row.vals[k] * m.target[j])
	}
	return row.round(label, 9)
}

type byColumn newsRow

func (r *byColumn) Len() int           { return len(r.cols) }
func (r *byColumn) Less(a, b int) bool { return r.cols[a] < r.cols[b] }
func (r *byColumn) Swap(a, b int) {
	r.cols[a], r.cols[b] = r.cols[b], r.cols[a]
	r.vals[a], r.vals[b] = r.vals[b], r.vals[a]
}

// Write writes the rows as SVMlight text, on all cores.
func (n News) Write(w io.Writer) error {
	m, err := n.model()
	if err != nil {
		return err
	}
	return writePieces(w, pieces(m.Rows), func(text []byte, piece int) []byte {
		row := newNewsRow(m.Seed)
		for i := piece * pieceRows; i < min(m.Rows, (piece+1)*pieceRows); i++ {
			text = strconv.AppendFloat(text, m.make(row, i), 'g', -1, 64)
			for k, j := range row.cols {
				text = append(text, ' ')
				text = appendInt(text, int(j)+1)
				text = append(text, ':')
				text = strconv.AppendFloat(text, row.vals[k], 'g', -1, 64)
			}
			text = append(text, '\n')
		}
		return text
	})
}

// Set returns the rows that Write writes, as they read back with the given
// number of features.
func (n News) Set() (*data.Set, error) {
	m, err := n.model()
	if err != nil {
		return nil, err
	}
	x := &data.CSR{Rows: m.Rows, Cols: m.Features, Ptr: make([]int, 1, m.Rows+1)}
	x.Col, x.Val = make([]int32, 0, m.Rows*newsWords), make([]float64, 0, m.Rows*newsWords)
	y := make([]float64, m.Rows)
	row := newNewsRow(m.Seed)
	for i := range y {
		y[i] = m.make(row, i)
		x.Col, x.Val = append(x.Col, row.cols...), append(x.Val, row.vals...)
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	x.Col, x.Val = slices.Clip(x.Col), slices.Clip(x.Val)
	return &data.Set{X: x, Y: y, Queries: data.OneList(m.Rows)}, nil
}
