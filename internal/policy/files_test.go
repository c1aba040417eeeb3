package policy

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	longest     = 400 // lines of a file
	longestFunc = 100 // lines of a function; past 80 it should be thought over
	widest      = 120 // columns of a line
)

// vague are names that say nothing about the content of a package.
var vague = []string{"util", "utils", "common", "types", "core", "helpers", "misc", "base"}

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	for _, name := range files(t, ".go") {
		text := read(t, name)
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if ast.IsGenerated(file) {
			continue
		}
		if n := strings.Count(text, "\n"); n > longest {
			t.Errorf("%s has %d lines, more than %d: it holds more than one idea", name, n, longest)
		}
		for k, line := range strings.Split(text, "\n") {
			if n := utf8.RuneCountInString(line); n > widest {
				t.Errorf("%s:%d: the line has %d columns, more than %d", name, k+1, n, widest)
			}
		}
		for _, d := range file.Decls {
			f, isFunc := d.(*ast.FuncDecl)
			if !isFunc {
				continue
			}
			if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > longestFunc {
				t.Errorf("%s: function %s has %d lines, more than %d", set.Position(f.Pos()), f.Name.Name,
					n, longestFunc)
			}
		}
	}
}

// Every package has a comment, and so has every exported name of a package that users import.
func TestPackagesAreDocumented(t *testing.T) {
	folders := map[string]bool{}
	for _, name := range files(t, ".go") {
		folders[path.Dir(name)] = true
	}
	for folder := range folders {
		if slices.Contains(vague, path.Base(folder)) {
			t.Errorf("%s: the name of the package says nothing", folder)
		}
		if strings.HasPrefix(path.Base(folder), "_") || strings.Contains(folder, "/testdata") {
			continue
		}
		p := packageIn(t, folder)
		if p == nil {
			continue // tests only
		}
		if p.Doc == "" {
			t.Errorf("package %s has no comment", folder)
		}
		if p.Name == "main" || strings.Contains("/"+folder+"/", "/internal/") {
			continue
		}
		for _, undocumented := range exportedWithoutComment(p) {
			t.Errorf("%s: exported %s has no comment", folder, undocumented)
		}
	}
}

func packageIn(t *testing.T, folder string) *doc.Package {
	t.Helper()
	set := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	if len(parsed) == 0 {
		return nil
	}
	p, err := doc.NewFromFiles(set, parsed, module+"/"+folder)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// exportedWithoutComment lists names without a comment on them or their group. String and Error
// need none.
func exportedWithoutComment(p *doc.Package) (names []string) {
	funcs := func(of string, list []*doc.Func) {
		for _, f := range list {
			if f.Doc == "" && f.Level == 0 && f.Name != "String" && f.Name != "Error" && f.Name != "Unwrap" {
				names = append(names, of+f.Name)
			}
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			if v.Doc != "" {
				continue
			}
			for _, spec := range v.Decl.Specs {
				s := spec.(*ast.ValueSpec)
				if s.Doc == nil && s.Comment == nil && ast.IsExported(s.Names[0].Name) && s.Type == nil {
					names = append(names, s.Names[0].Name)
				}
			}
		}
	}
	funcs("", p.Funcs)
	values(p.Consts)
	values(p.Vars)
	for _, typ := range p.Types {
		if typ.Doc == "" {
			names = append(names, typ.Name)
		}
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
	}
	return names
}
