package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
	"gamebots/cmd/internal/cli/clitest"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// commands returns cmd and all commands under it.
func commands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		all = append(all, commands(sub)...)
	}
	return all
}

func TestEveryCommandHasHelp(t *testing.T) { clitest.Help(t, newRoot()) }

func TestDocumented(t *testing.T) { clitest.Documented(t, newRoot()) }

// The page of commands says what the program says: run this test with -update to rewrite it.
func TestCommandsPage(t *testing.T) {
	const file = "../../docs/commands.md"
	var page bytes.Buffer
	writeCommandsPage(&page, newRoot())
	if *update {
		if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), page.String()); diff != "" {
		t.Errorf("docs/commands.md is stale, and -update renews it (-page +program):\n%s", diff)
	}
}

var docsPage = regexp.MustCompile(`\bdocs/([\w/-]+\.md)\b`)

// writeCommandsPage writes a table of commands for each group of root, and the help of each command.
func writeCommandsPage(w io.Writer, root *cobra.Command) {
	fmt.Fprint(w, strings.ReplaceAll(`# Commands

This page is made from the texts of the program; 'gamebots COMMAND --help' prints them, too. Results go to standard
output, logs and progress to standard error; with '--log-level debug' every command logs more. The exit status is 0 for
success, 1 for failure and 2 for a command line that was not understood; after Ctrl-C, SIGTERM or SIGHUP it is 1, but 0
for commands that have nothing else to do than to run until then. 'gamebots completion SHELL' prints a script with which
a shell completes commands and flags.
`, "'", "`"))
	shown := slices.DeleteFunc(commands(root)[1:], func(c *cobra.Command) bool { return c.Hidden })
	for _, group := range append(root.Groups(), &cobra.Group{Title: "Other commands"}) {
		fmt.Fprintf(w, "\n## %s\n\n| command | what it does | more |\n|---|---|---|\n", group.Title)
		for _, c := range shown {
			if first(c).GroupID == group.ID {
				anchor := strings.ReplaceAll(c.CommandPath(), " ", "-")
				fmt.Fprintf(w, "| [%s](#%s) | %s | %s |\n", name(c), anchor, c.Short, strings.Join(docsPages(c), ", "))
			}
		}
	}
	for _, c := range shown {
		fmt.Fprintf(w, "\n## %s\n\n```\n%s\n\n%s\n```\n", c.CommandPath(), c.Long, cli.Usage(c))
		if settings := cli.SettingUsages(c); settings != "" {
			fmt.Fprintf(w, "\nSettings, for `--set NAME=VALUE`:\n```\n%s```\n", settings)
		}
	}
}

// first returns the command of the root that leads to c.
func first(c *cobra.Command) *cobra.Command {
	for c.Parent().HasParent() {
		c = c.Parent()
	}
	return c
}

// name returns the path of a command without that of the root.
func name(c *cobra.Command) string {
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
}

// docsPages returns links to the pages that a command's description names.
func docsPages(c *cobra.Command) []string {
	var links []string
	for _, found := range docsPage.FindAllStringSubmatch(c.Long, -1) {
		if link := fmt.Sprintf("[%s](%[1]s)", found[1]); !slices.Contains(links, link) {
			links = append(links, link)
		}
	}
	return links
}
