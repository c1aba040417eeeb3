package pipeline

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pairrank/stream"
)

func init() {
	beam.RegisterType(reflect.TypeFor[unit]())
	beam.RegisterCoder(reflect.TypeFor[unit](), encodeUnit, decodeUnit)
}

// unit has the statistics of a part of the input: a file, a bucket of queries, or all.
type unit struct {
	Name       string
	Statistics *stream.Statistics
}

// encodeUnit is the length of the name, the name, and the statistics.
func encodeUnit(u unit) ([]byte, error) {
	b := binary.AppendUvarint(nil, uint64(len(u.Name)))
	return u.Statistics.AppendBinary(append(b, u.Name...))
}

func decodeUnit(b []byte) (unit, error) {
	name, rest, err := cutString(b)
	if err != nil {
		return unit{}, err
	}
	sum, err := statistics(rest)
	if err != nil {
		return unit{}, fmt.Errorf("%s: %w", name, err)
	}
	return unit{name, sum}, nil
}

// statistics reads the output of Statistics.AppendBinary.
func statistics(b []byte) (*stream.Statistics, error) {
	s := new(stream.Statistics)
	if err := s.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	return s, nil
}

var errShort = errors.New("an encoded element ends too early")

// cutString takes a string off that is preceded by its length.
func cutString(b []byte) (text string, rest []byte, err error) {
	n, rest, err := cutUvarint(b)
	if err != nil || n > uint64(len(rest)) {
		return "", nil, errShort
	}
	return string(rest[:n]), rest[n:], nil
}

func cutUvarint(b []byte) (v uint64, rest []byte, err error) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, errShort
	}
	return v, b[n:], nil
}
