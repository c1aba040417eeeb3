package ostat

// Argsorter sorts row numbers by value. Memory is kept between calls; the zero
// value is ready to use. It is not safe for concurrent use.
type Argsorter struct {
	tags []uint64
	sort sorter
}

// ArgsortTo writes to dst the rows of v in ascending order of value, equal
// values in no particular order, −0 equal to 0. It is not ok, and dst is left
// alone, when a value is NaN. dst and v must be of one length.
func (s *Argsorter) ArgsortTo(dst []int32, v []float64) (ok bool) {
	if len(dst) != len(v) {
		panic("ostat: ArgsortTo: dst and v differ in length")
	}
	for i := len(s.tags); i < len(v); i++ {
		s.tags = append(s.tags, uint64(i))
	}
	sorted, ok := s.sort.order(v, s.tags)
	if !ok {
		return false
	}
	for a, e := range sorted {
		dst[a] = int32(e.tag)
	}
	return true
}
