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
// its examples are those of help/HELP.txt, in which each {KEY} becomes the value after its key in values.
func command(help, use, short string, args cobra.PositionalArgs, values ...string) *cobra.Command {
	text, err := helpTexts.ReadFile("help/" + help + ".txt")
	if err != nil {
		panic(fmt.Sprintf("help of %s: %v", help, err)) // every test of commands would end here
	}
	for i := 0; i < len(values); i += 2 {
		values[i] = "{" + values[i] + "}"
	}
	long, examples, _ := strings.Cut(strings.NewReplacer(values...).Replace(string(text)), "\n\nExamples:\n")
	return &cobra.Command{Use: use, Short: short, Args: args, Long: long, Example: strings.TrimRight(examples, "\n")}
}
