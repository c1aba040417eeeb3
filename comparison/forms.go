package comparison

import (
	"fmt"
	"math"

	"pairrank/internal/linalg"
)

// LargeError reports a question that a large board cannot answer.
type LargeError struct {
	// What needs the inverse of the system.
	What  string
	Items int
}

func (e *LargeError) Error() string {
	return fmt.Sprintf("%s needs the inverse of the system, %.3g GB for %d items, and boards of more than %d have none",
		e.What, 8e-9*float64(e.Items)*float64(e.Items), e.Items, mostDense)
}

// Large reports whether the board has no inverse, because of its items: see Fit.
func (b *Board) Large() bool { return b.l != nil }

// whole is the inverse of the system, or a *LargeError of what needs it.
func (b *Board) whole(what string) (linalg.Mat, error) {
	if b.l != nil {
		return linalg.Mat{}, &LargeError{what, len(b.p.Items)}
	}
	return b.f.Inverse(), nil
}

// inverse is the matrix, without rows for a large board.
func (b *Board) inverse() linalg.Mat {
	k, _ := b.whole("")
	return k
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
