package submission

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the notices")

// Every module of the executable has its notice, in the version that is used.
func TestNotices(t *testing.T) {
	if *update {
		write(t)
		return
	}
	for _, goos := range []string{"linux", "windows"} {
		list := exec.Command("go", "list", "-deps",
			"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "gamebots/cmd/gamebots")
		list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Fields(strings.ReplaceAll(string(out), " ", "@"))
		if len(lines) == 0 {
			t.Fatal("the executable has no modules")
		}
		for _, module := range lines {
			if !strings.Contains(notices, "\n"+strings.Replace(module, "@", " ", 1)+"\n") {
				t.Errorf("%s: %s is not in %s: make notices writes it", goos, module, noticesFile)
			}
		}
	}
}

// programs are those that are released, by their systems; each has modules of its own.
var programs = []struct{ system, name string }{
	{"linux/amd64", "gamebots"}, {"linux/arm64", "gamebots"}, {"darwin/arm64", "gamebots"},
	{"windows/amd64", "gamebots"}, {"js/wasm", "gamebots-web"},
}

// write writes the file from the licences in the module cache.
func write(t *testing.T) {
	own, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	golang, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{} // folder by path and version
	for _, p := range programs {
		goos, goarch, _ := strings.Cut(p.system, "/")
		list := exec.Command("go", "list", "-deps",
			"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}",
			"gamebots/cmd/"+p.name)
		list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if module, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				folders[module] = dir
			}
		}
	}
	// modules by the texts of their licences
	modules := map[string][]string{strings.TrimSpace(string(golang)): {"Go, the standard library and runtime"}}
	for module, dir := range folders {
		text := licences(t, dir)
		if text == "" {
			t.Fatalf("%s has no licence in %s", module, dir)
		}
		modules[text] = append(modules[text], module)
	}
	var texts []string
	for text := range modules {
		slices.Sort(modules[text])
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return strings.Compare(modules[a][0], modules[b][0]) })

	rule := strings.Repeat("=", 78) + "\n"
	var out bytes.Buffer
	fmt.Fprintf(&out, "gamebots\n\n%s\n\nThe executable of gamebots also has code of the modules below.\n",
		strings.TrimSpace(string(own)))
	for _, text := range texts {
		fmt.Fprintf(&out, "\n%s%s\n%s\n%s\n", rule, strings.Join(modules[text], "\n"),
			strings.TrimSuffix(rule, "\n"), text)
	}
	if err := os.WriteFile(noticesFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// licences returns the texts of a module's licence files.
func licences(t *testing.T, dir string) string {
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range files {
		name := strings.ToUpper(f.Name())
		if f.IsDir() || strings.HasSuffix(name, ".GO") ||
			!slices.ContainsFunc([]string{"LICENSE", "LICENCE", "UNLICENSE", "COPYING", "NOTICE", "PATENTS"},
				func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return strings.Join(texts, "\n\n")
}
