package gamebots

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The table of words in docs/design.md is short and has each word once. It explains the name that several packages
// have, with all of them, and those of exported types that are in many packages.
func TestWords(t *testing.T) {
	const mostRows, manyPackages = 40, 5
	text, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n## Words\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \| ([^|]*)\|$`).FindAllStringSubmatch(table, -1)[1:]
	if !found || len(rows) > mostRows {
		t.Errorf("%d rows of words in docs/design.md, want at most %d", len(rows), mostRows)
	}
	all, where := packages(t), map[string][]string{} // folders by word
	for _, row := range rows {
		var folders []string
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1) {
			if folders = append(folders, m[1]); all[m[1]] == nil {
				t.Errorf("the row of %s names the package %s, which is not there", row[1], m[1])
			}
		}
		for word := range strings.SplitSeq(row[1], ", ") {
			if _, twice := where[word]; twice {
				t.Errorf("%s has two rows", word)
			}
			where[word] = folders
		}
	}

	named, typed := map[string][]string{}, map[string][]string{} // packages by their names, and by those of types
	for pkg, files := range all {
		if name := files[0].Name.Name; name != "main" {
			named[name] = append(named[name], pkg)
		}
		for name := range exportedTypes(t, files) {
			typed[name] = append(typed[name], pkg)
		}
	}
	for name, of := range named {
		slices.Sort(of)
		if len(of) > 1 && !slices.Equal(of, where[name]) {
			t.Errorf("packages %v share a name, which the table gives to %v", of, where[name])
		}
	}
	for name, of := range typed {
		if _, ok := where[strings.ToLower(name)]; len(of) > manyPackages && !ok {
			t.Errorf("%d packages have a type %s, and the table does not say what it means: %v", len(of), name, of)
		}
	}
}

// exportedTypes returns the names of the exported types of a package.
func exportedTypes(t *testing.T, files []source) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file.name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.TYPE {
				for _, spec := range group.Specs {
					if name := spec.(*ast.TypeSpec).Name; name.IsExported() {
						names[name.Name] = true
					}
				}
			}
		}
	}
	return names
}

// A package of ours has its own name wherever it is imported, in tests, too.
func TestImportNames(t *testing.T) {
	for _, files := range sources(t, func(string) bool { return true }) {
		for _, file := range files {
			for _, spec := range file.Imports {
				imported := strings.Trim(spec.Path.Value, `"`)
				if spec.Name != nil && spec.Name.Name != "_" && strings.HasPrefix(imported, "gamebots/") {
					t.Errorf("%s calls %s %s, not %s", file.name, imported, spec.Name.Name, path.Base(imported))
				}
			}
		}
	}
}
