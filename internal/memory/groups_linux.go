package memory

import (
	"bufio"
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
)

// group is a control group with a limit of memory.
type group struct {
	files fs.FS
	dir   string
	version
}

// version names the files of a control group.
type version struct{ limit, usage, cache string }

var (
	version1 = version{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
	version2 = version{"memory.max", "memory.current", "inactive_file"}
)

// limitedGroups are the control groups of the process that have a limit.
var limitedGroups = sync.OnceValue(func() []group { return groupsIn(os.DirFS("/")) })

// groupsFree returns the free memory within the limits of the control groups.
func groupsFree(h heap) float64 {
	free := math.Inf(1)
	for _, g := range limitedGroups() {
		free = min(free, g.free()+h.idle)
	}
	return free
}

// groupsIn finds the groups of /proc/self/cgroup and those above them that have a limit. In
// a container the name of a group may be one that is not seen within: those above it are.
func groupsIn(files fs.FS) (found []group) {
	text, err := fs.ReadFile(files, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		// number:controllers:path, without controllers in version 2
		_, rest, _ := strings.Cut(lines.Text(), ":")
		controllers, dir, _ := strings.Cut(rest, ":")
		root, v := "sys/fs/cgroup", version2
		if controllers != "" {
			if root, v = "sys/fs/cgroup/memory", version1; !strings.Contains(","+controllers+",", ",memory,") {
				continue
			}
		}
		for dir = path.Clean("/" + dir); ; dir = path.Dir(dir) {
			g := group{files, path.Join(root, dir), v}
			if _, known := g.number(v.limit); known {
				found = append(found, g)
			}
			if dir == "/" {
				break
			}
		}
	}
	return found
}

// free returns how much a group may still allocate. Pages of files that were not used lately are
// released when memory is short.
func (g group) free() float64 {
	limit, limited := g.number(g.limit)
	usage, known := g.number(g.usage)
	if !limited || !known {
		return math.Inf(1)
	}
	text, err := fs.ReadFile(g.files, path.Join(g.dir, "memory.stat"))
	if err != nil {
		return limit - usage
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if name, number, _ := strings.Cut(lines.Text(), " "); name == g.cache {
			if cache, err := strconv.ParseFloat(number, 64); err == nil {
				usage -= cache
			}
		}
	}
	return limit - usage
}

// number returns the number in a file of the group, unless it is a word, such as max, or so large
// that it is no limit.
func (g group) number(name string) (bytes float64, known bool) {
	text, err := fs.ReadFile(g.files, path.Join(g.dir, name))
	if err != nil {
		return 0, false
	}
	bytes, err = strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return bytes, err == nil && bytes < 1<<60
}
