package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/cudalib/probe"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/morpion"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// seedGains are how many times faster than one core of a Ryzen 9 3900X a GTX
// 3080 was in dimensions 8 to 10 (table 6), by level.
var seedGains = map[int][3]float64{1: {380, 387, 382}, 2: {471, 498, 521}}

// seedKnown are the longest snakes that were known in 2022, from dimension 8 on,
// and the kilobytes that 128 playouts took of the 100 of a multiprocessor
// (table 5).
var (
	seedKnown     = []int{98, 190, 370, 707, 1302}
	seedKilobytes = []float64{10, 20, 39, 76, 145}
)

// fixedCore is the moves a second that one core is counted for, so that gains of
// GPUs can be compared whatever core is beside them.
const fixedCore = 2.5e7

// benchSnake measures the CPU, beside the tables of the paper.
func benchSnake(ctx context.Context, emit func(Row) error) error {
	if err := errors.Join(benchWarpLoss(emit), benchCores(emit)); err != nil {
		return err
	}
	for d := 8; d <= 11; d++ {
		if err := benchSnakeLengths(d, emit); err != nil {
			return err
		}
		for level := 1; level <= 2; level++ {
			speed, err := snakeSpeed(ctx, d, level)
			if err != nil {
				return err
			}
			if err := emit(Row{Case: fmt.Sprintf("nmcs of level %d, dimension %d", level, d), Threads: 1, Metric: "moves of playouts", Value: speed, Unit: "1/s"}); err != nil {
				return err
			}
		}
	}
	for _, c := range []struct{ dimension, width int }{{7, 20_000}, {8, 20_000}, {8, 200_000}} {
		s := snake.Settings{Rules: cube.Rules{Dimension: c.dimension}, Algorithm: snake.BeamSearch, Width: c.width}
		start := time.Now()
		found, work, err := snake.Beam(ctx, s, 1, nil)
		if err := errors.Join(err, context.Cause(ctx), emitBeam(s, "", 1, found, work, time.Since(start), emit)); err != nil {
			return err
		}
	}
	return nil
}

// benchSnakeLengths emits what the lengths of random snakes would cost a warp
// that waits for the longest of its 32.
func benchSnakeLengths(d int, emit func(Row) error) error {
	const playouts = 32 * 300
	r := cube.Rules{Dimension: d}
	lengths := make([]float64, playouts)
	b := cube.New(r)
	var played []nmcs.Move
	for i := range lengths {
		b.CopyFrom(cube.New(r))
		stream := nmcs.RunKey(1, uint64(i)).Stream(0)
		played = b.Playout(&stream, played[:0])
		lengths[i] = float64(len(played))
	}
	return emit(Row{Case: "table 1: snakes, dimension", X: float64(d), Metric: "warp loss", Value: warpLoss(lengths), Unit: "times"})
}

// snakeSpeed returns the moves of playouts that one core makes in a second.
func snakeSpeed(ctx context.Context, d, level int) (float64, error) {
	r := cube.Rules{Dimension: d}
	search := nmcs.NewSearch(func() *cube.Board { return cube.New(r) }, level, 1, nmcs.Uniform)
	var speeds []float64
	for run := uint64(0); len(speeds) < benchRuns; {
		before, start := search.Work.Steps, time.Now()
		// Long enough to be timed, and no longer than it takes.
		limited, stop := context.WithTimeout(ctx, time.Second/4)
		for limited.Err() == nil {
			search.Run(limited, cube.New(r), level, nmcs.RunKey(1, run))
			run++
		}
		stop()
		speeds = append(speeds, float64(search.Work.Steps-before)/time.Since(start).Seconds())
		if err := context.Cause(ctx); err != nil {
			return 0, err
		}
	}
	return median(speeds), nil
}

