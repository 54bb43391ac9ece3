package main

import (
	"errors"
	"fmt"
	"io/fs"

	"gamebots/bots/grid/remote"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newGrid() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "grid",
		Short: "Make keys, or run a job server, for work on many machines",
		Long: `grid makes keys for a server that other machines can reach, and runs a server
that outlives the commands that use it. Neither is needed on one machine, nor
with a NATS server of your own.

More: docs/grid.md`,
		Example: `  gamebots grid keys keys --host big.example.org
  gamebots grid serve --listen :4222 --keys keys`,
	}
	cli.LeadsTo(cmd, newGridKeys(), newGridServe())
	return cmd
}

func newGridKeys() *cobra.Command {
	var hosts []string
	cmd := &cobra.Command{
		Use:   "keys FOLDER",
		Short: "Make the certificate and the tokens of a server",
		Long: `keys makes a folder with the certificate and key of a server (server.pem and
server.key), the certificate of the authority that signed it (ca.pem), the token
of workers (token) and that of commands (owner.token). The server needs all of
them. Workers need ca.pem and token: copy these two to each worker. Commands on
other machines need ca.pem and owner.token.

The certificate is valid for two years, for this machine and for the names and
addresses given by --host. The key of the authority is not kept.`,
		Example: `  gamebots grid keys keys --host big.example.org --host 10.0.0.1
  scp keys/ca.pem keys/token small.example.org:keys/`,
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			keys, err := remote.MakeKeys(args[0], hosts)
			if errors.Is(err, fs.ErrExist) {
				err = usererr.WithHint(err, "name another folder: workers with the keys of this one would be locked out")
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "workers need   %s\n               %s\ncommands need  %s\n               %s\nthe server     all of them\n", keys.CA, keys.Worker, keys.CA, keys.Owner)
			return err
		},
	}
	cmd.Flags().StringArrayVar(&hosts, "host", nil, "`NAME` or address by which workers reach the server (may be repeated)")
	return cmd
}

func newGridServe() *cobra.Command {
	var link gridflags.Link
	listen, store := "", ""
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a permanent server for jobs",
		Long: `serve is a NATS server with JetStream, to which commands with --nats and
gamebots work connect. It keeps jobs in a folder, so it may be killed and
restarted at any time. Without --keys only this machine can reach it, and only
its user has the tokens. To be reached from other machines it needs --keys.`,
		Example: `  gamebots grid serve
  gamebots grid serve --listen :4222 --keys keys --store /var/lib/gamebots`,
		Args: cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := link.Server(listen, store)
			if err != nil {
				return err
			}
			s, err := remote.Serve(config)
			if err != nil {
				return link.Hint(err)
			}
			zerolog.Ctx(cmd.Context()).Info().Str("address", s.URL()).Msg("serving")
			<-cmd.Context().Done()
			return s.Close()
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&listen, "listen", "127.0.0.1:4222", "address and port")
	flags.StringVar(&store, "store", "grid", "folder to keep jobs in")
	link.Add(flags, "")
	return cmd
}
