package relation

import (
	"math/big"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/relation/edge"
)

// Of columns with equal features, loo with the setting both has no ties. An edge (i, a) is scored without row i and
// column a, from the labels of the twin b alone, and (i, b) from those of a: two trainings. With features u of the
// rows, 1 of both columns, λ, and d_i = y_ia − y_ib,
//
//	f(i,a) − f(i,b) = u_i Σ_{j≠i} u_j (y_jb − y_ja) / (Σ_{j≠i} u_j² + λ) = −u_i Σ_{j≠i} u_j d_j / (Σ_{j≠i} u_j² + λ)
//
// so that row i is in the wrong order if u_i d_i and Σ_{j≠i} u_j d_j have one sign, whatever λ is. For u = 1, 1, 1 and
// d = 2, 2, −1 the sums are 1, 1 and 4: rows 1 and 2 are wrong, row 3 is not, the error is 2/3; for d = 1, 1, 1 it is
// 1, for d = 1, 1, −4 it is 0. lpo leaves out both edges of a pair, with both columns, and has nothing to learn from:
// all are ties, error 1/2. A warning (pooled) says that loo compares scores of different trainings.
func TestTwinColumnsLeftOutAlone(t *testing.T) {
	for _, c := range []struct{ u, d, want []int64 }{ // want: the rows in the wrong order, of all
		{[]int64{1, 1, 1}, []int64{2, 2, -1}, []int64{2, 3}}, {[]int64{1, 1, 1}, []int64{1, 1, 1}, []int64{3, 3}},
		{[]int64{1, 1, 1}, []int64{1, 1, -4}, []int64{0, 3}}, {[]int64{2, -1, 3, 1}, []int64{1, 5, 2, 1}, []int64{2, 4}},
	} {
		p := Problem{Rows: &Nodes{X: data.NewDense(len(c.u), 1, nil)}, Cols: &Nodes{X: data.NewDense(2, 1, []float64{1, 1})}}
		sum := new(big.Rat)
		for i, u := range c.u {
			p.Rows.X.Row(i)[0] = float64(u)
			sum.Add(sum, new(big.Rat).SetInt64(u*c.d[i]))
			for a, y := range []float64{float64(7 + c.d[i]), 7} {
				p.Edges.Row, p.Edges.Col, p.Y = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(a)), append(p.Y, y)
			}
		}
		wrong := int64(0)
		for i, u := range c.u {
			own := new(big.Rat).SetInt64(u * c.d[i])
			if own.Sign()*new(big.Rat).Sub(sum, own).Sign() > 0 {
				wrong++
			}
		}
		if wrong != c.want[0] {
			t.Fatalf("%v: %d rows are wrong by the formula", c, wrong)
		}
		for _, lambda := range []float64{0.01, 1, 100} {
			for kind, want := range map[cv.Kind]float64{cv.LeaveOneOut: float64(c.want[0]) / float64(c.want[1]),
				cv.LeavePairOut: 0.5} {
				e, err := Estimate(t.Context(), p, EstimateOptions{Intervals: cv.IntervalsNone, Options: Options{Setting: edge.Both,
					Loss: edge.Regression, Lambdas: []float64{lambda}, Method: &cv.Method{Kind: kind}}})
				if err != nil {
					t.Fatal(err)
				}
				if got := e.Choice.Point().Error; got != want {
					t.Errorf("%v, %v at λ = %v: error %v, want %v", c, kind, lambda, got, want)
				}
			}
		}
	}
}
