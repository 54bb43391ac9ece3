package clitest

import (
	"encoding/csv"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Documented tests that a program accepts its command lines in README.md and in docs/results/claims.csv, and returns
// their arguments.
func Documented(t *testing.T, root *cobra.Command) (lines []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?m)^\./`+root.Name()+` (.*)$`).FindAllStringSubmatch(string(text), -1) {
		lines = append(lines, found[1])
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
	const column = 4
	for _, claim := range claims {
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
