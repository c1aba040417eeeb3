package svmlight

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pairrank/data"
	"pairrank/internal/synth"
)

func letorFile(b *testing.B, rows int) (string, int64) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "letor.txt")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := (synth.LETOR{Rows: rows, Features: 46}).Write(f); err != nil {
		b.Fatal(err)
	}
	size, _ := f.Seek(0, io.SeekCurrent)
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path, size
}

func BenchmarkReadFile(b *testing.B) {
	const rows = 200_000
	path, size := letorFile(b, rows)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("m=%d/n=46/threads=%d", rows, threads), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadFile(context.Background(), path, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEachQuery(b *testing.B) {
	const rows = 200_000
	path, size := letorFile(b, rows)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("m=%d/n=46/threads=%d", rows, threads), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if err := EachQuery(context.Background(), path, Options{},
					func(data.Query) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func letorText(b *testing.B, rows int) []byte {
	b.Helper()
	var text bytes.Buffer
	if err := (synth.LETOR{Rows: rows, Features: 46}).Write(&text); err != nil {
		b.Fatal(err)
	}
	return text.Bytes()
}

func BenchmarkReader(b *testing.B) {
	const rows = 20_000
	text := letorText(b, rows)
	b.Run(fmt.Sprintf("m=%d/n=46", rows), func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			r := NewReader(bytes.NewReader(text), "t", Options{})
			for {
				if _, err := r.Read(); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	const rows = 100_000 // of 57 blocks
	text := letorText(b, rows)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("m=%d/n=46/threads=%d", rows, threads), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Check(bytes.NewReader(text), "t", Options{}, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriteSet(b *testing.B) {
	const rows = 20_000
	text := letorText(b, rows)
	set, err := ReadAll(context.Background(), bytes.NewReader(text), "t", Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("m=%d/n=46", rows), func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			w := NewWriter(io.Discard, WriteOptions{Zeros: true})
			if err := w.WriteSet(set); err != nil {
				b.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
