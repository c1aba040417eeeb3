package ranksvm

import (
	"errors"
	"fmt"
	"hash/fnv"

	"pairrank/internal/processes"
)

// AllReducer adds vectors over the processes of a group that trains together, each with rows
// of its own. Every query has all its rows on one process; a process may have queries without a
// pair, or no row at all.
//
// What a training sends, for n features: an iteration of the hinge loss a message of n+5
// numbers, one of 5, one of 6 and up to five of 5; a Newton step one of n+4, one of
// n+4 and one of n(n+1)/2+3 or n+3 for the preconditioner, n+3 for each product with the
// Hessian, and up to 11 of at most 6. A number has 8 bytes. Of each message three numbers
// are for the processes to stop at the same place and to see that they compute the same.
// A Fit counts what was sent.
type AllReducer interface {
	// Rank is the number of this process, from 0.
	Rank() int
	// Size is the number of processes, the same on all of them.
	Size() int
	// Sum replaces each number of v by its sum over all processes, which is the same on all
	// of them to the last bit. All processes call it with as many numbers, in the same order.
	// An error, as of a process that is no more, ends the training for good; it is to be
	// returned on every process sooner or later. v is not kept.
	Sum(v []float64) error
}

// Why a training over processes ended, beside the errors of Train.
var (
	// ErrElsewhere is returned on a process that another one has stopped, as by the end of its
	// context or an error of its own. It is context.Canceled, too: there is a fit beside
	// it where there would be one of a training that was cancelled.
	ErrElsewhere = processes.ErrElsewhere
	// ErrLost is returned, with the cause, where the AllReducer had an error.
	ErrLost = processes.ErrLost
	// ErrDiffer is returned on every process where they were given another λ, or their
	// processors round differently, so that their weights would part.
	ErrDiffer = processes.ErrDiffer
	// ErrUnlike is returned by New on every process where they have another number of
	// features or other options.
	ErrUnlike = errors.New("the processes of a training have the same number of features and the same options")
)

// Agree tells all processes of an error of one, so that none waits for it: it returns err,
// or ErrElsewhere where only others have an error, and nil where no process has. Every process
// calls it at the same place. A nil r is alone. It is one message of one number.
func Agree(r AllReducer, err error) error { return processes.Agree(r, err) }

// preflight is what the processes tell each other before a training.
type preflight struct {
	err          error // of this process
	pairs, lists float64
	features     int
	options      string
	fingerprint  uint64 // of the rows, where there are checkpoints
}

// exchange returns the sums over the processes, or the error of a process on all of them.
func (f preflight) exchange(to AllReducer) (preflight, error) {
	if to == nil || to.Size() == 1 {
		return f, f.err
	}
	failed := 0.0
	if f.err != nil {
		failed = 1
	}
	n, n2 := processes.Moments(processes.Mix(uint64(f.features)))
	o, o2 := processes.Moments(digest(f.options))
	v := append([]float64{failed, f.pairs, f.lists, n, n2, o, o2}, limbs(f.fingerprint)...)
	if err := to.Sum(v); err != nil {
		return f, processes.Lost(to, err)
	}
	f.pairs, f.lists, f.fingerprint = v[1], v[2], limbed(v[7:])
	switch {
	case f.err != nil:
		return f, f.err
	case v[0] > 0:
		return f, ErrElsewhere
	case !processes.Same(v[3], v[4], to.Size()):
		return f, fmt.Errorf("%w: process %d has %d features", ErrUnlike, to.Rank(), f.features)
	case !processes.Same(v[5], v[6], to.Size()):
		return f, fmt.Errorf("%w: process %d has %s", ErrUnlike, to.Rank(), f.options)
	}
	return f, nil
}

// digest is a hash of a text.
func digest(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
