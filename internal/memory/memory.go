// Package memory tells how much memory there is, so that what would take more is
// refused in words rather than ended by the system.
package memory

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// unknown is what Total returns where the system does not tell.
const unknown = 1 << 40

// Total is the memory of the machine in bytes; 1 TB where it cannot be told.
var Total = sync.OnceValue(func() float64 {
	if total, known := entry("MemTotal:"); known {
		return total
	}
	return unknown
})

// Free is how many bytes may still be taken: what the system calls available, or
// what GOMEMLIMIT or a limit of the address space (ulimit -v) leaves where that is
// less; infinite where nothing is known.
func Free() float64 {
	free := math.Inf(1)
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		free = float64(limit)
	}
	if available, known := entry("MemAvailable:"); known {
		free = min(free, available)
	}
	return min(free, addressSpace())
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

// Beyond tells that work of so many bytes would take more memory than is free, and how
// much is. Up to 256 MB nothing is asked.
func Beyond(need float64) (free float64, is bool) {
	const small = 1 << 28
	if need <= small {
		return 0, false
	}
	free = Free()
	return free, need > free
}
