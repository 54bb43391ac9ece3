package clitest

import (
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
)

// longest is the most lines of a description with its examples: a screen or two. The rest belongs in docs.
const longest = 70

// Help tests that every command of a program explains itself, with an example that names it, in
// lines of at most [cli.HelpWidth] columns.
func Help(t *testing.T, root *cobra.Command) {
	t.Helper()
	if root.Short == "" || root.Long == "" || !strings.Contains(root.Example, "  "+root.CommandPath()) {
		t.Errorf("%s lacks a short or a long text, or an example", root.CommandPath())
	}
	if n := strings.Count(root.Long+"\n"+root.Example+"\n", "\n"); n > longest {
		t.Errorf("%s has %d lines of description and examples, and may have %d", root.CommandPath(), n, longest)
	}
	for line := range strings.Lines(root.Long + "\n" + root.UsageString()) {
		json := strings.HasPrefix(line, "  {")
		if line = strings.TrimRight(line, "\n"); len([]rune(line)) > cli.HelpWidth && !json {
			t.Errorf("%s has a line of more than %d columns in its help: %s", root.CommandPath(), cli.HelpWidth, line)
		}
	}
	for _, sub := range root.Commands() {
		Help(t, sub)
	}
}
