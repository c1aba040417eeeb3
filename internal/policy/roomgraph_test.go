package policy

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// graph collects the imports of the builds.
type graph struct {
	used  map[string]bool // "room entry" of the table that some build needs
	wrong map[string]bool // complaints
}

func (g *graph) check(packages []listed) {
	moduleOf := map[string]string{}
	for _, p := range packages {
		if p.Module != nil {
			moduleOf[p.ImportPath] = p.Module.Path
		}
	}
	for _, p := range packages {
		name, ours := ownName(p)
		if !ours {
			continue
		}
		if p.Error != nil {
			g.wrong[p.ImportPath+": "+p.Error.Err] = true
		}
		r, known := rooms[name]
		if !known {
			g.wrong["package "+p.ImportPath+" is not in the table of rooms: say there what it may import"] = true
			continue
		}
		for _, path := range p.Imports {
			g.checkImport(name, p.ImportPath, path, moduleOf[path], slices.Concat(r.ours, r.modules))
		}
		forTests := slices.Concat(r.ours, r.modules, r.testOurs, r.testModules, []string{cmp.Or(name, entrance)})
		for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
			g.checkImport(name, "a test of "+p.ImportPath, path, moduleOf[path], forTests)
		}
	}
}

// checkImport checks one import, of a package from a module, against the entries that a room allows. The module is ""
// for the standard library.
func (g *graph) checkImport(name, who, path, from string, allowed []string) {
	if from == "" {
		return
	}
	entry := from
	if from == module {
		if entry = strings.TrimPrefix(strings.TrimPrefix(path, module), "/"); entry == "" {
			entry = entrance
		}
	}
	if !slices.Contains(allowed, entry) {
		g.wrong[who+" imports "+path+", which the table of rooms does not allow"] = true
	}
	g.used[name+" "+entry] = true
}

// The table itself keeps the rules: no cycle, oracles only in tests, examples
// without internal packages, the library without modules of others but three.

// linked are the modules of others that the program is made of.
var linked = words(`
	github.com/VividCortex/ewma github.com/acarl005/stripansi github.com/andybalholm/brotli github.com/beorn7/perks
	github.com/cespare/xxhash/v2 github.com/clipperhouse/uax29/v2 github.com/google/uuid
	github.com/inconshreveable/mousetrap github.com/klauspost/compress github.com/mattn/go-runewidth
	github.com/munnerz/goautoneg github.com/parquet-go/bitpack github.com/parquet-go/jsonlite
	github.com/parquet-go/parquet-go github.com/pierrec/lz4/v4 github.com/prometheus/client_golang
	github.com/prometheus/client_model github.com/prometheus/common github.com/prometheus/procfs
	github.com/spf13/cobra github.com/spf13/pflag github.com/twpayne/go-geom github.com/vbauerster/mpb/v8
	golang.org/x/sys golang.org/x/term google.golang.org/protobuf`)

// ownName is the path of a package of ours below the module. Variants for tests have a space or end in .test; they are
// none.
func ownName(p listed) (name string, ours bool) {
	if p.Module == nil || p.Module.Path != module || strings.Contains(p.ImportPath, " ") ||
		strings.HasSuffix(p.ImportPath, ".test") {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/"), true
}

func TestTableOfRoomsKeepsItsRules(t *testing.T) {
	for _, algebra := range words("internal/learn/rls internal/learn/rls/internal/pencil internal/kron " +
		"internal/linalg") {
		if slices.Contains(slices.Concat(rooms["cmd/pairrank"].ours, rooms["cmd/pairrank/internal/cli"].ours),
			algebra) {
			t.Errorf("the command imports %s: the algebra is behind the entrance", algebra)
		}
	}
	var depth func(name string, above []string)
	depth = func(name string, above []string) {
		if slices.Contains(above, name) {
			t.Fatalf("the rooms import each other: %s → %s", strings.Join(above, " → "), name)
		}
		for _, next := range rooms[name].ours {
			if next == entrance {
				next = ""
			}
			depth(next, append(slices.Clone(above), name))
		}
	}
	for name, r := range rooms {
		depth(name, nil)
		for _, o := range oracles {
			if slices.Contains(r.ours, o) {
				t.Errorf("%s imports %s, which is for tests only", name, o)
			}
		}
		for _, m := range oracleModules {
			if slices.Contains(r.modules, m) {
				t.Errorf("%s imports %s, which is for tests only", name, m)
			}
		}
		for _, o := range r.ours {
			if strings.HasPrefix(name, "examples/") && strings.HasPrefix(o, "internal/") {
				t.Errorf("%s imports %s, which a user cannot", name, o)
			}
			if o == "cmd/pairrank" || strings.HasPrefix(o, "examples/") {
				t.Errorf("%s imports the program %s", name, o)
			}
		}
		if len(r.modules) > 0 &&
			!slices.Contains(words("cmd/pairrank cmd/pairrank/internal/cli export/internal/onnx format/parquet "+
				"internal/codec internal/linalg serve"), name) {
			t.Errorf("%s imports modules of others: %v", name, r.modules)
		}
	}
}
