package numeral

// Power is x^d by repeated squaring.
func Power(x float64, d int) float64 {
	y := 1.0
	for ; d > 0; d >>= 1 {
		if d&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}
