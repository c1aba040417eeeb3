package option

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of options into the pages")

// generated is a part of a page that follows from the table of options: a comment that names its form, and all up to
// the comment that ends it.
var generated = regexp.MustCompile(`(?s)(<!-- options: (\w+) -->\n\n).*?(\n<!-- /options -->)`)

// forms are the tables that a page may have.
var forms = map[string]func(b *strings.Builder){"limits": limits}

// The pages have what the table of options says; go generate ./internal/option writes it into them.
func TestTablesInPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	tables := 0
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		now := generated.ReplaceAllStringFunc(string(page), func(found string) string {
			m := generated.FindStringSubmatch(found)
			form := forms[m[2]]
			if form == nil {
				t.Fatalf("%s: there is no form %q", name, m[2])
			}
			tables++
			var b strings.Builder
			form(&b)
			return m[1] + b.String() + m[3]
		})
		switch {
		case now == string(page):
		case !*update:
			t.Errorf("%s is not what the table of options says: go generate ./internal/option", name)
		default:
			if err := os.WriteFile(name, []byte(now), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tables == 0 {
		t.Error("no page has a table of options")
	}
}

// limits are the greatest whole numbers that options take.
func limits(b *strings.Builder) {
	names := map[int][]string{}
	for o := range each {
		if name := "`--" + o.Name + "`"; o.Most > 0 && !slices.Contains(names[o.Most], name) {
			names[o.Most] = append(names[o.Most], name)
		}
	}
	b.WriteString("| whole number | at most |\n|---|---|\n")
	for _, most := range slices.Backward(slices.Sorted(maps.Keys(names))) {
		fmt.Fprintf(b, "| %s | %d |\n", strings.Join(names[most], ", "), most)
	}
	fmt.Fprintf(b, "| any other | %d |\n", MostOf)
}
