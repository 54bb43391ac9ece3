package main

import (
	"errors"
	"time"

	"gamebots/acpc/history"
	"gamebots/bots/sites"
	"gamebots/bots/sites/slumbot"
	"gamebots/cmd/internal/cli"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// slumbotFlags are the flags of play slumbot.
type slumbotFlags struct{ siteFlags }

func newPlaySlumbot() *cobra.Command {
	f := slumbotFlags{siteFlags{site: slumbot.Site, name: "gamebots", hands: 1000, timeout: 30 * time.Second}}
	cmd := command("play_slumbot", "slumbot",
		"Let a bot play against Slumbot (not yet tried at its site)", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check(slumbot.Site, slumbot.Name); err != nil {
			return err
		}
		if err := cli.Replaceable(f.log, "", f.force); err != nil {
			return err
		}
		return f.play(cmd)
	}
	f.add(cmd.Flags())
	return cmd
}

// play plays the match and prints its result, also that of a match that ends early.
func (f *slumbotFlags) play(cmd *cobra.Command) error {
	bot, settings, format, err := f.open(cmd)
	if err != nil {
		return err
	}
	player, err := bot.player(0)
	if err != nil {
		return err
	}
	log := zerolog.Ctx(cmd.Context())
	defer logDecisions(log, player)()
	m := slumbot.Match{
		Client: &sites.Client{URL: f.site, Agent: "gamebots/" + cli.Release(), Timeout: f.timeout},
		Game:   bot.game, Player: player, Name: f.name, Hands: f.hands, Log: sites.Log{Path: f.log},
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
	log.Info().Str("site", f.site).Str("bot", settings.Kind).Uint64("seed", settings.Seed).Msg("playing")
	return errors.Join(m.Play(cmd.Context()),
		m.WriteText(cmd.OutOrStdout(), slumbot.Name, float64(bot.game.Stack[0]), format))
}
