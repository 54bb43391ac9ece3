package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"gamebots/acpc/history"
	"gamebots/acpc/money"
	"gamebots/bots/poker"
	"gamebots/bots/sites"
	"gamebots/bots/sites/gtowizard"
	"gamebots/bots/sites/gtowizard/standin"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// gtowizardFlags are the flags of play gtowizard.
type gtowizardFlags struct {
	siteFlags
	keyFile    string
	concurrent int
	practice   bool
}

func newPlayGTOWizard() *cobra.Command {
	f := gtowizardFlags{concurrent: 5, siteFlags: siteFlags{
		site: gtowizard.Site, name: "gamebots", hands: 1000, timeout: 3 * time.Minute, unit: money.BB100,
	}}
	cmd := command("play_gtowizard", "gtowizard",
		"Let a bot play against GTO Wizard AI (not yet tried at its site)", cli.Arguments(0, 0),
		"KEY", gtowizard.KeyVariable)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check(); err != nil {
			return err
		}
		return f.play(cmd)
	}
	flags := cmd.Flags()
	f.add(flags)
	flags.Lookup("hands").Usage = "play until the log has `N` hands"
	flags.Lookup("log").Usage = "keep the hands in this `FILE`, as PHH if its name ends so; hands that are there count"
	flags.Lookup("force").Usage = "replace the file of --log instead of continuing it"
	cli.Bind(cmd, "concurrent", &f.concurrent, "key-file", &f.keyFile, "practice", &f.practice)
	for _, name := range []string{"name", "site", "timeout"} {
		flags.Lookup(name).Hidden = true
	}
	return cmd
}

// check refuses flags that cannot be.
func (f *gtowizardFlags) check() error {
	switch {
	case f.concurrent < 1 || f.concurrent > gtowizard.MaxConcurrent:
		return usererr.Usagef("--concurrent %d: want 1 to %d", f.concurrent, gtowizard.MaxConcurrent)
	case f.practice && (f.keyFile != "" || f.site != gtowizard.Site):
		return usererr.Usagef("--practice needs no key and no site")
	}
	if err := f.siteFlags.check(gtowizard.Site, gtowizard.Name); err != nil {
		return err
	}
	return cli.Replaceable(f.log, "", true)
}

// play plays the match and prints its result, also that of a match that ends early.
func (f *gtowizardFlags) play(cmd *cobra.Command) error {
	if f.log != "" {
		release, err := cli.Hold(f.log, "--log")
		if err != nil {
			return err
		}
		defer release()
	}
	client, leave, err := f.client()
	if err != nil {
		return err
	}
	defer leave()
	bot, settings, format, err := f.open(cmd)
	if err != nil {
		return err
	}
	m := gtowizard.Match{Client: client, Game: bot.game, Name: f.name, Opponent: gtowizard.Name, Hands: f.hands,
		Log: sites.Log{Path: f.log, Replace: f.force}}
	if f.practice {
		m.Opponent = "stand-in"
	}
	for i := range uint64(f.concurrent) {
		player, err := bot.player(i)
		if err != nil {
			return err
		}
		m.Players = append(m.Players, player)
	}
	log := zerolog.Ctx(cmd.Context())
	defer logDecisions(log, m.Players...)()
	report := reportGTOWizard(cmd, &m, format)
	log.Info().Str("site", client.URL).Str("bot", settings.Kind).Uint64("seed", settings.Seed).Msg("playing")
	err = m.Play(cmd.Context())
	report()
	if err != nil && m.Won.N+m.Lost == 0 {
		return err
	}
	err = errors.Join(err, m.WriteText(cmd.OutOrStdout(), m.Opponent, float64(bot.game.Stack[0]), format))
	return errors.Join(err, f.writeStanding(cmd, &m))
}

// client returns a client of the site, or of a stand-in that the caller ends.
func (f *gtowizardFlags) client() (c *sites.Client, leave func(), err error) {
	agent := "gamebots/" + cli.Release()
	if !f.practice {
		key, err := sites.ReadKey(f.keyFile, gtowizard.KeyVariable)
		return gtowizard.NewClient(f.site, agent, key, f.timeout), func() {}, usererr.HintIf(err, sites.ErrNoKey,
			"ask for a key at https://benchmark.gtowizard.com, and give --key-file FILE or set $"+gtowizard.KeyVariable+
				"; --practice tries a bot without one")
	}
	game, err := configs.Game(siteGame)
	if err != nil {
		return nil, nil, err
	}
	opponent, err := poker.NewOpponent("random", drawSeed())
	if err != nil {
		return nil, nil, err
	}
	const secret = "practice"
	address, leave, err := standin.Start(game, opponent, secret)
	if err != nil {
		return nil, nil, err
	}
	key, err := sites.NewKey(secret)
	return gtowizard.NewClient(address, agent, key, f.timeout), leave, err
}

// reportGTOWizard logs the course of a match, and returns a function that logs the rest.
func reportGTOWizard(cmd *cobra.Command, m *gtowizard.Match, format money.Format) (rest func()) {
	log, failures, waits := zerolog.Ctx(cmd.Context()), newFew(cmd), newFew(cmd)
	var waiting sync.Mutex // many goroutines wait
	m.Client.OnWait = func(err error, wait time.Duration) {
		waiting.Lock()
		defer waiting.Unlock()
		waits.warn().Err(err).Dur("wait_ms", wait).Msg("asking again")
	}
	m.OnFailure = func(err error) { failures.warn().Err(err).Msg("a hand failed") }
	m.OnOpen = func(hands int) {
		log.Info().Int("hands", m.Won.N).Int("open", hands).Msg("continuing an earlier run, of whichever bot")
	}
	m.OnHand = func(h *history.Hand, position int) {
		log.Debug().Uint32("hand", h.HandID).Int("position", position).Float64("chips", h.Values[position]).
			Msg("hand over")
		if m.Won.N%100 == 0 {
			log.Info().Int("hands", m.Won.N).Int("of", m.Hands).
				Str("won", format.ProgressWithin(m.Won.Mean(), m.Won.Interval95())).
				Str("score", format.ProgressWithin(m.Site.Mean(), m.Site.Interval95())).Msg("playing")
		}
	}
	return func() {
		failures.rest("more hands failed")
		waits.rest("more requests were repeated")
	}
}

// writeStanding writes how the key stands at the site.
func (f *gtowizardFlags) writeStanding(cmd *cobra.Command, m *gtowizard.Match) error {
	out := cmd.OutOrStdout()
	if f.practice {
		_, err := fmt.Fprintln(out, "this was a stand-in on this machine: it plays random actions, and its AIVAT "+
			"score is a tenth of the winnings")
		return err
	}
	if cmd.Context().Err() != nil {
		//lint:ignore nilerr who interrupts does not wait for the site
		return nil
	}
	r, err := gtowizard.FetchResults(cmd.Context(), m.Client)
	if err != nil {
		zerolog.Ctx(cmd.Context()).Warn().Err(err).Msg("the site does not say how the key stands")
		return nil
	}
	_, err = fmt.Fprintf(out, "the site counts %s of %q: %+.1f bb/100, and %+.1f by its AIVAT score with a "+
		"standard error of %.1f\n", usererr.Counted(r.Hands, "hand", "hands"), r.Bot, r.Won, r.Score, r.Error)
	if others := r.Without(m.Won); others.Hands > 0 && err == nil {
		_, err = fmt.Fprintf(out, "not counted above, from other runs or because the last answer was lost: %s, "+
			"%+.1f bb/100\n", usererr.Counted(others.Hands, "hand", "hands"), others.Won)
	}
	return err
}
