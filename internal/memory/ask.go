package memory

import (
	"fmt"
	"unsafe"
)

// Lack is the error of data that do not fit into the free memory.
type Lack struct{ Err error }

func (l *Lack) Error() string { return l.Err.Error() }
func (l *Lack) Unwrap() error { return l.Err }

// Ask returns a *Lack where need bytes are not free; what names the data.
func Ask(need float64, what string) error {
	if free, beyond := Beyond(need); beyond {
		return &Lack{fmt.Errorf("%s would take about %s of memory, and %s are free", what, Size(need), Size(free))}
	}
	return nil
}

// Claim returns how many further bytes a slice needs for more items: none where it has room, else
// those of capacity items besides the old ones. Only then does it call capacity.
func Claim[T any](s []T, more int, capacity func(need int) int) (bytes float64) {
	need := len(s) + more
	if need <= cap(s) {
		return 0
	}
	return float64(capacity(need)) * float64(unsafe.Sizeof(*new(T)))
}

// Grow returns s with room for more items, as append does, or a *Lack about so many rows.
func Grow[T any](s []T, more, rows int) ([]T, error) {
	need := Claim(s, more, grown)
	if need == 0 {
		return s, nil
	}
	if err := Ask(need, Rows(rows)); err != nil {
		return s, err
	}
	return Moved(s, grown(len(s)+more)), nil
}

// Moved is a copy of s with another capacity, at least its length. Nothing interrupts the copy of a piece, so that the
// collector, which other threads run, would wait for one of hundreds of megabytes, and send signals meanwhile.
func Moved[T any](s []T, capacity int) []T {
	const piece = 1 << 16
	moved := make([]T, 0, capacity)
	for lo := 0; lo < len(s); lo += piece {
		moved = append(moved, s[lo:min(lo+piece, len(s))]...)
	}
	return moved
}

// grown returns the capacity of a slice that has to hold need items and may have to hold more.
func grown(need int) int { return need + need/2 + 64 }

// Rows names the rows that would need memory after so many.
func Rows(rows int) string {
	if rows == 0 {
		return "the rows"
	}
	return fmt.Sprintf("more than the %d rows read so far", rows)
}

// Meter checks the memory that a reader of text keeps in small pieces. One goroutine uses it;
// allocations of others meanwhile count as well.
type Meter struct {
	next         int     // bytes of the text at which to look again
	begun, asked float64 // bytes in use when the reading began, and when they were asked for
}

// Read receives how many bytes and lines of the text were read, at least now and then. It returns a
// *Lack where the data kept so far could not be copied into larger memory, as growing slices are.
func (m *Meter) Read(bytes, lines int) error {
	const step, some, growth = 1 << 18, 4 << 20, 1.25
	if bytes < m.next {
		return nil
	}
	m.next = bytes + step
	taken := readHeap().taken
	if m.begun == 0 {
		m.begun, m.asked = taken, taken
	}
	if m.asked = min(m.asked, taken); taken-m.asked < some {
		return nil
	}
	m.asked = taken
	if _, beyond := Beyond(growth * (taken - m.begun)); !beyond {
		return nil
	}
	// The garbage is collected, and does not count any more.
	return Ask(growth*(readHeap().taken-m.begun), fmt.Sprintf("more than the %d lines read so far", lines))
}
