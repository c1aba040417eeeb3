package rls

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"pairrank/internal/checksum"
	"pairrank/pref"
)

// The kinds of errors in the bytes of Statistics, for errors.Is.
var (
	ErrTruncated     = errors.New("the statistics are cut off")
	ErrAltered       = errors.New("the statistics were altered: their checksum does not fit their content")
	ErrVersion       = errors.New("the statistics are of a later version of the format")
	ErrNotStatistics = errors.New("these are not statistics of queries")
)

// The format, numbers little-endian:
//
//	magic      16 bytes, statisticsMagic
//	version    uint32
//	flags      uint32, 1 for regression, 2 for censored times, 4 for weights by their censoring, 8 for
//	           weights of rows
//	outputs    uint32, v
//	folds      uint32
//	features   uint64, n
//	cost, query weight, ties   16 bytes each, padded with zeros
//	check      the first 8 bytes of the SHA-256 of what is before
//	folds, one after the other, each
//	  rows, queries, pairs, and for each output the informed queries   int64
//	  size, the constants of the outputs, the products                 float64
//	SHA-256 of all that is before, 32 bytes
//
// Size, constants and products each are all hi, then all lo, in the order of foldSums with n + v
// columns. Every version begins with magic and version and ends with the SHA-256. Version 2 is of censored times, and
// version 3 of weights, which earlier programs do not know.
const (
	statisticsMagic   = "pairrank moments"
	statisticsVersion = 3
	nameSize          = 16
	headerSize        = len(statisticsMagic) + 4*4 + 8 + 3*nameSize
	checkSize         = 8
)

// AppendBinary appends the statistics to b in the format of UnmarshalBinary. Equal sums have equal
// bytes. A fold takes slightly more than 8(n+v)(n+v+1) bytes. The error is nil.
func (m *Statistics) AppendBinary(b []byte) ([]byte, error) {
	m.flush()
	start := len(b)
	b = append(b, m.header()...)
	header := sha256.Sum256(b[start:])
	b = append(b, header[:checkSize]...)
	columns := m.options.Outputs + m.features
	for f := range m.folds {
		m.folds[f].products.grow(triangle(columns))
		b = m.folds[f].append(b)
	}
	return checksum.Append(b, start), nil
}

// MarshalBinary is AppendBinary to nil.
func (m *Statistics) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

func (m *Statistics) header() []byte {
	o := m.options
	b := append(make([]byte, 0, headerSize), statisticsMagic...)
	flags := uint32(0)
	for k, is := range []bool{o.Regression, o.Times, o.Pairs.CensoringWeights, o.Weights} {
		if is {
			flags |= 1 << k
		}
	}
	for _, n := range []uint32{versionOf(flags), flags, uint32(o.Outputs), uint32(o.Folds)} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(m.features))
	for _, name := range []string{string(o.Pairs.Cost), string(o.Pairs.Weight), o.Pairs.Ties} {
		b = append(b, name...)
		b = append(b, make([]byte, nameSize-len(name))...)
	}
	return b
}

// versionOf is the version of the format that first had such flags.
func versionOf(flags uint32) uint32 {
	switch {
	case flags >= 8:
		return statisticsVersion
	case flags > 1:
		return 2
	}
	return 1
}

// append appends the counts and sums to b.
func (s *foldSums) append(b []byte) []byte {
	for _, n := range s.counts {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	for _, d := range s.doubles() {
		b = appendFloats(appendFloats(b, d.hi), d.lo)
	}
	return b
}

func appendFloats(b []byte, x []float64) []byte {
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// UnmarshalBinary sets m to the statistics that AppendBinary wrote, bit for bit. For any other
// bytes it returns an error that wraps ErrNotStatistics, ErrVersion, ErrTruncated or ErrAltered,
// and does not change m. It allocates in proportion to len(b).
func (m *Statistics) UnmarshalBinary(b []byte) error {
	header, body, err := checkStatistics(b)
	if err != nil {
		return err
	}
	next, err := readHeader(header)
	if err != nil {
		return err
	}
	if need := next.bodySize(); float64(len(body)) < need {
		return fmt.Errorf("%w: %d bytes of %.0f", ErrTruncated, len(b), need+float64(len(b)-len(body)))
	} else if float64(len(body)) > need {
		return fmt.Errorf("%w: %.0f bytes too many", ErrAltered, float64(len(body))-need)
	}
	if !checksum.Holds(b) {
		return ErrAltered
	}
	next.readFolds(body)
	if err := next.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrAltered, err)
	}
	*m = *next
	return nil
}

// checkStatistics cuts the bytes into the header and the body between header and checksum.
func checkStatistics(b []byte) (header, body []byte, err error) {
	known := min(len(b), len(statisticsMagic))
	if string(b[:known]) != statisticsMagic[:known] {
		return nil, nil, ErrNotStatistics
	}
	if len(b) < headerSize+checkSize {
		return nil, nil, fmt.Errorf("%w: %d bytes", ErrTruncated, len(b))
	}
	header = b[:headerSize]
	version := binary.LittleEndian.Uint32(b[len(statisticsMagic):])
	if version > statisticsVersion && checksum.Holds(b) {
		return nil, nil, fmt.Errorf("%w: %d, and this program reads up to %d", ErrVersion, version, statisticsVersion)
	}
	check := sha256.Sum256(header)
	if version < 1 || version > statisticsVersion || !bytes.Equal(check[:checkSize], b[headerSize:headerSize+checkSize]) {
		return nil, nil, ErrAltered
	}
	if len(b) < headerSize+checkSize+checksum.Size {
		return nil, nil, fmt.Errorf("%w: %d bytes", ErrTruncated, len(b))
	}
	return header, b[headerSize+checkSize : len(b)-checksum.Size], nil
}

// readHeader reads the header, not the sums. Its allocations do not depend on the values that it
// reads.
func readHeader(b []byte) (*Statistics, error) {
	version, at := binary.LittleEndian.Uint32(b[len(statisticsMagic):]), b[len(statisticsMagic)+4:]
	u32 := func(i int) uint32 { return binary.LittleEndian.Uint32(at[4*i:]) }
	names := at[3*4+8:]
	name := func(i int) string { return string(bytes.TrimRight(names[i*nameSize:(i+1)*nameSize], "\x00")) }
	flags, outputs, folds, features := u32(0), u32(1), u32(2), binary.LittleEndian.Uint64(at[3*4:])
	const most = math.MaxInt32
	if flags > 15 || version != versionOf(flags) || outputs == 0 || folds == 0 || outputs > most || folds > most ||
		features > most {
		return nil, fmt.Errorf("%w: flags %d, %d outputs, %d folds and %d features",
			ErrAltered, flags, outputs, folds, features)
	}
	o := StatisticsOptions{Outputs: int(outputs), Regression: flags&1 > 0, Times: flags&2 > 0, Folds: int(folds),
		Weights: flags&8 > 0, Pairs: pref.Options{Cost: pref.Cost(name(0)), Weight: pref.Weight(name(1)), Ties: name(2),
			CensoringWeights: flags&4 > 0}}
	if resolved, err := o.Resolved(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAltered, err)
	} else if resolved != o {
		return nil, fmt.Errorf("%w: options %+v are left out", ErrAltered, o)
	}
	return &Statistics{options: o, features: int(features)}, nil
}
