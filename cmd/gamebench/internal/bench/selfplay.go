package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"
)

// selfplayWork is the work of bench selfplay: networks that begin to learn, on boards of
// some sides, and on a GPU games without learning.
type selfplayWork struct {
	config hexnet.Config
	sides  []int
	steps  int // steps that are measured, after one that is not

	onDevice []selfplayGames
	rounds   int // on the device that are measured, after as many that are not
}

// selfplayGames are games that go on together.
type selfplayGames struct {
	config hexnet.Config
	side   int
	games  int
}

var fullSelfplay = selfplayWork{
	config: hexnet.Config{Blocks: 4, Channels: 32}, sides: []int{3, 4, 5}, steps: 20,
	onDevice: []selfplayGames{
		{hexnet.Config{Blocks: 4, Channels: 32}, 4, 8192}, {hexnet.Config{Blocks: 6, Channels: 64}, 6, 8192},
		{hexnet.Config{Blocks: 6, Channels: 64}, 8, 2048}, {hexnet.Config{Blocks: 6, Channels: 64}, 8, 8192},
	},
	rounds: 24,
}

func (w selfplayWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, side := range w.sides {
		t, err := selfplay.New(selfplay.Settings{Config: w.config, Sides: []int{side}, Seed: 1},
			selfplay.Options{Threads: runtime.NumCPU()})
		if err != nil {
			return err
		}
		if _, err := t.Step(); err != nil {
			return err
		}
		start, before := time.Now(), t.Played()
		for range w.steps {
			if _, err := t.Step(); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		row := Row{Case: fmt.Sprintf("%v, side %d", w.config, side), Threads: runtime.NumCPU()}
		if err := played(time.Since(start), before, t.Played(), row, emit); err != nil {
			return err
		}
		row.Metric, row.Value, row.Unit = "steps", float64(w.steps)/time.Since(start).Seconds(), "steps/s"
		emit(row)
	}
	return nil
}

func (w selfplayWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	for _, of := range w.onDevice {
		err := func() error {
			t, err := selfplay.New(selfplay.Settings{Config: of.config, Sides: []int{of.side}, Seed: 1,
				Games: of.games}, selfplay.Options{Threads: runtime.NumCPU(), Device: gpu})
			if err != nil {
				return err
			}
			defer t.Close() // an error would not change the figures
			start, before := time.Now(), t.Played()
			for round := range 2 * w.rounds {
				if round == w.rounds {
					start, before = time.Now(), t.Played()
				}
				if err := t.Play(); err != nil {
					return err
				}
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
			}
			row := Row{Case: fmt.Sprintf("%v, side %d, %d games at once", of.config, of.side, of.games),
				Threads: runtime.NumCPU()}
			return played(time.Since(start), before, t.Played(), row, emit)
		}()
		if err != nil {
			return err
		}
	}
	return nil
}

// played emits what was played in some time.
func played(time time.Duration, before, after selfplay.Played, row Row, emit func(Row)) error {
	for _, figure := range []struct {
		metric string
		count  uint64
	}{
		{"games", after.Games - before.Games}, {"moves", after.Moves - before.Moves},
		{"evaluations", after.Evaluations - before.Evaluations},
	} {
		row.Metric, row.Value, row.Unit = figure.metric, float64(figure.count)/time.Seconds(), figure.metric+"/s"
		emit(row)
	}
	return nil
}
