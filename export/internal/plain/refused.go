package plain

import "pairrank/fault"

// refuse is a *fault.RefusedError.
func refuse(target, what, help string) error {
	return &fault.RefusedError{Target: target, What: what, Help: help}
}
