package cli

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// HelpWidth is the width of help in columns.
const HelpWidth = 80

// Subcommand stands in usage lines for the name of a command below another one.
const Subcommand = " COMMAND"

// printUsage prints the usage of a command and the flags that it shares with others.
func printUsage(c *cobra.Command) error {
	text := Usage(c)
	if flags := c.InheritedFlags(); flags.HasAvailableFlags() {
		text += flagUsages("Global Flags", flags)
	}
	if c.HasAvailableSubCommands() {
		text += fmt.Sprintf("\n\nUse \"%s%s --help\" for more about a command.", c.CommandPath(), Subcommand)
	}
	_, err := fmt.Fprintln(c.OutOrStderr(), text)
	return err
}

// Usage returns the usage of a command, its flags wrapped to HelpWidth. It is plain
// code because cobra's templates would link text/template, with which the linker
// keeps every exported method of the program (6.5 MB of the executable).
func Usage(c *cobra.Command) string {
	var out strings.Builder
	out.WriteString("Usage:")
	if c.Runnable() {
		fmt.Fprintf(&out, "\n  %s", c.UseLine())
	}
	if c.HasAvailableSubCommands() && !strings.HasSuffix(c.Use, Subcommand) {
		fmt.Fprintf(&out, "\n  %s%s", c.CommandPath(), Subcommand)
	}
	if c.HasExample() {
		fmt.Fprintf(&out, "\n\nExamples:\n%s", c.Example)
	}
	for _, group := range c.Groups() {
		out.WriteString(commandList(group.Title, c, group.ID))
	}
	title := "Commands"
	if len(c.Groups()) > 0 {
		title = "Other commands"
	}
	out.WriteString(commandList(title, c, ""))
	if flags := c.LocalFlags(); flags.HasAvailableFlags() {
		out.WriteString(flagUsages("Flags", flags))
	}
	if s := settingsOf(c); s != nil {
		fmt.Fprintf(&out, "\n\nSettings (--set NAME=VALUE; --set help says what they mean):\n%s",
			Wrap(strings.Join(s.names, ", "), "  "))
	}
	return out.String()
}

// commandList returns a paragraph with the commands of a group, or of no group.
func commandList(title string, c *cobra.Command, groupID string) string {
	list := ""
	for _, sub := range c.Commands() {
		if sub.GroupID == groupID && (sub.IsAvailableCommand() || sub.Name() == "help") {
			list += fmt.Sprintf("\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	if list == "" {
		return ""
	}
	return fmt.Sprintf("\n\n%s:%s", title, list)
}

// flagUsages returns a paragraph with flags.
func flagUsages(title string, flags *pflag.FlagSet) string {
	return fmt.Sprintf("\n\n%s:\n%s", title, strings.TrimRight(flags.FlagUsagesWrapped(HelpWidth), "\n"))
}

// Wrap breaks text between words into lines of at most [HelpWidth] columns that begin with indent.
func Wrap(text, indent string) string {
	var out strings.Builder
	column := HelpWidth
	for word := range strings.FieldsSeq(text) {
		if column+1+len(word) > HelpWidth {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(indent + word)
			column = len(indent) + len(word)
			continue
		}
		out.WriteString(" " + word)
		column += 1 + len(word)
	}
	return out.String()
}

// CommandLine returns the words of a command line for a shell.
func CommandLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quoted(word)
	}
	return strings.Join(quoted, " ")
}

// Quoted quotes an argument for a shell, where it has to be.
func Quoted(argument string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`_./-+:\`, r)
	}
	if argument != "" && strings.IndexFunc(argument, special) < 0 {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}
