package table

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// dictionary numbers texts in order of first appearance. A text of up to 15 bytes, as most names are, stands in its
// slot: to find it again takes one read of memory that is far away, where a map takes three.
type dictionary struct {
	ids   []string
	slots []nameSlot // at most three quarters of them taken, their number a power of two
	seed  maphash.Seed
	mix   [2]uint64 // random, so that no file can choose names that share their slots
	room  []byte    // of the texts that come
	key   [2]uint64 // of the text that find looked for last
	at    int       // its slot
	near  []int     // slots to touch
	touch uint64    // what they have, so that they are read
}

// nearby is the number of slots up to which they stay near the processor anyway.
const nearby = 1 << 14

// come says that find will look for a text soon, and touchAll reads the slots of these: memory that is far away answers
// many reads in the time of one, if none waits for another.
func (n *dictionary) come(text string) {
	if len(n.slots) > nearby {
		n.near = append(n.near, n.first(n.keyOf(text)))
	}
}

func (n *dictionary) touchAll() {
	for _, at := range n.near {
		n.touch ^= n.slots[at].key[0]
	}
	n.near = n.near[:0]
}

// nameSlot is the key of a text and its number. A key of 0 is free.
type nameSlot struct {
	key    [2]uint64
	number int32
}

// The last byte of a key is 1 and the length of a text that the other bytes hold, or says that these are a hash.
const (
	mostHeld = 15
	hashed   = 0xff
)

// find returns the number of a text that is there.
func (n *dictionary) find(text string) (number int32, is bool) {
	if 4*(len(n.ids)+1) > 3*len(n.slots) {
		n.grow()
	}
	n.key = n.keyOf(text)
	for n.at = n.first(n.key); n.slots[n.at].key != [2]uint64{}; n.at = (n.at + 1) & (len(n.slots) - 1) {
		if s := &n.slots[n.at]; s.key == n.key && (len(text) <= mostHeld || n.ids[s.number] == text) {
			return s.number, true
		}
	}
	return 0, false
}

// add numbers the text that find has just missed. It copies it.
func (n *dictionary) add(text string) int32 {
	number := int32(len(n.ids))
	n.slots[n.at] = nameSlot{n.key, number}
	n.ids = append(n.ids, n.copied(text))
	return number
}

// keyOf is the key of a text: itself where it is short, else a hash and the length.
func (n *dictionary) keyOf(text string) [2]uint64 {
	var b [mostHeld + 1]byte
	if len(text) > mostHeld {
		binary.LittleEndian.PutUint64(b[:8], maphash.String(n.seed, text))
		binary.LittleEndian.PutUint32(b[8:12], uint32(len(text)))
		b[mostHeld] = hashed
	} else {
		copy(b[:], text)
		b[mostHeld] = byte(1 + len(text))
	}
	return [2]uint64{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

// first is the slot from which a key is looked for.
func (n *dictionary) first(key [2]uint64) int {
	hi, lo := bits.Mul64(key[0]^n.mix[0], key[1]^n.mix[1])
	return int(hi^lo) & (len(n.slots) - 1)
}

// grow makes twice as many slots.
func (n *dictionary) grow() {
	const least = 8
	if n.slots == nil {
		n.seed, n.mix = maphash.MakeSeed(), [2]uint64{rand.Uint64(), rand.Uint64()}
	}
	old := n.slots
	n.slots = make([]nameSlot, max(least, 2*len(old)))
	for _, s := range old {
		if s.key == [2]uint64{} {
			continue
		}
		at := n.first(s.key)
		for n.slots[at].key != [2]uint64{} {
			at = (at + 1) & (len(n.slots) - 1)
		}
		n.slots[at] = s
	}
}

// copied is a copy of a text, beside those before it.
func (n *dictionary) copied(text string) string {
	const least, most = 256, 1 << 16
	if text == "" {
		return ""
	}
	if len(text) > cap(n.room)-len(n.room) {
		n.room = make([]byte, 0, max(len(text), min(most, max(least, 2*cap(n.room)))))
	}
	from := len(n.room)
	n.room = append(n.room, text...)
	return unsafe.String(&n.room[from], len(text))
}
