// Package memory reports how much memory is free, so that work that needs more is refused with a
// reason instead of killed by the system.
package memory

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// unknown is the result of Total where the system does not report it.
const unknown = 1 << 40

// Total is the memory of the machine in bytes; 1 TB where unknown.
var Total = sync.OnceValue(func() float64 {
	if total, known := entry("MemTotal:"); known {
		return total
	}
	return unknown
})

// cushion is left free for small allocations of the rest of the program.
const cushion = 8 << 20

// Free returns how many bytes may still be allocated: the memory that the system reports as
// available, or, where less, the rest of the tightest limit minus 8 MB; infinite where nothing is
// known. The limits are GOMEMLIMIT, those of the process (ulimit -v and -d) and those of its
// control groups. Garbage that is not collected yet counts as used.
func Free() float64 {
	h := readHeap()
	free := limited(h)
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 && limit != heeded.Load() {
		free = min(free, float64(limit)-h.taken)
	}
	if available, known := entry("MemAvailable:"); known {
		free = min(free, available+h.idle)
	}
	return max(0, free-cushion)
}

// Beyond reports whether work of need bytes exceeds the free memory after a garbage collection, and
// how much is free. It does not check up to 1 MB.
func Beyond(need float64) (free float64, is bool) {
	const small = 1 << 20
	if need <= small {
		return 0, false
	}
	if free = Free(); need > free {
		runtime.GC()
		free = Free()
	}
	return free, need > free
}

// AtOnce returns how many pieces of work of need bytes each fit into the free memory at the same time, from 1 to most.
func AtOnce(most int, need float64) int {
	if free, beyond := Beyond(need * float64(most)); beyond {
		return max(1, min(most, int(free/need)))
	}
	return most
}

// heeded is the limit set by Heed.
var heeded atomic.Int64

// Heed makes the garbage collector keep the program within the limits of the process and its
// control groups, which it ignores by itself: within two thirds of what they leave, since free
// memory is fragmented. A lower GOMEMLIMIT stays.
func Heed() {
	h := readHeap()
	free := limited(h)
	if limit := h.taken + 2*free/3; limit < float64(debug.SetMemoryLimit(-1)) {
		heeded.Store(int64(limit))
		debug.SetMemoryLimit(int64(limit))
	}
}

// Release gives memory that is not in use, garbage too, back to the system, where the heap is so large that this is
// worth two collections, which take milliseconds: what a sync.Pool is a part of stays for the second. Who allows more
// garbage by GOGC has it collected later here, too.
func Release() {
	const worth, usual = 16 << 20, 100
	allowed := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(allowed)
	if h := readHeap(); h.taken+h.idle > float64(worth)/usual*float64(allowed[0].Value.Uint64()) {
		runtime.GC()
		debug.FreeOSMemory()
	}
}

// heap is the memory held by the Go runtime, in bytes.
type heap struct {
	taken    float64 // in use, garbage too
	idle     float64 // not in use, and not given back to the system
	reserved float64 // released, with the addresses kept
}

func readHeap() heap {
	const classes = "/memory/classes/"
	var s [3]metrics.Sample
	for k, name := range []string{"total:bytes", "heap/free:bytes", "heap/released:bytes"} {
		s[k].Name = classes + name
	}
	metrics.Read(s[:])
	total, idle, released := float64(s[0].Value.Uint64()), float64(s[1].Value.Uint64()), float64(s[2].Value.Uint64())
	return heap{taken: total - idle - released, idle: idle, reserved: released}
}

// Size writes bytes for people.
func Size(bytes float64) string {
	for _, unit := range []string{"B", "kB", "MB", "GB"} {
		if bytes < 1000 {
			return fmt.Sprintf("%.3g %s", bytes, unit)
		}
		bytes /= 1000
	}
	return fmt.Sprintf("%.3g TB", bytes)
}

// entry is an entry of /proc/meminfo in bytes.
func entry(name string) (bytes float64, known bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false // not Linux
	}
	defer f.Close()
	return entryOf(f, name)
}

func entryOf(r io.Reader, name string) (bytes float64, known bool) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == name && fields[2] == "kB" {
			kb, err := strconv.ParseFloat(fields[1], 64)
			return 1024 * kb, err == nil
		}
	}
	return 0, false
}
