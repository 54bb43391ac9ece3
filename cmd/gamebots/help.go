package main

import (
	"embed"
	"fmt"
	"strings"

	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

//go:embed help
var helpTexts embed.FS

// bindShared adds the flags that help/NAME.txt describes, which several commands have.
func bindShared(flags *pflag.FlagSet, name string, values ...any) {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(fmt.Sprintf("flags of %s: %v", name, err))
	}
	cli.BindTexts(flags, string(text), values...)
}

// group returns a command that leads to others, see [cli.LeadsTo].
func group(help, short string, others ...*cobra.Command) *cobra.Command {
	cmd := command(help, help, short, nil)
	cli.LeadsTo(cmd, others...)
	return cmd
}

// command returns a command with its use line, a sentence about it and what checks its arguments. Its description and
// its examples are those of help/HELP.txt, in which each {KEY} becomes the value, or the list, after its key in
// values; so are the texts of its flags and settings, which [cli.Bind] adds.
func command(help, use, short string, args cobra.PositionalArgs, values ...any) *cobra.Command {
	text, err := helpTexts.ReadFile("help/" + help + ".txt")
	if err != nil {
		panic(fmt.Sprintf("help of %s: %v", help, err)) // every test of commands would end here
	}
	var replaced []string
	for i, value := range values {
		list, ok := value.([]string)
		switch {
		case i%2 == 0:
			list = []string{"{" + value.(string) + "}"}
		case !ok:
			list = []string{fmt.Sprint(value)}
		}
		replaced = append(replaced, strings.Join(list, ", "))
	}
	rest, settings, _ := strings.Cut(strings.NewReplacer(replaced...).Replace(string(text)), "\n\nSettings:\n")
	rest, flags, _ := strings.Cut(rest, "\n\nFlags:\n")
	long, examples, _ := strings.Cut(rest, "\n\nExamples:\n")
	return &cobra.Command{
		Use: use, Short: short, Args: args, Long: long, Example: strings.TrimRight(examples, "\n"),
		Annotations: map[string]string{cli.FlagTexts: flags, cli.SettingTexts: settings},
	}
}
