package linalg

// SinCos writes sin(x[i]) and cos(x[i]), each within 1e-15 absolutely; those of NaN and of
// infinities are NaN. A result depends on its argument only, not on the place in x. sin or
// cos may be x, and must not share memory otherwise; it panics if one is shorter than x.
func SinCos(sin, cos, x []float64) { active.sinCos(sin[:len(x)], cos[:len(x)], x) }
