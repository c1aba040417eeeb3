package blocks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"pairrank/internal/codec"
)

// counted is a block with the number of its line ends.
type counted struct {
	Text
	ends int
}

func (c *counted) parse() { c.ends = bytes.Count(c.Bytes, []byte("\n")) }

// randomText has lines of up to longest bytes, the last perhaps without an end.
func randomText(random *rand.Rand, lines, longest int) string {
	var b strings.Builder
	for range lines {
		b.WriteString(strings.Repeat("x", random.IntN(longest+1)))
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), []string{"", "\n"}[random.IntN(2)])
}

func readAhead(t *testing.T, from io.Reader, size, longest, workers int) *Reader[*counted] {
	t.Helper()
	source, err := codec.NewReader(from, "text")
	if err != nil {
		t.Fatal(err)
	}
	return Read(source, &Cutter{From: source, Size: size, Longest: longest}, workers,
		func() *counted { return new(counted) }, func(int) func(*counted) { return (*counted).parse })
}

func TestBlocksAreTheText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 300 {
		text := randomText(random, random.IntN(60), 1+random.IntN(40))
		size, workers := 1+random.IntN(100), 1+random.IntN(4)
		var got strings.Builder
		number, ends := 0, 0
		err := readAhead(t, strings.NewReader(text), size, 100, workers).Each(context.Background(), func(b *counted) error {
			if b.Number != number || b.Cut || b.Dropped {
				t.Errorf("trial %d: block %d is number %d, cut %v, dropped %v", trial, number, b.Number, b.Cut, b.Dropped)
			}
			number++
			ends += b.ends
			got.Write(b.Bytes)
			if n := got.Len(); n < len(text) && text[n-1] != '\n' {
				t.Errorf("trial %d: block %d ends within a line", trial, b.Number)
			}
			return nil
		})
		if err != nil || got.String() != text || ends != strings.Count(text, "\n") {
			t.Fatalf("trial %d: %d bytes became %d, with %d line ends, %v", trial, len(text), got.Len(), ends, err)
		}
	}
}

// A source that gives a byte at a time is cut as soon as a line has ended.
func TestEagerCutterWaitsForOneLine(t *testing.T) {
	c := &Cutter{From: iotest.OneByteReader(strings.NewReader("ab\n\ncde\nf")), Size: 4, Longest: 100, Eager: true}
	var got []string
	var b Text
	var err error
	for err = c.Cut(&b); err == nil; err = c.Cut(&b) {
		got = append(got, string(b.Bytes))
	}
	if want := `["ab\n" "\n" "cde\n" "f"]`; fmt.Sprintf("%q", got) != want || err != io.EOF {
		t.Errorf("cut into %q, %v; want %s", got, err, want)
	}
}

func TestLongLines(t *testing.T) {
	text := "ab\n" + strings.Repeat("x", 50) + "\ncd\n"
	for _, drops := range []bool{false, true} {
		c := &Cutter{From: strings.NewReader(text), Size: 8, Longest: 20, DropsLong: drops}
		var first, second Text
		if err := c.Cut(&first); err != nil || string(first.Bytes) != "ab\n" {
			t.Fatalf("first block %q, %v", first.Bytes, err)
		}
		if err := c.Cut(&second); err != nil || !second.Cut || second.Dropped != drops ||
			(len(second.Bytes) == 0) != drops {
			t.Errorf("drops %v: second block %q, cut %v, dropped %v, %v", drops, second.Bytes, second.Cut, second.Dropped,
				err)
		}
		if err := c.Cut(&first); err != io.EOF {
			t.Errorf("drops %v: a third block, %v", drops, err)
		}
	}
}

func TestReadErrorComesAfterWholeLines(t *testing.T) {
	broken := errors.New("broken")
	from := io.MultiReader(strings.NewReader("ab\ncd\nef"), iotest.ErrReader(broken))
	var got strings.Builder
	err := readAhead(t, from, 4, 100, 2).Each(context.Background(), func(b *counted) error {
		got.Write(b.Bytes)
		return nil
	})
	if got.String() != "ab\ncd\n" || !errors.Is(err, broken) {
		t.Errorf("read %q, %v", got.String(), err)
	}
}

func TestReadingEndsEarly(t *testing.T) {
	enough := errors.New("enough")
	text := strings.Repeat("line\n", 1000)
	calls := 0
	err := readAhead(t, strings.NewReader(text), 16, 100, 3).Each(context.Background(), func(*counted) error {
		if calls++; calls == 3 {
			return enough
		}
		return nil
	})
	if err != enough || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = readAhead(t, strings.NewReader(text), 16, 100, 3).Each(ctx, func(*counted) error {
		cancel()
		return nil
	})
	if err != context.Canceled {
		t.Errorf("after the end of ctx: %v", err)
	}
}
