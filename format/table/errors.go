package table

import "pairrank/data"

// SyntaxError says what is wrong with a text, and where.
type SyntaxError = data.SyntaxError
