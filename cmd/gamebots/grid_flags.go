package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/remote"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/usererr"

	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"
)

// embedded is the value of --nats for a server in this process.
const embedded = "embedded"

// tokenEnv is the environment variable for a token. Unlike a flag it is not visible to the
// other users of a machine.
const tokenEnv = "GAMEBOTS_NATS_TOKEN"

// serverPatience is how long to wait for a server that is started at the same time.
const serverPatience = 3 * time.Second

// gridLink are the flags for the connection to a server. Their names begin with the prefix.
type gridLink struct{ prefix, keys string }

// Add adds the flags, with a prefix of their names.
func (f *gridLink) Add(flags *pflag.FlagSet, prefix string) {
	f.prefix = prefix
	flags.StringVar(&f.keys, prefix+"keys", "",
		"folder of gamebots grid keys: the server's certificate, and the tokens unless $"+tokenEnv+" has one")
}

// To returns the settings of the connection to the server at an address.
func (f *gridLink) To(url string, role remote.Role) (remote.Link, error) {
	l, err := f.access().Link(url, role)
	return l, f.Hint(err)
}

// Server returns the settings of a server in this process.
func (f *gridLink) Server(listen, store string) (remote.ServerConfig, error) {
	c, err := f.access().Server(listen, store)
	return c, f.Hint(err)
}

// access returns what the flags and the environment give.
func (f *gridLink) access() remote.Given {
	return remote.Given{Keys: f.keys, Token: os.Getenv(tokenEnv)}
}

// gridFlags are the flags that choose where the jobs of a command are done.
type gridFlags struct {
	NATS string // "" for none, embedded or embedded=ADDRESS for a server in this process, or the address of one
	gridLink
	own int
	Set *pflag.FlagSet // flags of the command
}

// Add adds the flags.
func (f *gridFlags) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.NATS, "nats", "", "share the work with gamebots grid work: `ADDRESS` of a server, or embedded, "+
		"or embedded=HOST:PORT, for one in this process")
	f.gridLink.Add(flags, "nats-")
	f.own, f.Set = -1, flags
	flags.Var(cli.Threads(&f.own, 0), "nats-own",
		"jobs that this process does itself at a time (default --threads; 0 for none)")
	flags.Lookup("nats-own").DefValue = "0" // help does not show a default of 0
}

// Check refuses flags that have no effect.
func (f *gridFlags) Check() (err error) {
	f.Set.Visit(func(flag *pflag.Flag) {
		if f.NATS == "" && strings.HasPrefix(flag.Name, "nats-") {
			err = usererr.Usagef("--%s has no effect without --nats", flag.Name)
		}
	})
	return err
}

// Open returns the grid of the flags: threads of this process, or workers that join. End
// closes it.
func (f *gridFlags) Open(ctx context.Context, threads int) (g grid.Grid, end func() error, err error) {
	if err := f.Check(); err != nil {
		return nil, nil, err
	}
	if f.NATS == "" {
		return &grid.Local{Kinds: jobKinds(), Threads: threads}, func() error { return nil }, nil
	}
	s := &gridSession{}
	if g, err = s.open(ctx, f, threads); err != nil {
		return nil, nil, errors.Join(f.Hint(err), s.close())
	}
	return g, s.close, nil
}

// deviceName returns the name of the device of this process.
func deviceName() string {
	d, _, err := cudalib.Choice{}.Open()
	if err != nil || d == nil {
		return "cpu"
	}
	defer d.Close() // nothing is on it
	return d.Info().Name
}

// gridSession is what a shared run has open.
type gridSession struct{ ends []func() error }

func (s *gridSession) close() (err error) {
	for _, end := range slices.Backward(s.ends) {
		err = errors.Join(err, end())
	}
	return err
}

// connect connects, until the gridSession is closed.
func (s *gridSession) connect(by func(remote.Role) (*nats.Conn, error), role remote.Role) (*nats.Conn, error) {
	conn, err := by(role)
	if err == nil {
		s.ends = append(s.ends, func() error { conn.Close(); return nil })
	}
	return conn, err
}

