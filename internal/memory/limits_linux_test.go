package memory

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestBegun(t *testing.T) {
	for maps, want := range map[string]float64{
		"": 0,
		// before the heap, the heap, what is left of its arena, and tables that end elsewhere
		"29520000000-29520800000 ---p 00000000 00:00 0\n29520800000-29520c00000 rw-p 00000000 00:00 0\n" +
			"29520c00000-29524000000 ---p 00000000 00:00 0\n7f718732a000-7f718732b000 rw-p 00000000 00:00 0\n" +
			"7f718732b000-7f71a732a000 ---p 00000000 00:00 0\n": 0x3400000,
		"4000000-8000000 rw-p 0 0:0 0\n9000000-c000000 ---p 0 0:0 0\n": 0, // not side by side
		"nonsense\n1-2\n4000000-z rw-p\n":                              0,
	} {
		if got := begun([]byte(maps)); got != want {
			t.Errorf("%q: %v bytes are left, want %v", maps, got, want)
		}
	}
}

func TestControlGroups(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const none = "9223372036854771712\n" // what version 1 has where there is no limit
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  float64
	}{
		"none": {fstest.MapFS{}, math.Inf(1)},
		"without a limit": {fstest.MapFS{
			"proc/self/cgroup":           file("0::/a\n"),
			"sys/fs/cgroup/a/memory.max": file("max\n"), "sys/fs/cgroup/a/memory.current": file("5\n"),
		}, math.Inf(1)},
		"version 2": {fstest.MapFS{
			"proc/self/cgroup":               file("0::/a/b\n"),
			"sys/fs/cgroup/a/memory.max":     file("1000\n"),
			"sys/fs/cgroup/a/memory.current": file("900\n"),
			"sys/fs/cgroup/a/memory.stat":    file("anon 600\ninactive_file 250\nactive_file 50\n"),
		}, 350},
		"the least of two": {fstest.MapFS{
			"proc/self/cgroup":                 file("0::/a/b\n"),
			"sys/fs/cgroup/a/memory.max":       file("1000\n"),
			"sys/fs/cgroup/a/memory.current":   file("900\n"),
			"sys/fs/cgroup/a/b/memory.max":     file("500\n"),
			"sys/fs/cgroup/a/b/memory.current": file("450\n"),
		}, 50},
		"version 1": {fstest.MapFS{
			"proc/self/cgroup": file("5:cpu:/\n4:memory:/job/1\n0::/\n"),
			"sys/fs/cgroup/memory/job/1/memory.limit_in_bytes": file(none),
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes":   file("4000\n"),
			"sys/fs/cgroup/memory/job/memory.usage_in_bytes":   file("1500\n"),
			"sys/fs/cgroup/memory/job/memory.stat":             file("inactive_file 1\ntotal_inactive_file 500\n"),
		}, 3000},
		"in a container": {fstest.MapFS{ // where the group is mounted as the root
			"proc/self/cgroup":             file("0::/../../elsewhere\n"),
			"sys/fs/cgroup/memory.max":     file("1000\n"),
			"sys/fs/cgroup/memory.current": file("100\n"),
		}, 900},
	} {
		free := math.Inf(1)
		for _, g := range groupsIn(c.files) {
			free = min(free, g.free())
		}
		if free != c.want {
			t.Errorf("%s: %v bytes are free, want %v", name, free, c.want)
		}
	}
}
