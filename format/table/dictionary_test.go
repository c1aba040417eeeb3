package table

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"
)

// TestDictionary: a text has the number that a map gives it, whatever its length, its bytes and the room of others; the
// texts that are kept are copies.
func TestDictionary(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var d dictionary
	want := map[string]int32{}
	buffer := make([]byte, 0, 1<<10)
	for k := range 100_000 {
		buffer = buffer[:0]
		for range r.IntN(40) * r.IntN(2) / (1 + r.IntN(3)) {
			buffer = append(buffer, "\x00ab\xff"[r.IntN(4)])
		}
		if k%5000 == 0 {
			buffer = append(buffer[:0], strings.Repeat("long", k/20)...)
		}
		text := string(buffer)
		number, was := want[text]
		if !was {
			number = int32(len(want))
			want[text] = number
		}
		got, is := d.find(text)
		if !is {
			got = d.add(unsafe.String(unsafe.SliceData(buffer), len(buffer))) // which the next text overwrites
		}
		if is != was || got != number || d.ids[got] != text {
			t.Fatalf("text %d %.40q: number %d, known %v, kept %.40q; want %d, %v", k, text, got, is, d.ids[got], number, was)
		}
	}
	if len(want) < 10_000 || len(want) == 100_000 {
		t.Errorf("%d texts: too few, or none again", len(want))
	}
	for text, number := range want {
		if d.ids[number] != text {
			t.Errorf("text %d is %.40q, want %.40q", number, d.ids[number], text)
		}
	}
}
