package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A walk is the way of a problem from the exported entrance down to the solver, as somebody reads it: from the first
// call of a function to the next, in the order of their calls, arguments first, into each function where it is called
// first. It has the functions of this module that receive the problem, as their receiver or an argument: a value of one
// of the types carriers, or of a struct that has one in a field. A call of a method of an interface goes to the type
// that a plain problem of this kind has there, the first of those listed that has the method. Literals of functions
// belong to the function around them. A function of one statement is no place: its name says what it does, and the walk
// goes on to what it calls.
//
// A walk stops where it goes on in another file than that of the function before, and comes back where it has been in
// this file. Both are bounded: what grows above the bound gets another cut, and the bound follows what gets less.
type walk struct {
	of, from        string
	carriers, types []string
	stops, back     int // at most
}

var walks = []walk{
	{of: "rows", from: "pairrank.Train", carriers: words("pairrank.Problem pairrank.sample"),
		types: words("pairrank.LeastSquares pairrank.source pairrank.primal pairrank.direct"), stops: 39, back: 8},
	{of: "edges", from: "relation.Train", carriers: words("relation.Problem"),
		types: words("relation.source relation.closedPath"), stops: 24, back: 12},
	{of: "comparisons", from: "comparison.Rank",
		carriers: words("comparison.Problem comparison/internal/dense.Problem comparison/internal/large.Problem"),
		types:    words("comparison/internal/dense.System"), stops: 78, back: 40},
	{of: "a stream", from: "stream.Statistics.Train", carriers: words("stream.Statistics"),
		types: words("stream.source"), stops: 8, back: 3},
}

func TestProblemsWalkStraight(t *testing.T) {
	m := checkedModule(t)
	for _, w := range walks {
		s := m.walk(t, w)
		t.Logf("a problem of %s: %d functions, %d stops, %d times back, %d files\n%s", w.of, len(s.names), s.stops, s.back,
			len(s.seen), strings.Join(s.names, "\n"))
		if s.stops > w.stops || s.back > w.back {
			t.Errorf("a problem of %s stops %d times and comes back %d times, more than %d and %d", w.of, s.stops, s.back,
				w.stops, w.back)
		}
	}
}

// checked is the module with the types of what it says.
type checked struct {
	above  string // the path of the module
	files  *token.FileSet
	info   *types.Info
	ours   map[string]*types.Package // by their path below the module
	bodies map[*types.Func]*ast.FuncDecl
}

// checkedModule are the packages of the library, and what they import of ours, from their files.
func checkedModule(t *testing.T) *checked {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles,Module", ".", "./relation",
		"./comparison", "./stream")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	m := &checked{files: token.NewFileSet(), ours: map[string]*types.Package{}, bodies: map[*types.Func]*ast.FuncDecl{},
		info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
			Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	exports := map[string]string{}
	compiled := importer.ForCompiler(m.files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); { // what is imported comes first
		var p struct {
			ImportPath, Export, Dir string
			GoFiles                 []string
			Module                  *struct{ Path string }
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == module {
			m.above = p.Dir + string(filepath.Separator)
		}
		if exports[p.ImportPath] = p.Export; p.Module == nil || p.Module.Path != module {
			continue
		}
		var syntax []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(m.files, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			syntax = append(syntax, f)
		}
		config := types.Config{Importer: importing(func(path string) (*types.Package, error) {
			if own := m.ours[path]; own != nil {
				return own, nil
			}
			return compiled.Import(path)
		})}
		if m.ours[p.ImportPath], err = config.Check(p.ImportPath, m.files, syntax, m.info); err != nil {
			t.Fatal(err)
		}
		for _, f := range syntax {
			for _, d := range f.Decls {
				if d, is := d.(*ast.FuncDecl); is && d.Body != nil {
					m.bodies[m.info.Defs[d.Name].(*types.Func)] = d
				}
			}
		}
	}
	return m
}

// importing is a types.Importer.
type importing func(path string) (*types.Package, error)

func (i importing) Import(path string) (*types.Package, error) { return i(path) }

// named is the object of a name, as pairrank.Train, relation.source or stream.Statistics.Train; nil if there is
// none.
func (m *checked) named(name string) types.Object {
	folder, rest := "", strings.TrimPrefix(name, entrance+".")
	if rest == name {
		slash := strings.LastIndex(name, "/") + 1
		dot := slash + strings.Index(name[slash:], ".")
		folder, rest = "/"+name[:dot], name[dot+1:]
	}
	of, method, _ := strings.Cut(rest, ".")
	p := m.ours[module+folder]
	if p == nil || p.Scope().Lookup(of) == nil || method == "" {
		if p == nil {
			return nil
		}
		return p.Scope().Lookup(of)
	}
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(p.Scope().Lookup(of).Type()), true, p, method)
	return found
}

