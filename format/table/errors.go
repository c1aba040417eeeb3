package table

import "pairrank/data"

// SyntaxError is a place in a text that is not what is expected there.
type SyntaxError = data.SyntaxError
