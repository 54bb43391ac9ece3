package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"

	"gamebots/acpc"
	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/chart"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/strategy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"gonum.org/v1/plot/plotter"
)

func newDemo() *cobra.Command {
	folder, hands := "", uint32(0)
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Train, play and plot a first match",
		Long: `demo trains, plays and plots, in about a minute. It trains strategies for Kuhn
and Leduc poker, starts a dealer and bot processes, and lets the bots play over
TCP. The Leduc strategy meets the plain opponents, the Kuhn strategy itself, in
duplicate matches: every deal is played twice, with the seats exchanged. The
strategies that come with the program meet the plain opponents, too.

It prints one table, and leaves the strategies, the dealer's logs and a plot of
the convergence in a folder.`,
		Example: `  gamebots demo
  gamebots demo --hands 20000 --folder /tmp/demo`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if hands < 2 {
				return usererr.Usagef("--hands: %d is less than 2", hands)
			}
			return demo(cmd.Context(), cmd.OutOrStdout(), folder, hands)
		},
	}
	cmd.Flags().StringVar(&folder, "folder", "gamebots-demo", "output folder")
	cmd.Flags().Uint32Var(&hands, "hands", 5000, "deals of each match")
	return cmd
}

// demoIterations of CFR+ bring Kuhn and Leduc under a thousandth of an ante.
const demoIterations = 2000

func demo(ctx context.Context, out io.Writer, folder string, hands uint32) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "game\tbot\topponent\thands\tmb a hand (95%)\texploitability\thands/s")
	matches := demoMatches{program: self, folder: folder, hands: hands, table: table}
	var curves []chart.Curve
	for _, name := range []string{"leduc", "kuhn"} {
		g, err := configs.Game(name)
		if err != nil {
			return err
		}
		file := filepath.Join(folder, name+".strategy")
		points, exploitability, err := trainDemo(ctx, g, file)
		if err != nil {
			return err
		}
		curves = append(curves, chart.Curve{Name: name, Points: points})

		equilibrium := matches.bot("cfr+", "--strategy", file, "--seed", "1")
		opponents := matches.plain(name)
		if name == "kuhn" {
			opponents = []arena.Bot{matches.bot("itself", "--strategy", file, "--seed", "2")}
		}
		if err := matches.play(ctx, g, equilibrium, opponents, fmt.Sprintf("%.2f mb", exploitability)); err != nil {
			return err
		}
	}
	for _, name := range configs.Strategies() {
		g, err := configs.Game(name)
		if err != nil {
			return err
		}
		if g.NumPlayers > 2 {
			continue
		}
		if err := matches.play(ctx, g, matches.bot("shipped", "--game", name, "--seed", "1"), matches.plain(name), "-"); err != nil {
			return err
		}
	}
	png := filepath.Join(folder, "convergence.png")
	if err := saveConvergence(curves, png, filepath.Join(folder, "convergence.svg")); err != nil {
		return err
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nstrategies, logs and the plot %s are in %s\n", filepath.Base(png), folder)
	return err
}

// trainDemo trains a game, and returns how it went and where it ended, in mb.
func trainDemo(ctx context.Context, g *acpc.Game, file string) (plotter.XYs, float64, error) {
	log := zerolog.Ctx(ctx)
	layout, err := cfr.Prepare(g, betting.Actions{}, abstraction.Lossless, memory.Available())
	if err != nil {
		return nil, 0, err
	}
	algorithm, err := train.ParseAlgorithm("cfr+")
	if err != nil {
		return nil, 0, err
	}
	trainer := cfr.NewTrainer(layout, algorithm.Vector(), runtime.NumCPU())
	mb := 1000 / float64(g.MaxBlind())
	var points plotter.XYs
	e := cfr.NewEvaluator(layout, 1)
	evaluate := func() cfr.Evaluation { return e.Evaluate(trainer.Weights()) }
	p := train.Run(trainer, evaluate, train.Goal{Iterations: demoIterations}, func(p train.Progress) bool {
		if p.Evaluated == p.Iterations {
			points = append(points, plotter.XY{X: float64(p.Iterations), Y: mb * p.Evaluation.Exploitability()})
		}
		return ctx.Err() == nil
	})
	exploitability := p.Evaluation.Exploitability()
	log.Info().Str("game", g.Name).Uint64("iterations", p.Iterations).Float64("exploitability", exploitability).Msg("trained")
	if err := context.Cause(ctx); err != nil {
		return nil, 0, err
	}
	return points, mb * exploitability, trainer.Save(file, strategy.Meta{Exploitability: &exploitability})
}

// demoMatches plays duplicate matches between processes of this program.
type demoMatches struct {
	program, folder string
	hands           uint32
	table           io.Writer // gets a line for each match
}

// bot returns a bot that plays with some flags.
func (m *demoMatches) bot(name string, flags ...string) arena.Bot {
	return arena.Bot{Name: name, Command: append([]string{m.program, "--log-level", "warn", "play", "acpc"}, flags...)}
}

// plain returns the plain opponents in a game.
func (m *demoMatches) plain(game string) (bots []arena.Bot) {
	for _, kind := range poker.Opponents() {
		bots = append(bots, m.bot(kind, "--bot", kind, "--game", game, "--seed", "3"))
	}
	return bots
}

// play plays a match of a bot against each opponent.
func (m *demoMatches) play(ctx context.Context, g *acpc.Game, a arena.Bot, opponents []arena.Bot, exploitability string) error {
	for _, b := range opponents {
		if err := m.playOne(ctx, &arena.DuplicateMatch{Game: g, Hands: m.hands, Seed: 1, A: a, B: b}, exploitability); err != nil {
			return err
		}
	}
	return nil
}

// playOne plays one match and adds its line to the table.
func (m *demoMatches) playOne(ctx context.Context, d *arena.DuplicateMatch, exploitability string) (err error) {
	log, err := os.Create(filepath.Join(m.folder, fmt.Sprintf("%s-%s.log", d.Game.Name, d.B.Name)))
	if err != nil {
		return err
	}
	defer func() {
		if e := log.Close(); err == nil {
			err = e
		}
	}()
	d.Log = log
	o, err := d.Play(ctx)
	if err != nil {
		return err
	}
	mb, hands := 1000/float64(d.Game.MaxBlind()), 2*o.A.N
	zerolog.Ctx(ctx).Info().Str("game", d.Game.Name).Str("opponent", d.B.Name).Int("hands", hands).Msg("played")
	fmt.Fprintf(m.table, "%s\t%s\t%s\t%d\t%+.0f %s\t%s\t%.0f\n",
		d.Game.Name, d.A.Name, d.B.Name, hands, mb*o.A.Mean(), plusMinus(mb*o.A.Interval95(), 0), exploitability, float64(hands)/o.Time.Seconds())
	return nil
}
