package main

import (
	"math"
	"time"

	"gamebots/bots/grid/remote"
	"gamebots/cmd/internal/cli"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newGridWork() *cobra.Command {
	var link gridLink
	programs := false
	url, jobs := remote.DefaultURL, 0
	cmd := command("grid_work", "work", "Share the work of commands that run on other machines", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		version, err := cli.Version()
		if err != nil {
			return err
		}
		l, err := link.To(url, remote.AsWorker)
		if err != nil {
			return err
		}
		log := zerolog.Ctx(cmd.Context())
		var logged time.Time
		l.Patience = math.MaxInt64
		l.OnWait = func(err error) {
			if time.Since(logged) > time.Minute {
				logged = time.Now()
				log.Warn().Err(err).Msg("waiting for the server")
			}
		}
		conn, err := l.Connect(cmd.Context(), remote.AsWorker)
		switch {
		case cmd.Context().Err() != nil:
			return nil
		case err != nil:
			return link.Hint(err)
		}
		defer conn.Close()
		log.Info().Str("server", conn.ConnectedUrlRedacted()).Int("jobs", jobs).
			Str("version", version).Msg("working")
		arenaPlayers().Programs = programs
		defer arenaPlayers().Close()
		w := &remote.Worker{
			Conn: conn, Kinds: workerKinds(), Version: version, Slots: jobs,
			Device: deviceName(), Log: cli.Slog(cmd.Context()),
		}
		return w.Run(cmd.Context())
	}
	cli.Serves(cmd)
	link.Add(cmd.Flags(), "")
	cli.Bind(cmd, "nats", &url, "jobs", cli.PerProcessor(&jobs), "programs", &programs)
	return cmd
}
