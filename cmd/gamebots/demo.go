package main

import (
	"fmt"
	"io"
	"os"

	"gamebots/bots/demo"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newDemo() *cobra.Command {
	d := demo.Demo{Folder: "gamebots-demo", Deals: 2500}
	cmd := command("demo", "demo", "Train, play and plot a first match", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if d.Deals < 2 {
			return usererr.Usagef("--hands: %d is less than 2", d.Deals)
		}
		if d.Program, err = os.Executable(); err != nil {
			return err
		}
		d.Story, d.Bars = cmd.OutOrStdout(), cmd.ErrOrStderr()
		strategy, picture, err := d.Run(cmd.Context())
		if err != nil {
			return err
		}
		return printNext(d.Story, strategy, picture)
	}
	cli.Bind(cmd, "folder", &d.Folder, "hands", &d.Deals)
	return cmd
}

// printNext says what a demo has left, and what to do next.
func printNext(w io.Writer, strategy, picture string) error {
	_, err := fmt.Fprintf(w, `
3. Look: %s has the winnings and the trainings as curves.
   Strategies and the dealer's logs are beside it.

What next, from this folder?

   %[2]s play poker leduc --against %[3]s
      play against the strategy that was just trained
   %[2]s show %[3]s --at cr
      see what it does with each hand after a check and a bet
   %[2]s serve
      play Havannah, Nim and poker in a browser: open http://127.0.0.1:8080
`, picture, cli.Quoted(os.Args[0]), cli.Quoted(strategy))
	return err
}
