package table

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// dictionary numbers texts in order of first appearance. A text of up to 11 bytes, as most names are, stands in its
// slot of 16: to find it again takes one read of memory that is far away, where a map takes three.
type dictionary struct {
	ids   []string
	slots []nameSlot // at most three quarters of them taken, their number a power of two
	seed  maphash.Seed
	mix   [2]uint64 // random, so that no file can choose names that share their slots
	room  []byte    // of the texts that come
	last  nameSlot  // of the text that find looked for last, without its number
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
		n.touch ^= n.slots[at].key
	}
	n.near = n.near[:0]
}

// nameSlot is a text of up to mostHeld bytes in key and tail, whose last byte is 1 and its length, or else its hash in
// key and in tail its length and hashed. A tail of 0 is free.
type nameSlot struct {
	key    uint64
	tail   uint32
	number int32
}

const (
	mostHeld = 11
	hashed   = 0xff << 24
)

// find returns the number of a text that is there.
func (n *dictionary) find(text string) (number int32, is bool) {
	if 4*(len(n.ids)+1) > 3*len(n.slots) {
		n.grow()
	}
	n.last = n.keyOf(text)
	for n.at = n.first(n.last); ; n.at = (n.at + 1) & (len(n.slots) - 1) {
		switch s := &n.slots[n.at]; {
		case s.tail == 0:
			return 0, false
		case s.key == n.last.key && s.tail == n.last.tail && (len(text) <= mostHeld || n.ids[s.number] == text):
			return s.number, true
		}
	}
}

// add numbers the text that find has just missed. It copies it.
func (n *dictionary) add(text string) int32 {
	number := int32(len(n.ids))
	n.slots[n.at] = nameSlot{n.last.key, n.last.tail, number}
	n.ids = append(n.ids, n.copied(text))
	return number
}

// keyOf is the slot of a text without its number: the text itself where it is short, else a hash and the length.
func (n *dictionary) keyOf(text string) nameSlot {
	if len(text) > mostHeld {
		return nameSlot{key: maphash.String(n.seed, text), tail: hashed | uint32(len(text))&^hashed}
	}
	var b [mostHeld + 1]byte
	copy(b[:], text)
	b[mostHeld] = byte(1 + len(text))
	return nameSlot{key: binary.LittleEndian.Uint64(b[:8]), tail: binary.LittleEndian.Uint32(b[8:])}
}

// first is the slot from which a key is looked for.
func (n *dictionary) first(key nameSlot) int {
	hi, lo := bits.Mul64(key.key^n.mix[0], uint64(key.tail)^n.mix[1])
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
		if s.tail == 0 {
			continue
		}
		at := n.first(s)
		for n.slots[at].tail != 0 {
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
