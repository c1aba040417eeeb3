//go:build !linux

package memory

import "math"

// addressSpace is what a limit of the address space leaves; it is not looked up
// here.
func addressSpace() float64 { return math.Inf(1) }
