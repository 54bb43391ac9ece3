package main

import (
	"encoding/json"
	"fmt"

	"gamebots/cmd/gamebench/internal/bench"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

// newReisRun is the command that the benchmark reis starts for each of its figures.
func newReisRun() *cobra.Command {
	return &cobra.Command{
		Use:    bench.ReisCommand + " GAME PROGRAM THREADS ITERATIONS",
		Hidden: true,
		Short:  "Measure one run of a program of Reis",
		Long: `reis-run trains a game by one program, and prints the time and memory that it
took. gamebench reis starts it for each of its figures, because memory is
measured for a whole process.`,
		Example: `  gamebench reis-run reis-a recursive 1 1000`,
		Args:    cli.Arguments(4, 4),
		RunE: func(cmd *cobra.Command, args []string) error {
			var threads, iterations int
			if _, err := fmt.Sscan(args[2]+" "+args[3], &threads, &iterations); err != nil {
				return usererr.Usage(err)
			}
			run, err := bench.RunReis(args[0], args[1], threads, iterations)
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(run)
		},
	}
}
