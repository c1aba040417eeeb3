package goals

// Levels is a Laplacian that compares rows by their levels alone, as those of scored rows without ties and of censored
// times do with the unit and the magnitude cost. Blocks and Timed have its method.
type Levels interface {
	// EachLevel calls f with the rows of each level of the components that compare any, ascending, component by
	// component, and with the weight of a pair in which a row of the level is the lower one, without the weights of the
	// rows; it is 0 where no row of the level can be.
	EachLevel(f func(component int, rows []int32, weight float64))
}

// EachLevel is that of Levels; there is no level where ties are compared.
func (b *Blocks) EachLevel(f func(component int, rows []int32, weight float64)) {
	for p := range b.parts.Len() {
		if lo, hi := b.ClassesOf(p); b.Compares(p) {
			for c := lo; c < hi; c++ {
				f(p, b.classes.Part(c), b.scale[c])
			}
		}
	}
}

// EachLevel is that of Levels.
func (t *Timed) EachLevel(f func(component int, rows []int32, weight float64)) {
	for p := range t.parts.Len() {
		lo, hi := t.parts.Bounds[p], t.parts.Bounds[p+1]
		for a := lo; a < hi && hi-lo > 1; a = int(t.level[a]) {
			f(p, t.order[a:t.level[a]], t.weight[a]/t.mass[a])
		}
	}
}
