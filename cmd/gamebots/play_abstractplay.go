package main

import (
	"fmt"
	"log/slog"
	"net"

	"gamebots/bots/registry"
	"gamebots/bots/sites"
	"gamebots/bots/sites/abstractplay"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// abstractPlayFlags are the flags of play abstractplay that stand for a key of the settings.
var abstractPlayFlags = [][2]string{
	{"listen", "webhook.listen"},
	{"state", "webhook.state"},
	{"client-id", "site.client_id"},
	{"secret-file", "site.secret_file"},
	{"bot", "engine.kind"},
	{"net", "engine.net"},
	{"log-level", "log.level"},
}

// abstractPlaySecret is the variable of the environment that has the secret if there is no file.
const abstractPlaySecret = "ABSTRACTPLAY_SECRET"

func newPlayAbstractPlay() *cobra.Command {
	cmd := command("play_abstractplay", "abstractplay",
		"Let a bot play Havannah at Abstract Play (not yet tried there)", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		settings := configs.DefaultAbstractPlay()
		err := cli.LoadConfig(cmd.Flags(), abstractPlayFlags, &settings, nil,
			func() error { return registry.CheckBoard(&configs.BoardBot{Engine: settings.Engine}) })
		if err != nil {
			return err
		}
		return playAbstractPlay(cmd, settings)
	}
	cli.Serves(cmd)
	flags, defaults := cmd.Flags(), configs.DefaultAbstractPlay()
	cli.AddConfig(flags, "accept.games=4")
	flags.String("listen", defaults.Webhook.Listen, "address and port for the site's requests, behind a proxy with TLS")
	flags.String("state", defaults.Webhook.State, "`FILE` of the bot's games")
	flags.String("client-id", "", "the bot's `ID` at the site")
	flags.String("secret-file", "", "`FILE` with the bot's secret (default $"+abstractPlaySecret+")")
	flags.String("bot", defaults.Engine.Kind, "the bot: mcts, gumbel, gtp, …")
	flags.String("net", "", "network of the bot: a `FILE`, or havannah for the one that comes with the program")
	return cmd
}

// playAbstractPlay plays until the context ends.
func playAbstractPlay(cmd *cobra.Command, s configs.AbstractPlay) error {
	ctx, log := cmd.Context(), logAt(cmd, s.Log.Level)
	if s.Site.ClientID == "" {
		return usererr.WithHint(usererr.Usagef("the bot has no id at the site"),
			"give --client-id ID, which the site shows when you register the bot (docs/abstractplay.md)")
	}
	secret, err := sites.ReadKey(s.Site.SecretFile, abstractPlaySecret)
	if err != nil {
		return usererr.HintIf(err, sites.ErrNoKey,
			"give --secret-file FILE, or the secret in the environment as "+abstractPlaySecret)
	}
	engine, err := registry.Bot(s.Engine)
	if err != nil {
		return err
	}
	if err := registry.CheckGames(ctx, engine, &configs.BoardBot{
		Engine: s.Engine, Accept: configs.Accept{Enabled: true, Sides: s.Sides()},
	}); err != nil {
		return err
	}
	release, err := cli.Hold(s.Webhook.State, "--state")
	if err != nil {
		return err
	}
	defer release()
	l, err := listen(ctx, s.Webhook.Listen)
	if err != nil {
		return err
	}
	defer l.Close()
	site := abstractplay.NewSite(s.Site, secret, "gamebots/"+cli.Release())
	key, fetched, err := site.PublicKey(ctx)
	if err != nil {
		return err
	}
	if fetched {
		log.Info().Str("from", s.Site.KeyURL).Str("to", s.Site.KeyFile).Msg("the site's public key is kept")
	}
	if err := site.Check(ctx); err != nil {
		return usererr.WithHint(err, "are client_id and secret those of this bot, and of this stage of the site?")
	}
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		log.Warn().Msg("no TLS here: see that only the proxy reaches this port")
	}
	fmt.Fprintf(cmd.OutOrStdout(), "http://%s\n", l.Addr())
	log.Info().Str("bot", s.Engine.Kind).Uint64("games", s.Accept.Games).Msg("waiting for the site")
	bot := &abstractplay.Bot{
		Settings: s, Site: site, Key: key, Engine: engine, Log: slog.New(zerolog.NewSlogHandler(log)),
	}
	return bot.Run(ctx, l)
}