func emitBeam(s snake.Settings, device string, threads int, found cube.Sequence, work nmcs.Work, t time.Duration, emit func(Row) error) error {
	name := fmt.Sprintf("beam of %d, dimension %d", s.Width, s.Rules.Dimension)
	return errors.Join(cube.Check(s.Rules, found),
		emit(Row{Case: name, Device: device, Threads: threads, Metric: "best", Value: float64(len(found)), Unit: "edges"}),
		emit(Row{Case: name, Device: device, Threads: threads, Metric: "time", Value: t.Seconds(), Unit: "s"}),
		emit(Row{Case: name, Device: device, Threads: threads, Metric: "paths rated", Value: float64(work.Steps) / t.Seconds(), Unit: "1/s"}))
}

// snakeOnGPU is what is measured on a GPU; less is enough for tests.
var snakeOnGPU = struct {
	dimensions, levels []int
	beams              []struct{ dimension, width int }
	rounds             int // of a search that are timed
}{
	[]int{8, 9, 10, 11},
	[]int{1, 2},
	[]struct{ dimension, width int }{{8, 200_000}, {8, 10_000_000}, {9, 5_000_000}, {10, 2_000_000}, {11, 200_000}},
	4000,
}

// benchSnakeGPU measures a GPU, beside the tables of the paper.
func benchSnakeGPU(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	cores, err := probe.NewCores(d)
	if err != nil {
		return err
	}
	sharedNs, err := benchCoresGPU(ctx, cores, emit)
	if err := errors.Join(err, cores.Close()); err != nil {
		return err
	}
	if err := errors.Join(benchSnakeRoom(d, emit), benchSnakeModel(cores.Number(), sharedNs, emit)); err != nil {
		return err
	}
	for _, dimension := range snakeOnGPU.dimensions {
		for _, level := range snakeOnGPU.levels {
			if err := benchSnakeGain(ctx, d, dimension, level, emit); err != nil {
				return err
			}
		}
	}
	for _, c := range snakeOnGPU.beams {
		s := snake.Settings{Rules: cube.Rules{Dimension: c.dimension}, Algorithm: snake.BeamSearch, Width: c.width}
		start := time.Now()
		found, work, err := snake.DeviceBeam(ctx, d, s, nil)
		if err := errors.Join(err, context.Cause(ctx), emitBeam(s, d.String(), 0, found, work, time.Since(start), emit)); err != nil {
			return err
		}
	}
	return nil
}

