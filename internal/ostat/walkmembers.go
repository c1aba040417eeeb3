package ostat

// walkMembers walks rows in ascending score, tag as placeLabels gives it for many levels: place
// low, end of its tie group high. The steps for both kinds of sets are written twice, since a call
// through an interface would cost more than a step.
func (c *Counter) walkMembers(e []entry) walk {
	if c.m <= shortRows {
		return c.walkShort(e)
	}
	return c.walkLong(e)
}

func (c *Counter) walkLong(e []entry) (w walk) {
	s := &c.members
	s.reset(c.m)
	for a := 0; a < len(e); {
		b := a + 1
		if b < len(e) && e[b].key == e[a].key {
			b = c.tieGroup(&w, e, a)
		}
		for _, x := range e[a:b] {
			w.discordant += int64(a) - s.below(uint32(x.tag>>32))
		}
		for _, x := range e[a:b] {
			s.put(uint32(x.tag))
		}
		a = b
	}
	return w
}

func (c *Counter) walkShort(e []entry) (w walk) {
	var s shortMembers
	for a := 0; a < len(e); {
		if a+1 == len(e) || e[a+1].key != e[a].key { // the usual case, a fifth faster without loops
			w.discordant += int64(a) - s.below(uint32(e[a].tag>>32))
			s.put(uint32(e[a].tag))
			a++
			continue
		}
		b := c.tieGroup(&w, e, a)
		for _, x := range e[a:b] {
			w.discordant += int64(a) - s.below(uint32(x.tag>>32))
		}
		for _, x := range e[a:b] {
			s.put(uint32(x.tag))
		}
		a = b
	}
	return w
}

// tieGroup counts the pairs inside the group of tied scores that starts at a,
// and returns its end.
func (c *Counter) tieGroup(w *walk, e []entry, a int) (end int) {
	end = tieEnd(e, a)
	w.tied += choose2(end - a)
	w.tiedBoth += c.tiedLabels(e[a:end])
	return end
}

// tiedLabels counts the pairs of equal label among rows of one score.
func (c *Counter) tiedLabels(e []entry) (pairs int64) {
	if len(c.same) < c.m+1 {
		c.same = make([]int32, c.m+1)
	}
	for _, x := range e {
		n := &c.same[x.tag>>32]
		pairs += int64(*n)
		*n++
	}
	for _, x := range e {
		c.same[x.tag>>32] = 0
	}
	return pairs
}
