package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// snakeWork is the work of bench snake.
type snakeWork struct {
	dimensions, levels []int
	rounds             int // rounds of a search on a GPU that are timed
}

var fullSnake = snakeWork{
	dimensions: []int{8, 9, 10, 11}, levels: []int{1, 2}, rounds: 4000,
}

// onCPU measures nested Monte-Carlo search on the CPU.
func (w snakeWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, d := range w.dimensions {
		for _, level := range w.levels {
			speed, repeated, err := snakeSpeed(ctx, d, level)
			if err != nil {
				return err
			}
			emitAll(emit, Row{Case: fmt.Sprintf("nmcs of level %d, dimension %d", level, d), Threads: 1,
				Repeated: repeated}, figure{"moves of playouts", speed, "1/s"})
		}
	}
	return nil
}

// snakeSpeed returns the moves of playouts per second of one core.
func snakeSpeed(ctx context.Context, d, level int) (float64, Repeated, error) {
	search := nmcs.NewSearch(func() *cube.Board { return cube.New(d) }, level, 1)
	var speeds []float64
	for run := uint64(0); len(speeds) < benchRuns; {
		before, start := search.Work.Steps, time.Now()
		// Long enough to be timed.
		limited, stop := context.WithTimeout(ctx, time.Second/4)
		for limited.Err() == nil {
			search.Run(limited, cube.New(d), level, nmcs.RunKey(1, run))
			run++
		}
		stop()
		speeds = append(speeds, float64(search.Work.Steps-before)/time.Since(start).Seconds())
		if err := context.Cause(ctx); err != nil {
			return 0, Repeated{}, err
		}
	}
	speed, repeated := median(speeds)
	return speed, repeated, nil
}

// onGPU measures it on a GPU, beside table 6 of Buzer and Cazenave (2022).
func (w snakeWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	for _, dimension := range w.dimensions {
		for _, level := range w.levels {
			if err := w.benchSnakeGain(ctx, d, dimension, level, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchSnakeGain emits the moves of playouts per second of a GPU, with a search per thread and
// with a search per warp, beside the gain over one core that the paper has (table 6).
func (w snakeWork) benchSnakeGain(ctx context.Context, d *cudalib.Device, dimension, level int, emit func(Row)) error {
	name := fmt.Sprintf("table 6: level %d, dimension %d", level, dimension)
	if gain, ok := buzerGain(level, dimension); ok {
		emitAll(from("Buzer and Cazenave (2022)", emit), Row{Case: name, Device: "GTX 3080 (2022)"},
			figure{"gain", gain, "times a core"})
	}
	for _, way := range []struct {
		name   string
		leaf   int
		layout snake.DeviceLayout
	}{{"a thread a search", 1, snake.DeviceLayout{}}, {"a warp a search", 32, snake.DeviceLayout{ByWarps: true}}} {
		s := snake.Settings{Dimension: dimension, Algorithm: snake.NMCS,
			Level: level, Leaf: way.leaf}
		speed, repeated, err := w.deviceSnakeSpeed(ctx, d, s, way.layout)
		if err != nil {
			return err
		}
		emitAll(emit, Row{Case: name + ", " + way.name, Repeated: repeated}, figure{"moves of playouts", speed, "1/s"})
	}
	return nil
}

// deviceSnakeSpeed returns the moves of playouts per second of a GPU with all its threads at
// work.
func (w snakeWork) deviceSnakeSpeed(
	ctx context.Context, d *cudalib.Device, s snake.Settings, l snake.DeviceLayout,
) (float64, Repeated, error) {
	runs, err := snake.NewDeviceRuns(d, s, l)
	if err != nil {
		return 0, Repeated{}, err
	}
	// A launch takes some hundredths of a second, and its threads do not run out of runs.
	const runsPerThread, times = 10, 3
	roundsToStart := w.rounds / 13
	var speeds []float64
	for len(speeds) < times && err == nil {
		var before, after nmcs.Work
		if err = runs.Begin(runsPerThread); err != nil {
			break
		}
		if before, err = runs.RunRounds(roundsToStart); err != nil {
			break
		}
		start := time.Now()
		after, err = runs.RunRounds(w.rounds)
		speeds = append(speeds, float64(after.Steps-before.Steps)/time.Since(start).Seconds())
		err = errors.Join(err, context.Cause(ctx))
	}
	if err := errors.Join(err, runs.Close()); err != nil {
		return 0, Repeated{}, err
	}
	speed, repeated := median(speeds)
	return speed, repeated, nil
}

// signNMCS signs nested and adaptive searches for snakes.
func signNMCS(ctx context.Context, method methods) error {
	for name, s := range map[string]snake.Settings{
		"nmcs": {Dimension: 7, Algorithm: snake.NMCS, Level: 2, Leaf: 1},
		"nrpa": {Dimension: 6, Algorithm: snake.NRPA, Level: 2, Iterations: 20},
	} {
		var t nmcs.Tally
		if err := snake.Run(ctx, &t, s, 4, runtime.NumCPU(), nil); err != nil {
			return err
		}
		signed := append(t.Best.Moves, nmcs.Move(t.Work.Steps))
		sign(method(name), signed)
	}
	return nil
}
