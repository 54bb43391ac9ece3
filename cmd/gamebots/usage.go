package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help in columns.
const helpWidth = 80

// printUsage prints the usage of a command, its flags wrapped to helpWidth. It is
// plain code because cobra's templates would link text/template, with which the
// linker keeps every exported method of the program (6.5 MB of the executable).
func printUsage(c *cobra.Command) error {
	var out strings.Builder
	out.WriteString("Usage:")
	if c.Runnable() {
		fmt.Fprintf(&out, "\n  %s", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "\n  %s [command]", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(&out, "\n\nExamples:\n%s", c.Example)
	}
	if c.HasAvailableSubCommands() {
		out.WriteString("\n\nAvailable Commands:")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&out, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	for _, flags := range []struct {
		title string
		set   *pflag.FlagSet
	}{{"Flags", c.LocalFlags()}, {"Global Flags", c.InheritedFlags()}} {
		if flags.set.HasAvailableFlags() {
			fmt.Fprintf(&out, "\n\n%s:\n%s", flags.title, strings.TrimRight(flags.set.FlagUsagesWrapped(helpWidth), "\n"))
		}
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "\n\nUse \"%s [command] --help\" for more about a command.", c.CommandPath())
	}
	_, err := fmt.Fprintln(c.OutOrStderr(), out.String())
	return err
}
