package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"gamebots/bots/bridge"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/hexproto/client"
	"gamebots/hexproto/wire"
	"gamebots/internal/atomicfile"
	"gamebots/internal/shutdown"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// hexFlags are the flags of play hex that stand for a key of the settings.
var hexFlags = [][2]string{
	{"bot", "engine.kind"},
	{"rules", "engine.rules"},
	{"seed", "engine.seed"},
	{"token-file", "account.token_file"},
	{"name", "account.name"},
	{"log-level", "log.level"},
}

func newPlayHex() *cobra.Command {
	cmd := command("play_hex", "hex URL", "Let a bot play board games at a server", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		address, err := client.WebsocketURL(args[0])
		if err != nil {
			return usererr.Usage(err)
		}
		settings, err := hexSettings(cmd.Flags())
		if err != nil {
			return err
		}
		return playHex(cmd, address, settings)
	}
	cli.Serves(cmd)
	flags := cmd.Flags()
	cli.AddConfig(flags, "engine.seed=7")
	flags.String("bot", "", "the bot: best, mcts, gumbel, playouts, random, gtp, …")
	flags.String("rules", "", "the game: havannah, nim, …")
	flags.Uint64("seed", 0, "seed of the bot's random choices")
	flags.String("token-file", "", "file with the token of the account")
	flags.String("name", "", "name of a new account, if there is no token")
	return cmd
}

// hexSettings returns the settings of the file and the flags.
func hexSettings(flags *pflag.FlagSet) (configs.BoardBot, error) {
	settings := configs.DefaultBoardBot()
	err := cli.LoadConfig(flags, hexFlags, &settings, nil, func() error { return registry.CheckBoard(&settings) })
	if e, ok := errors.AsType[*configs.Error](err); ok && e.Key == "engine.kind" && e.File == "" {
		err = usererr.WithHint(err, "give one of them with --bot") // the default is of another game than --rules
	}
	return settings, err
}

// playHex plays until the context ends, and then finishes the running games.
func playHex(cmd *cobra.Command, address string, settings configs.BoardBot) error {
	log := logAt(cmd, settings.Log.Level)
	bot, err := registry.Bot(settings.Engine)
	if err != nil {
		return err
	}
	if err := registry.CheckGames(cmd.Context(), bot, &settings); err != nil {
		return err
	}
	if client.InClear(address) {
		log.Warn().Str("url", address).
			Msg("no TLS: whoever is on the way to that machine can read the token; an address with https:// has TLS")
	}
	client := &client.Client{URL: address, Hello: wire.Hello{Agent: "gamebots " + cli.Release(), Bot: true}}
	if err := identify(client, settings.Account); err != nil {
		return err
	}
	context.AfterFunc(cmd.Context(),
		func() { log.Info().Msg("finishing the running games; a second signal ends at once") })
	b := bridge.New(client, bot, settings, slog.New(zerolog.NewSlogHandler(log)))
	var played bridge.Tally
	b.OnEnd = func(g *wire.Game) { played.Add(g.Result, g.You) }
	go b.Follow(cmd.Context(), cmd.Flag("config").Value.String(), func() (configs.BoardBot, error) {
		return hexSettings(cmd.Flags())
	})
	defer shutdown.Inhibit("finishing the running games")()
	err = b.Run(cmd.Context(), context.Background()) // main ends the program on a second signal
	fmt.Fprintln(cmd.OutOrStdout(), played)
	switch all, ok, failed := b.Series(context.WithoutCancel(cmd.Context())); {
	case failed != nil:
		log.Warn().Err(failed).Msg("the games of the series are not summed")
	case ok:
		fmt.Fprintf(cmd.OutOrStdout(), "series %s: %v\n", settings.Challenge.Tag, all)
	}
	return explainHex(err, address, settings.Account)
}

// explainHex names the file of a token that the server does not know, and the way to a server
// without TLS.
func explainHex(err error, address string, a configs.Account) error {
	switch refusal := (*wire.Error)(nil); {
	case errors.As(err, new(tls.RecordHeaderError)):
		return usererr.WithHint(err, "if that server has no TLS, and you trust the network: gamebots play hex "+
			strings.Replace(strings.TrimSuffix(address, "/ws"), "wss://", "http://", 1))
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return usererr.WithHint(err, "the environment variable SSL_CERT_FILE names certificates to trust (not on "+
			"macOS and Windows)")
	case !errors.As(err, &refusal):
		return err
	case refusal.Code == wire.BadToken && a.TokenFile != "":
		return usererr.WithHint(fmt.Errorf("%s: %w", a.TokenFile, err),
			"whoever runs the server gives you one by gamebots serve token NAME --bot, or accounts renew NAME")
	case refusal.Code == wire.BadName && a.TokenFile != "":
		return usererr.WithHint(err, "give another --name; the token of an account of yours belongs in "+a.TokenFile)
	}
	return err
}

// maxToken is more bytes than any token has.
const maxToken = 1 << 12

// identify sets a client's token, or the name of a new account.
func identify(c *client.Client, a configs.Account) error {
	c.Hello.Token, c.Hello.Name = a.Token, a.Name
	if a.TokenFile != "" {
		if err := atomicfile.MakePrivate(a.TokenFile); err != nil {
			return err
		}
		text, err := configs.ReadFileAtMost(a.TokenFile, maxToken)
		switch {
		case err == nil:
			if c.Hello.Token = strings.TrimSpace(string(text)); c.Hello.Token == "" {
				return usererr.WithHint(fmt.Errorf("%s: has no token", a.TokenFile),
					"remove the file, and give --name NAME for a new account")
			}
		case !errors.Is(err, fs.ErrNotExist) || a.Name == "":
			return err
		}
	}
	if c.Hello.Token == "" {
		if a.Name == "" {
			return usererr.WithHint(usererr.Usagef("the bot has neither a token nor a name"),
				"give --token-file FILE, and --name NAME for a new account")
		}
		if a.TokenFile == "" {
			return usererr.WithHint(usererr.Usagef("there is no file for the token of the new account %s", a.Name),
				"give --token-file FILE")
		}
	}
	c.SaveToken = func(token string) error { return createToken(a.TokenFile, token) }
	return nil
}

// createToken writes a token to a new file: one that exists may have the only copy of another.
func createToken(file, token string) (err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = fmt.Fprintln(f, token)
	return err
}