// benchSnakeRoom emits how much of the shared memory 128 playouts take (table 5),
// with their moves there too, as in the paper, and as they are here.
func benchSnakeRoom(d *cudalib.Device, emit func(Row) error) error {
	for i, known := range seedKnown {
		dimension := 8 + i
		set := 1 << dimension / 8
		both := float64(128*(set+(known+1)/2)) / 1024
		room := float64(d.Info().SharedPerBlock) / 1024
		for _, r := range []Row{
			{Case: "set and moves of 128 playouts, dimension", Device: seedGPU, Value: seedKilobytes[i]},
			{Case: "set and moves of 128 playouts, dimension", Value: 100 * both / room},
			{Case: "set of 128 playouts, dimension", Value: 100 * float64(128*set) / 1024 / room},
		} {
			r.Case, r.X, r.Metric, r.Unit = "table 5: "+r.Case, float64(dimension), "shared memory", "%"
			if err := emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchSnakeModel emits the gain over one core that the paper's model predicts:
// cores, by how much longer one waits for shared memory than a CPU for its first
// cache, and the loss of warps.
func benchSnakeModel(cores int, sharedNs float64, emit func(Row) error) error {
	cpuNs, err := chaseCPU(1, true)
	if err != nil {
		return err
	}
	const loss = 1.3
	model := func(device string, cores int, gpu, cpu float64) error {
		return emit(Row{Case: "model: cores / latency ratio / 1.3", Device: device, Metric: "gain", Value: float64(cores) / (gpu / cpu) / loss, Unit: "times"})
	}
	return errors.Join(model(seedGPU, seedCores, 25, 1.54), model("", cores, sharedNs, cpuNs))
}

// benchSnakeGain emits the moves of playouts that a GPU makes in a second, a
// thread a search and a warp a search, and how many times those of one core that
// is (table 6).
func benchSnakeGain(ctx context.Context, d *cudalib.Device, dimension, level int, emit func(Row) error) error {
	core, err := snakeSpeed(ctx, dimension, level)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("table 6: level %d, dimension %d", level, dimension)
	if dimension <= 10 {
		if err := emit(Row{Case: name, Device: seedGPU, Metric: "gain", Value: seedGains[level][dimension-8], Unit: "times a core"}); err != nil {
			return err
		}
	}
	for _, way := range []struct {
		name   string
		leaf   int
		layout snake.DeviceLayout
	}{{"a thread a search", 1, snake.DeviceLayout{}}, {"a warp a search", 32, snake.DeviceLayout{ByWarps: true}}} {
		s := snake.Settings{Rules: cube.Rules{Dimension: dimension}, Algorithm: snake.NMCS, Level: level, Leaf: way.leaf}
		speed, err := deviceSnakeSpeed(ctx, d, s, way.layout)
		if err != nil {
			return err
		}
		for _, r := range []Row{
			{Metric: "moves of playouts", Value: speed, Unit: "1/s"},
			{Metric: "gain", Value: speed / core, Unit: "times a core"},
			{Metric: "gain", Value: speed / fixedCore, Unit: "times 2.5e7/s"},
		} {
			r.Case = name + ", " + way.name
			if err := emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// deviceSnakeSpeed returns the moves of playouts that a GPU makes in a second,
// with all its threads at work.
func deviceSnakeSpeed(ctx context.Context, d *cudalib.Device, s snake.Settings, l snake.DeviceLayout) (float64, error) {
	runs, err := snake.NewDeviceRuns(d, s, l)
	if err != nil {
		return 0, err
	}
	// A launch takes some hundredths of a second, and its threads do not run out
	// of runs.
	const runsAThread, times = 10, 3
	roundsToTime := snakeOnGPU.rounds
	roundsToStart := roundsToTime / 13
	var speeds []float64
	for len(speeds) < times && err == nil {
		var before, after nmcs.Work
		if err = runs.Begin(runsAThread); err != nil {
			break
		}
		if before, err = runs.RunRounds(roundsToStart); err != nil {
			break
		}
		start := time.Now()
		after, err = runs.RunRounds(roundsToTime)
		speeds = append(speeds, float64(after.Steps-before.Steps)/time.Since(start).Seconds())
		err = errors.Join(err, context.Cause(ctx))
	}
	if err := errors.Join(err, runs.Close()); err != nil {
		return 0, err
	}
	return median(speeds), nil
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// signNMCS searches snakes in every way, and Morpion Solitaire.
func signNMCS(ctx context.Context) (uint64, error) {
	h := fnv.New64a()
	add := func(moves ...nmcs.Move) error { return binary.Write(h, binary.LittleEndian, moves) }
	for _, s := range []snake.Settings{
		{Rules: cube.Rules{Dimension: 7}, Algorithm: snake.NMCS, Level: 2, Leaf: 1},
		{Rules: cube.Rules{Dimension: 9}, Algorithm: snake.NMCS, Level: 1, Leaf: 3, Policy: nmcs.FavourForced},
		{Rules: cube.Rules{Dimension: 6, Coil: true}, Algorithm: snake.NMCS, Level: 2, Leaf: 1},
		{Rules: cube.Rules{Dimension: 6}, Algorithm: snake.NRPA, Level: 2, Iterations: 20},
	} {
		var t nmcs.Tally
		if err := snake.Run(ctx, &t, s, 4, runtime.NumCPU(), nil); err != nil {
			return 0, err
		}
		if err := add(append(t.Best.Moves, nmcs.Move(t.Work.Steps))...); err != nil {
			return 0, err
		}
	}
	beam := snake.Settings{Rules: cube.Rules{Dimension: 7}, Algorithm: snake.BeamSearch, Width: 500}
	found, _, err := snake.Beam(ctx, beam, runtime.NumCPU(), nil)
	if err != nil {
		return 0, err
	}
	if _, err := h.Write(found); err != nil {
		return 0, err
	}
	line, _ := nmcs.NewSearch(morpion.New, 1, 1, nmcs.Uniform).Run(ctx, morpion.New(), 1, nmcs.RunKey(1, 1))
	return h.Sum64(), add(line.Moves...)
}