// open starts an owner, and a server and a worker if the flags say so.
func (s *gridSession) open(ctx context.Context, f *gridFlags, threads int) (grid.Grid, error) {
	version, err := cli.Version()
	if err != nil {
		return nil, err
	}
	var connect func(remote.Role) (*nats.Conn, error)
	listen, inside := strings.CutPrefix(f.NATS, embedded+"=")
	if inside = inside || f.NATS == embedded; inside {
		if listen == embedded {
			listen = "127.0.0.1:4222"
		}
		config, err := f.Server(listen, "")
		if err != nil {
			return nil, err
		}
		server, err := remote.Serve(config)
		if err != nil {
			return nil, err
		}
		s.ends, connect = append(s.ends, server.Close), server.Connect
		cli.Slog(ctx).Info("workers join by gamebots grid work --nats "+server.URL()+", with keys by --keys, too",
			"address", server.URL())
	} else {
		link, err := f.To(f.NATS, remote.AsOwner)
		if err != nil {
			return nil, err
		}
		link.Patience = serverPatience
		connect = func(role remote.Role) (*nats.Conn, error) { return link.Connect(ctx, role) }
	}
	conn, err := s.connect(connect, remote.AsOwner)
	if err != nil {
		return nil, err
	}
	owner := &remote.Owner{Conn: conn, Version: version, Memory: inside, Log: cli.Slog(ctx)}
	own := f.own
	if own < 0 {
		own = threads
	}
	if own == 0 {
		return owner, nil
	}
	if conn, err = s.connect(connect, remote.AsWorker); err != nil {
		return nil, err
	}
	w := &remote.Worker{Conn: conn, Kinds: jobKinds(), Version: version, Slots: own, Device: deviceName()}
	working, stop := context.WithCancel(context.WithoutCancel(ctx)) // the owner cancels its jobs
	ended := make(chan error, 1)
	go func() { ended <- w.Run(working) }()
	s.ends = append(s.ends, func() error { stop(); return <-ended })
	return owner, nil
}

// Hint adds the advice that names flags and commands to an error of a grid's settings.
func (f *gridLink) Hint(err error) error {
	setup := (*remote.SetupError)(nil)
	if !errors.As(err, &setup) {
		return err
	}
	address := "--listen takes another address"
	if f.prefix != "" {
		address = "Give its address with --nats, or another address to listen at with --nats embedded=HOST:PORT"
	}
	hint := map[remote.Problem]string{
		remote.BadAddress:        "a server is named as in " + remote.DefaultURL + " or tls://host:4222",
		remote.BadListenAddress:  "an address and a port are wanted, as in 127.0.0.1:4222",
		remote.UnprotectedLink:   "name the server as tls://… and give a token; gamebots grid keys makes both",
		remote.UnprotectedServer: "gamebots grid keys makes both, and --" + f.prefix + "keys takes them",
		remote.WrongToken:        "give the token of the server, see gamebots grid keys",
		remote.UnknownCertificate: "--" + f.prefix + "keys takes the folder with its certificate, or that of its " +
			"authority, as ca.pem",
		remote.WrongHost:      "gamebots grid keys --host makes a certificate for other names",
		remote.TLSUnavailable: "start it with a certificate; gamebots grid keys makes one",
		remote.AddressInUse:   "is another server running? " + address,
		remote.MissingOwnerToken: "commands need the owner's token, which gamebots grid keys makes; " +
			"workers have another",
		remote.MissingKeys: "gamebots grid keys makes a folder with all that a server needs, " +
			"the owner's token included",
		remote.NoUserTokens: "give the folder of gamebots grid keys",
		remote.TLSRequired:  "name it as tls://…",
	}[setup.Problem]
	if hint == "" {
		return err
	}
	return usererr.WithHint(err, hint)
}
