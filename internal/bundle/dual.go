package bundle

import (
	"math"

	"pairrank/internal/linalg"
)

// dual is the quadratic program over the planes,
//
//	minimise ½ αᵀGα − 2λ bᵀα  over α ≥ 0, Σα = 1,    G_ij = ⟨a_i, a_j⟩,
//
// whose solution gives w = −(1/2λ) Σ α_i a_i, the minimiser of λ‖w‖² + max_i (⟨a_i,w⟩ + b_i). It is
// solved by active sets: the support S of α, on which the gradient is constant, with the Cholesky
// factor of H = G_SS + σ11ᵀ, which has the same minimisers as G_SS on Σα = 1 and is positive
// definite as long as the planes of S are affinely independent: Wolfe's (1976) method for the
// nearest point of a polytope, with a linear term. S and its factor stay from one solve to the next
// and do not depend on λ.
type dual struct {
	gram  [][]float64 // gram[i][j], j ≤ i
	b     []float64
	alpha []float64

	support []int
	factor  [][]float64 // rows of the lower Cholesky factor of H
	shift   float64     // σ

	g, h, u []float64 // scratch
}

// tiny is the part of its size below which the square of a pivot counts as
// rounding: the plane then is an affine combination of those in the support.
const tiny = 1e-12

// add adds a plane: its inner products with the planes before it and with itself,
// and its offset. The caller does not reuse products.
func (d *dual) add(products []float64, b float64) {
	d.gram = append(d.gram, products)
	d.b = append(d.b, b)
	d.alpha = append(d.alpha, 0)
	if len(d.alpha) == 1 {
		d.alpha[0] = 1
		d.shift = products[0]
		if d.shift == 0 {
			d.shift = 1
		}
		d.append(0)
	}
}

// entry is G_ij.
func (d *dual) entry(i, j int) float64 {
	if i < j {
		i, j = j, i
	}
	return d.gram[i][j]
}

// solve improves α until no more than slack can be gained in the dual value, or
// rounding ends the progress.
func (d *dual) solve(lambda, slack float64) {
	d.rescale()
	entered := -1
	for range 10 * (len(d.alpha) + 10) {
		weightless := entered >= 0 && d.alpha[entered] == 0
		left := d.toFace(lambda)
		if weightless && left == entered {
			return // it entered and left again without a step: rounding
		}
		if left >= 0 {
			continue
		}
		d.toFace(lambda) // again, for the digits
		enter, gain := d.mostViolating(lambda)
		if enter < 0 || gain <= slack {
			return
		}
		if entered = enter; !d.append(enter) {
			d.alongNull(enter)
			entered = -1
		}
	}
}

// rescale renews the factor when the shift is far from the middle of the sizes of the planes, which
// shrink as the optimum comes near: added to a larger shift short slopes would lose their digits,
// and to a smaller one planes that are dependent except for their offsets. A slope that is shorter than rounding leaves
// of the longest is 0.
func (d *dual) rescale() {
	const rounding = 1e-14
	least, largest := math.Inf(1), 0.0
	for i, row := range d.gram {
		largest = max(largest, row[i])
	}
	for i, row := range d.gram {
		if g := row[i]; g > rounding*rounding*largest {
			least = min(least, g)
		}
	}
	if largest == 0 {
		return
	}
	if middle := math.Sqrt(least) * math.Sqrt(largest); middle > 10*d.shift || middle < d.shift/10 {
		d.shift = middle
		d.refactor()
	}
}

// refactor computes the factor of the support anew; planes that have become
// dependent leave it with their weight, which goes to the first.
func (d *dual) refactor() {
	old := d.support
	d.support, d.factor = nil, nil
	for _, i := range old {
		if !d.append(i) {
			d.alpha[d.support[0]] += d.alpha[i]
			d.alpha[i] = 0
		}
	}
}

// toFace moves α to the minimiser over the affine hull of the support, or to
// where the first weight becomes zero on the way there: then that plane leaves
// the support, and is returned; −1 when the minimiser is reached. The step is
// solved from the gradient at α, so that a second one corrects the rounding of
// the first, and λ may be of any size.
func (d *dual) toFace(lambda float64) (left int) {
	k := len(d.support)
	d.h, d.u = grown(d.h, k), grown(d.u, k)
	mean := 0.0
	for a, i := range d.support {
		r := -2 * lambda * d.b[i]
		for _, j := range d.support {
			r += d.alpha[j] * d.entry(i, j)
		}
		d.h[a], d.u[a] = -r, 1
		mean += r / float64(k)
	}
	for a := range d.h {
		d.h[a] += mean
	}
	d.solveFactor(d.h)
	d.solveFactor(d.u)
	over, total := 0.0, 0.0
	for a := range k {
		over += d.h[a]
		total += d.u[a]
	}
	step, leave := 1.0, -1
	for a, i := range d.support {
		d.h[a] -= over / total * d.u[a] // the weights go on to sum to one
		if d.alpha[i]+d.h[a] <= 0 && k > 1 {
			t := 0.0 // of a plane without weight, whatever its step
			if d.alpha[i] > 0 {
				t = d.alpha[i] / -d.h[a]
			}
			if t < step || leave < 0 {
				step, leave = min(step, t), a
			}
		}
	}
	for a, i := range d.support {
		d.alpha[i] = max(d.alpha[i]+step*d.h[a], 0)
	}
	if leave < 0 {
		return -1
	}
	left = d.support[leave]
	d.remove(leave)
	return left
}

