package pipeline

import (
	"cmp"
	"encoding/binary"
	"math"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pairrank/format/svmlight"
)

func init() {
	beam.RegisterType(reflect.TypeFor[chunk]())
	beam.RegisterCoder(reflect.TypeFor[chunk](), encodeChunk, decodeChunk)
}

// chunk is rows of a file for one bucket.
type chunk struct {
	File   int64  // its place among the files
	Name   string // and its name
	Number int64  // of the chunk, from 0, within file and bucket
	Last   bool   // no more come from the file
	Rows   []byte // as appendRow writes them
}

// compare orders chunks as their rows stand in the files.
func (c chunk) compare(d chunk) int {
	return cmp.Or(cmp.Compare(c.File, d.File), cmp.Compare(c.Number, d.Number))
}

func encodeChunk(c chunk) []byte {
	last := uint64(0)
	if c.Last {
		last = 1
	}
	b := make([]byte, 0, len(c.Rows)+len(c.Name)+4*binary.MaxVarintLen64)
	for _, v := range []uint64{uint64(c.File), uint64(c.Number), last, uint64(len(c.Name))} {
		b = binary.AppendUvarint(b, v)
	}
	return append(append(b, c.Name...), compressed(c.Rows)...)
}

func decodeChunk(b []byte) (c chunk, err error) {
	var v [3]uint64
	for i := range v {
		if v[i], b, err = cutUvarint(b); err != nil {
			return c, err
		}
	}
	c.File, c.Number, c.Last = int64(v[0]), int64(v[1]), v[2] == 1
	if c.Name, b, err = cutString(b); err == nil {
		c.Rows, err = decompressed(b)
	}
	return c, err
}

// appendRow encodes a row: its qid, line and label, the number of its values, the
// distances of their columns, and the values.
func appendRow(b []byte, r svmlight.Row) []byte {
	b = binary.AppendUvarint(b, uint64(len(r.QID)))
	b = append(b, r.QID...)
	b = binary.AppendUvarint(b, uint64(r.Line))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(r.Label))
	b = binary.AppendUvarint(b, uint64(len(r.Cols)))
	before := int32(0)
	for _, c := range r.Cols {
		b = binary.AppendUvarint(b, uint64(c-before))
		before = c
	}
	for _, v := range r.Vals {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// cutRow removes the first row. Its columns and values overwrite those of the row before.
func cutRow(b []byte, r *svmlight.Row) (rest []byte, err error) {
	if r.QID, b, err = cutString(b); err != nil {
		return nil, err
	}
	line, b, err := cutUvarint(b)
	if err != nil || len(b) < 8 {
		return nil, errShort
	}
	r.Line, r.HasQID = int(line), true
	r.Label, b = math.Float64frombits(binary.LittleEndian.Uint64(b)), b[8:]
	n, b, err := cutUvarint(b)
	if err != nil || n > uint64(len(b)) {
		return nil, errShort
	}
	r.Cols, r.Vals = r.Cols[:0], r.Vals[:0]
	col := int32(0)
	for range n {
		var step uint64
		if step, b, err = cutUvarint(b); err != nil {
			return nil, err
		}
		col += int32(step)
		r.Cols = append(r.Cols, col)
	}
	if uint64(len(b)) < 8*n {
		return nil, errShort
	}
	for k := range n {
		r.Vals = append(r.Vals, math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:])))
	}
	return b[8*n:], nil
}
