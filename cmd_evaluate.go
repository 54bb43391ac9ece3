package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"

	"gamebots/solvers/cfr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newEvaluate() *cobra.Command {
	asJSON, threads, memory := false, 0, bytesFlag(0)
	cmd := &cobra.Command{
		Use:   "evaluate FILE",
		Short: "Compute what a strategy is worth, by exact best responses",
		Long: `evaluate reads a strategy file whole, checks it, and computes the value of the
game when all play it and what a best response of each player wins against it,
in chips a hand. The strategy is taken as it is stored and played.

For two players exploitability is the mean of both best responses' values. For
more, NashConv is the sum of what each could gain alone.

With --json it prints {"game", "value", "best_response", "exploitability",
"unit"}, the value being the first position's; for more than two players "values"
and "nash_conv" take the places of "value" and "exploitability". All are those of
the abstract game where the strategy knows only some raises, its "actions".`,
		Example: `  gamebots evaluate leduc.strategy
  gamebots evaluate leduc.strategy --json`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if threads < 1 {
				return usagef("--threads: %d is less than 1", threads)
			}
			policy, err := cfr.OpenPolicy(args[0], memory.or(availableMemory), preparing(zerolog.Ctx(cmd.Context())))
			if err != nil {
				return err
			}
			defer policy.Close()
			layout, err := policy.Layout(memory.or(availableMemory))
			if err != nil {
				return err
			}
			weights, err := policy.Weights()
			if err != nil {
				return err
			}
			e := cfr.NewEvaluator(layout, threads).Evaluate(weights)
			print := printEvaluation
			if asJSON {
				print = printEvaluationJSON
			}
			return print(cmd.OutOrStdout(), policy, e)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().IntVar(&threads, "threads", runtime.NumCPU(), "threads to use")
	cmd.Flags().Var(&memory, "memory", "memory to use at most, as in 8GiB (default what is available)")
	return cmd
}

func printEvaluation(w io.Writer, p *cfr.Policy, e cfr.Evaluation) error {
	g := p.Tree.Game
	name, x := "exploitability", e.Exploitability()
	if g.NumPlayers > 2 {
		name, x = "NashConv", e.NashConv()
	}
	fmt.Fprintf(w, "%s\nposition  value         best response\n", g.Name)
	for p := range e.Value {
		fmt.Fprintf(w, "%8d  %-12.6g  %.6g\n", p+1, e.Value[p], e.BestResponse[p])
	}
	_, err := fmt.Fprintf(w, "%s  %s\n", name, chips(x, g)+abstractly(p.Meta().Actions))
	return err
}

func printEvaluationJSON(w io.Writer, p *cfr.Policy, e cfr.Evaluation) error {
	g, actions := p.Tree.Game, p.Meta().Actions
	if g.NumPlayers > 2 {
		return json.NewEncoder(w).Encode(struct {
			Game         string    `json:"game"`
			Values       []float64 `json:"values"`
			BestResponse []float64 `json:"best_response"`
			NashConv     float64   `json:"nash_conv"`
			Unit         string    `json:"unit"`
			Actions      string    `json:"actions,omitempty"`
		}{g.Name, e.Value, e.BestResponse, e.NashConv(), "chips", actions})
	}
	return json.NewEncoder(w).Encode(struct {
		Game           string    `json:"game"`
		Value          float64   `json:"value"`
		BestResponse   []float64 `json:"best_response"`
		Exploitability float64   `json:"exploitability"`
		Unit           string    `json:"unit"`
		Actions        string    `json:"actions,omitempty"`
	}{g.Name, e.Value[0], e.BestResponse, e.Exploitability(), "chips", actions})
}
