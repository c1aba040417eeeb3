package ranksvm

import (
	"errors"
	"fmt"
	"hash/fnv"

	"pairrank/internal/processes"
)

// AllReducer adds vectors over the processes of a group that trains together. Each process has some
// of the queries, with all their rows. It may have queries without a pair, or no row at all.
//
// A training sends these messages, in numbers of 8 bytes, for n features:
//
//   - an iteration of the hinge loss: one of n+5, one of 5, one of 6, and up to five of 5;
//   - a Newton step: one of n+4; for the preconditioner one of n+4 and one of n(n+1)/2+3 or n+3;
//     one of n+3 for each product with the Hessian; and up to 11 of at most 6.
//
// Three numbers of each message let the processes stop at the same place and check that they
// compute the same. A Fit counts the messages and bytes.
type AllReducer interface {
	// Rank is the number of this process, from 0.
	Rank() int
	// Size is the number of processes, the same on all of them.
	Size() int
	// Sum replaces each number of v by its sum over all processes, with the same bits on all of
	// them. All processes make the same calls, with the same number of numbers, in the same order.
	// An error, such as the loss of a process, ends the training for good; every process must
	// return it sooner or later. Sum must not keep v.
	Sum(v []float64) error
}

// Errors of a training over processes, in addition to those of Train.
var (
	// ErrElsewhere is returned on a process that another one has stopped, for example by the end of
	// its context or an error. It wraps context.Canceled; a fit comes with it where a cancelled
	// training would return one.
	ErrElsewhere = processes.ErrElsewhere
	// ErrLost is returned, with the cause, where the AllReducer had an error.
	ErrLost = processes.ErrLost
	// ErrDiffer is returned on every process where λ differs between processes, or their processors
	// round differently, so that the weights would diverge.
	ErrDiffer = processes.ErrDiffer
	// ErrUnlike is returned by New on every process where the number of features or the options
	// differ between processes.
	ErrUnlike = errors.New("the processes of a training need the same number of features and the same options")
)

// Agree shares an error of one process with all, so that none waits for it. It returns err,
// ErrElsewhere where only others have an error, and nil where no process has one. Every process
// calls it at the same place. A nil r is a single process. It sends one message of one number.
func Agree(r AllReducer, err error) error { return processes.Agree(r, err) }

// preflight holds the facts that the processes exchange before a training.
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
