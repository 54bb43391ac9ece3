package main

import (
	"encoding/json"
	"fmt"
	"io"

	"gamebots/bots/poker"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// learnedFlags are the flags of evaluate --learned.
type learnedFlags struct {
	on         bool
	iterations int
	seed       uint64
	style      poker.Style
	memory     cli.Bytes
	asJSON     bool
}

// learnedResponses is how many responses are learned, of which the best counts.
const learnedResponses = 3

func (f *learnedFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "learned", false, "estimate a lower bound in the abstract game from responses that are learned")
	flags.IntVar(&f.iterations, "iterations", 0, "with --learned: iterations of a response (default as many as the training had, at most ten million)")
}

// check returns an error for flags that cannot be combined.
func (f *learnedFlags) check(flags *pflag.FlagSet) error {
	if !f.on {
		if flags.Changed("iterations") {
			return usererr.Usagef("--iterations has no effect without --learned")
		}
		return nil
	}
	for _, name := range []string{"real", "log", "nats", "device", "threads"} {
		if flags.Changed(name) {
			return usererr.Usagef("--learned and --%s cannot be combined", name)
		}
	}
	if flags.Changed("iterations") && f.iterations < 1 {
		return usererr.Usagef("--iterations %d: want at least 1", f.iterations)
	}
	return nil
}

// evaluateLearned prints what learned responses win from a strategy.
func evaluateLearned(cmd *cobra.Command, file string, f learnedFlags) error {
	free := f.memory.Or(memory.Available)
	p, err := strategies.Open(cmd, file, free)
	if err != nil {
		return err
	}
	defer p.Close()
	rules := p.Tree.Game
	// The strategy, and the best response and the one at work for each position, in two
	// numbers an entry each.
	tables := int64(1 + 2*rules.NumPlayers)
	if err := memory.Enough("learning responses", tables*8*int64(p.Entries), free); err != nil {
		return err
	}
	weights, err := p.Weights()
	if err != nil {
		return err
	}
	game, err := mccfr.NewGame(rules, p.Tree.Shape.Betting, p.Buckets)
	if err != nil {
		return err
	}
	table := mccfr.TableOf(game, policy.Played[float32](p.Index, weights, f.style.Apply))
	if f.iterations == 0 {
		f.iterations = train.ResponseIterations(p.Meta().Iterations)
	}
	zerolog.Ctx(cmd.Context()).Info().Str("strategy", file).Int("responses", learnedResponses).Int("iterations", f.iterations).Msg("answering")
	answer, err := cli.Phase(cmd, learningResponse, func(progress func(part float64)) (*train.Answer, error) {
		return train.LearnAnswer(cmd.Context(), &table, learnedResponses, f.iterations, f.seed, progress)
	})
	if err != nil {
		return err
	}
	return f.print(cmd.OutOrStdout(), p, file, answer)
}

// print prints the answer. For more than two players the bound is one of NashConv.
func (f *learnedFlags) print(w io.Writer, p *policy.Policy, name string, a *train.Answer) error {
	g, best, what := p.Tree.Game, a.Best, "exploitability"
	if n := float64(g.NumPlayers); n > 2 {
		best.Value, best.Interval, what = n*best.Value, n*best.Interval, "NashConv"
	}
	if f.asJSON {
		return json.NewEncoder(w).Encode(struct {
			Game       string           `json:"game"`
			Strategy   string           `json:"strategy"`
			Measure    string           `json:"measure"`
			LowerBound float64          `json:"lower_bound"`
			Interval95 float64          `json:"interval95"`
			Responses  []train.Response `json:"responses"`
			Seed       uint64           `json:"seed"`
			Unit       string           `json:"unit"`
			Actions    string           `json:"actions,omitempty"`
		}{g.Name, name, what, best.Value, best.Interval, a.Learned, f.seed, "chips", p.Meta().Actions})
	}
	fmt.Fprintf(w, "%s: %s, answered by responses of %d iterations\nresponse  wins in the mean over the positions\n", g.Name, name, best.Iterations)
	for i, r := range a.Learned {
		fmt.Fprintf(w, "%8d  %s\n", i+1, figures.ChipsWithin(r.Value, r.Interval, g))
	}
	_, err := fmt.Fprintf(w, "%s  %s in the abstract game: won by the best one on other deals\n", what, figures.Usual(g).AtLeast(best.Value, best.Interval))
	return err
}
