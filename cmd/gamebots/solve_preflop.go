package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gamebots/acpc/ranges"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
	"gamebots/solvers/preflop"

	"github.com/spf13/cobra"
)

// preflopFlags are the flags of solve preflop.
type preflopFlags struct {
	game       preflop.Game
	raises     string
	rake       float64 // percent
	target     float64 // thousandths of a big blind
	iterations int
	json       bool
}

// With stacks up to so many big blinds players push or fold, if nothing else is said, and above they have raises.
const (
	pushed      = 15
	usualRaises = "2.5/3.5x/2.3x"
)

func newSolvePreflop() *cobra.Command {
	f := preflopFlags{target: 0.5, iterations: 100_000}
	cmd := command("solve_preflop", "preflop", "Solve the betting before the flop of two players", cli.Arguments(0, 0),
		"PUSHED", pushed, "RAISES", usualRaises)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.run(cmd) }
	f.game.Stack = 10
	cli.Bind(cmd, "stack", &f.game.Stack, "ante", &f.game.Ante, "raises", &f.raises, "rake", &f.rake,
		"rake-cap", &f.game.Cap, "target", &f.target, "iterations", &f.iterations, "json", &f.json)
	return cmd
}

func (f *preflopFlags) run(cmd *cobra.Command) (err error) {
	if f.raises == "" && f.game.Stack > pushed {
		f.raises = usualRaises
	}
	if f.game.Raises, err = parseRaises(f.raises); err != nil {
		return err
	}
	f.game.Calls = f.game.Raises != nil
	f.game.Rake = f.rake / 100
	switch err := f.game.Check(); {
	case err != nil:
		return usererr.Usage(err)
	case f.iterations < 1:
		return usererr.Usagef("--iterations %d: want at least 1", f.iterations)
	}
	s, err := preflop.Solve(cmd.Context(), f.game, f.target/1000, f.iterations)
	if err != nil {
		return err
	}
	if !f.json {
		return printPreflop(cmd.OutOrStdout(), s)
	}
	return cli.Print(cmd.OutOrStdout(), true, struct {
		*preflop.Solution
		Decisions []preflop.Decision `json:"decisions"`
	}{s, s.Decisions()})
}

// parseRaises returns the sizes of a text such as "2,2.5/3x", or nil if there are none but all-in.
func parseRaises(text string) (raises [][]preflop.Size, err error) {
	if text == "" || text == "a" {
		return nil, nil
	}
	for level := range strings.SplitSeq(text, "/") {
		var sizes []preflop.Size
		for size := range strings.SplitSeq(level, ",") {
			if size = strings.TrimSpace(size); size == "a" {
				continue // always there
			}
			number, times := strings.CutSuffix(size, "x")
			to, err := strconv.ParseFloat(number, 64)
			if err != nil || !(to >= 2) || math.IsInf(to, 0) {
				return nil, usererr.WithHint(usererr.Usagef("--raises %s: %q is not a raise", text, size),
					"--raises 2,2.5/3x is for two first raises, and one to three times the first one after them")
			}
			if times {
				sizes = append(sizes, preflop.Size{Times: to})
			} else {
				sizes = append(sizes, preflop.Size{To: to})
			}
		}
		raises = append(raises, sizes)
	}
	return raises, nil
}

// blinds are the names of the positions.
var blinds = [...]string{preflop.SmallBlind: "small blind", preflop.BigBlind: "big blind"}

// rarely is how often a decision comes that is not printed.
const rarely = .001

// printPreflop prints a solution for people: the hands of each action with how often they play it.
func printPreflop(out io.Writer, s *preflop.Solution) error {
	for p, x := range s.Values {
		fmt.Fprintf(out, "%-11s  %+.1f mb a hand\n", blinds[p], 1000*x)
	}
	fmt.Fprintf(out, "best responses gain %.2g mb after %s\n", 1000*s.Gain, usererr.Iterations(s.Iterations))
	rare := 0
	for _, d := range s.Decisions() {
		if d.Often < rarely {
			rare++
			continue
		}
		fmt.Fprintf(out, "\n%s%s: %.3g%% of the hands\n", blinds[d.Player], after(d.Line), 100*d.Often)
		for a, action := range d.Actions {
			part, hands := takenWith(&d, a)
			fmt.Fprintf(out, "  %s %.1f%%", action, 100*part)
			if text := hands.String(); text != "" && action.Kind != preflop.Fold {
				fmt.Fprintf(out, ": %s", text)
			}
			fmt.Fprintln(out)
		}
	}
	if rare > 0 {
		fmt.Fprintf(out, "\n%d decisions in less than %g%% of the hands are left out; --json has them\n",
			rare, 100*rarely)
	}
	return nil
}

// after returns what was done before a decision.
func after(line []preflop.Action) string {
	text := ""
	for i, a := range line {
		text += map[bool]string{true: ", after ", false: ", "}[i == 0] + a.String()
	}
	return text
}

// takenWith returns how often a player who comes to a decision takes an action, and with which hands.
func takenWith(d *preflop.Decision, action int) (part float64, hands *ranges.Range) {
	hands = &ranges.Range{}
	sum := 0.
	for c, p := range d.Strategy[action] {
		holes := ranges.Class(c).Hands()
		weight := float64(len(holes)) * d.Reach[c]
		part, sum = part+weight*p, sum+weight
		for _, hole := range holes {
			if d.Reach[c] >= .005 {
				hands.Set(hole, math.Round(20*p)/20) // nobody plays hundredths
			}
		}
	}
	return part / max(sum, math.SmallestNonzeroFloat64), hands
}
