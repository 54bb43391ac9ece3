package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/correlated"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/game/syntax"

	"github.com/spf13/cobra"
)

// correlatedFlags are the flags of solve correlated.
type correlatedFlags struct {
	gameSource
	coarse   bool
	maximize string
	distance string
	json     bool
}

func newSolveCorrelated() *cobra.Command {
	var f correlatedFlags
	cmd := &cobra.Command{
		Use:   "correlated [GAME]",
		Short: "Find the best correlated equilibrium of a game",
		Long: `correlated finds a correlated equilibrium that maximises an objective, exactly.
GAME is a file in Gambit's .nfg format, with any number of players, in .efg
format, which is converted to its reduced normal form, or lrsnash's input; "-"
is standard input.

A correlated equilibrium is a distribution over combinations of strategies. A
mediator draws a combination and tells each player its own strategy; nobody
gains by playing another one. In a coarse correlated equilibrium (--coarse)
nobody gains by choosing a strategy before being told one.

--maximize sets the objective: welfare (the sum of all payoffs), any (the first
equilibrium found), or a weight for each player's payoff, as in 1,0 or 1,-1/2.

The output has the distribution, its expected payoffs, and the proof of the
optimum: a multiplier for each deviation. The objective plus the multipliers
times the losses by these deviations is at most the optimum in every combination
of strategies. Equilibrium and proof are checked in fractions; the exit status
is 1 if a check fails.

--distance FILE solves nothing, but prints what deviations gain against the
distribution in FILE, which has the form of the output with --json. Only
"distribution" is read.

More: docs/correlated.md`,
		Example: `  gamebots solve correlated game.nfg
  gamebots solve correlated game.nfg --maximize 1,0,0 --json
  gamebots solve correlated --generate Chicken --coarse
  gamebots solve correlated game.nfg --distance plan.json`,
		Args: cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := f.normalForm(cmd, args)
			if err != nil {
				return err
			}
			if f.distance != "" {
				if cmd.Flags().Changed("maximize") {
					return usererr.Usagef("--maximize has no effect with --distance")
				}
				return f.printDistance(cmd.OutOrStdout(), g)
			}
			return f.solve(cmd.Context(), cmd.OutOrStdout(), g)
		},
	}
	flags := cmd.Flags()
	f.gameSource.add(flags)
	flags.BoolVar(&f.coarse, "coarse", false, "coarse correlated equilibria")
	flags.StringVar(&f.maximize, "maximize", "welfare", "objective: welfare, any, or weights of players' payoffs, as 1,0,-1/2")
	flags.StringVar(&f.distance, "distance", "", "say how far the distribution in this file is from an equilibrium")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	return cmd
}

func (f *correlatedFlags) kind() correlated.Kind {
	if f.coarse {
		return correlated.Coarse
	}
	return correlated.Correlated
}

// objective parses --maximize.
func (f *correlatedFlags) objective(g *game.NormalForm) ([]*big.Rat, error) {
	switch f.maximize {
	case "welfare":
		return correlated.Welfare(g), nil
	case "any":
		return correlated.Weighted(g, nil), nil
	}
	var weights []*big.Rat
	for _, word := range strings.Split(f.maximize, ",") {
		w, err := syntax.ParseNumber(strings.TrimSpace(word))
		if err != nil {
			return nil, usererr.Usagef("--maximize: %q is not welfare, any, or numbers separated by commas: %w", f.maximize, err)
		}
		weights = append(weights, w)
	}
	if len(weights) != len(g.Players) {
		return nil, usererr.Usagef("--maximize: %d weights for %d players", len(weights), len(g.Players))
	}
	return correlated.Weighted(g, weights), nil
}

// solve finds, verifies and prints an equilibrium.
func (f *correlatedFlags) solve(ctx context.Context, w io.Writer, g *game.NormalForm) error {
	objective, err := f.objective(g)
	if err != nil {
		return err
	}
	s, err := correlated.Solve(ctx, g, f.kind(), objective)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped before an equilibrium was proved")
	case err != nil:
		return err
	}
	if err := s.Verify(g, objective); err != nil {
		return fmt.Errorf("not verified: %w", err)
	}
	if f.json {
		return json.NewEncoder(w).Encode(f.solutionJSON(g, s))
	}
	return f.print(w, g, s)
}

