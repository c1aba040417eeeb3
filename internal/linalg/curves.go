package linalg

import "math"

// curveLanes is the number of features of a panel.
const curveLanes = 16

// Curves is a sum of curves of n features, each linear between its knots:
//
//	s(x) = Σ_j ( w_j x_j + Σ_k w_jk max(x_j − t_jk, 0) )
//
// All features have room for K knots; those that are not there have a weight of 0. Panels of 16 features hold the 16
// slopes w_j, then for each k the knots t_jk and the weights w_jk: memory is read in order, and without branches.
type Curves struct {
	knots  int
	panels []float64
}

// NewCurves makes n curves of at most K knots, which are 0 until Set: about n(2K+1) numbers.
func NewCurves(n, knots int) *Curves {
	require(n >= 0 && knots >= 0, "NewCurves")
	c := &Curves{knots: knots, panels: make([]float64, (n+curveLanes-1)/curveLanes*panelOf(knots))}
	for at := 0; at < len(c.panels); at += panelOf(knots) {
		for k := range knots {
			for i := range curveLanes {
				c.panels[at+(1+2*k)*curveLanes+i] = math.Inf(1)
			}
		}
	}
	return c
}

// panelOf is the size of a panel.
func panelOf(knots int) int { return (1 + 2*knots) * curveLanes }

// Set sets the slope, the knots and their weights, at most K, of feature j. The knots are finite.
func (c *Curves) Set(j int, slope float64, knots, weights []float64) {
	require(len(knots) == len(weights) && len(knots) <= c.knots, "Curves.Set")
	panel := c.panels[j/curveLanes*panelOf(c.knots):][:panelOf(c.knots)]
	at := j % curveLanes
	panel[at] = slope
	for k, t := range knots {
		panel[(1+2*k)*curveLanes+at], panel[(2+2*k)*curveLanes+at] = t, weights[k]
	}
}

// Sum returns s(x), in 3nK operations. x may have fewer than n features; those that it lacks are 0. It allocates
// nothing and is safe for concurrent use.
func (c *Curves) Sum(x []float64) float64 {
	require(len(x) <= len(c.panels)/panelOf(c.knots)*curveLanes, "Curves.Sum")
	if len(c.panels) == 0 {
		return 0
	}
	return active.curves(x, c.panels, c.knots)
}
