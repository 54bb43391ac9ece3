package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/mccfr"
)

// boardsMatch is the match of benchBoardsGPU between public chance sampling on the
// GPU and external sampling on the CPU, after the same time for all. They play on
// boards with all hands, and so does a response to each, which the GPU learns.
var boardsMatch = struct {
	gpu, cpu         []mccfr.Method // the first of the GPU plays against all others
	times            []time.Duration
	boards, response int // to play on, and to learn from
}{
	[]mccfr.Method{{Sampling: mccfr.Public, Batch: 64, Linear: true}, {Sampling: mccfr.Public, Batch: 64}},
	[]mccfr.Method{{Sampling: mccfr.External, Batch: 1000}, {Sampling: mccfr.External, Batch: 1000, Linear: true}},
	[]time.Duration{20 * time.Second}, 4000, 20_000,
}

// boardsPlayer is what plays the match: a training that goes on between times.
type boardsPlayer struct {
	name    string
	learner interface {
		cfr.Learner
		mccfr.TrainedStrategy
	}
	trained time.Duration
}

// train goes on, a step at least, until the training has taken so long in all.
func (p *boardsPlayer) train(ctx context.Context, until time.Duration) {
	start, before := time.Now(), p.trained
	for once := true; once || p.trained < until && ctx.Err() == nil; once = false {
		p.learner.Step()
		p.trained = before + time.Since(start)
	}
}

func benchBoardsMatch(ctx context.Context, d *cudalib.Device, game *mccfr.Game, emit func(Row) error) (err error) {
	var players []*boardsPlayer
	var onGPU []*mccfr.PublicChanceGPU
	defer func() {
		for _, g := range onGPU {
			err = errors.Join(err, g.Err(), g.Close())
		}
	}()
	for _, m := range boardsMatch.gpu {
		g, err := mccfr.NewPublicChanceGPU(d, game, m, 1, runtime.NumCPU())
		if err != nil {
			return err
		}
		onGPU = append(onGPU, g)
		players = append(players, &boardsPlayer{name: m.String() + " on the GPU", learner: g})
	}
	for _, m := range boardsMatch.cpu {
		players = append(players, &boardsPlayer{name: m.String() + " on the CPU", learner: mccfr.NewSampler(game, m, 1, runtime.NumCPU())})
	}
	for _, until := range boardsMatch.times {
		for _, p := range players {
			p.train(ctx, until)
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := playBoards(game, onGPU[0], players, emit); err != nil {
			return err
		}
	}
	return nil
}

// playBoards plays the matches on a device, and learns a response to each player.
func playBoards(game *mccfr.Game, on *mccfr.PublicChanceGPU, players []*boardsPlayer, emit func(Row) error) error {
	name := fmt.Sprintf("%s, after %v", game.Rules.Name, players[0].trained.Round(time.Second))
	mb := 1000 / float64(game.Rules.MaxBlind())
	play := func(metric string, a, b mccfr.TrainedStrategy) error {
		won, interval, err := on.Play(a, b, boardsMatch.boards, 3)
		return errors.Join(err,
			emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: metric, Value: mb * won, Unit: "mb a hand"}),
			emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: metric + " ±95%", Value: mb * interval, Unit: "mb a hand"}))
	}
	for i, p := range players {
		response, err := on.RespondTo(p.learner, boardsMatch.response, 2)
		if err != nil {
			return err
		}
		err = emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: p.name, Value: float64(p.learner.Iterations()), Unit: "iterations"})
		if err := errors.Join(err, play("response to "+p.name, response, p.learner)); err != nil {
			return err
		}
		if i > 0 {
			if err := play("won by the first from "+p.name, players[0].learner, p.learner); err != nil {
				return err
			}
		}
	}
	return nil
}
