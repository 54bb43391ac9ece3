package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/bots/submission"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/policy"
)

// strategyWork is the work of bench strategy: to round a strategy to numbers of bits, and to
// play the strategies that come with the program.
type strategyWork struct {
	bits    []int
	trained bucketsWork // a strategy that is trained, then rounded
	hands   uint32      // hands of a match in this process, and of one between processes
}

var fullStrategies = strategyWork{bits: []int{8, 6, 4, 3},
	trained: bucketsWork{cards: []bucketsCards{{[3]int{100, 100, 100}, clustered}}, iterations: 1_000_000}, hands: 3000}

func (w strategyWork) run(ctx context.Context, emit func(Row)) error {
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := w.round(ctx, folder, emit); err != nil {
		return err
	}
	for _, game := range configs.Strategies() {
		if err := w.play(ctx, game, filepath.Join(folder, game), emit); err != nil {
			return err
		}
	}
	return nil
}

// round emits the size and the exploitability of a strategy by the bits of a probability.
func (w strategyWork) round(ctx context.Context, folder string, emit func(Row)) error {
	game, err := oneRaise("holdem-limit-20")
	if err != nil {
		return err
	}
	trained, rounded := filepath.Join(folder, "trained.strategy"), filepath.Join(folder, "rounded.strategy")
	for _, c := range w.trained.cards {
		cards, err := c.open(ctx, game, folder)
		if err != nil {
			return err
		}
		if err := w.trained.train(ctx, policy.GameSpec{Game: game, Cards: cards}, trained); err != nil {
			return err
		}
		name := fmt.Sprintf("%s, %s", game.Name, c.size())
		if err := emitStrategy(ctx, name+", floats", trained, emit); err != nil {
			return err
		}
		for _, bits := range w.bits {
			if err := roundTo(ctx, rounded, trained, bits); err != nil {
				return err
			}
			if err := emitStrategy(ctx, fmt.Sprintf("%s, %d bits", name, bits), rounded, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// roundTo writes a strategy with probabilities of so many bits.
func roundTo(ctx context.Context, to, from string, bits int) error {
	p, err := policy.Open(from, memory.Available(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	return p.SaveRounded(ctx, to, bits, p.Rounds())
}

// emitStrategy emits the exploitability of a strategy, and the size of its file.
func emitStrategy(ctx context.Context, name, file string, emit func(Row)) error {
	r, err := exploitabilityRow(ctx, file)
	if err != nil {
		return err
	}
	r.Case = name
	emit(r)
	return emitSize(name, file, emit)
}

func emitSize(name, file string, emit func(Row)) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	emit(Row{Case: name, Threads: 1, Metric: "file", Value: float64(info.Size()), Unit: "bytes"})
	return nil
}

// play plays the strategy that comes with the program for a game: in this process, for the
// time of a decision alone, and as the bot of a competition, for its start and its memory.
func (w strategyWork) play(ctx context.Context, game, folder string, emit func(Row)) error {
	file, err := configs.Strategy(game)
	if err != nil {
		return err
	}
	if err := emitSize(game, file, emit); err != nil {
		return err
	}
	start := time.Now()
	p, err := policy.Open(file, memory.Available(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Verify(); err != nil {
		return err
	}
	emit(Row{Case: game, Threads: 1, Metric: "open", Value: time.Since(start).Seconds(), Unit: "s"})
	opponent, err := poker.NewOpponent("random", 1)
	if err != nil {
		return err
	}
	g := p.Tree.Game
	if g.NumPlayers == 2 {
		player := poker.NewStrategy(p, poker.Style{}, 1)
		match := arena.InProcessMatch{Game: g, Hands: w.hands, Seed: 1, A: player, B: opponent}
		start = time.Now()
		if _, err := match.Play(ctx); err != nil {
			return err
		}
		each := time.Since(start).Seconds() / float64(player.Counts().Decisions)
		emit(Row{Case: game, Threads: 1, Metric: "decision", Value: each, Unit: "s"})
	}
	entry := submission.Entry{Name: game, Strategy: file, Game: g, Settings: configs.DefaultPoker()}
	if entry.Program, err = cli.Beside(product); err != nil {
		return err
	}
	if err := entry.Write(folder); err != nil {
		return err
	}
	verdict, err := (&submission.Check{Dir: folder, Game: g, Hands: w.hands}).Run(ctx)
	if err != nil {
		return err
	}
	m := &verdict.Measured
	for _, r := range []Row{
		{Metric: "start", Value: m.StartMax, Unit: "s"},
		{Metric: "memory", Value: float64(m.PeakBytes), Unit: "bytes"},
		{Metric: "decision, mean", Value: m.DecisionMean, Unit: "s"},
		{Metric: "decision, 99 of 100", Value: m.DecisionP99, Unit: "s"},
	} {
		r.Case, r.Threads = game+", as a process", 1
		emit(r)
	}
	return nil
}
