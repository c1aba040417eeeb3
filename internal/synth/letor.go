package synth

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"

	"pairrank/data"
	"pairrank/internal/parallel"
)

// LETOR describes queries with documents of graded relevance.
//
// Features are in [0,1] with six decimals; every third one is 0 in most rows,
// as the features of fields that many documents lack. The label is the grade of
//
//	s = wᵀx + x_a·x_b + sin(2π x_c) + u_g + noise·N(0,1)
//
// with random w, three random features a, b, c and an offset u_g of the query,
// by the thresholds that half the rows get 0, a quarter 1, 15 % 2, 7 % 3 and 3 %
// 4. Query sizes follow a log-normal distribution and sum to Rows.
type LETOR struct {
	Rows, Features int
	Queries        int     // at most Rows; 0 is one for every 100 rows
	Noise          float64 // of the score, whose other parts have a deviation of about 1; 0 is 0.5
	Seed           uint64
}

// letorModel is the random function behind the labels.
type letorModel struct {
	LETOR
	weights    []float64
	a, b, c    int
	thresholds [4]float64
	bounds     []int // first row of each query
}

// grades are the shares of rows with a label below 1, 2, 3 and 4.
var grades = [4]float64{0.5, 0.75, 0.9, 0.97}

const letorDigits, letorScale = 6, 1_000_000

func (l LETOR) model() (*letorModel, error) {
	if l.Queries == 0 {
		l.Queries = max(1, l.Rows/100)
	}
	if l.Noise == 0 {
		l.Noise = 0.5
	}
	if l.Rows < 1 || l.Features < 1 || l.Queries < 1 || l.Queries > l.Rows {
		return nil, fmt.Errorf("cannot make %d rows of %d features in %d queries", l.Rows, l.Features, l.Queries)
	}
	if err := within(limit{"rows", l.Rows, maxRows}, limit{"features", l.Features, maxDense},
		limit{"queries", l.Queries, maxQueries}); err != nil {
		return nil, err
	}
	random := newSource(l.Seed).of(forModel, 0)
	m := &letorModel{LETOR: l, weights: make([]float64, l.Features), bounds: querySizes(l)}
	for j := range m.weights {
		m.weights[j] = random.NormFloat64() * math.Sqrt(10/float64(l.Features))
	}
	m.a, m.b, m.c = random.IntN(l.Features), random.IntN(l.Features), random.IntN(l.Features)
	const sample = 20_000
	scores := make([]float64, sample)
	x := make([]int, l.Features)
	random = random.of(forSample, 0)
	for i := range scores {
		scores[i] = m.row(x, random, queryOffset(random))
	}
	sort.Float64s(scores)
	for k, share := range grades {
		m.thresholds[k] = scores[int(share*sample)]
	}
	return m, nil
}

// querySizes returns the first row of each query and, at the end, Rows; every
// query has a row.
func querySizes(l LETOR) []int {
	random := newSource(l.Seed).of(forSizes, 0)
	sums := make([]float64, l.Queries+1)
	for g := range l.Queries {
		sums[g+1] = sums[g] + math.Exp(0.7*random.NormFloat64())
	}
	bounds := make([]int, l.Queries+1)
	spare := float64(l.Rows - l.Queries)
	for g := range bounds {
		bounds[g] = g + int(spare*(sums[g]/sums[l.Queries]))
	}
	bounds[l.Queries] = l.Rows
	return bounds
}

func queryOffset(random source) float64 { return 0.5 * random.NormFloat64() }

// row makes the features of a row, in millionths, and returns its score.
func (m *letorModel) row(x []int, random source, offset float64) float64 {
	score := offset + m.Noise*random.NormFloat64()
	for j := range x {
		u := random.Uint64()
		x[j] = int(u >> 32 * (letorScale + 1) >> 32)
		if j%3 == 2 && u&7 < 5 {
			x[j] = 0
		}
		score += m.weights[j] * (float64(x[j])/letorScale - 0.5)
	}
	at := func(j int) float64 { return float64(x[j]) / letorScale }
	return score + at(m.a)*at(m.b) + math.Sin(2*math.Pi*at(m.c))
}

func (m *letorModel) label(score float64) int {
	label := 0
	for label < len(m.thresholds) && score >= m.thresholds[label] {
		label++
	}
	return label
}

// rows calls visit for the rows i in [lo,hi), which belong to query g and have the features x.
func (m *letorModel) rows(lo, hi int, visit func(i, g, label int, x []int)) {
	random := newSource(m.Seed)
	x := make([]int, m.Features)
	g, exact := slices.BinarySearch(m.bounds, lo)
	if !exact {
		g--
	}
	for i := lo; i < hi; g++ {
		offset := queryOffset(random.of(forQueries, g))
		for ; i < min(hi, m.bounds[g+1]); i++ {
			visit(i, g, m.label(m.row(x, random.of(forRows, i), offset)), x)
		}
	}
}

// Write writes the rows as LETOR text, with "#docid = D<query>-<row>", on all
// cores.
func (l LETOR) Write(w io.Writer) error {
	m, err := l.model()
	if err != nil {
		return err
	}
	perPiece := max(1, pieceRows*usualFeatures/max(usualFeatures, m.Features)) // wide rows are made a few at a time
	return writePieces(w, (m.Rows+perPiece-1)/perPiece, func(text []byte, piece int) []byte {
		m.rows(piece*perPiece, min(m.Rows, (piece+1)*perPiece), func(i, g, label int, x []int) {
			text = m.appendRow(text, g, i, label, x)
		})
		return text
	})
}

func (m *letorModel) appendRow(text []byte, g, i, label int, x []int) []byte {
	text = appendInt(text, label)
	text = append(text, " qid:"...)
	text = appendInt(text, g+1)
	for j, k := range x {
		text = append(text, ' ')
		text = appendInt(text, j+1)
		text = append(text, ':')
		text = appendFixed(text, k, letorDigits)
	}
	text = append(text, " #docid = D"...)
	text = appendInt(text, g+1)
	text = append(text, '-')
	text = appendInt(text, i-m.bounds[g]+1)
	return append(text, '\n')
}

// Set returns the rows that Write writes, as they read back, without the
// comments.
func (l LETOR) Set() (*data.Set, error) {
	m, err := l.model()
	if err != nil {
		return nil, err
	}
	d := data.NewDense(m.Rows, m.Features, nil)
	y := make([]float64, m.Rows)
	of := make([]int32, m.Rows)
	ids := make([]string, m.Queries)
	for g := range ids {
		ids[g] = fmt.Sprint(g + 1)
	}
	parallel.Chunks(m.Rows, pieceRows, func(_, lo, hi int) {
		m.rows(lo, hi, func(i, g, label int, x []int) {
			y[i], of[i] = float64(label), int32(g)
			for j, k := range x {
				d.Data[i*d.Stride+j] = float64(k) / letorScale
			}
		})
	})
	return &data.Set{X: d, Y: y, Queries: data.NewQueries(of, ids), HasQID: true}, nil
}
