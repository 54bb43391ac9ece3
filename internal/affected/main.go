// Command affected lists the packages that a change may break, for "make check": those that have a changed file, and
// those that import one of them. Whose tests alone import one is left to "make test". The changed files are those that
// differ from the last commit, or if none does, those of the last commit.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

func main() {
	files := lines("git", "diff", "--name-only", "HEAD")
	files = append(files, lines("git", "ls-files", "--others", "--exclude-standard")...)
	if len(files) == 0 {
		files = lines("git", "diff", "--name-only", "HEAD~1")
	}
	imports := map[string][]string{} // imports by the package's folder
	for _, line := range lines("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...") {
		var folders []string
		for _, p := range strings.Fields(line) {
			folders = append(folders, path.Clean(strings.TrimPrefix(p+"/", "gamebots/")))
		}
		imports[folders[0]] = folders[1:]
	}
	for _, folder := range affected(files, imports) {
		fmt.Println("./" + folder)
	}
}

// affected returns the folders of packages. A file that is in no package's folder, as test data, is of the next one
// above. The package of the root is always there: its tests look at all files.
func affected(files []string, imports map[string][]string) []string {
	changed := map[string]bool{}
	for _, file := range files {
		folder := path.Dir(file)
		for folder != "." && imports[folder] == nil {
			folder = path.Dir(folder)
		}
		changed[folder] = true
	}
	found := []string{"."}
	for folder, imported := range imports {
		if folder != "." &&
			(changed[folder] || slices.ContainsFunc(imported, func(p string) bool { return changed[p] })) {
			found = append(found, folder)
		}
	}
	slices.Sort(found)
	return found
}

// lines runs a command and returns the lines that it prints.
func lines(name string, args ...string) []string {
	command := exec.Command(name, args...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		fmt.Fprintf(os.Stderr, "affected: %s: %v\n", command, err)
		os.Exit(1)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
}
