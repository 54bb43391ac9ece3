package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"runtime"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/convert"
	"gamebots/bots/poker"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/evaluate/aivat"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// logFlags are the flags of evaluate --log: the hands and the players' strategies.
type logFlags struct {
	logs           []string
	player         string
	style, against poker.Style
	solve          strategies.SolvingFlags
	other          string // strategy file
	threads        int
	memory         cli.Bytes
	asJSON         bool
}

// evaluateLogs prints the winnings of a strategy in logs, counted in chips and by AIVAT.
func evaluateLogs(cmd *cobra.Command, file string, f logFlags) error {
	for _, name := range []string{"device", "nats"} {
		if cmd.Flags().Changed(name) {
			return usererr.Usagef("--log and --%s cannot be combined", name)
		}
	}
	if f.player == "" {
		return usererr.WithHint(usererr.Usagef("--log: --player is missing"), "--player NAME says which player of the log had the strategy")
	}
	log := zerolog.Ctx(cmd.Context())
	known, closeKnown, err := readStrategy(cmd, file, f.style, f.solve.Poker(), f.memory)
	if err != nil {
		return err
	}
	defer closeKnown()
	other := known
	if f.other != "" {
		var closeOther func() error
		if other, closeOther, err = readStrategy(cmd, f.other, f.against, poker.Solving{}, f.memory); err != nil {
			return err
		}
		defer closeOther()
	}
	hands := ratings.Logged(f.player, readLogs(f.logs, known.Tree.Game))
	for _, err := range hands { // report a wrong name before preparing values, which takes time
		if err != nil {
			return err
		}
		break
	}
	estimator, err := cli.Phase(cmd, "preparing values", func(progress func(part float64)) (*aivat.Estimator, error) {
		return aivat.New(known, other, f.other != "", f.threads, progress)
	})
	if err != nil {
		return err
	}
	e, err := ratings.EstimateHands(cmd.Context(), estimator, f.threads, hands)
	if errors.Is(err, aivat.ErrNotPlayed) {
		return usererr.WithHint(err, "the hands were played by another strategy, or in another style: see --purify, --threshold and --solve")
	}
	if err != nil {
		return err
	}
	if e.Inconsistent() {
		log.Warn().Str("player", f.player).Msg("the winnings and the estimate are further apart than luck explains: did the player have this strategy, in this style?")
	}
	if f.asJSON {
		return printEstimateJSON(cmd.OutOrStdout(), f.player, e)
	}
	return printEstimate(cmd.OutOrStdout(), f.player, known.Tree.Game, e)
}

// readStrategy reads the strategy of a player in a style, which may solve rounds in play. The
// caller closes it after the last estimate.
func readStrategy(cmd *cobra.Command, file string, style poker.Style, solving poker.Solving, limit cli.Bytes) (s *aivat.Strategy, closeFile func() error, err error) {
	policy, err := strategies.OpenSolved(cmd, file, solving, limit.Or(memory.Available))
	if err != nil {
		return nil, nil, err
	}
	if solving.Iterations == 0 && aivat.NeedsBuckets(policy.Index) {
		err = strategies.FillBuckets(cmd, policy, runtime.NumCPU())
	}
	if err == nil {
		s, err = poker.ForEstimates(policy, style, solving)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", file, err), policy.Close())
	}
	return s, policy.Close, nil
}

// readLogs returns the hands of logs of a game, one after the other.
func readLogs(files []string, game *acpc.Game) iter.Seq2[*history.Hand, error] {
	return func(yield func(*history.Hand, error) bool) {
		for _, file := range files {
			if !readLog(file, game, yield) {
				return
			}
		}
	}
}

func readLog(file string, game *acpc.Game, yield func(*history.Hand, error) bool) (more bool) {
	if err := needRecord(file); err != nil {
		return yield(nil, err)
	}
	in, err := os.Open(file)
	if err != nil {
		return yield(nil, err)
	}
	defer in.Close()
	var hands interface{ Next() (*history.Hand, error) } = history.NewLogReader(in, file, game)
	if convert.FormatOf(file) == convert.PHH {
		hands = history.NewPHHReader(in, file)
	}
	for {
		hand, err := hands.Next()
		if err == io.EOF {
			return true
		}
		if err == nil {
			if hand, err = hand.In(game); err != nil {
				err = fmt.Errorf("%s: %w", file, err)
			}
		}
		if err != nil {
			err = usererr.WithHint(err, fmt.Sprintf("the strategy is of %s: is the log of that game?", game.Name))
		}
		if !yield(hand, err) || err != nil {
			return false
		}
	}
}

func printEstimate(w io.Writer, player string, g *acpc.Game, e ratings.Estimate) error {
	deals := ""
	if e.Won.N < e.Hands {
		deals = fmt.Sprintf(" of %d deals", e.Won.N)
	}
	fmt.Fprintf(w, "%s: %d hands%s\n", player, e.Hands, deals)
	fmt.Fprintf(w, "won        %s\n", figures.ChipsWithin(e.Won.Mean(), e.Won.Interval95(), g))
	fmt.Fprintf(w, "estimated  %s\n", figures.ChipsWithin(e.Estimated.Mean(), e.Estimated.Interval95(), g))
	switch {
	case math.IsNaN(e.Gain()):
		_, err := fmt.Fprintln(w, "one observation has no interval")
		return err
	case e.Gain() > ratings.ExactGain:
		_, err := fmt.Fprintln(w, "no luck is left: with both strategies known the value is exact")
		return err
	}
	_, err := fmt.Fprintf(w, "counting chips takes %.3g times the hands for the same interval\n", e.Gain())
	return err
}

func printEstimateJSON(w io.Writer, player string, e ratings.Estimate) error {
	return json.NewEncoder(w).Encode(struct {
		Player            string               `json:"player"`
		Hands             int                  `json:"hands"`
		Deals             int                  `json:"deals"`
		Won               float64              `json:"won"`
		WonInterval       tournament.HalfWidth `json:"won_interval95"`
		Estimated         float64              `json:"estimated"`
		EstimatedInterval tournament.HalfWidth `json:"estimated_interval95"`
		Gain              tournament.HalfWidth `json:"gain"` // null too if it is unknown
		Unit              string               `json:"unit"`
	}{player, e.Hands, e.Won.N, e.Won.Mean(), tournament.HalfWidth(e.Won.Interval95()), e.Estimated.Mean(), tournament.HalfWidth(e.Estimated.Interval95()), tournament.HalfWidth(e.Gain()), "chips"})
}

// check refuses flags that have no effect without a log.
func (f logFlags) check(flags *pflag.FlagSet) error {
	for _, name := range []string{"player", "against", "against-purify", "against-threshold"} {
		if len(f.logs) == 0 && flags.Changed(name) {
			return usererr.Usagef("--%s has no effect without --log", name)
		}
	}
	return nil
}

// needMode refuses flags that have no effect where a strategy is evaluated in its own game.
func needMode(cmd *cobra.Command) error {
	for _, name := range []string{"purify", "threshold"} {
		if cmd.Flags().Changed(name) {
			return usererr.Usagef("--%s has no effect without --real, --learned, --lbr or --log", name)
		}
	}
	return nil
}
