package edge

import "fmt"

// Repair is a correction of the negative eigenvalues of a similarity matrix. A kernel has none.
type Repair int

const (
	None  Repair = iota // leave them
	Clip                // set them to 0: the nearest positive semidefinite matrix
	Shift               // add |smallest| to the diagonal
)

var repairs = []string{"none", "clip", "shift"}

// String returns the name that ParseRepair reads.
func (f Repair) String() string {
	if f < 0 || int(f) >= len(repairs) {
		return fmt.Sprintf("Repair(%d)", int(f))
	}
	return repairs[f]
}

// ParseRepair reads "none", "clip" or "shift". It returns an error for any other name.
func ParseRepair(s string) (Repair, error) {
	for f, name := range repairs {
		if s == name {
			return Repair(f), nil
		}
	}
	return 0, fmt.Errorf("unknown treatment of negative eigenvalues %q, want none, clip or shift", s)
}
