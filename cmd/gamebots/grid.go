package main

import (
	"fmt"
	"io/fs"

	"gamebots/bots/grid/remote"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newGrid() *cobra.Command {
	return group("grid", "Share the work of commands among machines",
		newGridWork(), newGridServe(), newGridKeys(), newGridStatus())
}

func newGridKeys() *cobra.Command {
	var hosts []string
	cmd := command("grid_keys", "keys FOLDER", "Make the certificate and the tokens of a server", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		keys, err := remote.MakeKeys(args[0], hosts)
		if err != nil {
			return usererr.HintIf(err, fs.ErrExist,
				"name another folder: workers with the keys of this one would be locked out")
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(),
			"workers need   %s\n               %s\ncommands need  %s\n               %s\n"+
				"the server     all of them\n",
			keys.CA, keys.Worker, keys.CA, keys.Owner)
		return cli.Next(cmd, err, "grid", "serve", "--keys", args[0])
	}
	cmd.Flags().StringArrayVar(&hosts, "host", nil,
		"`NAME` or address by which workers reach the server (may be repeated)")
	return cmd
}

func newGridServe() *cobra.Command {
	var link gridLink
	listen, store := "127.0.0.1:4222", "grid"
	cmd := command("grid_serve", "serve", "Run a permanent server for jobs", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
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
	}
	cli.Serves(cmd)
	cli.Bind(cmd, "listen", &listen, "store", &store)
	link.Add(cmd.Flags(), "")
	return cmd
}

func newGridStatus() *cobra.Command {
	var link gridLink
	url, asJSON := remote.DefaultURL, false
	cmd := command("grid_status", "status", "Show the runs and the workers of a server", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		l, err := link.To(url, remote.AsOwner)
		if err != nil {
			return err
		}
		conn, err := l.Connect(cmd.Context(), remote.AsOwner)
		if err != nil {
			return link.Hint(err)
		}
		defer conn.Close()
		farm, err := remote.Look(cmd.Context(), conn)
		if err != nil {
			return err
		}
		return cli.Print(cmd.OutOrStdout(), asJSON, farm)
	}
	cli.Bind(cmd, "nats", &url, "json", &asJSON)
	link.Add(cmd.Flags(), "")
	return cmd
}
