package clitest

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostFlags is the most flags that the help of a command lists beside --help. The rest are settings
// (see [cli.Settings]).
const mostFlags = 15

// longest is the most lines of a description with its examples: a screen or two. The rest belongs in docs.
const longest = 70

// Help tests that every command of a program explains itself, in lines of at most [cli.HelpWidth]
// columns, with few flags and an example that names it, and that the program accepts all examples.
func Help(t *testing.T, root *cobra.Command) {
	t.Helper()
	if root.Short == "" || root.Long == "" || !strings.Contains(root.Example, "  "+root.CommandPath()) {
		t.Errorf("%s lacks a short or a long text, or an example", root.CommandPath())
	}
	if n := strings.Count(root.Long+"\n"+root.Example+"\n", "\n"); n > longest {
		t.Errorf("%s has %d lines of description and examples, and may have %d", root.CommandPath(), n, longest)
	}
	flags := 0
	root.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden && flag.Name != "help" {
			flags++
		}
	})
	if flags > mostFlags {
		t.Errorf("%s lists %d flags, and may list %d", root.CommandPath(), flags, mostFlags)
	}
	for line := range strings.Lines(root.Long + "\n" + root.UsageString()) {
		json := strings.HasPrefix(line, "  {")
		if line = strings.TrimRight(line, "\n"); len([]rune(line)) > cli.HelpWidth && !json {
			t.Errorf("%s has a line of more than %d columns in its help: %s", root.CommandPath(), cli.HelpWidth, line)
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(root.Example, "\\\n", "")) {
		if _, args, ok := strings.Cut(line, root.Root().Name()+" "); ok {
			if err := Accepts(root.Root(), args); err != nil {
				t.Errorf("%s has the example %q: %v", root.CommandPath(), args, err)
			}
		}
	}
	for _, sub := range root.Commands() {
		Help(t, sub)
	}
}

var (
	word   = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	quotes = strings.NewReplacer("'", "", `"`, "")
)

// Accepts returns an error if a program does not accept the arguments of a command line, as a shell would pass them.
func Accepts(root *cobra.Command, line string) error {
	var args []string
	for _, w := range word.FindAllString(line, -1) {
		if strings.ContainsAny(w[:1], "<>|&#") || strings.HasPrefix(w, "2>") {
			break // a redirection, another program or a comment
		}
		args = append(args, quotes.Replace(w))
	}
	cmd, args, err := root.Find(args)
	if err == nil {
		err = cmd.ParseFlags(args)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if errors.Is(err, pflag.ErrHelp) {
		return nil
	}
	return err
}
