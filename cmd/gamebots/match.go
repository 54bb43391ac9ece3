package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"gamebots/bots/arena"
	"gamebots/bots/havannahbot"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/boards"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newMatch() *cobra.Command {
	return group("match", "Play a match of two bots at a board game", newMatchHavannah())
}

// matchFlags are those of match havannah.
type matchFlags struct {
	series         arena.Series // without what the others say
	a, b           string
	side           int
	out            string
	sprt           []float64
	setupA, setupB []string
	asJSON         bool
	moveTime       []time.Duration
	even           uint64
}

func newMatchHavannah() *cobra.Command {
	f := matchFlags{side: 8, series: arena.Series{Games: 100, Opening: 2, AtOnce: 1}}
	s := &f.series
	cmd := command("match_havannah", "havannah --a BOT --b BOT",
		"Play a match of two bots at Havannah", cli.Arguments(0, 0), "MIN", havannahbot.MinEven)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.play(cmd) }
	cli.Bind(cmd, "a", &f.a, "b", &f.b, "side", &f.side, "games", &s.Games, "opening", &s.Opening, "seed", &s.Seed,
		"even", &f.even, "at-once", cli.Threads(&s.AtOnce, 1), "move-time", &f.moveTime, "sprt", &f.sprt,
		"out", &f.out, "setup-a", &f.setupA, "setup-b", &f.setupB, "json", &f.asJSON)
	return cmd
}

// spec returns the match that the flags describe.
func (f *matchFlags) spec() (arena.Match, error) {
	m := arena.Match{Series: f.series, File: f.out}
	switch {
	case f.a == "" || f.b == "":
		return m, usererr.Usagef("--a and --b: a match is between two bots")
	case m.Games < 2 || m.Games%2 != 0:
		return m, usererr.Usagef("--games: %d is not an even number of games", m.Games)
	case f.even > 0 && f.even < havannahbot.MinEven:
		return m, usererr.WithHint(
			usererr.Usagef("--even: %d is less than %d simulations, the minimum", f.even, havannahbot.MinEven),
			"as in --even 20000, which takes about a second an opening")
	case m.Opening < 0 || slices.ContainsFunc(f.moveTime, func(t time.Duration) bool { return t < 0 }):
		return m, usererr.Usagef("--opening and --move-time must not be negative")
	case len(f.moveTime) > 2:
		return m, usererr.Usagef("--move-time: %d times are more than a's and b's, as in 1s,10s", len(f.moveTime))
	case f.sprt != nil && (len(f.sprt) != 2 || !(f.sprt[0] < f.sprt[1])):
		return m, usererr.Usagef("--sprt: two differences are needed, the smaller first, as in 0,50")
	}
	m.Rules = registry.RulesNamed(boards.HavannahName)
	m.Options = boards.HavannahOptions{Side: f.side}.JSON()
	if _, err := m.Rules.New(m.Options); err != nil {
		return m, usererr.Usagef("--side: %v", err)
	}
	if f.even > 0 {
		m.Judge, m.Margin = havannahbot.EvenJudge(f.even), havannahbot.EvenMargin
	}
	if len(f.moveTime) > 0 {
		m.A.PerMove, m.B.PerMove = f.moveTime[0], f.moveTime[len(f.moveTime)-1]
	}
	if f.sprt != nil {
		m.Test = &arena.SPRT{Elo0: f.sprt[0], Elo1: f.sprt[1]}
	}
	for _, c := range []struct {
		flag, text string
		setup      []string
		to         *arena.Contestant
	}{{"--a", f.a, f.setupA, &m.A}, {"--b", f.b, f.setupB, &m.B}} {
		settings, err := registry.Parse(boards.HavannahName, c.text, c.setup)
		if err == nil {
			c.to.Name = settings.Name
			c.to.Bot, err = settings.Bot()
		}
		if err != nil {
			return m, fmt.Errorf("%s: %w", c.flag, err)
		}
	}
	if err := memory.Enough("--at-once: the trees", m.Bytes(), memory.Available()); err != nil {
		return m, usererr.WithHint(err, "memory=MIB after a bot makes its trees smaller")
	}
	if m.A.Name == m.B.Name {
		m.A.Name, m.B.Name = m.A.Name+" (a)", m.B.Name+" (b)"
	}
	return m, nil
}

// play plays the match and prints its result, also that of a match that was interrupted.
func (f *matchFlags) play(cmd *cobra.Command) error {
	m, err := f.spec()
	if err != nil {
		return err
	}
	log, logged := zerolog.Ctx(cmd.Context()), time.Now()
	m.OnGame = func(g *arena.GameRecord) {
		if loser := m.Loser(g); g.Fault != "" && m.Faults[loser][g.Fault] == 1 {
			log.Warn().Str("bot", loser).Int("game", g.Number).Msg(g.Fault)
		}
		if now := time.Now(); now.Sub(logged) >= 10*time.Second {
			logged = now
			log.Info().Int("games", m.Score.Games()).Int("of", m.Games).Float64("score", m.Score.Score()).Msg("playing")
		}
	}
	err = m.Play(cmd.Context())
	if err != nil && (cmd.Context().Err() == nil || m.Score.Games() == 0) {
		return hintMatch(err)
	}
	return errors.Join(cli.Print(cmd.OutOrStdout(), f.asJSON, &m), err)
}

// hintMatch adds the advice that names flags to the error of a match.
func hintMatch(err error) error {
	unfit := (*arena.UnfitError)(nil)
	switch {
	case errors.As(err, &unfit):
		return fmt.Errorf("--%s: %w", [2]string{"a", "b"}[unfit.Bot], err)
	case errors.As(err, new(*arena.HopelessError)):
		return usererr.WithHint(err,
			"a program may need commands of its own before each game, for its time or its notation: --setup-a, "+
				"--setup-b")
	case errors.Is(err, arena.ErrNotRegular):
		return fmt.Errorf("--out: %w", err)
	case errors.As(err, new(*arena.GameFileError)):
		return usererr.WithHint(err, "give another file, or the bots and settings with which it was begun")
	}
	return err
}
