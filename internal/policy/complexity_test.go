package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

// bound is the largest number of something. What is above it has a row in a table with its number: it may get less and
// never more, nothing may join it, and what is within the bound leaves the table.
type bound struct {
	of    string
	most  int
	above map[string]int
}

// branches bounds the cyclomatic complexity of a function.
var branches = bound{"branches", 15, nil}

// fields bounds the fields of a struct.
var fields = bound{"fields", 20, map[string]int{
	"comparison.Ranking":                            27,
	"eval/metric.Evaluator":                         23,
	"format/table.Options":                          27,
	"format/table.lines":                            27,
	"internal/option.Option":                        29,
	"internal/ostat.Margins":                        22,
	"internal/learn/rls/internal/pencil.NearPairs":  21,
	"internal/learn/rls/internal/pencil.pairSolver": 21,
	"serve.Options":                                 22,
}}

// The cyclomatic complexity of a function outside tests is at most 15: 1, and 1 for each if, for, range, case, && and
// || of it and of its function literals (McCabe 1976, A complexity measure). A function above does more than one thing:
// what it does gets a name, as a function, a method or a table of rows. A struct has at most 20 fields, apart from
// documents, whose fields have json tags, and from internal/linalg.
func TestFunctionsAndStructsStaySimple(t *testing.T) {
	complex, wide := map[string]int{}, map[string]int{}
	for _, name := range files(t, ".go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), parser.ParseComments)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if ast.IsGenerated(file) {
			continue
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				key := name + ": " + d.Name.Name
				complex[key] = max(complex[key], complexity(d))
			case *ast.GenDecl:
				countFields(wide, path.Dir(name), d)
			}
		}
	}
	branches.check(t, complex)
	fields.check(t, wide)
}

// check refuses numbers above the bound, and rows of the table that are not needed.
func (b *bound) check(t *testing.T, counted map[string]int) {
	for key, n := range counted {
		if most := max(b.most, b.above[key]); n > most {
			t.Errorf("%s has %d %s, more than %d", key, n, b.of, most)
		}
	}
	for key := range b.above {
		if counted[key] <= b.most {
			t.Errorf("%s has few enough %s: take it out of the table", key, b.of)
		}
	}
}

// complexity is the cyclomatic complexity of a function.
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// countFields counts the fields of the structs of a declaration that are no documents.
func countFields(counted map[string]int, folder string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		s, isType := spec.(*ast.TypeSpec)
		if !isType || folder == "internal/linalg" {
			continue
		}
		of, isStruct := s.Type.(*ast.StructType)
		if !isStruct {
			continue
		}
		n, document := 0, false
		for _, field := range of.Fields.List {
			n += max(1, len(field.Names))
			document = document || field.Tag != nil && strings.Contains(field.Tag.Value, "json:")
		}
		if !document {
			key := folder + "." + s.Name.Name
			counted[key] = max(counted[key], n)
		}
	}
}
