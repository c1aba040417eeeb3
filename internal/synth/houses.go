package synth

import (
	"fmt"
	"io"
	"math"

	"pairrank/data"
)

// Houses describes one list of districts in the shape of the cadata set
// (California housing; Pace and Barry, 1997): eight features of very different
// scales (median income, age, rooms, bedrooms, population, households, latitude,
// longitude) and the median house value as the label, a multiple of 100 from
// 15000 up, cut at 500001. About 4000 values are distinct, so that most rows
// share theirs.
//
// The value follows income, rooms a household, age and the distance to a coast
// line, with log-normal noise. The numbers are ours; only the shape is cadata's.
type Houses struct {
	Rows int
	Seed uint64
}

const houseFeatures = 8

// houseDigits are the decimals each feature is rounded to.
var houseDigits = [houseFeatures]int{4, 0, 0, 0, 0, 0, 2, 2}

// row makes the features of row i, each in units of its last decimal, and
// returns the label.
func (h Houses) row(random source, i int, x *[houseFeatures]int) int {
	random = random.of(forRows, i)
	income := math.Exp(1.25 + 0.47*random.NormFloat64())
	age := 52 * math.Sqrt(random.Float64())
	households := math.Exp(6 + 0.7*random.NormFloat64())
	rooms := households * (3.4 + 0.5*income + 0.8*random.NormFloat64())
	bedrooms := households * (1 + 0.1*math.Abs(random.NormFloat64()))
	people := households * math.Exp(1.02+0.25*random.NormFloat64())
	along := random.Float64() // from the south to the north of the coast
	inland := 2.5 * math.Pow(random.Float64(), 1.7)
	latitude := 32.6 + 9.3*along
	longitude := -117.1 - 7.1*along + inland

	x[0] = clamp(income*1e4, 4999, 150001)
	x[1] = clamp(age, 1, 52)
	x[2] = clamp(rooms, 2, 39320)
	x[3] = clamp(bedrooms, 1, 6445)
	x[4] = clamp(people, 3, 35682)
	x[5] = clamp(households, 1, 6082)
	x[6] = clamp(latitude*1e2, 3254, 4195)
	x[7] = clamp(longitude*1e2, -12435, -11431)

	value := 55000 * math.Pow(income, 0.75) * math.Exp(0.004*age-0.35*inland+0.28*random.NormFloat64())
	if label := 100 * clamp(value/100, 150, 5001); label < 500_000 {
		return label
	}
	return 500_001
}

func (h Houses) check() error {
	if h.Rows < 1 {
		return fmt.Errorf("cannot make %d rows", h.Rows)
	}
	return within(limit{"rows", h.Rows, maxRows})
}

// Write writes the rows as SVMlight text, on all cores.
func (h Houses) Write(w io.Writer) error {
	if err := h.check(); err != nil {
		return err
	}
	return writePieces(w, pieces(h.Rows), func(text []byte, piece int) []byte {
		random := newSource(h.Seed)
		var x [houseFeatures]int
		for i := piece * pieceRows; i < min(h.Rows, (piece+1)*pieceRows); i++ {
			text = appendInt(text, h.row(random, i, &x))
			for j, k := range x {
				text = append(text, ' ')
				text = appendInt(text, j+1)
				text = append(text, ':')
				text = appendFixed(text, k, houseDigits[j])
			}
			text = append(text, '\n')
		}
		return text
	})
}

// Set returns the rows that Write writes, as they read back.
func (h Houses) Set() (*data.Set, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	d := data.NewDense(h.Rows, houseFeatures, nil)
	y := make([]float64, h.Rows)
	random := newSource(h.Seed)
	var x [houseFeatures]int
	for i := range y {
		y[i] = float64(h.row(random, i, &x))
		for j, k := range x {
			d.Data[i*d.Stride+j] = float64(k) / math.Pow10(houseDigits[j])
		}
	}
	return &data.Set{X: d, Y: y, Queries: data.OneList(h.Rows)}, nil
}
