package cv

// PairsAuto and PairsAll are values of Options.Pairs.
const (
	PairsAuto = 0
	PairsAll  = -1
)
