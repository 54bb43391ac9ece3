package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"gamebots/bots/poker/resolving"
	"gamebots/bots/registry"
	"gamebots/bots/spotstudy"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/server/page"
	"gamebots/internal/memory"
	"gamebots/internal/shutdown"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	listen, database, cert, key string
	publicURL                   string
	trustedProxies              []string
	sync                        string
	closed, mustExist           bool
	metricsReaders              []string
	limits                      server.Limits
	device                      cudalib.Choice
	net                         string
	botMemory, gameMemory       cli.Bytes // for all accounts
	memory, stored, sent        cli.Bytes // for one account
	strategies                  []string  // files of poker strategies, as NAME=FILE or FILE
	play                        string    // folder of the page that needs no server, or ""
}

func newServe() *cobra.Command {
	f := serveFlags{listen: "127.0.0.1:8080", sync: string(database.SyncFull)}
	cmd := command("serve", "serve", "Run a server of board games and poker, for people and bots", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.serve(cmd) }
	cli.Serves(cmd)
	cmd.PersistentFlags().StringVar(&f.database, "database", "gamebots.db", "SQLite file of games and accounts")
	flags := cmd.Flags()
	flags.StringSliceVar(&f.trustedProxies, "trusted-proxy", nil,
		"`ADDRESS` or network of the proxy of --public-url; by default it is on this machine (may be repeated)")
	flags.StringSliceVar(&f.metricsReaders, "metrics-reader", nil,
		"`NAME` of an account whose token may read /metrics, if tokens are required (may be repeated)")
	f.limits.Connections, f.limits.Rate, f.limits.Games, f.limits.BotGames, f.limits.Clockless = 10000, 50, 512, 4, 16
	cli.Bind(cmd, "listen", &f.listen, "cert", &f.cert, "key", &f.key, "public-url", &f.publicURL, "sync", &f.sync,
		"closed", &f.closed, "must-exist", &f.mustExist, "strategy", &f.strategies,
		"net", &f.net, "play", &f.play, "max-connections", &f.limits.Connections, "rate", &f.limits.Rate,
		"max-games", &f.limits.Games, "max-bot-games", &f.limits.BotGames, "bot-memory", &f.botMemory,
		"max-clockless-games", &f.limits.Clockless, "game-memory", &f.gameMemory, "account-memory", &f.memory,
		"account-storage", &f.stored, "account-traffic", &f.sent, "device", &f.device)
	cmd.AddCommand(newServeToken(&f.database), newServeAccounts(&f.database), newServeGames(&f.database),
		newServeBans(&f.database), newServeKick(&f.database), newServeBackup(&f.database), newServeRestore(&f.database))
	return cmd
}

// config returns what the flags say of a server, without its bots and its address.
func (f *serveFlags) config() (c server.Config, err error) {
	c = server.Config{
		Database: f.database, MustExist: f.mustExist, Sync: database.Sync(f.sync), Limits: f.limits,
		MetricsReaders: f.metricsReaders,
		Rules:          registry.Rules, Page: page.Handler(), Version: "gamebots " + cli.Release(),
	}
	c.Limits.Memory, c.Limits.Stored, c.Limits.Sent = int(f.memory), int(f.stored), int(f.sent)
	c.GameMemory = f.gameMemory.Or(func() int64 { return min(memory.Available()/4, 1<<30) })
	enough := registry.MinBotMemory()
	c.BotMemory = f.botMemory.Or(func() int64 {
		return max(enough, min(memory.Available()/4, 256<<20*int64(runtime.GOMAXPROCS(0))))
	})
	switch {
	case (f.cert == "") != (f.key == ""):
		return c, usererr.Usagef("--cert and --key must be given together")
	case min(f.limits.Connections, f.limits.Rate, f.limits.Games, f.limits.BotGames, f.limits.Clockless) < 1:
		return c, usererr.Usagef(
			"--max-connections, --rate, --max-games, --max-bot-games and --max-clockless-games must be at least 1")
	case c.BotMemory < enough:
		return c, usererr.Usagef("--bot-memory: %s is too little for the bots of %d cores, which need %s",
			memory.Bytes(c.BotMemory), runtime.GOMAXPROCS(0), memory.Bytes(enough))
	case c.Sync != database.SyncFull && c.Sync != database.SyncNormal:
		return c, usererr.Usagef("--sync is full or normal, not %q", f.sync)
	}
	if f.play != "" {
		if c.Page, err = page.WithPlay(f.play); err != nil {
			return c, usererr.WithHint(fmt.Errorf("--play: %w", err), "make web builds such a folder, build/web")
		}
	}
	c.PublicURL, c.TrustedProxies, err = f.proxy()
	return c, err
}