// steps are those of a walk so far.
type steps struct {
	*checked
	carriers    map[types.Type]bool // whether a named type has a problem
	taken       []types.Type        // in place of interfaces
	seen        map[string]bool     // files
	visited     map[*types.Func]bool
	names       []string
	last        string // file
	stops, back int
}

func (m *checked) walk(t *testing.T, w walk) *steps {
	t.Helper()
	s := &steps{checked: m, carriers: map[types.Type]bool{}, seen: map[string]bool{}, visited: map[*types.Func]bool{}}
	for _, name := range w.carriers {
		if o := m.named(name); o != nil {
			s.carriers[o.Type()] = true
		} else {
			t.Errorf("there is no %s", name)
		}
	}
	for _, name := range w.types {
		if o := m.named(name); o != nil {
			s.taken = append(s.taken, o.Type(), types.NewPointer(o.Type()))
		} else {
			t.Errorf("there is no %s", name)
		}
	}
	from, is := m.named(w.from).(*types.Func)
	if !is {
		t.Fatalf("there is no %s", w.from)
	}
	s.visit(from)
	return s
}

// visit reads a function, and those that it calls.
func (s *steps) visit(f *types.Func) {
	f = f.Origin()
	body := s.bodies[f]
	if s.visited[f] || body == nil {
		return
	}
	s.visited[f] = true
	if len(body.Body.List) == 1 {
		s.read(body.Body)
		return
	}
	file := s.files.Position(body.Pos()).Filename
	if file != s.last {
		s.stops++
		if s.seen[file] {
			s.back++
		}
		s.seen[file], s.last = true, file
	}
	s.names = append(s.names, fmt.Sprintf("%s %s", strings.TrimPrefix(file, s.above), f.Name()))
	s.read(body.Body)
}

// read visits what is called below a node, arguments first, and what is named to be called later.
func (s *steps) read(n ast.Node) {
	var open []ast.Node
	later := map[*ast.Ident]bool{} // the functions of calls, after their arguments
	ast.Inspect(n, func(x ast.Node) bool {
		if x != nil {
			open = append(open, x)
			if call, is := x.(*ast.CallExpr); is {
				later[nameOf(call.Fun)] = true
			}
			return true
		}
		of := open[len(open)-1]
		open = open[:len(open)-1]
		name, is := of.(*ast.Ident)
		if call, calls := of.(*ast.CallExpr); calls {
			name = nameOf(call.Fun)
		} else if !is || later[name] {
			return true
		}
		if f, is := s.info.Uses[name].(*types.Func); is {
			if f = s.taking(f); f != nil && s.receives(f) {
				s.visit(f)
			}
		}
		return true
	})
}

// nameOf is the name of what is called, nil if it has none.
func nameOf(fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr: // with a type
		return nameOf(fun.X)
	}
	return nil
}

// taking is a function, or that of the type which stands for its interface; nil if there is none.
func (s *steps) taking(f *types.Func) *types.Func {
	of := f.Signature().Recv()
	if of == nil || !types.IsInterface(of.Type()) {
		return f
	}
	for _, t := range s.taken {
		if types.Implements(t, of.Type().Underlying().(*types.Interface)) {
			if o, _, _ := types.LookupFieldOrMethod(t, true, f.Pkg(), f.Name()); o != nil {
				return o.(*types.Func)
			}
		}
	}
	return nil
}

// receives reports whether a function has the problem as its receiver or an argument.
func (s *steps) receives(f *types.Func) bool {
	sig := f.Signature()
	if sig.Recv() != nil && s.carries(sig.Recv().Type(), nil) {
		return true
	}
	for v := range sig.Params().Variables() {
		if s.carries(v.Type(), nil) {
			return true
		}
	}
	return false
}

// carries reports whether a value of a type has a problem: within its fields, or as the type that stands for an
// interface.
func (s *steps) carries(t types.Type, above []types.Type) bool {
	if p, is := t.(*types.Pointer); is {
		return s.carries(p.Elem(), above)
	}
	t = types.Unalias(t)
	if known, is := s.carriers[t]; is {
		return known
	}
	if slices.Contains(above, t) {
		return false
	}
	above = append(above, t)
	found := false
	switch of := t.Underlying().(type) {
	case *types.Struct:
		for f := range of.Fields() {
			found = found || s.carries(f.Type(), above)
		}
	case *types.Interface:
		for _, taken := range s.taken {
			if of.NumMethods() > 0 && types.Implements(taken, of) && s.carries(taken, above) {
				found = true
			}
		}
	}
	if len(above) == 1 {
		s.carriers[t] = found
	}
	return found
}
