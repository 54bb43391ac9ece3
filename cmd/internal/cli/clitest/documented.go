package clitest

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Documented tests that a program accepts its command lines in the pages and in docs/results/claims.csv, and returns
// their arguments.
func Documented(t *testing.T, root *cobra.Command) (lines []string) {
	t.Helper()
	const top = "../../"
	pages, err := filepath.Glob(top + "docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(top + "docs/benchmarks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(append(pages, more...), top+"README.md", top+"SECURITY.md", top+"configs/strategies/README.md")
	// A line of a block of code, perhaps after a prompt, with the lines that a backslash adds to it.
	command := regexp.MustCompile(`(?m)^ *(?:\$ )?(?:sudo )?(?:\S*/)?` + root.Name() + ` ((?:[^\\\n]|\\\n|\\[^\n])+)$`)
	for _, page := range pages {
		if strings.HasSuffix(page, "/commands.md") {
			continue // made from the program's own texts, whose examples Help tries
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range command.FindAllStringSubmatch(blocks(string(text)), -1) {
			lines = append(lines, strings.ReplaceAll(found[1], "\\\n", " "))
		}
	}
	file, err := os.Open("../../docs/results/claims.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	claims, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const column, interval = 4, 7
	for _, claim := range claims {
		if strings.Contains(claim[interval], "the last commit with it is") {
			continue
		}
		for command := range strings.SplitSeq(claim[column], "; ") {
			if line, ok := strings.CutPrefix(command, root.Name()+" "); ok {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		t.Fatalf("no command lines of %s", root.Name())
	}
	for _, line := range lines {
		if err := Accepts(root, line); err != nil {
			t.Errorf("%s %s: %v", root.Name(), line, err)
		}
	}
	return lines
}

// blocks returns the lines of a page that are in blocks of code.
func blocks(page string) string {
	var code []string
	fenced := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		} else if fenced || strings.HasPrefix(line, "    ") {
			code = append(code, line)
		}
	}
	return strings.Join(code, "")
}
