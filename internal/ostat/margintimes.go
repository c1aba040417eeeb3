package ostat

// lowerKeys are the keys that rows have as the lower ones of pairs.
type lowerKeys struct {
	of []int32 // by key; nil where no label is censored
	at []int32 // by position, set by Sort; the same memory as the keys where no label is censored
}

// levelEnd is the end of a level of sorted labels that begins at a, and whether its rows had the event, as those of
// labels without marks. It moves the events of a time before its censored rows. The tags are places in rows.
func levelEnd(sorted []entry, a int, rows []int32, censored []bool) (b int, event bool) {
	b = tieEnd(sorted, a)
	if censored == nil {
		return b, true
	}
	end := a
	for k, e := range sorted[a:b] {
		if !censored[rows[e.tag]] {
			sorted[end], sorted[a+k] = e, sorted[end]
			end++
		}
	}
	if end == a {
		return b, false
	}
	return end, true
}

// number sets, by place, the lower keys of the level of places [a,b) of the list from lo on, after so many events: for
// a censored row the complement of the number of those before.
func (l *lowerKeys) number(lo, a, b, events int, event bool) {
	for q := a; q < b && l.of != nil; q++ {
		if l.of[lo+q] = int32(events + q - a); !event {
			l.of[lo+q] = ^int32(q - events)
		}
	}
}

// settle makes them lower keys by key, of a list with so many events in all.
func (l *lowerKeys) settle(lo, hi int, level []int32, events int, way Counting) {
	if l.of == nil {
		return
	}
	lower := l.of[lo:hi]
	for q, k := range lower {
		switch {
		case way != Fenwick && k < 0:
			lower[level[q]] = level[len(level)-1]
		case way != Fenwick:
			lower[level[q]] = level[q]
		case k < 0:
			lower[q] = int32(events) + ^k
		}
	}
}
