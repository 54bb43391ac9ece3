package main

import (
	"math"
	"runtime"
	"time"

	"gamebots/bots/grid/remote"
	"gamebots/configs"
	"gamebots/internal/version"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newWork() *cobra.Command {
	var link linkFlags
	url, jobs := remote.DefaultURL, min(runtime.NumCPU(), configs.MaxThreads)
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Do jobs of commands that run on other machines",
		Long: `work joins a grid and does jobs of whoever has some there: commands with --nats,
as arena run, solve nash, solve snake and evaluate. It needs nothing but the
address of the server, and stays until Ctrl-C or SIGTERM, whatever becomes of
server and commands: jobs that it has not done then are given back.

A worker may come and go, and be killed, at any time: a job counts as done when
the command that wants it has stored its result, and until then another worker
is given it when nothing is heard of this one for a while. Results do not depend
on who does the jobs. Worker and command must be the same version of gamebots;
both say so where they are not.

On other machines than the server's a token and TLS are needed; gamebots grid
keys makes a folder with both. See docs/grid.md.`,
		Example: `  gamebots work
  gamebots work --nats tls://big.example.org:4222 --keys keys --jobs 8
  GAMEBOTS_NATS_TOKEN=… gamebots work --nats tls://10.0.0.1:4222 --tls-ca ca.pem`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := link.link(url)
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
			conn, err := l.Connect(cmd.Context(), "worker")
			switch {
			case cmd.Context().Err() != nil:
				return nil
			case err != nil:
				return hintGrid(err)
			}
			defer conn.Close()
			log.Info().Str("server", conn.ConnectedUrlRedacted()).Int("jobs", jobs).Str("version", version.Build()).Msg("working")
			defer arenaPlayers().Close()
			w := &remote.Worker{Conn: conn, Kinds: jobKinds(), Version: version.Build(), Slots: jobs, Log: slogOf(cmd.Context())}
			return w.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&url, "nats", url, "address of the server")
	link.add(flags, "")
	flags.Var(threadsFlag{&jobs, 1}, "jobs", "jobs to do at a time")
	return cmd
}
