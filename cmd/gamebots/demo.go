package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"gamebots/bots/demo"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newDemo() *cobra.Command {
	var d demo.Demo
	asJSON := false
	cmd := command("demo", "demo", "Train, play and plot a first match", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if d.Deals < 2 {
			return usererr.Usagef("--hands: %d is less than 2", d.Deals)
		}
		if d.Program, err = os.Executable(); err != nil {
			return err
		}
		d.Story, d.Bars = cmd.OutOrStdout(), cmd.ErrOrStderr()
		if asJSON {
			d.Story = d.Bars
		}
		result, err := d.Run(cmd.Context())
		if err == nil {
			err = printNext(d.Story, result)
		}
		if err != nil || !asJSON {
			return err
		}
		return json.NewEncoder(cmd.OutOrStdout()).Encode(result)
	}
	cmd.Flags().StringVar(&d.Folder, "folder", "gamebots-demo", "output folder")
	cmd.Flags().Uint32Var(&d.Deals, "hands", 2500, "deals of each match")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the results as one JSON object")
	return cmd
}

// printNext says what a demo has left, and what to do next.
func printNext(w io.Writer, r *demo.Result) error {
	program, strategy := cli.Quoted(os.Args[0]), cli.Quoted(r.Trainings[0].File)
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
`, r.Pictures[0], program, strategy)
	return err
}
