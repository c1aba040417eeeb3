package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"pairrank/internal/codec"
)

// The decoder allocates what a header claims. So the headers of a file are read here before, without the decoder:
// the footer lies in the file, a chunk in the file and a page in its chunk, and none claims to become much more.
const (
	freeRows     = 1 << 20 // that a file of any size may have
	freeUnpacked = 1 << 24 // bytes that a page of any size may become
)

// mostOf bounds what so many bytes of a file may become, in bytes or values.
func mostOf(bytes, free int64) int64 { return max(free, codec.MaxRatio*bytes) }

// errClaim is an error about a number in a header.
func errClaim(what string, n, most int64) error {
	return fmt.Errorf("it claims %s of %d, where at most %d can be", what, n, most)
}

// compact skims a structure of the compact protocol of Thrift.
type compact struct {
	text []byte
	at   int
	take func(outer, field int, value int64) // gets the whole numbers; outer is the field of the structure in the first
}

var (
	errCut  = errors.New("a header is cut off")
	errForm = errors.New("a header is not in the compact protocol")
)

// mostDepth is how deep structures are nested at most; those of Parquet are five deep.
const mostDepth = 16

// The types of fields.
const (
	thriftTrue, thriftFalse, thriftByte, thriftDouble, thriftBinary = 1, 2, 3, 7, 8
	thriftList, thriftSet, thriftMap, thriftStruct                  = 9, 10, 11, 12
)

// next is the next byte.
func (c *compact) next() (byte, error) {
	if c.at >= len(c.text) {
		return 0, errCut
	}
	c.at++
	return c.text[c.at-1], nil
}

// length is the next number without sign, of things of at least a byte each, all of which must be there.
func (c *compact) length() (int, error) {
	n, size := binary.Uvarint(c.text[c.at:])
	if size < 0 {
		return 0, errForm
	}
	if c.at += size; size == 0 || n > uint64(len(c.text)-c.at) {
		return 0, errCut
	}
	return int(n), nil
}

// structure skims the fields of a structure.
func (c *compact) structure(depth, outer int) error {
	if depth > mostDepth {
		return errForm
	}
	for field := 0; ; {
		head, err := c.next()
		if err != nil || head == 0 {
			return err
		}
		if step := int(head >> 4); step > 0 {
			field += step
		} else {
			n, size := binary.Varint(c.text[c.at:])
			if size <= 0 {
				return errCut
			}
			field, c.at = int(n), c.at+size
		}
		at := outer
		if depth == 0 {
			at = field
		}
		switch kind := head & 15; kind {
		case thriftTrue, thriftFalse:
			c.number(depth, at, field, int64(thriftFalse-kind))
		default:
			if err := c.value(kind, depth, at, field); err != nil {
				return err
			}
		}
	}
}

// number hands over a number of the first structure, or of one in it.
func (c *compact) number(depth, outer, field int, n int64) {
	if c.take != nil && depth <= 1 {
		c.take(outer, field, n)
	}
}

// value skims a value of a kind.
func (c *compact) value(kind byte, depth, outer, field int) error {
	switch {
	case kind <= thriftByte:
		_, err := c.next()
		return err
	case kind < thriftDouble:
		n, size := binary.Varint(c.text[c.at:])
		if size <= 0 {
			return errCut
		}
		c.at += size
		c.number(depth, outer, field, n)
		return nil
	case kind == thriftDouble:
		if c.at += 8; c.at > len(c.text) {
			return errCut
		}
		return nil
	case kind == thriftBinary:
		n, err := c.length()
		c.at += n
		return err
	case kind == thriftStruct:
		return c.structure(depth+1, outer)
	}
	return c.several(kind, depth, outer)
}

