package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/money"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/chart"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// payoff formats an amount of an extensive game.
func payoff(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// payoffs formats what players win in an extensive game.
func payoffs(values []float64) string {
	var texts []string
	for _, x := range values {
		texts = append(texts, payoff(x))
	}
	return strings.Join(texts, ", ") + " by player"
}

// printTrained prints the result of a training. players are those of the game.
func printTrained(w io.Writer, r *train.Result, players int, f money.Format, asJSON bool) error {
	if asJSON {
		return cli.Print(w, true, r)
	}
	amount, byPosition := f.Amount, f.ByPosition
	if r.Unit == train.Payoffs {
		amount, byPosition = payoff, payoffs
	}
	fmt.Fprintf(w, "%s: %s of %s in %.3g s (%.3g a second)\n", r.Game,
		usererr.Iterations(r.Iterations), r.Algorithm, r.Seconds, float64(r.Iterations)/r.Seconds)
	fmt.Fprintf(w, "tables          %s, %d information sets\n", memory.Bytes(r.Bytes), r.InfoSets)
	if r.AverageUtility != nil {
		fmt.Fprintf(w, "average utility %s\n", f.ByPosition(r.AverageUtility))
	}
	if r.Exploitability != nil {
		fmt.Fprintf(w, "value           %s\nexploitability  %s%s\n",
			byPosition(r.Values), amount(*r.Exploitability), betting.AbstractGame(r.Actions))
	}
	if learned := r.Response; learned != nil {
		what, n := "exploitability", 1.0
		if players > 2 {
			what, n = "NashConv", float64(players)
		}
		fmt.Fprintf(w, "lower bound     %s of %s in the abstract game: won by a response learned in %s\n",
			f.AtLeast(n*learned.Value, n*learned.Interval), what, usererr.Iterations(learned.Iterations))
	}
	if r.NashConv != nil {
		fmt.Fprintf(w, "values          %s\nNashConv        %s%s\n",
			byPosition(r.Values), amount(*r.NashConv), betting.AbstractGame(r.Actions))
		fmt.Fprintf(w, "NashConv/%-6d %s: what --target is compared with\n", players,
			amount(*r.NashConv/float64(players)))
	}
	if r.File == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "written to      %s\n", r.File)
	return err
}

// plotTrained draws the curve of a training.
func plotTrained(file string, r *train.Result, trained train.Spec) error {
	var points []chart.Progress
	unit, mb, err := trained.Unit()
	if err != nil {
		return err
	}
	for _, p := range r.Curve {
		points = append(points, chart.Progress{
			Iterations: float64(p.Iterations), Seconds: p.Seconds, Exploitability: mb * p.Exploitability,
		})
	}
	if len(points) < 2 {
		err := fmt.Errorf("%s: nothing to draw: the strategy was evaluated %d times", file, len(points))
		return usererr.WithHint(err, "train longer, or a game whose strategies can be evaluated")
	}
	charts, err := chart.NewTraining(r.Game, unit, r.Algorithm, points)
	if err != nil {
		return err
	}
	return chart.Draw(file, charts...)
}

// fitHint says what makes a training smaller.
func fitHint(e *policy.SizeError) string {
	hint := "coarser cards (--abstraction) and --storage 16 need less, and --dry-run says how much"
	if e.Spec.Game.Betting == acpc.NoLimit {
		hint = "fewer raises (--actions), " + hint
	}
	if usual := configs.Recipe(e.Spec.Game); strings.Contains(usual, "--abstraction") {
		hint += "; usual for this game is " + usual
	}
	return hint
}