// maxSpotMemory is the most memory of the spots that players have solved.
const maxSpotMemory = 1 << 30

// addBots adds the server's own bots to a configuration. CloseAll is to be called in any case.
func (f *serveFlags) addBots(cmd *cobra.Command, c *server.Config) (closeAll func(), err error) {
	opened, closeOpened, err := registry.OpenPoker(f.strategies, func(file string) (*policy.Policy, error) {
		return openStrategy(cmd, file, nil, resolving.Options{}, memory.Available()/4)
	})
	if err != nil {
		return closeOpened, err
	}
	network, err := registry.Net(f.net)
	if err != nil {
		return closeOpened, usererr.HintIf(err, fs.ErrNotExist,
			"--net takes the file of a network, or havannah for the one that comes with the program")
	}
	poker, err := registry.Poker(opened)
	if err != nil {
		return closeOpened, hintBotName(err)
	}
	closeAll = func() {
		if !poker.Library.Preparing() { // else the process ends with the files open
			closeOpened()
		}
	}
	c.Rules = slices.Concat(c.Rules, poker.Rules)
	c.Bots = slices.Concat(registry.Builtin(f.device, c.BotMemory, network), poker.Bots)
	c.Strategies = poker.Library.Handler()
	device := sync.OnceValue(func() *cudalib.Device {
		d, _, _ := f.device.Open() // the bots report what is wrong with it
		return d
	})
	c.Spots = &spotstudy.Study{Memory: min(memory.Available()/8, maxSpotMemory), Flops: true,
		Device: func(s *spot.Solver) (spot.Device, error) {
			if worthwhile, _ := s.DeviceWorthwhile(); !worthwhile {
				return nil, nil
			}
			return ondevice.Of(device()), nil
		}}
	for _, b := range c.Bots {
		if err := hexproto.Check(cmd.Context(), b.Bot, nil); err != nil {
			return closeAll, fmt.Errorf("bot %s: %w", b.Name, err)
		}
	}
	return closeAll, nil
}

