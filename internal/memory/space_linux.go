package memory

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// addressSpace is what a limit of the address space leaves, infinite without one.
func addressSpace() float64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur == math.MaxUint64 {
		return math.Inf(1)
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return float64(limit.Cur)
	}
	pages, _, _ := strings.Cut(string(text), " ")
	used, err := strconv.ParseFloat(pages, 64)
	if err != nil {
		return float64(limit.Cur)
	}
	return max(0, float64(limit.Cur)-used*float64(os.Getpagesize()))
}
