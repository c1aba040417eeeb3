package memory

import (
	"fmt"
	"unsafe"
)

// Lack is the error of what does not fit into the memory that is free.
type Lack struct{ Err error }

func (l *Lack) Error() string { return l.Err.Error() }
func (l *Lack) Unwrap() error { return l.Err }

// Ask returns a *Lack where so many bytes are not free; what is said to take them.
func Ask(need float64, what string) error {
	if free, beyond := Beyond(need); beyond {
		return &Lack{fmt.Errorf("%s would take about %s of memory, and %s are free", what, Size(need), Size(free))}
	}
	return nil
}

// Claim is how many bytes a slice takes anew that gets room for more items: none where it
// has that already, else capacity items, beside the old ones. capacity is not asked
// otherwise.
func Claim[T any](s []T, more int, capacity func(need int) int) (bytes float64) {
	need := len(s) + more
	if need <= cap(s) {
		return 0
	}
	return float64(capacity(need)) * float64(unsafe.Sizeof(*new(T)))
}

// Grow returns s with room for more items, as append does, or a *Lack that tells of rows,
// of which there are so many.
func Grow[T any](s []T, more, rows int) ([]T, error) {
	need := Claim(s, more, grown)
	if need == 0 {
		return s, nil
	}
	if err := Ask(need, Rows(rows)); err != nil {
		return s, err
	}
	return append(make([]T, 0, grown(len(s)+more)), s...), nil
}

// grown is the capacity of a slice that has to hold so many items and may have to hold
// more.
func grown(need int) int { return need + need/2 + 64 }

// Rows says which rows would take memory after so many.
func Rows(rows int) string {
	if rows == 0 {
		return "the rows"
	}
	return fmt.Sprintf("more than the %d rows read so far", rows)
}

// Meter asks for the memory of what is kept of a text in small pieces.
type Meter struct{ next int }

// Read is called with how many bytes and lines of the text were read, now and then at least.
// It returns a *Lack where as much again as they may have taken is not free. A reader keeps
// less than eight times its text: `1` and a line end become a number.
func (m *Meter) Read(bytes, lines int) error {
	const step, most = 1 << 20, 4
	if bytes < m.next {
		return nil
	}
	m.next = bytes + step
	if bytes < step {
		return nil
	}
	return Ask(most*float64(bytes), fmt.Sprintf("more than the %d lines read so far", lines))
}
