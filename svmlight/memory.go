package svmlight

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"sync"
)

// physicalMemory is the memory of the machine in bytes; 1 TB where it cannot be
// told.
var physicalMemory = sync.OnceValue(func() float64 {
	const unknown = 1 << 40
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return unknown
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == "MemTotal:" && fields[2] == "kB" {
			if kb, err := strconv.ParseFloat(fields[1], 64); err == nil {
				return kb * 1024
			}
		}
	}
	return unknown
})
