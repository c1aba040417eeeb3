package comparison

import (
	"fmt"
	"math"

	"pairrank/fault"
	"pairrank/internal/linalg"
)

// Large reports whether the board has no inverse, because of its items: see Fit.
func (b *Board) Large() bool { return b.l != nil }

// needs returns the error of a large board, which has no inverse, for what needs one; nil for others.
func (b *Board) needs(what string, code fault.Code) error {
	if b.l == nil {
		return nil
	}
	n := float64(len(b.p.Items))
	return fault.As(fault.Use, code, fmt.Errorf("%s needs the inverse of the system, %.3g GB for %.0f items, and boards "+
		"of more than %d have none", what, 8e-9*n*n, n, mostDense))
}

// inverse is the matrix, without rows for a large board.
func (b *Board) inverse() linalg.Mat {
	if b.l != nil {
		return linalg.Mat{}
	}
	return b.f.Inverse()
}

// least is the largest margin of items that are equal.
func (b *Board) least() float64 {
	rounding := equalSolved
	if b.f != nil {
		rounding = max(equal, b.f.Rounding())
	}
	return rounding * (linalg.MaxAbs(b.Scores) + linalg.MaxAbs(b.Gamma))
}

// eta is log ν, 0 for losses without it.
func (b *Board) eta() float64 {
	if b.s.EtaAt < 0 {
		return 0
	}
	return math.Log(b.Nu)
}
