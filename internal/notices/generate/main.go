// Command generate writes THIRD_PARTY.txt from the licences in the module cache; run it in the
// root of the module (make notices).
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// programs are those that are released, by their systems; each has modules of its own.
var programs = []struct{ system, pkg string }{
	{"linux/amd64", "./cmd/gamebots"}, {"linux/arm64", "./cmd/gamebots"}, {"darwin/arm64", "./cmd/gamebots"},
	{"windows/amd64", "./cmd/gamebots"}, {"js/wasm", "./cmd/gamebots-web"},
}

func main() {
	log.SetFlags(0)
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		log.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		log.Fatal(err)
	}
	golang, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "LICENSE"))
	if err != nil {
		log.Fatal(err)
	}
	folders := map[string]string{} // folder by path and version
	for _, p := range programs {
		goos, goarch, _ := strings.Cut(p.system, "/")
		list := exec.Command("go", "list", "-deps",
			"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", p.pkg)
		list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			log.Fatal(err)
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
		text := licences(dir)
		if text == "" {
			log.Fatalf("%s has no licence in %s", module, dir)
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
	if err := os.WriteFile("internal/notices/THIRD_PARTY.txt", out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// licences returns the texts of a module's licence files.
func licences(dir string) string {
	files, err := os.ReadDir(dir)
	if err != nil {
		log.Fatal(err)
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
			log.Fatal(err)
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return strings.Join(texts, "\n\n")
}
