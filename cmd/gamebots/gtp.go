package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gamebots/bots/havannahbot"
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
		engine: configs.DefaultBoardBot().Engine, time: time.Second, megabytes: havannahbot.DefaultMemory >> 20,
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
	f.engine.Kind = "" // the game's best bot
	cli.Bind(cmd, "bot", &f.engine.Kind, "net", &f.engine.Net, "seed", &f.engine.Seed, "playouts", &f.engine.Playouts,
		"simulations", &f.engine.Simulations, "time", &f.time, "threads", cli.Threads(&f.threads, 0),
		"memory", &f.megabytes, "study", &f.study, "device", &f.engine.Device, "options", &f.options)
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
