package modelfile

import (
	"errors"
)

// Kinds of faults of a model file, for errors.Is.
var (
	ErrTruncated = errors.New("the file is cut off")
	ErrAltered   = errors.New("the file was altered: its checksum does not fit its content")
	ErrVersion   = errors.New("the file has a later version of the format")
)
