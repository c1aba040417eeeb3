package main

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// readCoverage reads a profile of go test -coverprofile and returns the share
// of the statements of each package that any test ran. With -coverpkg a block
// stands in the profile once for every test binary.
func readCoverage(profile io.Reader) (map[string]string, error) {
	statements, ran := map[string]int{}, map[string]bool{}
	lines := bufio.NewScanner(profile)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "mode: ") || line == "" {
			continue
		}
		// file.go:line.col,line.col statements count
		fields := strings.Fields(line)
		if len(fields) != 3 || !strings.Contains(fields[0], ":") {
			return nil, fmt.Errorf("not a line of a coverage profile: %q", line)
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("not a line of a coverage profile: %q", line)
		}
		statements[fields[0]] = n
		ran[fields[0]] = ran[fields[0]] || fields[2] != "0"
	}
	total, covered := map[string]int{}, map[string]int{}
	for block, n := range statements {
		file, _, _ := strings.Cut(block, ":")
		total[path.Dir(file)] += n
		if ran[block] {
			covered[path.Dir(file)] += n
		}
	}
	shares := map[string]string{}
	for p, n := range total {
		if n > 0 {
			shares[p] = fmt.Sprintf("%.1f%%", 100*float64(covered[p])/float64(n))
		}
	}
	return shares, lines.Err()
}
