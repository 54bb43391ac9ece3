package main

import (
	"errors"
	"fmt"
	"net"
	"time"

	"gamebots/acpc/dealer"
	"gamebots/acpc/money"
	"gamebots/bots/sites"
	"gamebots/bots/sites/mit"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// mitFlags are the flags of play mit beside those of the bot.
type mitFlags struct {
	host, log string
	rounds    int
	force     bool
	unit      money.Unit
}

// mitPatience is how long the engine waits for a bot, which waits no longer for it.
const mitPatience = 10 * time.Second

func newPlayMIT() *cobra.Command {
	f := mitFlags{host: "localhost", rounds: mit.Rounds}
	cmd := command("play_mit", "mit PORT", "Let a bot play at the engine of MIT Pokerbots", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(cmd, args[0]); err != nil {
			return err
		}
		return f.play(cmd, net.JoinHostPort(f.host, args[0]))
	}
	flags := cmd.Flags()
	addBotFlags(flags)
	for _, name := range []string{"purify", "threshold", "device", "solve-time"} {
		flags.Lookup(name).Hidden = true
	}
	cli.Bind(cmd, "host", &f.host, "rounds", &f.rounds, "log", &f.log, "force", &f.force, "unit", &f.unit)
	return cmd
}

// check refuses flags that cannot be.
func (f *mitFlags) check(cmd *cobra.Command, port string) error {
	switch err := checkPort(port); {
	case err != nil:
		return err
	case f.rounds < 1:
		return usererr.Usagef("--rounds %d: want at least 1", f.rounds)
	case cmd.Flags().Changed("solve-time"):
		return usererr.Usagef("--solve-time has no effect here: the engine's clock says how long decisions may take")
	}
	return cli.Replaceable(f.log, "", f.force)
}

// play plays the match and prints its result, also that of a match that ends early.
func (f *mitFlags) play(cmd *cobra.Command, addr string) error {
	settings, err := botSettings(cmd.Flags())
	if err != nil {
		return err
	}
	if settings.Bot.Strategy == "" && settings.Bot.Game == "" {
		settings.Bot.Game = mit.Game
	}
	clock := mit.NewClock(f.rounds)
	player, game, err := seat(cmd, settings.Bot, clock)
	if err != nil {
		return err
	}
	if err := mit.CheckGame(game); err != nil {
		return err
	}
	format, err := f.unit.In(game)
	if err != nil {
		return usererr.Usage(err)
	}
	log := zerolog.Ctx(cmd.Context())
	defer logDecisions(log, player)()
	c := mit.Client{Game: game, Player: player, Clock: clock, Log: sites.Log{Path: f.log}}
	c.OnFault = func(round int, fault error) {
		log.Warn().Int("round", round).Err(fault).Msg("the round is checked and folded to its end")
	}
	chips := 0
	c.OnRound = func(awarded int) {
		if chips += awarded; c.Won.N%100 == 0 {
			log.Info().Int("rounds", c.Won.N).Int("chips", chips).Dur("clock_ms", clock.Left()).Msg("playing")
		}
	}
	conn, err := dial(cmd.Context(), addr, mitPatience, log)
	if err != nil {
		return err
	}
	log.Info().Str("engine", addr).Str("bot", settings.Bot.Kind).Uint64("seed", settings.Bot.Seed).Msg("seated")
	err = c.Play(cmd.Context(), dealer.Eager(conn))
	out := cmd.OutOrStdout()
	err = errors.Join(err, c.WriteText(out, "an opponent", float64(game.Stack[0]), format))
	_, failed := fmt.Fprintf(out, "%s of the engine; %.1f s of its clock are left\n",
		money.InChips(fmt.Sprintf("%+d", chips)), clock.Left().Seconds())
	return errors.Join(err, failed)
}