// print writes an equilibrium and its proof as text.
func (f *correlatedFlags) print(w io.Writer, g *game.NormalForm, s *correlated.Solution) error {
	var out strings.Builder
	for c, p := range s.Probability {
		if p.Sign() == 0 {
			continue
		}
		fmt.Fprintf(&out, "probability %s: %s, payoffs %s\n", p.RatString(), cellNames(g, c), strings.Join(cellPayoffs(g, c), " "))
	}
	for _, m := range s.Multipliers {
		from := "any strategy"
		if m.From >= 0 {
			from = g.Name(m.Player, m.From)
		}
		fmt.Fprintf(&out, "multiplier %s: player %d, %s instead of %s\n", m.Weight.RatString(), m.Player+1, g.Name(m.Player, m.To), from)
	}
	fmt.Fprintf(&out, "a %v equilibrium with expected payoffs %s, verified exactly", s.Kind, strings.Join(nash.Fractions(s.Payoffs), " and "))
	switch f.maximize {
	case "any":
	case "welfare":
		fmt.Fprintf(&out, "; its welfare, %s, is proved to be the largest", s.Value.RatString())
	default:
		fmt.Fprintf(&out, "; its objective, %s, is proved to be the largest", s.Value.RatString())
	}
	out.WriteByte('\n')
	_, err := io.WriteString(w, out.String())
	return err
}

// A correlatedJSON is an equilibrium as JSON. Strategies and players count from 0,
// fractions are texts.
type correlatedJSON struct {
	Kind         string           `json:"kind"`
	Maximize     string           `json:"maximize"`
	Value        string           `json:"value"`
	Payoffs      []string         `json:"payoffs"`
	Distribution []cellJSON       `json:"distribution"`
	Multipliers  []multiplierJSON `json:"multipliers"`
	Verified     bool             `json:"verified"`
}

type cellJSON struct {
	Profile     []int  `json:"profile"`
	Probability string `json:"probability"`
}

type multiplierJSON struct {
	Player int    `json:"player"`
	From   *int   `json:"from"` // null in coarse equilibria
	To     int    `json:"to"`
	Weight string `json:"weight"`
}

func (f *correlatedFlags) solutionJSON(g *game.NormalForm, s *correlated.Solution) correlatedJSON {
	out := correlatedJSON{Kind: s.Kind.String(), Maximize: f.maximize, Value: s.Value.RatString(), Payoffs: nash.Fractions(s.Payoffs), Multipliers: []multiplierJSON{}, Verified: true}
	for c, p := range s.Probability {
		if p.Sign() != 0 {
			out.Distribution = append(out.Distribution, cellJSON{g.Profile(c), p.RatString()})
		}
	}
	for _, m := range s.Multipliers {
		j := multiplierJSON{Player: m.Player, To: m.To, Weight: m.Weight.RatString()}
		if m.From >= 0 {
			j.From = &m.From
		}
		out.Multipliers = append(out.Multipliers, j)
	}
	return out
}

// printDistance writes how far the distribution of a file is from an equilibrium.
func (f *correlatedFlags) printDistance(w io.Writer, g *game.NormalForm) error {
	probability, err := readDistribution(f.distance, g)
	if err != nil {
		return err
	}
	gap, err := correlated.Distance(g, f.kind(), probability)
	if err != nil {
		return fmt.Errorf("%s: %w", f.distance, err)
	}
	if f.json {
		return json.NewEncoder(w).Encode(struct {
			Kind     string   `json:"kind"`
			Distance string   `json:"distance"`
			Players  []string `json:"players"`
		}{f.kind().String(), gap.Total.RatString(), nash.Fractions(gap.Players)})
	}
	for p, gain := range gap.Players {
		fmt.Fprintf(w, "player %d gains %s by deviations\n", p+1, gain.RatString())
	}
	_, err = fmt.Fprintf(w, "%s in all: %s\n", gap.Total.RatString(), map[bool]string{
		true: fmt.Sprintf("a %v equilibrium", f.kind()), false: fmt.Sprintf("not a %v equilibrium", f.kind())}[gap.Total.Sign() == 0])
	return err
}

// readDistribution reads the probabilities of a game's cells from a file.
func readDistribution(file string, g *game.NormalForm) ([]*big.Rat, error) {
	text, err := configs.ReadFileAtMost(file, maxGameBytes)
	if err != nil {
		return nil, err
	}
	var in correlatedJSON
	if err := json.Unmarshal(text, &in); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) { // which names Go's types
			err = fmt.Errorf("not a distribution as --json prints it: %s in the wrong place", wrong.Value)
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	probability := make([]*big.Rat, g.Cells())
	for c := range probability {
		probability[c] = new(big.Rat)
	}
	for i, cell := range in.Distribution {
		if len(cell.Profile) != len(g.Sizes) {
			return nil, fmt.Errorf("%s: distribution %d has %d strategies for %d players", file, i+1, len(cell.Profile), len(g.Sizes))
		}
		for p, strategy := range cell.Profile {
			if strategy < 0 || strategy >= g.Sizes[p] {
				return nil, fmt.Errorf("%s: distribution %d: player %d has no strategy %d; they count from 0", file, i+1, p+1, strategy)
			}
		}
		x, err := syntax.ParseNumber(cell.Probability)
		if err != nil {
			return nil, fmt.Errorf("%s: distribution %d: probability %q: %w", file, i+1, cell.Probability, err)
		}
		c := g.Cell(cell.Profile)
		probability[c] = new(big.Rat).Add(probability[c], x)
	}
	return probability, nil
}
