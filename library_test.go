package gamebots

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/api.txt")

// promise is in the manual of each package of which docs/api.txt has names.
const promise = "docs/api.txt lists the names of this package that are kept."

// maxPromised is the most names that docs/api.txt may have: a small promise can be kept.
const maxPromised = 600

// Packages that are promised have an example and say that they are, and no other says so.
func TestPromisedPackages(t *testing.T) {
	promised := promisedPackages(t)
	for pkg, files := range packages(t) {
		docs := ""
		for _, f := range files {
			docs += f.Doc.Text()
		}
		said := strings.Contains(strings.Join(strings.Fields(docs), " "), promise)
		if want := slices.Contains(promised, pkg); said != want {
			t.Errorf("the manual of %q says %q: %t, want %t", pkg, promise, said, want)
		}
	}
	for _, pkg := range promised {
		tests, err := filepath.Glob(pkg + "/*_test.go")
		example := slices.ContainsFunc(tests, func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && regexp.MustCompile(`(?m)^func Example`).Match(text)
		})
		if err != nil || !example {
			t.Errorf("package %s has no example: %v", pkg, err)
		}
	}
}

var (
	// apiName matches what names a line of docs/api.txt. The rest is the type.
	apiName = regexp.MustCompile(`^\S+ (func (\(\S+\) )?\w+|type \w+(: [*.\w]+)?|const \w+|var \w+)`)
	// ofPackage matches a type or constant of the same package in a type.
	ofPackage = regexp.MustCompile(`(?:^|[^.\w])([A-Z]\w+)`)
)

// The names in docs/api.txt do not change by accident, nor do they need others of their packages that are not promised.
// "go test . -run API -update" corrects their types, and takes out what is gone.
func TestAPI(t *testing.T) {
	const file = "docs/api.txt"
	now, promised := map[string]string{}, promisedPackages(t)
	all := packages(t)
	for _, pkg := range promised {
		for _, line := range exported(t, all[pkg]) {
			line = pkg + ": " + line
			now[apiName.FindString(line)] = line
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept, of := map[string]bool{}, map[string]bool{}
	var is strings.Builder
	for before := range strings.Lines(string(text)) {
		name := apiName.FindString(before)
		if line := now[name]; line != "" {
			kept[name] = true
			fmt.Fprintln(&is, line)
		}
		pkg, _, _ := strings.Cut(before, ":")
		of[pkg] = true
	}
	if *update {
		if err := os.WriteFile(file, []byte(is.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		text = []byte(is.String())
	}
	before := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range before {
		name := apiName.FindString(line)
		if now[name] != line {
			t.Errorf("%s\nis now %q", line, now[name])
		}
		pkg, _, _ := strings.Cut(line, ":")
		for _, m := range ofPackage.FindAllStringSubmatch(line[len(name):], -1) {
			if !kept[pkg+": type "+m[1]] && !kept[pkg+": const "+m[1]] {
				t.Errorf("%s\nneeds %s, which is not promised", line, m[1])
			}
		}
	}
	if t.Failed() {
		t.Log("if this is meant: go test . -run API -update, and a line in CHANGELOG.md for what is gone")
	}
	if got := slices.Sorted(maps.Keys(of)); !slices.Equal(got, promised) || len(before) > maxPromised {
		t.Errorf("%s has %d names of %v, want at most %d of %v", file, len(before), got, maxPromised, promised)
	}
}

// promisedPackages returns the packages of the list in docs/library.md.
func promisedPackages(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(text), "\n## What is kept\n")
	list, _, ended := strings.Cut(list, "\n## ")
	if !found || !ended {
		t.Fatal("docs/library.md has no list of packages")
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z/]+)`").FindAllStringSubmatch(list, -1) {
		all = append(all, row[1])
	}
	slices.Sort(all)
	return all
}

// exported returns a line for each exported name of a package with its type, sorted.
func exported(t *testing.T, files []source) (lines []string) {
	t.Helper()
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, source := range files {
		file, err := parser.ParseFile(token.NewFileSet(), source.name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				receiver := ""
				if d.Recv != nil {
					of := typeText(t, d.Recv.List[0].Type)
					if !ast.IsExported(strings.TrimPrefix(of, "*")) {
						continue
					}
					receiver = "(" + of + ") "
				}
				if d.Name.IsExported() {
					add("func %s%s%s", receiver, d.Name, strings.TrimPrefix(typeText(t, unnamed(d.Type)), "func"))
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						for _, name := range s.Names {
							if name.IsExported() {
								add("%s %s", d.Tok, name)
							}
						}
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							typeLines(t, s, add)
						}
					}
				}
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines) // files for several systems declare the same
}

// typeLines adds lines for an exported type and for its exported fields or its methods.
func typeLines(t *testing.T, s *ast.TypeSpec, add func(format string, args ...any)) {
	t.Helper()
	var members *ast.FieldList
	switch of := s.Type.(type) {
	case *ast.StructType:
		members = of.Fields
		add("type %s struct", s.Name)
	case *ast.InterfaceType:
		members = of.Methods
		add("type %s interface", s.Name)
	default:
		equals := ""
		if s.Assign.IsValid() {
			equals = "= "
		}
		add("type %s %s%s", s.Name, equals, typeText(t, unnamed(of)))
		return
	}
	for _, m := range members.List {
		text := typeText(t, unnamed(m.Type))
		if len(m.Names) == 0 && ast.IsExported(text[strings.LastIndexAny(text, "*.")+1:]) {
			add("type %s: %s", s.Name, text)
		}
		for _, name := range m.Names {
			if name.IsExported() {
				add("type %s: %s %s", s.Name, name, text)
			}
		}
	}
}

// unnamed returns the type of a function without the names of its parameters; other types as they are.
func unnamed(of ast.Expr) ast.Expr {
	f, ok := of.(*ast.FuncType)
	if !ok {
		return of
	}
	without := func(list *ast.FieldList) *ast.FieldList {
		if list == nil {
			return nil
		}
		var types ast.FieldList
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				types.List = append(types.List, &ast.Field{Type: unnamed(field.Type)})
			}
		}
		return &types
	}
	return &ast.FuncType{TypeParams: f.TypeParams, Params: without(f.Params), Results: without(f.Results)}
}

// typeText returns a type as Go writes it, on one line.
func typeText(t *testing.T, of ast.Expr) string {
	t.Helper()
	var text bytes.Buffer
	if err := format.Node(&text, token.NewFileSet(), of); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