// mostViolating is the plane outside the support whose entry gains most, and a
// bound on the gain of all: (αᵀr − min r)/2λ for the gradient r = Gα − 2λb.
func (d *dual) mostViolating(lambda float64) (enter int, gain float64) {
	d.g = grown(d.g, len(d.alpha))
	d.gradientTo(d.g, lambda)
	mean, weight, size := 0.0, 0.0, 0.0
	for _, i := range d.support {
		mean += d.alpha[i] * d.g[i]
		weight += d.alpha[i]
		size = max(size, math.Abs(d.g[i]), 2*lambda*math.Abs(d.b[i]))
	}
	mean /= weight
	enter = -1
	least := mean
	for i, r := range d.g {
		if r < least {
			enter, least = i, r
		}
	}
	for _, i := range d.support {
		if i == enter {
			return -1, 0 // rounding: the support is at its best
		}
	}
	if mean-least <= 1e-14*size {
		return -1, 0
	}
	return enter, (mean - least) / (2 * lambda)
}

// gradientTo sets g = Gα − 2λb.
func (d *dual) gradientTo(g []float64, lambda float64) {
	for i := range g {
		g[i] = -2 * lambda * d.b[i]
	}
	for _, j := range d.support {
		a := d.alpha[j]
		for i, v := range d.gram[j] {
			g[i] += a * v
		}
		for i := j + 1; i < len(g); i++ {
			g[i] += a * d.gram[i][j]
		}
	}
}

// append puts plane i at the end of the support; not ok, and not done, where it
// depends on those in it.
func (d *dual) append(i int) (ok bool) {
	k := len(d.support)
	row := make([]float64, k+1)
	for a, j := range d.support {
		row[a] = d.entry(i, j) + d.shift
	}
	d.forward(row[:k])
	full := d.entry(i, i) + d.shift
	pivot := full - linalg.Dot(row[:k], row[:k])
	if pivot <= tiny*full {
		return false
	}
	row[k] = math.Sqrt(pivot)
	d.support, d.factor = append(d.support, i), append(d.factor, row)
	return true
}

// alongNull lets plane i, an affine combination of the support with a better
// offset, take the place of the first plane of it that comes to weight zero:
// along it the quadratic form stays and the linear one falls.
func (d *dual) alongNull(i int) {
	k := len(d.support)
	z := grown(d.h, k)
	d.h = z
	for a, j := range d.support {
		z[a] = d.entry(i, j) + d.shift
	}
	d.solveFactor(z)
	step, leave := math.Inf(1), -1
	for a, j := range d.support {
		if z[a] > 0 {
			if t := d.alpha[j] / z[a]; t < step {
				step, leave = t, a
			}
		}
	}
	if leave < 0 {
		return
	}
	d.alpha[i] += step
	for a, j := range d.support {
		d.alpha[j] = max(0, d.alpha[j]-step*z[a])
	}
	d.remove(leave)
	if !d.append(i) { // it depends on the rest, too: its weight moves there
		d.alpha[d.support[0]] += d.alpha[i]
		d.alpha[i] = 0
	}
}

// remove drops the plane at place a from the support, and updates the factor by Givens
// rotations of its columns.
func (d *dual) remove(a int) {
	d.alpha[d.support[a]] = 0
	d.support = append(d.support[:a], d.support[a+1:]...)
	d.factor = append(d.factor[:a], d.factor[a+1:]...)
	for r := a; r < len(d.factor); r++ {
		c, s, length := rotation(d.factor[r][r], d.factor[r][r+1])
		d.factor[r][r] = length
		for _, row := range d.factor[r+1:] {
			x, y := row[r], row[r+1]
			row[r], row[r+1] = c*x+s*y, c*y-s*x
		}
		d.factor[r] = d.factor[r][:r+1]
	}
}

// rotation turns (x, y) to (length, 0).
func rotation(x, y float64) (c, s, length float64) {
	length = math.Hypot(x, y)
	if length == 0 {
		return 1, 0, 0
	}
	return x / length, y / length, length
}

// forward solves with the factor, in place.
func (d *dual) forward(x []float64) {
	for a := range x {
		row := d.factor[a]
		x[a] = (x[a] - linalg.Dot(row[:a], x[:a])) / row[a]
	}
}

// solveFactor sets x = H⁻¹x.
func (d *dual) solveFactor(x []float64) {
	d.forward(x)
	for a := len(x) - 1; a >= 0; a-- {
		row := d.factor[a]
		x[a] /= row[a]
		linalg.Axpy(-x[a], row[:a], x[:a])
	}
}

// keep drops the planes for which keep is false; none of them is in the support.
func (d *dual) keep(keep []bool) {
	number := make([]int, len(keep))
	next := 0
	for i, k := range keep {
		if !k {
			continue
		}
		number[i] = next
		row := d.gram[i]
		at := 0
		for j, v := range row {
			if keep[j] {
				row[at] = v
				at++
			}
		}
		d.gram[next], d.b[next], d.alpha[next] = row[:at], d.b[i], d.alpha[i]
		next++
	}
	clear(d.gram[next:])
	d.gram, d.b, d.alpha = d.gram[:next], d.b[:next], d.alpha[:next]
	for a, i := range d.support {
		d.support[a] = number[i]
	}
}

// grown is s with length n, of new memory if it must be.
func grown(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}
