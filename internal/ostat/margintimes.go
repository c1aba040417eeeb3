package ostat

// eventsFirst moves the events of rows of the same time before the censored ones. It returns the end of the first
// of both kinds that there is, and whether it is that of events. The tags are places in rows.
func eventsFirst(same []entry, rows []int32, censored []bool) (end int, event bool) {
	for k, e := range same {
		if !censored[rows[e.tag]] {
			same[end], same[k] = e, same[end]
			end++
		}
	}
	if end == 0 {
		return len(same), false
	}
	return end, true
}

// setLower makes the lower keys of a list with so many events. lower has, by place, the number of events before, or the
// complement of that of the censored rows before one.
func setLower(lower, level []int32, events int, way Counting) {
	top := level[len(level)-1]
	for q, k := range lower {
		switch {
		case way != Fenwick && k < 0:
			lower[level[q]] = top
		case way != Fenwick:
			lower[level[q]] = level[q]
		case k < 0:
			lower[q] = int32(events) + ^k
		}
	}
}
