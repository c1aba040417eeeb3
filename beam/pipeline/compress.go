package pipeline

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// The rows of chunks are compressed on their way: a shuffle costs by the byte, in the
// memory of Prism and the bill of a cloud.
var (
	compressor = sync.OnceValue(func() *zstd.Encoder {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err != nil {
			panic(err) // of options that are constant
		}
		return w
	})
	decompressor = sync.OnceValue(func() *zstd.Decoder {
		r, err := zstd.NewReader(nil)
		if err != nil {
			panic(err)
		}
		return r
	})
)

func compressed(b []byte) []byte { return compressor().EncodeAll(b, nil) }

func decompressed(b []byte) ([]byte, error) { return decompressor().DecodeAll(b, nil) }
