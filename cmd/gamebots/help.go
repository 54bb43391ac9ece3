package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed help
var helpTexts embed.FS

// command returns a command with its use line, a sentence about it and what checks its arguments. Its description and
// its examples are those of help/HELP.txt, as for explain.
func command(help, use, short string, args cobra.PositionalArgs, values ...string) *cobra.Command {
	return explain(&cobra.Command{Use: use, Short: short, Args: args}, help, values...)
}

// explain gives cmd the description and the examples of help/NAME.txt. Each {KEY} in them becomes the value after
// its key in values.
func explain(cmd *cobra.Command, name string, values ...string) *cobra.Command {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(fmt.Sprintf("help of %s: %v", name, err)) // every test of commands would end here
	}
	for i := 0; i < len(values); i += 2 {
		values[i] = "{" + values[i] + "}"
	}
	long, examples, _ := strings.Cut(strings.NewReplacer(values...).Replace(string(text)), "\n\nExamples:\n")
	cmd.Long, cmd.Example = long, strings.TrimRight(examples, "\n")
	return cmd
}
