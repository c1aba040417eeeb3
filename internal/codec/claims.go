package codec

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// mostWindow bounds the window of a frame of text, which is allocated before the frame is read: the zstd program, too,
// refuses a larger one unless it is asked for.
const mostWindow = 1 << 27

// ZstdClaim returns how many bytes the frames in so many bytes of r unpack to at least, as their headers and their
// blocks of single bytes say: a decoder allocates as much before it reads a frame. It ends at what is no frame. It
// reads some bytes of each block, of up to 128 KB of text.
func ZstdClaim(r io.ReaderAt, size int64) (claim int64) {
	for at := int64(0); at < size; {
		var h zstd.Header
		if h.Decode(bytesAt(r, at, min(zstd.HeaderMaxSize, size-at))) != nil {
			return claim
		}
		at += int64(h.HeaderSize)
		if h.Skippable {
			at += int64(h.SkippableSize)
			continue
		}
		made, ended := int64(0), false
		for !ended && at < size {
			b := bytesAt(r, at, 3)
			if b == nil {
				break
			}
			n := int64(b[0])>>3 | int64(b[1])<<5 | int64(b[2])<<13
			at, ended = at+3, b[0]&1 == 1
			switch b[0] >> 1 & 3 {
			case 0: // as it is
				made, at = made+n, at+n
			case 1: // a byte, n times
				made, at = made+n, at+1
			default:
				at += n
			}
		}
		if h.HasFCS {
			made = max(made, int64(min(h.FrameContentSize, 1<<62)))
		}
		if claim += made; claim < made {
			return made
		}
		if h.HasCheckSum {
			at += 4
		}
	}
	return claim
}

// bytesAt are n bytes at a place; nil where there are fewer.
func bytesAt(r io.ReaderAt, at, n int64) []byte {
	b := make([]byte, n)
	if got, _ := r.ReadAt(b, at); int64(got) < n {
		return nil
	}
	return b
}
