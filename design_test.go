package gamebots

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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

// The Go names and the tests of a package that pages name exist.
func TestNamesInPages(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/benchmarks/*.md"} {
		some, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, some...)
	}
	all := sources(t, func(string) bool { return true })
	declares := func(pkg, name string) bool {
		declaration := regexp.MustCompile(`(?m)^(func|type|var|const) ` + name + `\b|^\t` + name + `\b`)
		return slices.ContainsFunc(all[pkg], func(s source) bool {
			text, err := os.ReadFile(s.name)
			return err == nil && declaration.Match(text)
		})
	}
	tests := regexp.MustCompile(`\b((?:solvers|cudalib)-[a-z-]+)\.test\b`)
	named := regexp.MustCompile("`\\*?([a-z]+)\\.([A-Z]\\w+)[^`]*`")
	of := regexp.MustCompile("`([A-Z]\\w+)` of `([a-z]+/[a-z/]+)`")
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if page == "CHANGELOG.md" || page == "docs/from-openspiel.md" { // names of what is gone, and of OpenSpiel
			continue
		}
		check := func(what, name string, ofName func(pkg string) bool) {
			declared, candidates := false, 0
			for pkg := range all {
				if ofName(pkg) {
					candidates++
					declared = declared || name == "" || declares(pkg, name)
				}
			}
			if found++; candidates == 0 && name == "" || candidates > 0 && !declared {
				t.Errorf("%s names %s, which does not exist", page, what)
			}
		}
		for _, m := range tests.FindAllSubmatch(text, -1) {
			check(string(m[0]), "", func(pkg string) bool { return strings.ReplaceAll(pkg, "/", "-") == string(m[1]) })
		}
		for _, m := range named.FindAllSubmatch(text, -1) {
			check(string(m[0]), string(m[2]), func(pkg string) bool { return path.Base(pkg) == string(m[1]) })
		}
		for _, m := range of.FindAllSubmatch(text, -1) {
			check(string(m[0]), string(m[1]), func(pkg string) bool { return pkg == string(m[2]) })
		}
	}
	if found < 30 {
		t.Errorf("pages have %d names", found)
	}
}
