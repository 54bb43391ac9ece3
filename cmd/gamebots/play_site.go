package main

import (
	"net/url"
	"time"

	"gamebots/acpc/money"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// siteGame is the game that the sites play.
const siteGame = "holdem-nolimit-2p"

// siteFlags are the flags of matches at web sites, beside those of the bot.
type siteFlags struct {
	site, name, log string
	hands           int
	timeout         time.Duration
	force           bool
	unit            money.Unit
}

// add adds the flags, and those of the bot.
func (f *siteFlags) add(flags *pflag.FlagSet) {
	addBotFlags(flags)
	for _, name := range []string{"purify", "threshold", "device"} { // keys of --set, too
		flags.Lookup(name).Hidden = true
	}
	bindShared(flags, "flags_site", "hands", &f.hands, "name", &f.name, "log", &f.log, "force", &f.force,
		"site", &f.site, "timeout", &f.timeout, "unit", &f.unit)
}

// open opens the bot of the flags for the game of the sites.
func (f *siteFlags) open(cmd *cobra.Command) (bot *pokerBot, settings configs.Bot, format money.Format, err error) {
	all, err := botSettings(cmd.Flags())
	if err != nil {
		return nil, settings, format, err
	}
	settings = all.Bot
	settings.Game = siteGame
	if bot, err = openBot(cmd, settings, nil); err != nil {
		return nil, settings, format, err
	}
	if format, err = f.unit.In(bot.game); err != nil {
		err = usererr.Usage(err)
	}
	return bot, settings, format, err
}

// check refuses flags that cannot be, of matches at a usual site against an opponent.
func (f *siteFlags) check(usual, opponent string) error {
	site, err := url.Parse(f.site)
	switch {
	case err != nil || site.Host == "" || site.Scheme != "https" && site.Scheme != "http":
		return usererr.Usagef("--site: %q is not an address, as in %s", f.site, usual)
	case f.hands < 1:
		return usererr.Usagef("--hands %d: want at least 1", f.hands)
	case f.timeout <= 0:
		return usererr.Usagef("--timeout %v: want more than 0", f.timeout)
	case f.name == opponent || !validName(f.name):
		return usererr.Usagef("--name: a name in a log must not be empty, contain | or :, or be %s", opponent)
	}
	return nil
}
