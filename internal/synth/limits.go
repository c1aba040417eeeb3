package synth

import (
	"fmt"
	"math"
)

// The largest sizes: a reader accepts them, and the memory before the first row is written stays
// below a gigabyte.
const (
	maxRows    = math.MaxInt32
	maxDense   = 100_000    // features of LETOR and Patients; 20,000 rows are made to find the thresholds
	maxQueries = 20_000_000 // of LETOR, 24 bytes each
	maxSparse  = 20_000_000 // features of News, 28 bytes each
	maxPlayers = 10_000_000 // of Game, 24 bytes each
	maxGames   = 4_000_000  // of Game, 48 bytes each
	maxPaired  = 2_000      // players of Game.Test, 24 bytes for each pair
)

// usualFeatures is the number of dense features up to which a piece has pieceRows
// rows.
const usualFeatures = 1000

// limit is a size and the largest there is.
type limit struct {
	what      string
	size, max int
}

// within returns an error about the first size beyond its limit.
func within(limits ...limit) error {
	for _, l := range limits {
		if l.size > l.max {
			return fmt.Errorf("cannot make %d %s: there are at most %d", l.size, l.what, l.max)
		}
	}
	return nil
}
