package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"gamebots/bots/arena/web"
	"gamebots/bots/registry"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/server/page"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	listen, database, cert, key string
	publicURL                   string
	trustedProxies              []string
	sync                        string
	closed, metrics             bool
	limits                      server.Limits
	device                      cudalib.Choice
	net                         string
	botMemory                   cli.Bytes
	strategies                  []string // files of poker strategies, as NAME=FILE or FILE
	arena                       string   // its database, or ""
	arenaAdmins                 []string // accounts that may remove runs
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := explain(&cobra.Command{
		Use:   "serve",
		Short: "Run a server of board games and poker, for people and bots",
		Args:  cli.Arguments(0, 0),
		RunE:  func(cmd *cobra.Command, _ []string) error { return serve(cmd, f) },
	}, "serve")
	cmd.PersistentFlags().StringVar(&f.database, "database", "gamebots.db", "SQLite file of games and accounts")
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address and port")
	flags.StringVar(&f.cert, "cert", "", "certificate file for TLS")
	flags.StringVar(&f.key, "key", "", "key file for TLS")
	flags.StringVar(&f.publicURL, "public-url", "", "`URL` of the server behind a proxy with TLS, such as https://games.example.org")
	flags.StringSliceVar(&f.trustedProxies, "trusted-proxy", nil, "`ADDRESS` or network of the proxy of --public-url; by default it is on this machine (may be repeated)")
	flags.StringVar(&f.sync, "sync", string(database.SyncFull), "what a move waits for: the disk (full) or the operating system (normal)")
	flags.BoolVar(&f.closed, "closed", false, "require tokens on this machine too")
	flags.BoolVar(&f.metrics, "metrics", false, "serve /metrics for Prometheus")
	flags.StringArrayVar(&f.strategies, "strategy", nil, "poker strategy that a bot of the server plays, as `FILE` or NAME=FILE (may be repeated)")
	flags.StringVar(&f.net, "net", "", "network for Havannah that the bot network of the server plays by: a `FILE` of train havannah, or havannah for the one that comes with the program")
	flags.StringVar(&f.arena, "arena", "", "database of gamebots arena, to show its runs")
	flags.StringSliceVar(&f.arenaAdmins, "arena-admin", nil, "`NAME` of an account that may remove runs of the arena (may be repeated)")
	flags.IntVar(&f.limits.Connections, "max-connections", 10000, "maximum number of connections")
	flags.IntVar(&f.limits.Rate, "rate", 50, "messages a second from one connection, on average")
	flags.IntVar(&f.limits.Games, "max-games", 512, "maximum number of running games of an account")
	flags.IntVar(&f.limits.BotGames, "max-bot-games", 4, "maximum number of running games of an account with the server's own bots")
	flags.Var(&f.botMemory, "bot-memory", "memory of the server's own bots in all, as in 512MiB (default a quarter of the free memory, at most 256MiB for each core)")
	cli.AddDevice(flags, &f.device, "device of the server's own bots: auto, cpu, cuda or cuda:N")
	cli.Settings(cmd, "trusted-proxy", "sync", "metrics", "max-connections", "rate", "max-games", "max-bot-games", "bot-memory")
	cmd.AddCommand(newServeToken(&f.database), newServeAccounts(&f.database), newServeBackup(&f.database))
	return cmd
}

