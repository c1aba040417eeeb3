package cv

// RowPairs counts the held-out pairs of one row with the rows of its query that have another label.
type RowPairs struct {
	Row   int     // from 0
	Pairs int64   // with a row of another label
	Wrong float64 // of them in the wrong order, ties ½
}
