package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/bots/judge"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/evaluate/lbr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// The values of --by.
const (
	byReal    = "real"
	byBoards  = "boards"
	byLocal   = "lbr"
	byLearned = "learned"
	byBound   = "bound" // the first of the others that is a lower bound and has the flags that are given
)

// measures are what --by takes, lower bounds first, each with those flags that it has and others have not.
var measures = []struct{ by, flags string }{
	{byLocal, "actions bot device hands program rounds seed solve solve-from threads"},
	{byBoards, "actions boards bot device rounds save seed threads time"},
	{byLearned, "iterations seed time"},
	{byReal, "actions bot device rounds save threads"},
}

// measures returns the measures of which one is asked for, the first one that suits the game; none for the best one
// that can be taken. given reports whether a flag is given.
func (f *evaluateFlags) measures(given func(flag string) bool) (asked []string, err error) {
	f.local.Menu, f.local.Resolving = f.actions, f.solve.Poker()
	f.local.Seed, f.learned.Seed, f.sampling.Seed = f.seed, f.seed, f.seed
	f.learned.Time, f.sampling.Time = f.time, f.time
	by := f.by
	if by == "" && (given("actions") && f.bot == "" || slices.ContainsFunc(strings.Fields(
		"boards hands iterations rounds save seed solve solve-from time"), given)) {
		by = byBound
	}
	var special []string
	for _, m := range measures {
		special = append(special, strings.Fields(m.flags)...)
	}
	special = slices.DeleteFunc(special, func(flag string) bool { return !given(flag) })
	for _, m := range measures {
		lacks := slices.IndexFunc(special, func(flag string) bool {
			return !slices.Contains(strings.Fields(m.flags), flag)
		})
		switch {
		case lacks >= 0 && by == m.by:
			return nil, usererr.Usagef("--by %s and --%s cannot be combined", by, special[lacks])
		case lacks < 0 && (by == m.by || by == byBound && m.by != byReal):
			asked = append(asked, m.by)
		}
	}
	switch {
	case by == "":
		return nil, nil
	case by == byBound && asked == nil:
		slices.Sort(special)
		return nil, usererr.Usagef("no bound has all of --%s", strings.Join(slices.Compact(special), ", --"))
	case asked == nil:
		return nil, usererr.Usagef("--by %s: want real, boards, lbr, learned or bound", by)
	}
	return asked, f.checkNumbers(asked[0], given)
}

// checkNumbers returns an error for flags of a measure that are out of range or have no effect.
func (f *evaluateFlags) checkNumbers(by string, given func(flag string) bool) error {
	_, badMenu := lbr.ParseMenu(cmp.Or(f.actions, "fc"))
	badDevice := f.solve.CheckDevice(given)
	switch {
	case f.local.Deals < 2:
		return usererr.Usagef("--hands %d: want at least 2", f.local.Deals)
	case badMenu != nil && by == byLocal:
		return usererr.WithHint(usererr.Usagef("--actions %s: %v", f.actions, badMenu),
			"fc folds and calls, fcpa raises by the pot or all-in, too, and 56 by 55 parts of the pot or all-in")
	case given("solve") && f.bot+f.program != "":
		return usererr.Usagef("--solve %d: want a strategy file, not --bot or --program", f.solve.Iterations)
	case by == byLocal && badDevice != nil:
		return badDevice
	case by != byLocal && given("rounds") && given("actions") && f.bot == "":
		return usererr.Usagef("--by %s: --rounds and --actions cannot be combined", by)
	case given("iterations") && f.learned.Iterations < 1:
		return usererr.Usagef("--iterations %d: want at least 1", f.learned.Iterations)
	case given("boards") && f.sampling.Boards < bestresponse.MinSample:
		return usererr.Usagef("--boards %d: want at least %d", f.sampling.Boards, bestresponse.MinSample)
	case given("time") && f.time <= 0:
		return usererr.Usagef("--time %v: want a time over 0", f.time)
	}
	return nil
}

// locally prints what a local best response wins.
func (f *evaluateFlags) locally(cmd *cobra.Command, s *judge.Report, m judge.Means) error {
	f.local.Menu = cmp.Or(f.local.Menu, judge.DefaultMenu(s.Game))
	log, l := zerolog.Ctx(cmd.Context()), &f.local
	const what = "playing a local best response"
	log.Info().Str("player", s.Name).Str("actions", l.Menu).Int("deals", l.Deals).Uint64("seed", l.Seed).Msg(what)
	bar := cli.NewCountBar(cmd.ErrOrStderr(), log, what, uint64(l.Deals))
	won, err := l.Play(cmd.Context(), s.Subject, m, func(deals int) { bar.Update(uint64(deals)) })
	bar.Close()
	if err != nil {
		return err
	}
	if err := s.WriteLocal(*l, f.rounds, f.solve.From, won); err != nil || won.Deals() == l.Deals {
		return err
	}
	return fmt.Errorf("interrupted after %d of %d deals", won.Deals(), l.Deals)
}

// roundsOf returns the rounds of --rounds, and sets those of a best response.
func roundsOf(s *judge.Report, rounds string) (chosen [acpc.MaxRounds]bool, err error) {
	s.Rounds = rounds
	if chosen, err = betting.ParseRounds(s.Game, rounds); err != nil {
		err = usererr.Usagef("--rounds %s: %v", rounds, err)
	}
	return chosen, err
}

// learning prints what learned responses win.
func (f *evaluateFlags) learning(cmd *cobra.Command, s *judge.Report, m judge.Means) error {
	if err := f.learned.Check(s.Subject, m); err != nil {
		return err
	}
	log := zerolog.Ctx(cmd.Context()).Info().Str("strategy", s.Name).Int("responses", judge.Responses)
	if n := f.learned.IterationsOf(s.Policy); n > 0 {
		log = log.Int("iterations", n)
	}
	if f.learned.Time > 0 {
		log = log.Stringer("time_limit", f.learned.Time)
	}
	log.Msg("answering")
	if err := fillBuckets(cmd, s.Policy, m.Threads); err != nil {
		return err
	}
	answer, err := cli.Phase(cmd, learningResponse, func(progress func(part float64)) (*train.Answer, error) {
		return f.learned.Respond(cmd.Context(), s.Subject, m, progress)
	})
	if err != nil {
		return err
	}
	return s.WriteLearned(f.learned, answer)
}
