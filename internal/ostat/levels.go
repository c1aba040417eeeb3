package ostat

// maxLevels is the number of label levels that fit a walkLevels: one byte of a
// word each.
const maxLevels = 8

// fullLanes is the number of rows after which a byte counter could overflow.
const fullLanes = 255

// belowLanes[l] adds one to the lanes of all levels below l.
var belowLanes = [maxLevels]uint64{
	0,
	0x01,
	0x0101,
	0x010101,
	0x01010101,
	0x0101010101,
	0x010101010101,
	0x01010101010101,
}

// above counts, for each level, the rows with a higher level among those put in. The lanes of one
// word hold the last few rows and are emptied into base before any of them can overflow, so a row
// costs one addition.
type above struct {
	base  [maxLevels]int64
	lanes uint64
	fill  int
}

func (t *above) of(l uint64) int64 {
	l &= maxLevels - 1
	return t.base[l] + int64(t.lanes>>(8*l)&0xff)
}

func (t *above) put(l uint64) {
	t.lanes += belowLanes[l&(maxLevels-1)]
	if t.fill++; t.fill == fullLanes {
		t.empty()
	}
}

func (t *above) empty() {
	for l := range t.base {
		t.base[l] += int64(t.lanes >> (8 * l) & 0xff)
	}
	t.lanes, t.fill = 0, 0
}

// walkLevels walks rows in ascending score, tag a level below maxLevels.
func walkLevels(e []entry) (w walk) {
	var t above
	for a := 0; a < len(e); {
		if a+1 == len(e) || e[a+1].key != e[a].key {
			w.discordant += t.of(e[a].tag)
			t.put(e[a].tag)
			a++
			continue
		}
		b := tieEnd(e, a)
		var same [maxLevels]int
		for _, x := range e[a:b] {
			w.discordant += t.of(x.tag)
			same[x.tag&(maxLevels-1)]++
		}
		for _, x := range e[a:b] {
			t.put(x.tag)
		}
		for _, n := range same {
			w.tiedBoth += choose2(n)
		}
		w.tied += choose2(b - a)
		a = b
	}
	return w
}
