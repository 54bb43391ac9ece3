package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
)

// boardsWork is what benchBoards and its loop for GPUs measure: public chance
// sampling in batches, for at least some time each.
var boardsWork = struct {
	game, cards string
	cpu, gpu    []int // sizes of batches
	time        time.Duration
}{quickGame, "quick", []int{16}, []int{16, 64, 256, 1024}, 2 * time.Second}

// boardsGame lays the game of boardsWork out.
func boardsGame() (*mccfr.Game, error) {
	rules, err := configs.Game(boardsWork.game)
	if err != nil {
		return nil, err
	}
	terms := cfr.Terms{Game: rules, Cards: boardsWork.cards}
	index, err := terms.OpenIndex(memory.Available(), func(float64) {})
	if err != nil {
		return nil, err
	}
	return mccfr.NewGame(rules, betting.Actions{}, index.Buckets)
}

// benchBoards measures public chance sampling in batches.
func benchBoards(ctx context.Context, emit func(Row) error) error {
	game, err := boardsGame()
	if err != nil {
		return err
	}
	for _, batch := range boardsWork.cpu {
		m := mccfr.Method{Sampling: mccfr.Public, Batch: batch}
		if err := timeBoards(ctx, game, m, mccfr.NewSampler(game, m, 1, runtime.NumCPU()), emit); err != nil {
			return err
		}
	}
	return nil
}

func benchBoardsGPU(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	game, err := boardsGame()
	if err != nil {
		return err
	}
	for _, batch := range boardsWork.gpu {
		m := mccfr.Method{Sampling: mccfr.Public, Batch: batch}
		t, err := mccfr.NewPublicChanceGPU(d, game, m, 1, runtime.NumCPU())
		if err != nil {
			return err
		}
		err = timeBoards(ctx, game, m, t, emit)
		if err == nil {
			err = emit(Row{Case: boardsCase(game, m), Threads: runtime.NumCPU(), Metric: "memory", Value: float64(t.Bytes()) / (1 << 20), Unit: "MiB"})
		}
		if err := errors.Join(err, t.Err(), t.Close()); err != nil {
			return err
		}
	}
	return benchBoardsMatch(ctx, d, game, emit)
}

func boardsCase(game *mccfr.Game, m mccfr.Method) string {
	return fmt.Sprintf("%s, %s cards, %s", game.Rules.Name, game.Buckets.Name(), m)
}

// timeBoards measures boards a second, for both players, after a first batch.
func timeBoards(ctx context.Context, game *mccfr.Game, m mccfr.Method, t cfr.Learner, emit func(Row) error) error {
	t.Step()
	first, start := t.Iterations(), time.Now()
	for t.Iterations() == first || time.Since(start) < boardsWork.time && ctx.Err() == nil {
		before := t.Iterations()
		if t.Step(); t.Iterations() == before {
			break // a device that failed
		}
	}
	speed := float64(t.Iterations()-first) / time.Since(start).Seconds()
	return errors.Join(context.Cause(ctx),
		emit(Row{Case: boardsCase(game, m), Threads: runtime.NumCPU(), Metric: "speed", Value: speed, Unit: "boards/s"}))
}
