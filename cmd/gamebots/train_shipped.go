package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// resources are the flags of train that the steps of a recipe share.
var resources = []string{"device", "threads", "memory"}

// runAsShipped trains a strategy as the one that comes with the program: by several commands, which it prints.
func runAsShipped(cmd *cobra.Command, game *acpc.Game, name string, f *trainFlags) error {
	var given []*pflag.Flag
	var refused error
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch {
		case slices.Contains(resources, flag.Name):
			given = append(given, flag)
		case !slices.Contains([]string{"as-shipped", "output", "dry-run", "log-level"}, flag.Name):
			refused = usererr.Usagef("--%s has no effect with --as-shipped, which sets all but -o, --%s", flag.Name,
				strings.Join(resources, ", --"))
		}
	})
	if refused != nil {
		return refused
	}
	recipe := configs.ShippedRecipe(game)
	file := cmp.Or(f.File, game.Name+".strategy")
	if strings.TrimSuffix(file, ".strategy") == file {
		return usererr.Usagef("-o: %s does not end in .strategy", file)
	}
	commands := recipe.Commands(name, file)
	if f.dryRun {
		return printSteps(cmd.OutOrStdout(), recipe, commands)
	}
	if err := printSteps(cmd.ErrOrStderr(), recipe, commands); err != nil {
		return err
	}
	for _, args := range commands {
		output := args[len(args)-1]
		if _, err := os.Stat(output); args[0] == "abstract" && err == nil {
			continue // made by a run before
		}
		step := newRoot()
		called, _, err := step.Find(args)
		if err != nil {
			return err
		}
		for _, flag := range given {
			if called.Flags().Lookup(flag.Name) != nil {
				args = append(args, "--"+flag.Name+"="+flag.Value.String())
			}
		}
		step.SetArgs(args)
		step.SetOut(cmd.OutOrStdout())
		step.SetErr(cmd.ErrOrStderr())
		step.SilenceErrors, step.SilenceUsage = true, true
		if err := step.ExecuteContext(cmd.Context()); err != nil {
			return err
		}
	}
	return nil
}

// printSteps prints the commands of a recipe, and what it needs.
func printSteps(w io.Writer, recipe configs.AsShipped, commands [][]string) error {
	for _, args := range commands {
		if _, err := fmt.Fprintln(w, "gamebots", cli.CommandLine(args...)); err != nil {
			return err
		}
	}
	if recipe.Needs == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "needs %s\n", recipe.Needs)
	return err
}
