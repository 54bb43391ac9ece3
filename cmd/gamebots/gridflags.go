package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/grid/remote"
	"gamebots/internal/usererr"
	"gamebots/internal/version"
	"gamebots/solvers/cfr"

	"github.com/spf13/pflag"
)

// embedded is what --nats says where the server is to be of this process.
const embedded = "embedded"

// tokenEnv is where a token may be given unseen by other users of a machine.
const tokenEnv = "GAMEBOTS_NATS_TOKEN"

// serverPatience is for a server that is started at the same time.
const serverPatience = 3 * time.Second

// linkFlags say how a server is reached.
type linkFlags struct{ keys, token, ca string }

func (f *linkFlags) add(flags *pflag.FlagSet, prefix string) {
	flags.StringVar(&f.keys, prefix+"keys", "", "folder of gamebots grid keys: the server's certificate and the token")
	flags.StringVar(&f.token, prefix+"token", "", "token of the server (default $"+tokenEnv+")")
	name := "tls-ca"
	if prefix != "" {
		name = prefix + "ca"
	}
	flags.StringVar(&f.ca, name, "", "file with the certificates to trust (default the system's)")
}

// link returns the link to a server at an address.
func (f *linkFlags) link(url string) (remote.Link, error) {
	l := remote.Link{URL: url, Token: cmp.Or(f.token, os.Getenv(tokenEnv)), CA: f.ca}
	if f.keys == "" {
		return l, nil
	}
	keys := remote.KeysIn(f.keys)
	l.CA = cmp.Or(l.CA, keys.CA)
	if l.Token != "" {
		return l, nil
	}
	var err error
	l.Token, err = keys.ReadToken()
	return l, err
}

// server returns what a server of this process is like.
func (f *linkFlags) server(listen, store string) (remote.ServerConfig, error) {
	l, err := f.link("")
	c := remote.ServerConfig{Listen: listen, Token: l.Token, Store: store}
	if f.keys != "" {
		keys := remote.KeysIn(f.keys)
		c.Cert, c.Key = keys.Cert, keys.Key
	}
	return c, err
}

// gridFlags say where the jobs of a command are done.
type gridFlags struct {
	nats, listen string
	linkFlags
	own int
}

func (f *gridFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.nats, "nats", "", "share the work with gamebots work on other machines: embedded for a server of this process, or the address of one")
	flags.StringVar(&f.listen, "nats-listen", "127.0.0.1:4222", "where an embedded server listens")
	f.linkFlags.add(flags, "nats-")
	f.own = -1
	flags.Var(threadsFlag{&f.own, 0}, "nats-own", "jobs that this process does itself at a time (default --threads; 0 only hands them out)")
	flags.Lookup("nats-own").DefValue = "0" // which help does not show
}

// open returns the grid that was asked for, which end closes: threads of this process,
// or workers that join.
func (f *gridFlags) open(ctx context.Context, threads int) (g grid.Grid, end func() error, err error) {
	if f.nats == "" {
		return &grid.Local{Kinds: jobKinds(), Threads: threads}, func() error { return nil }, nil
	}
	o := remote.Options{Version: version.Build(), Kinds: jobKinds(), Own: f.own, Log: slogOf(ctx)}
	if o.Own < 0 {
		o.Own = threads
	}
	if f.nats == embedded {
		config, err := f.server(f.listen, "")
		if err != nil {
			return nil, nil, err
		}
		o.Server = &config
	} else {
		if o.Link, err = f.link(f.nats); err != nil {
			return nil, nil, err
		}
		o.Link.Patience = serverPatience
	}
	s, err := remote.Open(ctx, o)
	if err != nil {
		return nil, nil, hintGrid(err)
	}
	if s.Server != nil {
		o.Log.Info("other machines help with gamebots work --nats "+s.Server.URL(), "address", s.Server.URL())
	}
	return s.Owner, s.Close, nil
}

// hintGrid adds the advice that names flags and commands to an error of a grid's
// settings.
func hintGrid(err error) error {
	setup := (*remote.SetupError)(nil)
	if !errors.As(err, &setup) {
		return err
	}
	hint := map[remote.Problem]string{
		remote.UnprotectedLink:    setup.Hint() + "; gamebots grid keys makes both",
		remote.UnprotectedServer:  "gamebots grid keys makes both, and --nats-keys takes them",
		remote.WrongToken:         "the token is that of the server, see gamebots grid keys",
		remote.UnknownCertificate: "its certificate, or who signed it, is what --tls-ca or --nats-keys names",
		remote.WrongHost:          "gamebots grid keys --host makes a certificate for other names",
		remote.TLSUnavailable:     "start it with a certificate; gamebots grid keys makes one",
		remote.AddressInUse:       "is another server running? Give its address with --nats, or another to listen at with --nats-listen",
	}[setup.Problem]
	if hint == "" {
		return err
	}
	return usererr.WithHint(err, hint)
}

// evaluate evaluates the strategy of a file on the grid.
func (f *gridFlags) evaluate(ctx context.Context, file string, l *cfr.Layout, weights []float32, threads int) (cfr.Evaluation, error) {
	g, end, err := f.open(ctx, threads)
	if err != nil {
		return cfr.Evaluation{}, err
	}
	defer end()
	return jobs.EvaluateStrategy(ctx, g, file, l, weights, threads)
}
