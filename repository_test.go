package gamebots

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// registries match the hosts of package registries. Packages come by their names, from where
// a machine's own settings say.
var registries = regexp.MustCompile(`(?i)\b(registry|proxy|sum|deb|security|index|static|files|repo1?|rubygems)` +
	`\.(npmjs|yarnpkg|golang|goproxy|debian|ubuntu|pypi|crates|pythonhosted|maven|docker)\.\w+` +
	`|\b(pypi|npmjs|crates|rubygems|goproxy|pkg\.go)\.(org|com|io|dev|cn)\b`)

// recipes match what fetches or builds programs of others.
var recipes = regexp.MustCompile(`\bgit +(-C +\S+ +)?(clone|submodule)\b[^\n]*://` +
	`|\b(curl|wget)\b[^\n]*\bhttps?://[^\n]*\.(zip|tgz|tar|gz|xz|deb)\b` +
	`|\b(cargo|cmake|meson|mvn|gradle)\s+(build|install|--build)\b`)

// Files name no package registry and have no recipe for programs of others, and compiled
// kernels are committed in their compressed form only.
func TestRepository(t *testing.T) {
	texts := 0
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(file)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == ".git" || name == "build"):
			return filepath.SkipDir
		case !entry.Type().IsRegular() || name == "gamebots" || name == "gamebench":
			return nil
		case path.Ext(name) == ".ptx":
			t.Errorf("%s is text that a compiler made: only %s.gz is committed", name, name)
			return nil
		case name == "bots/submission/THIRD_PARTY.txt": // licences of others, as they are
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil || !utf8.Valid(text) {
			return err
		}
		texts++
		if host := registries.Find(text); host != nil {
			t.Errorf("%s names the host of a package registry, %s", name, host)
		}
		if recipe := recipes.Find(text); recipe != nil {
			t.Errorf("%s fetches or builds a program of others: %s", name, recipe)
		}
		return nil
	})
	if err != nil || texts < 1000 {
		t.Fatalf("%d files read: %v", texts, err)
	}
}

func TestRepositoryRules(t *testing.T) {
	// This file must not break its own rules: it writes _ for a dot of a host, and for a space of a recipe.
	for _, text := range []string{
		"https://registry_npmjs_org/axe-core/-/axe-core-4.14.1.tgz", "GOPROXY=https://proxy_golang_org",
		"deb http://deb_debian_org/debian", "https://pypi_org/simple", "static_crates_io", "files_pythonhosted_org",
	} {
		if text = strings.ReplaceAll(text, "_", "."); !registries.MatchString(text) {
			t.Errorf("%q is not taken for a registry", text)
		}
	}
	for _, text := range []string{
		"git_clone -q https://example.org/solver", "cargo_build -q --release",
		"curl_-fsSL https://example.org/program.tar.gz", "wget_http://example.org/a.zip",
	} {
		if text = strings.ReplaceAll(text, "_", " "); !recipes.MatchString(text) {
			t.Errorf("%q is not taken for a recipe", text)
		}
	}
	for _, text := range []string{
		"git clone … gamebots", "go build ./cmd/gamebots", "a proxy for a server",
		"curl http://127.0.0.1:8080/healthz",
	} {
		if recipes.MatchString(text) || registries.MatchString(text) {
			t.Errorf("%q breaks a rule", text)
		}
	}
}

// Errors about what is gone since 0.2 are for those who come from there: they go before 0.4.
func TestGoneIsForgotten(t *testing.T) {
	text, err := os.ReadFile("CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`(?m)^version: 0\.[0-3]\.`).Match(text) {
		return
	}
	err = filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".go" || !entry.Type().IsRegular() {
			return err
		}
		source, err := os.ReadFile(file)
		if strings.Contains(string(source), "went with "+"0.3.0") {
			t.Errorf("%s: it still has errors about what is gone", file)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
