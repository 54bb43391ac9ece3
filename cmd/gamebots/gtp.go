package main

import (
	"cmp"
	"fmt"
	"slices"
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

// gtpFlags are the flags of gtp.
type gtpFlags struct {
	engine    configs.Engine
	options   string
	time      time.Duration
	timed     bool // time was given
	megabytes uint64
	threads   int
	study     uint16
}

func newGTP() *cobra.Command {
	f := gtpFlags{
		engine: configs.DefaultBoard().Engine, time: time.Second, megabytes: havannahbot.DefaultMemory >> 20,
	}
	cmd := command("gtp", "gtp GAME", "Run a bot as an engine for another program, by GTP", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.timed = cmd.Flag("time").Changed
		bot, err := f.bot(args[0])
		if err == nil {
			err = hexproto.Check(cmd.Context(), bot, nil)
		}
		if err != nil {
			return err
		}
		e := &proc.Engine{
			Rules: registry.RulesNamed(args[0]), Bot: bot,
			Program: "gamebots " + f.engine.Kind, Release: cli.Release(),
		}
		if err := e.Start([]byte(f.options)); err != nil {
			return usererr.Usage(fmt.Errorf("--options: %w", err))
		}
		defer e.Close()
		return gtp.Serve(cmd.Context(), e, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	flags := cmd.Flags()
	flags.StringVar(&f.engine.Kind, "bot", "",
		"the bot: best, mcts, gumbel, playouts or random for havannah; xor, minimax or random for nim")
	flags.StringVar(&f.engine.Net, "net", "",
		"network for best, mcts and gumbel: a `FILE` of train havannah, or havannah for the one that comes with "+
			"the program, which best and gumbel use by default")
	flags.Uint64Var(&f.engine.Seed, "seed", 0, "seed of random choices")
	flags.Uint64Var(&f.engine.Playouts, "playouts", f.engine.Playouts, "random games after each move, for playouts")
	flags.Uint64Var(&f.engine.Simulations, "simulations", 0,
		"simulations of a move, for mcts, which best is then, or evaluations, for gumbel; 0 for as many as the time "+
			"allows, or for gumbel 256 if none is given")
	flags.DurationVar(&f.time, "time", f.time,
		"time of a move without clocks and --simulations, for best, mcts and gumbel")
	flags.Var(cli.Threads(&f.threads, 0), "threads",
		"threads: of mcts to play random games, or to grow the tree if a GPU plays them (0 for one, or up to 8 with "+
			"a GPU); of gumbel to compute its network, or to prepare positions for a GPU (0 for one)")
	flags.Uint64Var(&f.megabytes, "memory", f.megabytes, "size of the tree in MiB, for mcts")
	flags.Uint16Var(&f.study, "study", 0,
		"simulations after which mcts searches a node for a proof, for example 4; 0 for never, which leaves more "+
			"time for simulations")
	flags.StringVar(&f.engine.Device, "device", f.engine.Device,
		"device of minimax searches, of random games of mcts, of the network of best and, if it is a GPU, of "+
			"gumbel: auto, cpu, cuda or cuda:N")
	flags.StringVar(&f.options, "options", "", "options of the first game as JSON")
	return cmd
}

// bot returns the bot that the flags describe, for a game.
func (f *gtpFlags) bot(game string) (hexproto.Bot, error) {
	if game == boards.MatrixName {
		return nil, usererr.Usagef("GTP cannot express matrix games, in which both players move at once")
	}
	if games := []string{boards.HavannahName, boards.NimName}; !slices.Contains(games, game) {
		return nil, usererr.Usagef("%q is no game: want %s", game, usererr.OneOf(game, games))
	}
	if f.time <= 0 || f.megabytes == 0 {
		return nil, usererr.Usagef("--time and --memory must be greater than 0")
	}
	f.engine.Rules, f.engine.Threads = game, uint64(f.threads)
	f.engine.Kind = cmp.Or(f.engine.Kind, registry.DefaultBot(game))
	if f.engine.Kind == "gtp" {
		return nil, usererr.Usagef("--bot gtp is another GTP engine, which needs none around it")
	}
	bot, err := registry.Bot(f.engine)
	if err != nil {
		return nil, err
	}
	b := bot.(hexproto.PlayerBot)
	switch p := b.Player.(type) {
	case havannahbot.MCTS:
		err = f.set(&p)
		b.Player = p
	case havannahbot.Best:
		err = f.set(&p.MCTS)
		b.Player = p
	case havannahbot.Gumbel:
		if f.timed {
			p.Time = f.time
		}
		b.Player = p
	}
	return b, err
}

// set gives a tree search the settings that only gtp has.
func (f *gtpFlags) set(search *havannahbot.MCTS) error {
	bytes := memory.Saturate(float64(f.megabytes) * (1 << 20))
	search.Time, search.Memory, search.Search.ProofAfter = f.time, int(bytes), int(f.study)
	return memory.Enough("--memory: the tree", bytes, memory.Available())
}
