package pencil

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/internal/linalg"
)

// TestEqualRows compares with all pairs of rows: each row that equals an earlier one is found, with one that it equals.
func TestEqualRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	for trial := range 200 {
		rows := linalg.NewMat(r.IntN(30), 1+r.IntN(3))
		for i := range rows.Data {
			rows.Data[i] = float64(r.IntN(1 + trial%4))
		}
		p := productSizes{kappa: make([]float64, rows.Rows)}
		for a := range p.kappa {
			p.kappa[a] = linalg.Nrm2(rows.Row(a))
		}
		found := map[int32]bool{}
		for _, pair := range p.equalRows(rows) {
			if pair[1] >= pair[0] || !slices.Equal(rows.Row(int(pair[0])), rows.Row(int(pair[1]))) {
				t.Errorf("trial %d: rows %v are not equal", trial, pair)
			}
			found[pair[0]] = true
		}
		for b := range rows.Rows {
			equal := false
			for a := range b {
				equal = equal || slices.Equal(rows.Row(a), rows.Row(b))
			}
			if trial%4 < 2 && equal != found[int32(b)] { // few different rows have one norm
				t.Errorf("trial %d: row %d equals an earlier one is %v, want %v", trial, b, found[int32(b)], equal)
			}
		}
	}
}
