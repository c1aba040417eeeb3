package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A role of a column is one row of one table: what a program does with folds that are given stands where a set holds
// them, in the table of roles, and among the options. A new role is added in these files, and in no other.
func TestColumnRoleIsInThreeFiles(t *testing.T) {
	var found []string
	for _, name := range files(t, ".go") {
		reads := strings.HasPrefix(name, "data/") || strings.HasPrefix(name, "format/") || name == "report/schema.go" ||
			strings.HasPrefix(name, "internal/option/") || strings.HasPrefix(name, "cmd/pairrank/") &&
			!strings.HasPrefix(name, "cmd/pairrank/internal/")
		if !reads || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if is := namesFold(n); is && !slices.Contains(found, name) {
				found = append(found, name)
			}
			return true
		})
	}
	slices.Sort(found)
	if want := []string{"data/set.go", "format/table/roles.go", "internal/option/data.go"}; !slices.Equal(found, want) {
		t.Errorf("the role of folds stands in %v, and should in %v", found, want)
	}
}

// namesFold reports whether a node names the role of folds.
func namesFold(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		return err == nil && n.Kind == token.STRING && (text == "fold" || text == "fold-column")
	case *ast.Ident:
		return n.Name == "fold" || n.Name == "Fold"
	}
	return false
}
