package main

import (
	"fmt"
	"time"

	havannahbot "gamebots/bots/havannah"
	"gamebots/bots/proc"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/gtp"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newGTP() *cobra.Command {
	engine := configs.DefaultBoard().Engine
	options, think, megabytes, threads := "", time.Second, uint64(havannahbot.DefaultMemory>>20), 0
	var study uint16
	cmd := explain(&cobra.Command{
		Use:   "gtp GAME",
		Short: "Run a bot as an engine for another program, by GTP",
		Args:  cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			engine.Rules = args[0]
			switch engine.Rules {
			case boards.HavannahName, boards.NimName:
			case boards.MatrixName:
				return usererr.Usagef("GTP cannot express matrix games, in which both players move at once")
			default:
				games := []string{boards.HavannahName, boards.NimName}
				return usererr.Usagef("%q is no game: want %s", engine.Rules, usererr.OneOf(engine.Rules, games))
			}
			if think <= 0 || megabytes == 0 {
				return usererr.Usagef("--time and --memory must be greater than 0")
			}
			if !cmd.Flag("bot").Changed {
				engine.Kind = registry.DefaultBot(engine.Rules)
			}
			if engine.Kind == "gtp" {
				return usererr.Usagef("--bot gtp is another GTP engine, which needs none around it")
			}
			engine.Threads = uint64(threads)
			bot, err := registry.Bot(engine)
			if err != nil {
				return err
			}
			if t, ok := bot.(havannahbot.MCTS); ok {
				if err := memory.Enough("--memory: the tree", memory.Saturate(float64(megabytes)*(1<<20)),
					memory.Available()); err != nil {
					return err
				}
				t.Time, t.Memory, t.Search.ProofAfter = think, int(megabytes)<<20, int(study)
				bot = t
			}
			if g, ok := bot.(havannahbot.Gumbel); ok && cmd.Flag("time").Changed {
				g.Time = think
				bot = g
			}
			if err := hexproto.Check(cmd.Context(), bot, nil); err != nil {
				return err
			}
			e := &proc.Engine{
				Rules: registry.RulesNamed(engine.Rules), Bot: bot,
				Program: "gamebots " + engine.Kind, Release: cli.Release(),
			}
			if err := e.Start([]byte(options)); err != nil {
				return usererr.Usage(fmt.Errorf("--options: %w", err))
			}
			defer e.Close()
			return gtp.Serve(cmd.Context(), e, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}, "gtp")
	flags := cmd.Flags()
	flags.StringVar(&engine.Kind, "bot", "",
		"the bot: mcts, gumbel, playouts or random for havannah; xor, minimax or random for nim")
	flags.StringVar(&engine.Net, "net", "",
		"network for mcts and gumbel: a `FILE` of train havannah, or havannah for the one that comes with the "+
			"program, which gumbel uses by default")
	flags.Uint64Var(&engine.Seed, "seed", 0, "seed of random choices")
	flags.Uint64Var(&engine.Playouts, "playouts", engine.Playouts, "random games after each move, for playouts")
	flags.Uint64Var(&engine.Simulations, "simulations", 0,
		"simulations of a move, for mcts, or evaluations, for gumbel; 0 for as many as the time allows, or for "+
			"gumbel 256 if none is given")
	flags.DurationVar(&think, "time", think, "time of a move without clocks and --simulations, for mcts and gumbel")
	flags.Var(cli.Threads(&threads, 0), "threads",
		"threads: of mcts to play random games, or to grow the tree if a GPU plays them (0 for one, or up to 8 with "+
			"a GPU); of gumbel to compute its network, or to prepare positions for a GPU (0 for one)")
	flags.Uint64Var(&megabytes, "memory", megabytes, "size of the tree in MiB, for mcts")
	flags.Uint16Var(&study, "study", 0,
		"simulations after which mcts searches a node for a proof, for example 4; 0 for never, which leaves more "+
			"time for simulations")
	flags.StringVar(&engine.Device, "device", engine.Device,
		"device of minimax searches, of random games of mcts and, if it is a GPU, of the network of gumbel: auto, "+
			"cpu, cuda or cuda:N")
	flags.StringVar(&options, "options", "", "options of the first game as JSON")
	return cmd
}
