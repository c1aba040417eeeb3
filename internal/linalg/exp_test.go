package linalg

import (
	"math"
	"testing"
)

func TestQuick(t *testing.T) {
	x := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 800, -800, -709, -720, 709.5, 710, 1e-300, -1e-20, 0.5, 2, -745, -744.4, -745.2, math.Float64frombits(0x7ff4000000000123), 709.78, 709.79}
	y := make([]float64, len(x))
	Exp(y, x)
	for i := range x {
		t.Log(x[i], y[i], math.Exp(x[i]))
	}
}
