package gamebots

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The ways of the data in docs/design.md are lists of at most a dozen functions that exist, none of them in cmd.
func TestWaysOfTheData(t *testing.T) {
	const most, lists = 12, 4
	text, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	item := regexp.MustCompile("^([0-9]+)\\. `([^`]+)`, `([^`]+)` — ")
	found := 0
	for line := range strings.Lines(string(text)) {
		m := item.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[1] == "1" {
			found++
		}
		if len(m[1]) > 1 && m[1] > "12" {
			t.Errorf("a way of the data has more than %d functions: %s", most, line)
		}
		if strings.HasPrefix(m[2], "cmd") || !hasFunction(t, m[2], m[3]) {
			t.Errorf("docs/design.md names %s of %s, which is not a function there or is one of a command", m[3], m[2])
		}
	}
	if found != lists {
		t.Errorf("docs/design.md has %d ways of the data, not %d", found, lists)
	}
}

// hasFunction reports whether a folder has a function Name, or a method Type.Name.
func hasFunction(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && functionName(fn) == name {
				return true
			}
		}
	}
	return false
}

// functionName returns the name of a function, with its receiver's type and a dot before that of a method.
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	of := fn.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "." + fn.Name.Name
	}
	return ""
}
