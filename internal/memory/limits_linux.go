package memory

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// arena is the unit in which the Go runtime reserves addresses; arenas begin at multiples of it.
const arena = 64 << 20

// limited returns the free memory within the limits of the process and its control groups.
func limited(h heap) float64 {
	free := groupsFree(h)
	// A large piece needs contiguous addresses, but idle memory is fragmented.
	idle := (h.idle + h.reserved) / 4
	if limit, is := rlimit(syscall.RLIMIT_DATA); is {
		const data = 5
		free = min(free, max(limit-pages(data), idle))
	}
	if limit, is := rlimit(syscall.RLIMIT_AS); is {
		const size = 0
		left := math.Floor((limit-pages(size)-cushion)/arena) * arena
		if maps, err := os.ReadFile("/proc/self/maps"); err == nil {
			left = max(left, begun(maps)) // a piece that does not fit into the rest takes whole ones
		}
		free = min(free, max(left, idle))
	}
	return free
}

// rlimit is a limit of the process, where it has one.
func rlimit(which int) (bytes float64, is bool) {
	var limit syscall.Rlimit
	err := syscall.Getrlimit(which, &limit)
	return float64(limit.Cur), err == nil && limit.Cur < math.MaxInt64
}

// pages is a number of /proc/self/statm in bytes.
func pages(which int) float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if which >= len(fields) {
		return 0
	}
	n, err := strconv.ParseFloat(fields[which], 64)
	if err != nil {
		return 0
	}
	return n * float64(os.Getpagesize())
}

// begun is the rest of the arena in use: addresses without access that follow used memory and end
// at an arena boundary.
func begun(maps []byte) (left float64) {
	var last uint64 // where writable memory ended
	for lines := bufio.NewScanner(bytes.NewReader(maps)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		start, err := strconv.ParseUint(from, 16, 64)
		end, err2 := strconv.ParseUint(to, 16, 64)
		switch {
		case err != nil || err2 != nil:
		case strings.HasPrefix(fields[1], "rw"):
			last = end
		case strings.HasPrefix(fields[1], "---") && start == last && end%arena == 0 && end-start < arena:
			left += float64(end - start)
		}
	}
	return left
}
