// Package processes lets one iteration run on the rows of several processes: each computes
// with its own rows and all of them with the same sums, so that they decide alike.
package processes

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Reducer adds vectors over the processes of a group. Every process calls Sum as often and with
// as many numbers as the others do; afterwards v is the same sum on all of them, to the
// last bit.
type Reducer interface {
	Rank() int // of this process, from 0
	Size() int // the number of processes
	Sum(v []float64) error
}

// ErrElsewhere is the error of a process stopped by another one.
var ErrElsewhere = fmt.Errorf("another process has ended the training: %w", context.Canceled)

// ErrDiffer is returned on every process when they compute different numbers.
var ErrDiffer = errors.New("the processes compute different numbers: give all of them the same λ and options, and on " +
	"processors of different kinds PAIRRANK_KERNEL=go")

// ErrLost is the error of a process whose messages no longer reach the others.
var ErrLost = errors.New("has lost the others")

// Lost returns ErrLost of a process, with its cause.
func Lost(to Reducer, cause error) error {
	return fmt.Errorf("process %d of %d %w: %w", to.Rank(), to.Size(), ErrLost, cause)
}

// control is the number of control values in a message: how many processes want to stop, and the
// first two moments of a digest of the numbers that steer the iteration.
const control = 3

// Group is the view that one process has of its group. nil means a single process: nothing is sent
// or changed. A process that wants to stop says so in the next message, and all stop after it. It
// is not safe for concurrent use.
type Group struct {
	to     Reducer
	ctx    context.Context
	halt   error // why this process wants to stop
	ended  error // why all have stopped
	lost   error // of the reducer, for good
	digest uint64
	buffer []float64

	// Messages and Numbers count the messages and the numbers in them.
	Messages, Numbers int64
}

// New returns the group of a reducer; nil if the reducer is nil or has a single process.
func New(to Reducer) *Group {
	if to == nil || to.Size() == 1 {
		return nil
	}
	return &Group{to: to, ctx: context.Background()}
}

// First reports whether this is process 0; a single process is.
func (g *Group) First() bool { return g == nil || g.to.Rank() == 0 }

// Begin starts again under a context; the end of the context stops all processes.
func (g *Group) Begin(ctx context.Context) {
	if g != nil {
		g.ctx, g.halt, g.ended, g.digest = ctx, nil, nil, 0
	}
}

// Halt makes the next message stop all processes; this one stops with err.
func (g *Group) Halt(err error) {
	if g.halt == nil {
		g.halt = err
	}
}

// Err returns why all processes have stopped: the reason of this process if it wanted to stop, else
// ErrElsewhere. It is nil while they continue, and for a single process.
func (g *Group) Err() error {
	switch {
	case g == nil:
		return nil
	case g.lost != nil:
		return g.lost
	}
	return g.ended
}

// Lost reports whether the reducer has failed, so that no further message can be sent.
func (g *Group) Lost() bool { return g != nil && g.lost != nil }

// ErrOr returns Err, or for a single process the error of ctx: the reason to end an iteration.
func (g *Group) ErrOr(ctx context.Context) error {
	if g == nil {
		return ctx.Err()
	}
	return g.Err()
}

// steered is a context with the error of the group.
type steered struct {
	context.Context
	group *Group
}

func (s steered) Err() error { return s.group.Err() }

// Context returns ctx with the error of the group, so that all processes see its end at the same
// place; for a single process ctx itself.
func (g *Group) Context(ctx context.Context) context.Context {
	if g == nil {
		return ctx
	}
	return steered{ctx, g}
}

// Steer adds numbers that decide how the iteration continues, and that each process has computed
// itself, to the digest that the messages compare.
func (g *Group) Steer(values ...float64) {
	if g == nil {
		return
	}
	for _, v := range values {
		g.digest = Mix(g.digest ^ math.Float64bits(v))
	}
}

// Mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, Fast splittable
// pseudorandom number generators).
func Mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// digestBits is the number of bits of a digest in a message: few enough that sums of squares are
// exact over 2^16 processes. One message misses one difference in 2^15; the next message sees it,
// since the digest accumulates.
const digestBits = 15

// Moments returns the digest of a value as two numbers to be summed over processes; see Same.
func Moments(h uint64) (first, second float64) {
	d := float64(h & (1<<digestBits - 1))
	return d, d * d
}

// Same reports whether the summed moments of a digest are those of equal ones, that is, whether
// their variance is 0.
func Same(first, second float64, size int) bool {
	a := uint64(first)
	return uint64(size)*uint64(second) == a*a
}

// Sum sums parts over all processes, in place and in one message. Once the group has stopped it
// sends nothing, and the parts become NaN.
func (g *Group) Sum(parts ...[]float64) {
	if g == nil {
		return
	}
	if g.Err() == nil {
		g.exchange(parts)
	}
	if g.Err() != nil {
		for _, p := range parts {
			for i := range p {
				p[i] = math.NaN()
			}
		}
	}
}

func (g *Group) exchange(parts [][]float64) {
	message := g.buffer[:0]
	for _, p := range parts {
		message = append(message, p...)
	}
	if g.halt == nil {
		g.halt = g.ctx.Err()
	}
	stop := 0.0
	if g.halt != nil {
		stop = 1
	}
	first, second := Moments(g.digest)
	message = append(message, stop, first, second)
	g.buffer = message
	g.Messages++
	g.Numbers += int64(len(message))
	if err := g.to.Sum(message); err != nil {
		g.lost = Lost(g.to, err)
		return
	}
	end := message[len(message)-control:]
	switch {
	case end[0] > 0 && g.halt != nil:
		g.ended = g.halt
		return
	case end[0] > 0:
		g.ended = ErrElsewhere
		return
	case !Same(end[1], end[2], g.to.Size()):
		g.ended = ErrDiffer
		return
	}
	for _, p := range parts {
		message = message[copy(p, message):]
	}
}

// Agree passes an error of one process to all. It returns err, ErrElsewhere where only others have
// one, and nil where no process has; for a single process err. It sends one message of one number.
func Agree(to Reducer, err error) error {
	if to == nil || to.Size() == 1 {
		return err
	}
	v := []float64{0}
	if err != nil {
		v[0] = 1
	}
	if lost := to.Sum(v); lost != nil && err == nil {
		return Lost(to, lost)
	}
	if err == nil && v[0] > 0 {
		return ErrElsewhere
	}
	return err
}
