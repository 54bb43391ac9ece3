package main

import (
	"math"
	"runtime"
	"time"

	"gamebots/bots/grid/remote"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/version"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newWork() *cobra.Command {
	var link gridflags.Link
	programs := false
	url, jobs := remote.DefaultURL, min(runtime.NumCPU(), configs.MaxThreads)
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Share the work of commands that run on other machines",
		Long: `work makes this machine a worker: it does jobs of arena run, experiment, solve
nash, solve snake and evaluate that run with --nats. It needs only the address
of the server. It runs until Ctrl-C or SIGTERM, even if the server or the
commands end, and then returns the jobs that it has not finished.

A worker may be started, stopped or killed at any time. A job is done when its
command has stored the result; if a worker falls silent before that, another one
gets the job. Results do not depend on the workers. Worker and command must be
the same version of gamebots; both report it if they are not.

A run of the arena may have players that are programs. A worker refuses them
unless it has --programs, because they can do whatever its user can do. Use
--programs only if you trust everybody who has the server's owner token.

If the server is on another machine, workers need a token and TLS; gamebots grid
keys makes a folder with both.

More: docs/grid.md`,
		Example: `  gamebots work
  gamebots work --programs
  gamebots work --nats tls://big.example.org:4222 --keys keys --jobs 8
  GAMEBOTS_NATS_TOKEN=… gamebots work --nats tls://10.0.0.1:4222 --tls-ca ca.pem`,
		Args: cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
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
			log.Info().Str("server", conn.ConnectedUrlRedacted()).Int("jobs", jobs).Str("version", version.Build()).Msg("working")
			gridflags.Players().Programs = programs
			defer gridflags.Players().Close()
			w := &remote.Worker{Conn: conn, Kinds: gridflags.WorkerKinds(), Version: version.Build(), Slots: jobs, Log: cli.Slog(cmd.Context())}
			return w.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&url, "nats", url, "address of the server")
	link.Add(flags, "")
	flags.Var(cli.Threads(&jobs, 1), "jobs", "jobs at a time")
	cmd.Flags().Lookup("jobs").DefValue = cli.OnePerProcessor
	flags.BoolVar(&programs, "programs", false, "run the programs of the players of arena run, whatever they are")
	return cmd
}
