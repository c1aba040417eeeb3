package ostat

// SetWeights gives the rows of SetTimes weights of at least 0, which are copied; they stay until the next SetTimes. A
// pair counts the product of two, G is the estimate with as many rows as the weights say, as R's survfit makes it,
// and a row of whole weight is that many copies. It panics where there are not as many as times. Cost O(m).
func (c *Censored) SetWeights(w []float64) {
	m := len(c.order)
	if len(w) != m {
		panic("ostat: SetWeights: as many weights as times are needed")
	}
	c.amounts, c.from, c.counted = append(c.amounts[:0], w...), grown(c.from, m+1), false
	c.from[m] = 0
	for q := m - 1; q >= 0; q-- {
		c.from[q] = c.from[q+1] + w[c.order[q]]
	}
	c.setFree()
}

// amount is the weight of a row.
func (c *Censored) amount(i int32) float64 {
	if len(c.amounts) == 0 {
		return 1
	}
	return c.amounts[i]
}

// later is the sum of the weights of the rows of places from q on.
func (c *Censored) later(q int) float64 {
	if len(c.amounts) == 0 {
		return float64(len(c.order) - q)
	}
	return c.from[q]
}