func serve(cmd *cobra.Command, f serveFlags) (err error) {
	if (f.cert == "") != (f.key == "") {
		return usererr.Usagef("--cert and --key must be given together")
	}
	if min(f.limits.Connections, f.limits.Rate, f.limits.Games, f.limits.BotGames) < 1 {
		return usererr.Usagef("--max-connections, --rate, --max-games and --max-bot-games must be at least 1")
	}
	botMemory := f.botMemory.Or(func() int64 {
		return max(registry.MinBotMemory(), min(memory.Available()/4, 256<<20*int64(runtime.GOMAXPROCS(0))))
	})
	if botMemory < registry.MinBotMemory() {
		return usererr.Usagef("--bot-memory: %s is too little for the bots of %d cores, which need %s", memory.Bytes(botMemory), runtime.GOMAXPROCS(0), memory.Bytes(registry.MinBotMemory()))
	}
	if f.sync != string(database.SyncFull) && f.sync != string(database.SyncNormal) {
		return usererr.Usagef("--sync is full or normal, not %q", f.sync)
	}
	network, err := registry.Net(f.net)
	if err != nil {
		return hintMissing(err, "--net takes the file of a network, or havannah for the one that comes with the program")
	}
	public, proxies, err := f.proxy()
	if err != nil {
		return err
	}
	if f.cert != "" {
		if _, err := tls.LoadX509KeyPair(f.cert, f.key); err != nil {
			return fmt.Errorf("--cert, --key: %w", err)
		}
	}
	l, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", f.listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return usererr.WithHint(err, "is another server running? --listen 127.0.0.1:0 takes any free port")
	case err != nil:
		return usererr.WithHint(err, "--listen wants an address and a port, as in 127.0.0.1:8080 or :8080")
	}
	defer l.Close()
	loopback := l.Addr().(*net.TCPAddr).IP.IsLoopback()
	log := zerolog.Ctx(cmd.Context())
	opened, closeOpened, err := registry.OpenPoker(f.strategies, func(file string) (*policy.Policy, error) {
		p, err := strategies.Open(cmd, file, memory.Available()/4)
		return p, hintMissing(err, "--strategy takes the file of a strategy, as FILE or NAME=FILE")
	})
	defer closeOpened()
	if err != nil {
		return err
	}
	poker, err := registry.Poker(opened)
	if err != nil {
		return hintBotName(err)
	}
	config := server.Config{
		Database: f.database, Rules: slices.Concat(registry.Rules, poker.Rules), Bots: slices.Concat(registry.Builtin(f.device, botMemory, network), poker.Bots),
		Strategies: poker.Library.Handler(), BotMemory: botMemory, Page: page.Handler(), Version: "gamebots " + cli.Release(),
		Sync: database.Sync(f.sync), PublicURL: public, TrustedProxies: proxies,
		Open: loopback && !f.closed && public == nil, Loopback: loopback, Metrics: f.metrics, Limits: f.limits, Log: cli.Slog(cmd.Context()),
	}
	for _, b := range config.Bots {
		if err := hexproto.Check(cmd.Context(), b.Bot, nil); err != nil {
			return fmt.Errorf("bot %s: %w", b.Name, err)
		}
	}
	var s *server.Server // set before the arena gets its first request
	if f.arena != "" {
		arena, err := web.New(cmd.Context(), web.Config{Database: f.arena, Rules: registry.Rules, MayWrite: func(r *http.Request) bool {
			return slices.ContainsFunc(f.arenaAdmins, func(name string) bool { return strings.EqualFold(name, s.Account(r)) })
		}})
		if err != nil {
			return hintDatabase(err, "--arena")
		}
		defer arena.Close()
		config.Arena = arena.Handler()
	} else if f.arenaAdmins != nil {
		return usererr.Usagef("--arena-admin needs --arena")
	}
	s, err = server.New(config)
	if inUse := (*server.InUseError)(nil); errors.As(err, &inUse) {
		return usererr.WithHint(err, "end that server, or give --database another file")
	}
	if err != nil {
		return hintBotName(err)
	}
	if err := knowsAll(cmd.Context(), s, f.arenaAdmins); err != nil {
		return errors.Join(err, s.Close())
	}
	scheme := "http"
	if f.cert != "" {
		scheme = "https"
	} else if !loopback && public != nil {
		log.Warn().Msg("no TLS here: see that only the proxy reaches this port")
	} else if !loopback {
		log.Warn().Msg("no TLS: tokens can be read on the way")
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s://%s\n", scheme, l.Addr())
	serving := log.Info().Str("database", f.database).Bool("open", config.Open)
	if public != nil {
		serving.Str("public", f.publicURL)
	}
	serving.Msg("serving")
	if f.arena != "" {
		log.Info().Str("database", f.arena).Str("page", fmt.Sprintf("%s://%s/#/arena", scheme, l.Addr())).Msg("showing the arena")
	}
	err = s.Serve(cmd.Context(), l, f.cert, f.key)
	if closed := s.Close(); err == nil || err == context.Canceled {
		err = closed
	}
	return err
}

// hintMissing adds a hint to the error of a file that does not exist.
func hintMissing(err error, hint string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return usererr.WithHint(err, hint)
	}
	return err
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
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery+u.Fragment != "" || u.User != nil {
		return nil, nil, usererr.Usagef("--public-url is https and a name, as in https://games.example.org, not %q", f.publicURL)
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
			return nil, nil, usererr.Usagef("--trusted-proxy is an address or a network, as in 10.0.0.2 or 10.0.0.0/24, not %q", text)
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
			return usererr.WithHint(fmt.Errorf("--arena-admin: there is no account %s", name), "gamebots serve token "+name+" makes it")
		}
	}
	return nil
}
