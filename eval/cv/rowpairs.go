package cv

// RowPairs counts the held-out pairs of one row with the rows of its query that have another label.
type RowPairs struct {
	Row   int     // from 0
	Pairs int64   // with a row of another label
	Wrong float64 // of them in the wrong order, ties ½
}

// Share is the share of the pairs that are in the wrong order, 0 of none.
func (r RowPairs) Share() float64 { return r.Wrong / float64(max(r.Pairs, 1)) }
