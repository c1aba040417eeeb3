package parquet

import (
	"encoding/binary"
	"math/bits"

	lib "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// smallPage is the size of the compressed pages that are unpacked to look at their runs. In a larger one the runs are
// not looked at.
const smallPage = 1 << 16

// checkRuns checks that the values of a page are as many as its header claims: the decoder allocates what the runs of
// levels, of places in a dictionary and of differences say. A page that it cannot read itself it leaves to the decoder.
func (p *part) checkRuns(l *leaf, compression format.CompressionCodec, page *pageClaims, at int64) error {
	packed := compression != format.Uncompressed && (page.version == 1 || !page.plain)
	if !page.hasRuns(l) || packed && page.packed > smallPage {
		return nil
	}
	body := make([]byte, page.packed)
	if n, err := p.from.ReadAt(body, at); n < len(body) {
		return err
	}
	r := runs{values: page.values}
	if page.version == 2 {
		var err error
		if body, err = r.levelsApart(l, page, body); err != nil {
			return err
		}
	}
	if packed {
		var err error
		if body, err = lib.LookupCompressionCodec(compression).Decode(make([]byte, 0, page.unpacked), body); err != nil {
			return nil
		}
	}
	if page.version == 1 && l.list {
		body = r.counted(body, 1)
	}
	if page.version == 1 && l.maxDef > 0 {
		body = r.counted(body, bits.Len8(l.maxDef))
	}
	r.encoded(format.Encoding(page.encoding), body)
	return r.err
}

// hasRuns reports whether a page is of values that are more than one after the other.
func (c *pageClaims) hasRuns(l *leaf) bool {
	bare := l.maxDef == 0 && !l.list && c.encoding == int64(format.Plain)
	return c.version != 0 && !bare
}

// levelsApart looks at the levels in front of the values of a page of version 2, and returns what is behind.
func (r *runs) levelsApart(l *leaf, page *pageClaims, body []byte) (values []byte, err error) {
	levels := page.levels[0] + page.levels[1]
	if page.levels[0] < 0 || page.levels[1] < 0 || levels > page.packed {
		return nil, errClaim("levels of bytes", levels, page.packed)
	}
	r.hybrid(body[:page.levels[0]], 1)
	r.hybrid(body[page.levels[0]:levels], bits.Len8(l.maxDef))
	return body[levels:], nil
}

// runs adds up the values of a page.
type runs struct {
	values int64
	err    error
}

// counted looks at runs whose length in bytes stands before them, and returns what is behind.
func (r *runs) counted(b []byte, width int) []byte {
	if len(b) < 4 {
		return nil
	}
	end := 4 + int64(binary.LittleEndian.Uint32(b))
	if end > int64(len(b)) {
		return nil
	}
	r.hybrid(b[4:end], width)
	return b[end:]
}

// encoded looks at values.
func (r *runs) encoded(encoding format.Encoding, b []byte) {
	switch encoding {
	//lint:ignore SA1019 older programs write it
	case format.PlainDictionary, format.RLEDictionary:
		if len(b) > 0 {
			r.hybrid(b[1:], int(b[0]))
		}
	case format.RLE:
		r.counted(b, 1)
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray, format.DeltaByteArray:
		var n uint64
		for range 3 { // values of a block, parts of it, and all values
			size := 0
			if n, size = binary.Uvarint(b); size <= 0 {
				return
			}
			b = b[size:]
		}
		r.claims(n)
	}
}

// claims takes a number of values. Packed ones come in eights, and some programs fill up more of them.
func (r *runs) claims(n uint64) bool {
	const more = 2048
	if most := uint64(r.values) + more; n > most && r.err == nil {
		r.err = errClaim("runs of values", int64(min(n, 1<<62)), int64(most))
	}
	return r.err == nil
}

// hybrid looks at runs of values and of packed values of so many bits each.
func (r *runs) hybrid(b []byte, width int) {
	for sum := uint64(0); len(b) > 0; {
		head, size := binary.Uvarint(b)
		if size <= 0 {
			return
		}
		b = b[size:]
		count, skip := head>>1, uint64(width+7)/8
		if head&1 != 0 {
			count, skip = min(count, 1<<40)*8, min(count, 1<<40)*uint64(width)
		}
		if sum += count; !r.claims(sum) || skip > uint64(len(b)) {
			return
		}
		b = b[skip:]
	}
}
