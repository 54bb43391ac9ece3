package gamebots

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// budgetFile has the most that each part of the repository may have: code lines, which are neither blank nor comments,
// packages, modules and lines of pages. "go test . -run Budget -update" writes what there is, unless there is more Go
// than before: the whole only falls, and a folder grows in a commit that makes another one smaller by more. A
// feature that is worth its lines takes out what pays for them; else who adds it raises the number by hand, and says
// why.
const budgetFile = "testdata/budget.txt"

const (
	whole        = "Go"
	commentShare = .12 // share of comments in the lines of Go that are not blank
	longestLine  = 120 // columns, a tab being four
	slack        = .01 // part of a number that may be unused
)

var (
	lineComment = regexp.MustCompile(`^(//|# )`)
	startsBlock = regexp.MustCompile(`^/\*`)
	// languages have a number of their own beside that of Go.
	languages = map[string]string{
		".cu": "CUDA", ".cuh": "CUDA", ".js": "JavaScript and CSS", ".css": "JavaScript and CSS", ".s": "assembly",
		".py": "Python",
	}
)

func TestBudget(t *testing.T) {
	text, err := os.ReadFile(budgetFile)
	if err != nil {
		t.Fatal(err)
	}
	budget := map[string]int{}
	for line := range strings.Lines(string(text)) {
		number, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if budget[name], err = strconv.Atoi(number); err != nil {
			t.Fatalf("%s: %v", budgetFile, err)
		}
	}
	got := measure(t)
	if *update {
		if got[whole] > budget[whole] {
			t.Fatalf("%d code lines of Go, and the budget is %d: take out what nobody would miss",
				got[whole], budget[whole])
		}
		var out strings.Builder
		for _, name := range slices.Sorted(maps.Keys(got)) {
			fmt.Fprintln(&out, got[name], name)
		}
		if err := os.WriteFile(budgetFile, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		switch most, ok := budget[name]; {
		case !ok:
			t.Errorf("%s has no number for %s, of which there are %d", budgetFile, name, got[name])
		case got[name] > most:
			t.Errorf("%s: %d, above its budget of %d", name, got[name], most)
		case float64(got[name]) < float64(most)*(1-slack)-5:
			t.Errorf("%s: %d, well below its budget of %d: lower it with -update", name, got[name], most)
		}
	}
}

// measure counts what has a budget. Packages that only tests import count as tests.
func measure(t *testing.T) map[string]int {
	got, comments := map[string]int{}, 0
	all := packages(t)
	used := map[string]bool{}
	var use func(pkg string)
	use = func(pkg string) {
		if used[pkg] {
			return
		}
		used[pkg] = true
		for _, file := range all[pkg] {
			for _, spec := range file.Imports {
				if below, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "gamebots/"); ok {
					use(below)
				}
			}
		}
	}
	for pkg, files := range all {
		if files[0].Name.Name == "main" || slices.Contains(promisedPackages(t), pkg) || pkg == "" {
			use(pkg)
		}
	}
	for pkg := range used {
		got["packages"]++
		folder, _, _ := strings.Cut(pkg, "/")
		for _, file := range all[pkg] {
			text, err := os.ReadFile(file.name)
			if err != nil {
				t.Fatal(err)
			}
			code, commented := codeLines(string(text))
			got[whole] += code
			if folder != "" {
				got[whole+" in "+folder] += code
			}
			comments += commented
			for line := range strings.Lines(string(text)) {
				line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
				if columns := utf8.RuneCountInString(line); columns > longestLine {
					t.Errorf("%s has a line of %d columns: %s", file.name, columns, strings.TrimSpace(line))
				}
			}
		}
	}
	if share := float64(comments) / float64(comments+got[whole]); share < commentShare {
		t.Errorf("%.1f%% of the lines of Go are comments, fewer than %.0f%%", share*100, commentShare*100)
	}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(file)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == ".git" || name == "build"):
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		language, isCode := languages[path.Ext(name)]
		isPage := strings.HasPrefix(name, "docs/") && path.Ext(name) == ".md" && name != "docs/commands.md"
		if !isCode && !isPage && name != "go.mod" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		switch {
		case isPage:
			got["lines of pages"] += strings.Count(string(text), "\n")
		case name == "go.mod":
			for line := range strings.Lines(string(text)) {
				if strings.HasPrefix(line, "\t") && !strings.Contains(line, "// indirect") {
					got["direct modules"]++
				}
			}
		default:
			code, _ := codeLines(string(text))
			got[language] += code
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// codeLines counts the lines of a source that are neither blank nor comments, and those that are comments.
func codeLines(text string) (code, comments int) {
	inBlock := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case inBlock || startsBlock.MatchString(line):
			inBlock = !strings.Contains(line, "*/")
			comments++
		case lineComment.MatchString(line):
			comments++
		case line != "":
			code++
		}
	}
	return code, comments
}