// serve serves until the command is interrupted.
func (f *serveFlags) serve(cmd *cobra.Command) error {
	ctx, log := cmd.Context(), zerolog.Ctx(cmd.Context())
	config, err := f.config()
	if err != nil {
		return err
	}
	scheme := "http"
	if f.cert != "" {
		scheme = "https"
		if _, err := tls.LoadX509KeyPair(f.cert, f.key); err != nil {
			return fmt.Errorf("--cert, --key: %w", err)
		}
	}
	l, err := listen(ctx, f.listen)
	if err != nil {
		return err
	}
	defer l.Close()
	config.Loopback, config.Log = l.Addr().(*net.TCPAddr).IP.IsLoopback(), cli.Slog(ctx)
	config.Open = config.Loopback && !f.closed && config.PublicURL == nil
	closeBots, err := f.addBots(cmd, &config)
	defer closeBots()
	if err != nil {
		return err
	}
	s, err := server.New(config)
	if errors.As(err, new(*server.InUseError)) {
		return usererr.WithHint(err, "end that server, or give --database another file")
	}
	if errors.Is(err, database.ErrMissing) {
		return usererr.WithHint(err, "gamebots serve token NAME makes one with its first account")
	}
	if err != nil {
		return hintDatabaseFile(hintBotName(err))
	}
	if err := knowsAll(ctx, s, config.MetricsReaders); err != nil {
		return errors.Join(err, s.Close())
	}
	switch {
	case f.cert != "" || config.Loopback:
	case config.PublicURL != nil:
		log.Warn().Msg("no TLS here: see that only the proxy reaches this port")
	default:
		log.Warn().Msg("no TLS: tokens can be read on the way")
	}
	address := scheme + "://" + pageHost(l.Addr().String())
	fmt.Fprintln(cmd.OutOrStdout(), address)
	serving := log.Info().Str("database", f.database).Bool("open", config.Open)
	if config.PublicURL != nil {
		serving.Str("public", f.publicURL)
	}
	serving.Msg("serving")
	defer shutdown.Inhibit("ending connections")()
	err = s.Serve(ctx, l, f.cert, f.key)
	if closed := s.Close(); err == nil || err == context.Canceled {
		err = closed
	}
	return usererr.HintIf(err, server.ErrMoved, "the log names a copy with all that was acknowledged, or why there "+
		"is none: gamebots serve restore puts it in the place of the database")
}

// listen listens at the address of --listen.
func listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		err = usererr.WithHint(err, "is another one running? --listen 127.0.0.1:0 takes any free port")
	case errors.Is(err, fs.ErrPermission):
		err = usererr.WithHint(err, "ports below 1024 are for root and who has the capability CAP_NET_BIND_SERVICE; "+
			"--listen 127.0.0.1:8080 needs nothing")
	case err != nil:
		err = usererr.WithHint(err, "--listen wants an address and a port, as in 127.0.0.1:8080 or :8080")
	}
	return l, err
}

// pageHost is the host and port of an address at which a browser on this machine finds the page: a server that
// listens on all addresses is at localhost, too.
func pageHost(address string) string {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().IsUnspecified() {
		return address
	}
	return fmt.Sprintf("localhost:%d", at.Port())
}

// hintBotName adds a hint to the error of a bot's name, which is that of a strategy: those of
// the program are valid.
func hintBotName(err error) error {
	if errors.As(err, new(*engines.NameError)) {
		return usererr.WithHint(err, "--strategy NAME=FILE gives the bot another name")
	}
	return err
}

// proxy reads the flags about a proxy.
func (f *serveFlags) proxy() (*url.URL, []netip.Prefix, error) {
	if f.publicURL == "" {
		if f.trustedProxies != nil {
			return nil, nil, usererr.Usagef("--trusted-proxy needs --public-url")
		}
		return nil, nil, nil
	}
	u, err := url.Parse(f.publicURL)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery+u.Fragment != "" {
		return nil, nil, usererr.Usagef("--public-url is https and a name, as in https://games.example.org, not %q",
			f.publicURL)
	}
	var proxies []netip.Prefix
	for _, text := range f.trustedProxies {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			var a netip.Addr
			if a, err = netip.ParseAddr(text); err == nil {
				p, err = a.Prefix(a.BitLen())
			}
		}
		if err != nil {
			return nil, nil, usererr.Usagef(
				"--trusted-proxy is an address or a network, as in 10.0.0.2 or 10.0.0.0/24, not %q", text)
		}
		proxies = append(proxies, p)
	}
	return u, proxies, nil
}

// knowsAll returns an error unless all accounts exist, because anyone could take a free
// name.
func knowsAll(ctx context.Context, s *server.Server, names []string) error {
	for _, name := range names {
		known, err := s.HasAccount(ctx, name)
		if err != nil {
			return err
		}
		if !known {
			return usererr.WithHint(
				fmt.Errorf("there is no account %s, which a flag names", name),
				"gamebots serve token "+name+" makes it")
		}
	}
	return nil
}
