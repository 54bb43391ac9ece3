package main

import (
	"errors"
	"net/url"
	"time"

	"gamebots/acpc/history"
	"gamebots/acpc/money"
	"gamebots/bots/poker"
	"gamebots/bots/sites"
	"gamebots/bots/sites/slumbot"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// slumbotGame is the game that Slumbot plays.
const slumbotGame = "holdem-nolimit-2p"

// slumbotFlags are the flags of play slumbot beside those of the bot.
type slumbotFlags struct {
	site, name, log string
	hands           int
	timeout         time.Duration
	force           bool
	unit            money.Unit
}

func newPlaySlumbot() *cobra.Command {
	f := slumbotFlags{site: slumbot.Site, name: "gamebots", hands: 1000, timeout: 30 * time.Second}
	cmd := explain(&cobra.Command{
		Use:   "slumbot",
		Short: "Let a bot play against Slumbot (not yet tried at its site)",
		Args:  cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.play(cmd)
		},
	}, "play_slumbot")
	flags := cmd.Flags()
	addBotFlags(flags)
	for _, name := range []string{"purify", "threshold", "device"} { // keys of --set, too
		flags.Lookup(name).Hidden = true
	}
	flags.IntVar(&f.hands, "hands", f.hands, "play `N` hands")
	flags.StringVar(&f.name, "name", f.name, "the bot's name in the log")
	flags.StringVar(&f.log, "log", "",
		"keep the hands in this `FILE`, as PHH if its name ends so, or as in a dealer's log")
	flags.BoolVar(&f.force, "force", false, "replace the file of --log")
	flags.StringVar(&f.site, "site", f.site, "address of the site")
	flags.DurationVar(&f.timeout, "timeout", f.timeout, "longest wait for an answer")
	cli.AddUnit(flags, &f.unit)
	return cmd
}

// check refuses flags that cannot be.
func (f *slumbotFlags) check() error {
	site, err := url.Parse(f.site)
	switch {
	case err != nil || site.Host == "" || site.Scheme != "https" && site.Scheme != "http":
		return usererr.Usagef("--site: %q is not an address, as in %s", f.site, slumbot.Site)
	case f.hands < 1:
		return usererr.Usagef("--hands %d: want at least 1", f.hands)
	case f.timeout <= 0:
		return usererr.Usagef("--timeout %v: want more than 0", f.timeout)
	case f.force && f.log == "":
		return usererr.Usagef("--force has no effect without --log")
	case f.name == slumbot.Name || !validName(f.name):
		return usererr.Usagef("--name: a name in a log must not be empty, contain | or :, or be %s", slumbot.Name)
	}
	return cli.Replaceable(f.log, "", f.force)
}

// play plays the match and prints its result, also that of a match that ends early.
func (f *slumbotFlags) play(cmd *cobra.Command) error {
	settings, err := botSettings(cmd.Flags())
	if err != nil {
		return err
	}
	settings.Bot.Game = slumbotGame
	player, game, err := seat(cmd, settings.Bot, poker.TimeLimits{})
	if err != nil {
		return err
	}
	format, err := f.unit.In(game)
	if err != nil {
		return usererr.Usage(err)
	}
	log := zerolog.Ctx(cmd.Context())
	defer logDecisions(log, player)()
	m := slumbot.Match{
		Client: &sites.Client{URL: f.site, Agent: "gamebots/" + cli.Release(), Timeout: f.timeout},
		Game:   game, Player: player, Name: f.name, Hands: f.hands, Log: sites.Log{Path: f.log},
		OnFailure: func(err error, dealt bool) {
			log.Warn().Err(err).Bool("hand_lost", dealt).Msg("the site failed")
		},
	}
	m.OnHand = func(h *history.Hand, position int) {
		log.Debug().Uint32("hand", h.HandID).Int("position", position).Float64("chips", h.Values[position]).
			Msg("hand over")
		if m.Won.N%100 == 0 {
			won := format.ProgressWithin(m.Won.Mean(), m.Won.Interval95())
			log.Info().Int("hands", m.Won.N).Int("of", f.hands).Str("won", won).Msg("playing")
		}
	}
	log.Info().Str("site", f.site).Str("bot", settings.Bot.Kind).Uint64("seed", settings.Bot.Seed).Msg("playing")
	return errors.Join(m.Play(cmd.Context()),
		m.WriteText(cmd.OutOrStdout(), slumbot.Name, float64(game.Stack[0]), format))
}
