package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// surface is what a package shows to its users.
type surface struct {
	names map[string]bool // exported types, functions, methods, constants and variables
	lent  map[string]bool // "Name internal.Type": exported names that name a type of an internal package
	alias map[string]bool // "Name": aliases of such types, of which go doc shows neither fields nor methods
}

// public reports whether a folder is a package that another module can import and is meant to.
func public(folder string) bool {
	for _, no := range words("internal cmd examples evidence beam release python _asm testdata .ci") {
		if slices.Contains(strings.Split(folder, "/"), no) {
			return false
		}
	}
	return true
}

// surfaces are those of all public packages, by their folders.
func surfaces(t *testing.T) map[string]*surface {
	all := map[string]*surface{}
	for _, name := range files(t, ".go") {
		folder := path.Dir(name)
		if strings.HasSuffix(name, "_test.go") || !public(folder) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if all[folder] == nil {
			all[folder] = &surface{map[string]bool{}, map[string]bool{}, map[string]bool{}}
		}
		reader{all[folder], internals(file)}.read(file)
	}
	return all
}

// internals are the names under which a file imports internal packages.
func internals(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, im := range file.Imports {
		if p, err := strconv.Unquote(im.Path.Value); err == nil && strings.HasPrefix(p, module+"/") &&
			strings.Contains(p, "/internal/") {
			names[path.Base(p)] = true
		}
	}
	return names
}

// reader adds a file to a surface.
type reader struct {
	*surface
	internals map[string]bool
}

func (r reader) read(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			if exported(name) {
				r.names[name] = true
				r.mentions(name, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				r.spec(spec)
			}
		}
	}
}

func (r reader) spec(spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() {
				r.names[n.Name] = true
				if s.Type != nil {
					r.mentions(n.Name, s.Type)
				}
			}
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return
		}
		r.names[s.Name.Name] = true
		if s.Assign.IsValid() && r.within(s.Type) != "" {
			r.alias[s.Name.Name] = true
			return
		}
		r.mentions(s.Name.Name, s.Type)
	}
}

// mentions notes the types of internal packages that the exported parts of a type name.
func (r reader) mentions(name string, of ast.Node) {
	ast.Inspect(of, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && len(f.Names) > 0 && !ast.IsExported(f.Names[0].Name) {
			_, plain := of.(*ast.FuncType)
			return plain // a parameter has a name of its own
		}
		if e, ok := n.(ast.Expr); ok {
			if t := r.within(e); t != "" {
				r.lent[name+" "+t] = true
			}
		}
		return true
	})
}

// within is the type of an internal package that an expression is; "" if it is none.
func (r reader) within(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok && r.internals[x.Name] {
			return x.Name + "." + s.Sel.Name
		}
	}
	return ""
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func exported(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !ast.IsExported(part) {
			return false
		}
	}
	return true
}

// The numbers of exported names, and the names that show an internal type, only fall: who takes some away lowers the
// table.
func TestExportedNamesOnlyFall(t *testing.T) {
	all := surfaces(t)
	lent, aliases := map[string]bool{}, map[string]bool{}
	total := 0
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		s := all[folder]
		total += len(s.names)
		if n := len(s.names); n != exportedNames[folder] {
			t.Errorf("%q: %d, // exported names: the table has %d, which only falls", folder, n, exportedNames[folder])
		}
		for what := range s.lent {
			lent[folder+"."+what] = true
		}
		for what := range s.alias {
			aliases[folder+"."+what] = true
		}
	}
	if total > mostExported {
		t.Errorf("%d exported names, and the bound is %d", total, mostExported)
	}
	compare := func(what string, got map[string]bool, want []string) {
		for _, g := range slices.Sorted(maps.Keys(got)) {
			if !slices.Contains(want, g) {
				t.Errorf("%s: %s: use a type that users can see", what, g)
			}
		}
		for _, w := range want {
			if !got[w] {
				t.Errorf("%s: %s is no more: take it out of the table", what, w)
			}
		}
	}
	compare("a public name shows an internal type", lent, lentTypes)
	compare("an alias of an internal type", aliases, internalAliases)
}
