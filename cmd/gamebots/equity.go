package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"gamebots/acpc/ranges"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
	"gamebots/solvers/resolve/spot"

	"github.com/spf13/cobra"
)

func newEquity() *cobra.Command {
	var board string
	var asJSON bool
	threads := 0
	cmd := command("equity", "equity RANGE RANGE",
		"Compute the equities of two ranges of hold'em hands", cli.Arguments(2, 2))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		both, err := equities(cmd, [2]string(args), board, threads)
		if err != nil {
			return err
		}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(both)
		}
		for p, x := range both {
			fmt.Fprintf(cmd.OutOrStdout(), "%6.3f%%  %s\n", 100*x, args[p])
		}
		return nil
	}
	cli.Bind(cmd, "board", &board, "json", &asJSON, "threads", cli.PerProcessor(&threads))
	return cmd
}

// equities returns the equities of two ranges on a board.
func equities(cmd *cobra.Command, texts [2]string, board string, threads int) (both [2]float64, err error) {
	var r [2]*ranges.Range
	for p, text := range texts {
		if r[p], err = ranges.Parse(text); err != nil {
			return both, usererr.WithHint(usererr.Usage(err), "a range is as in 'QQ+,AKs,KJs:0.5'")
		}
	}
	cards, err := spot.ParseBoard(board)
	if err != nil {
		return both, usererr.Usage(fmt.Errorf("--%w", err))
	}
	both, err = cli.Phase(cmd, "dealing boards", func(progress func(part float64)) ([2]float64, error) {
		return spot.Equity(cmd.Context(), r, cards, threads, progress)
	})
	if e := (*spot.FieldError)(nil); errors.As(err, &e) {
		err = usererr.Usagef("--board: %s", e.Msg)
	}
	return both, err
}
