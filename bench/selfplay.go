package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"
)

// selfplayWork is the work of bench selfplay: networks that begin to learn, on boards of
// some sides.
type selfplayWork struct {
	config hexnet.Config
	sides  []int
	steps  int // that are measured, after one that is not
}

var fullSelfplay = selfplayWork{config: hexnet.Config{Blocks: 4, Channels: 32}, sides: []int{3, 4, 5}, steps: 20}

func (w selfplayWork) run(ctx context.Context, emit func(Row) error) error {
	for _, side := range w.sides {
		t, err := selfplay.New(selfplay.Settings{Config: w.config, Sides: []int{side}, Seed: 1}, selfplay.Options{Threads: runtime.NumCPU()})
		if err != nil {
			return err
		}
		if _, err := t.Step(); err != nil {
			return err
		}
		start, games := time.Now(), t.Games()
		for range w.steps {
			if _, err := t.Step(); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		seconds := time.Since(start).Seconds()
		row := Row{Case: fmt.Sprintf("%v, side %d", w.config, side), Device: CPUModel(), Threads: runtime.NumCPU()}
		for _, figure := range []struct {
			metric string
			count  float64
		}{{"games", float64(t.Games() - games)}, {"steps", float64(w.steps)}} {
			row.Metric, row.Value, row.Unit = figure.metric, figure.count/seconds, figure.metric+"/s"
			if err := emit(row); err != nil {
				return err
			}
		}
	}
	return nil
}