// several skims a list, a set or a map.
func (c *compact) several(kind byte, depth, outer int) error {
	const long = 15
	if depth > mostDepth {
		return errForm
	}
	var kinds []byte
	count := 0
	switch head, err := byte(0), error(nil); kind {
	case thriftList, thriftSet:
		if head, err = c.next(); err != nil {
			return err
		}
		kinds, count = []byte{head & 15}, int(head>>4)
		if count == long {
			if count, err = c.length(); err != nil {
				return err
			}
		}
	case thriftMap:
		if count, err = c.length(); err != nil || count == 0 {
			return err
		}
		if head, err = c.next(); err != nil {
			return err
		}
		kinds = []byte{head >> 4, head & 15}
	default:
		return errForm
	}
	for range count {
		for _, k := range kinds {
			if err := c.value(k, depth+2, outer, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFooter checks that the footer lies in the file, and all in the footer that it claims to hold.
func checkFooter(r io.ReaderAt, size int64) error {
	const marks = 12 // the bytes PAR1 at both ends, and the length of the footer
	var end [8]byte
	if size < marks {
		return nil // the decoder says that the file is none of the format
	}
	if _, err := r.ReadAt(end[:], size-int64(len(end))); err != nil && err != io.EOF {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	if mark := string(end[4:]); mark != "PAR1" {
		return nil
	}
	if length > size-marks {
		return errClaim("a footer", length, size-marks)
	}
	text := make([]byte, length)
	if _, err := r.ReadAt(text, size-int64(len(end))-length); err != nil && err != io.EOF {
		return err
	}
	return (&compact{text: text}).structure(0, 0)
}

// pageClaims are the numbers of a page header, and its length.
type pageClaims struct {
	unpacked, packed, values, header int64
	version                          int // of a page of data; 0 of another page
	encoding                         int64
	levels                           [2]int64 // bytes of both kinds of levels, of version 2
	plain                            bool     // version 2 is not compressed
}

// take takes a number of the header.
func (c *pageClaims) take(outer, field int, value int64) {
	const first, dictionary, second = 5, 7, 8
	if version, is := map[int]int{first: 1, second: 2}[outer]; is {
		c.version = version
	}
	switch [2]int{outer, field} {
	case [2]int{2, 2}:
		c.unpacked = value
	case [2]int{3, 3}:
		c.packed = value
	case [2]int{first, 1}, [2]int{dictionary, 1}, [2]int{second, 1}:
		c.values = max(c.values, value)
	case [2]int{first, 2}, [2]int{second, 4}:
		c.encoding = value
	case [2]int{second, 6}:
		c.levels[0] = value
	case [2]int{second, 5}:
		c.levels[1] = value
	case [2]int{second, 7}:
		c.plain = value == 0
	}
}

// pageAt reads the page header at a place of a chunk that ends at end.
func (p *part) pageAt(at, end int64) (claims pageClaims, err error) {
	for window := int64(1 << 12); ; window *= 8 {
		text := make([]byte, min(window, end-at))
		if n, err := p.from.ReadAt(text, at); n < len(text) {
			return claims, err
		}
		claims = pageClaims{}
		c := compact{text: text, take: claims.take}
		err := c.structure(0, 0)
		if claims.header = int64(c.at); err == errCut && window < end-at {
			continue
		}
		return claims, err
	}
}

// checkChunk checks what a chunk that begins at a place claims.
func (p *part) checkChunk(meta *format.ColumnMetaData, at int64) error {
	if at < 0 || meta.TotalCompressedSize < 0 || meta.TotalCompressedSize > p.size-at {
		return errClaim("a column of bytes", meta.TotalCompressedSize, max(0, p.size-max(at, 0)))
	}
	if most := mostOf(p.size, freeRows); meta.NumValues < 0 || meta.NumValues > most {
		return errClaim("a number of values", meta.NumValues, most)
	}
	return nil
}

// checkPages checks what the pages of a chunk claim, before they are decoded.
func (p *part) checkPages(g int, l *leaf) error {
	meta := &p.in.Metadata().RowGroups[g].Columns[l.index].MetaData
	at := meta.DataPageOffset
	if meta.DictionaryPageOffset != 0 {
		at = meta.DictionaryPageOffset
	}
	if err := p.checkChunk(meta, at); err != nil {
		return err
	}
	for end := at + meta.TotalCompressedSize; at < end; {
		page, err := p.pageAt(at, end)
		if err != nil {
			return err
		}
		left := end - at - page.header
		switch most := mostOf(page.packed, freeUnpacked); {
		case page.packed < 0 || page.packed > left:
			return errClaim("a page of bytes", page.packed, left)
		case page.unpacked < 0 || page.unpacked > most:
			return errClaim("a page of unpacked bytes", page.unpacked, most)
		case page.values < 0 || page.values > max(meta.NumValues, page.unpacked):
			return errClaim("a page of values", page.values, max(meta.NumValues, page.unpacked))
		}
		if err := p.checkPacked(meta.Codec, &page, at+page.header); err != nil {
			return err
		}
		if err := p.checkRuns(l, meta.Codec, &page, at+page.header); err != nil {
			return err
		}
		at += page.header + page.packed
	}
	return nil
}

// checkPacked checks what the compressed data of a page claims to unpack to, beside the header of the page.
func (p *part) checkPacked(compression format.CompressionCodec, page *pageClaims, at int64) error {
	levels, size := page.levels[0]+page.levels[1], page.packed
	if page.version == 2 {
		if page.plain || page.levels[0] < 0 || page.levels[1] < 0 || levels > size {
			return nil // not compressed, or refused by checkRuns
		}
		at, size = at+levels, size-levels
	}
	claim := int64(0)
	switch in := io.NewSectionReader(p.from, at, size); compression {
	case format.Zstd:
		claim = codec.ZstdClaim(in, size)
	case format.Snappy:
		length := make([]byte, min(size, binary.MaxVarintLen64))
		if n, err := in.ReadAt(length, 0); n < len(length) {
			return err
		}
		n, _ := binary.Uvarint(length)
		claim = int64(min(n, math.MaxInt64))
	}
	if claim > page.unpacked {
		return errClaim("compressed data of bytes", claim, page.unpacked)
	}
	return nil
}
