package linalg

// PairMargins leaves pairs of rows out with one more feature in a model: each of some rows i with each of n other rows,
// of which the feature has ci and c[k]. With the 2×2 matrix M, the numbers d and the margin of a pair,
//
//	(u, w) = M (ci, c[k])        ρ = max(lambda, pivot − ci u − c[k] w)
//	dst = margin + (u − w) (toward − ci d_i − c[k] d_j)/ρ
//
// It returns the least number in dst, and squares = Σ (gap[k] − dst)², which is NaN if a margin is. ci has a number for
// each row i, dst its n margins, and blocks, stride apart, its n numbers M_ii, then M_ij, M_jj, d_i, d_j and the
// margins. n is the length of gap, a positive multiple of 4. PairMargins panics for another length, without a row, and
// if a slice is too short. Where M_ii = M_jj and ci = c[k] the margin does not change.
func PairMargins(dst, ci, c, gap, blocks []float64, stride int, pivot, toward, lambda float64) (least,
	squares float64) {
	n, rows := len(gap), len(ci)
	require(n > 0 && n%4 == 0 && rows > 0 && stride >= pairVectors*n && len(dst) >= rows*n && len(c) >= n &&
		len(blocks) >= (rows-1)*stride+pairVectors*n, "PairMargins")
	return active.pairMargins(pivot, toward, lambda, ci, dst, c, gap, blocks, stride)
}

// pairVectors is the number of vectors in a block of PairMargins.
const pairVectors = 6

// PairSigns leaves a row k out together with each of n other rows, and with two rows that are left out before. f_k −
// f_l of their held-out scores f has the sign of
//
//	f = v (c v + a_l − a_k) − d_l (c d_k + a_k) + d_k a_l        v = q_l − p qi_l − r qj_l, c = y_l − y_k
//
// (see rls.Path.NestPairs). PairSigns returns how many f are below 0, and whether some |f| is at most near: then
// rounding may have made a sign. n is the length of q, a multiple of 4; other vectors may be longer. It panics for
// another length, and if a vector is shorter.
func PairSigns(p, r, ak, dk, yk, near float64, q, qi, qj, y, a, d []float64) (below int, close bool) {
	n := len(q)
	require(n%4 == 0 && len(qi) >= n && len(qj) >= n && len(y) >= n && len(a) >= n && len(d) >= n, "PairSigns")
	return active.pairSigns(p, r, ak, dk, yk, near, q, qi, qj, y, a, d)
}
