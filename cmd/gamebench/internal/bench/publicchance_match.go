package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/train"
)

// publicChanceMatch is a match between trainings by public chance sampling on a GPU and by
// other samplings on the CPU, after the same time for all. They play on boards with
// all hands. The GPU also learns a response to each of them, which plays it.
type publicChanceMatch struct {
	gpu, cpu []mccfr.Method  // the first of the GPU plays all others
	times    []time.Duration // times of training
	boards   int             // to play on
	response int             // boards to learn a response from
}

// publicChancePlayer is a training that takes part in the match.
type publicChancePlayer struct {
	name    string
	learner interface {
		train.Learner
		mccfr.TrainedStrategy
	}
	trained time.Duration
}

// train goes on for at least a step, until the training has taken a time in all.
func (p *publicChancePlayer) train(ctx context.Context, until time.Duration) {
	start, before := time.Now(), p.trained
	for once := true; once || p.trained < until && ctx.Err() == nil; once = false {
		p.learner.Step()
		p.trained = before + time.Since(start)
	}
}

func (m publicChanceMatch) run(ctx context.Context, d *cudalib.Device, game *mccfr.Game, emit func(Row)) (err error) {
	var players []*publicChancePlayer
	var onGPU []*mccfr.PublicChanceGPU
	defer func() {
		for _, g := range onGPU {
			err = errors.Join(err, g.Err(), g.Close())
		}
	}()
	for _, method := range m.gpu {
		g, err := mccfr.NewPublicChanceGPU(d, game, method, 1, runtime.NumCPU())
		if err != nil {
			return err
		}
		onGPU = append(onGPU, g)
		players = append(players, &publicChancePlayer{name: method.String() + " on the GPU", learner: g})
	}
	for _, method := range m.cpu {
		players = append(players, &publicChancePlayer{name: method.String() + " on the CPU",
			learner: mccfr.NewSampler(game, method, 1, runtime.NumCPU())})
	}
	for _, until := range m.times {
		for _, p := range players {
			p.train(ctx, until)
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := m.play(game, onGPU[0], players, emit); err != nil {
			return err
		}
	}
	return nil
}

// play learns a response to each player and plays the matches, on a device.
func (m publicChanceMatch) play(
	game *mccfr.Game, on *mccfr.PublicChanceGPU, players []*publicChancePlayer, emit func(Row),
) error {
	name := fmt.Sprintf("%s, after %v", game.Rules.Name, players[0].trained.Round(time.Second))
	mb := 1000 / float64(game.Rules.MaxBlind())
	play := func(metric string, a, b mccfr.TrainedStrategy) error {
		won, interval, err := on.Play(a, b, m.boards, 3)
		if err != nil {
			return err
		}
		emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: metric, Value: mb * won, Unit: "mb a hand"})
		emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: metric + " ±95%",
			Value: mb * interval, Unit: "mb a hand"})
		return nil
	}
	for i, p := range players {
		response, err := on.RespondTo(p.learner, m.response, 2)
		if err != nil {
			return err
		}
		iterations := float64(p.learner.Iterations())
		emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: p.name, Value: iterations, Unit: "iterations"})
		if err := play("response to "+p.name, response, p.learner); err != nil {
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
