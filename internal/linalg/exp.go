package linalg

// Exp writes exp(x[i]) to dst[i], within 2 ulp, subnormal results included:
// exp(NaN) is NaN, exp(+Inf) is +Inf and exp(-Inf) is 0. A result depends on
// its argument only, not on the place in x. dst may be x; it panics if dst is
// shorter than x.
func Exp(dst, x []float64) { active.exp(dst[:len(x)], x) }

// GaussianRow turns inner products into values of the Gaussian kernel,
//
//	g[j] := exp(-gamma max(0, xn + yn[j] - 2 g[j])),
//
// where xn = ‖x‖², yn[j] = ‖y_j‖² and g[j] = ⟨x,y_j⟩, so that the argument is
// -gamma ‖x-y_j‖². It panics if yn is shorter than g.
func GaussianRow(g, yn []float64, xn, gamma float64) { active.gaussianRow(g, yn[:len(g)], xn, gamma) }
