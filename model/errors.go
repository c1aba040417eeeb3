package model

import (
	"errors"

	"pairrank/internal/modelfile"
)

// Kinds of faults of a model file, for errors.Is.
var (
	ErrTruncated = modelfile.ErrTruncated
	ErrAltered   = modelfile.ErrAltered
	ErrVersion   = modelfile.ErrVersion
)

// ErrPairs reports a file with a model of pairs of nodes. It scores no rows; package
// relation/pairmodel reads it.
var ErrPairs = errors.New("the model scores pairs of nodes, not rows")
