package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/remote"
	"gamebots/internal/version"

	"github.com/nats-io/nats.go"
	"github.com/rs/zerolog"
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

// open returns the grid that was asked for, and what ends it: threads of this
// process, or whoever joins.
func (f *gridFlags) open(ctx context.Context, threads int) (g grid.Grid, end func() error, err error) {
	kinds := jobKinds()
	if f.nats == "" {
		return &grid.Local{Kinds: kinds, Threads: threads}, func() error { return nil }, nil
	}
	log := zerolog.Ctx(ctx)
	var ends []func() error
	end = func() error {
		var all error
		for i := range ends {
			all = errors.Join(all, ends[len(ends)-1-i]())
		}
		return all
	}
	connect, err := f.server(ctx, &ends)
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	conn, err := connect("owner")
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	ends = append(ends, func() error { conn.Close(); return nil })
	if f.own < 0 {
		f.own = threads
	}
	if f.own > 0 {
		conn, err := connect("owner's worker")
		if err != nil {
			return nil, nil, errors.Join(err, end())
		}
		w := &remote.Worker{Conn: conn, Kinds: kinds, Version: version.Build(), Slots: f.own, Log: zerolog.Nop()}
		working, stop := context.WithCancel(context.WithoutCancel(ctx)) // the owner stops it
		var running sync.WaitGroup
		var failed error
		running.Go(func() { failed = w.Run(working) })
		ends = append(ends, func() error { stop(); running.Wait(); conn.Close(); return failed })
	}
	return &remote.Owner{Conn: conn, Version: version.Build(), Memory: f.nats == embedded, Log: *log}, end, nil
}

// server starts the server, if it is to be of this process, and returns how to
// connect to it.
func (f *gridFlags) server(ctx context.Context, ends *[]func() error) (connect func(name string) (*nats.Conn, error), err error) {
	if f.nats != embedded {
		link, err := f.link(f.nats)
		link.Patience = serverPatience
		return func(name string) (*nats.Conn, error) { return link.Connect(ctx, name) }, err
	}
	config, err := f.linkFlags.server(f.listen, "")
	if err != nil {
		return nil, err
	}
	s, err := remote.Serve(config)
	if err != nil {
		return nil, err
	}
	*ends = append(*ends, s.Close)
	zerolog.Ctx(ctx).Info().Str("address", s.URL()).Msg("other machines help with gamebots work --nats " + s.URL())
	return s.Connect, nil
}
