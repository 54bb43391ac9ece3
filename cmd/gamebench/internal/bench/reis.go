package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
)

// reisWork is the work of bench reis.
type reisWork struct {
	games []reisGame
	// On a GPU, training by batches of deals is measured too.
	batches []int         // sizes
	time    time.Duration // time of training for one figure
	deals   uint64        // to ask for at a time
}

// reisGame is a variant of Reis (2015) and the number of iterations between two
// times.
type reisGame struct {
	name string
	step int
}

// fullReis has the games and the numbers of iterations of Reis (2015).
var fullReis = reisWork{
	games:   []reisGame{{"reis-a", 1000}, {"reis-b", 1000}, {"reis-c", 10}, {"reis-d", 10}},
	batches: []int{1, 16, 256, 4096},
	time:    400 * time.Millisecond,
	deals:   1 << 20,
}

// onCPU runs the two programs of Reis (2015) for the CPU, and emits the published
// figures beside theirs. Each run is a process of its own, whose memory is that of
// the program alone.
func (w reisWork) onCPU(ctx context.Context, emit func(Row)) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, g := range w.games {
		for _, p := range reisPrograms() {
			if p.Game == g.name {
				reisGame{g.name, p.Step}.emit(from("Reis (2015)", emit), Row{Variant: p.Name,
					Device: "machine of Reis (2015)", Threads: p.Threads}, ReisRun{KiB: p.KiB, Seconds: p.Seconds})
			}
		}
		if err := g.measure(ctx, self, "recursive", 1, emit); err != nil {
			return err
		}
		for _, threads := range allThreads() {
			if err := g.measure(ctx, self, "iterative", threads, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// emit emits the figures of runs of a program on the game.
func (g reisGame) emit(emit func(Row), r Row, runs ...ReisRun) {
	r.Case = g.name
	medianOf := func(metric, unit string, of func(ReisRun) float64) {
		var all []float64
		for _, run := range runs {
			all = append(all, of(run))
		}
		middle, repeated := median(all)
		if r.Repeated = repeated; middle > 0 { // not every system reports memory
			emitAll(emit, r, figure{metric, middle, unit})
		}
	}
	const half = reisPoints / 2
	medianOf("peak memory", "KiB", func(run ReisRun) float64 { return run.KiB })
	// The first half of the time includes page faults: only the second is speed.
	medianOf("later speed", "iterations/s", func(run ReisRun) float64 {
		return float64(g.step*half) / (run.Seconds[reisPoints-1] - run.Seconds[half-1])
	})
}

// measure emits the figures of several runs of a program.
func (g reisGame) measure(ctx context.Context, self, program string, threads int, emit func(Row)) error {
	var runs [benchRuns]ReisRun
	for i := range runs {
		command := exec.CommandContext(ctx, self, ReisCommand, g.name, program, strconv.Itoa(threads),
			strconv.Itoa(g.step))
		command.Stderr = os.Stderr
		out, err := command.Output()
		if err == nil {
			err = json.Unmarshal(out, &runs[i])
		}
		if err != nil {
			return fmt.Errorf("%s of %s: %w", program, g.name, err)
		}
	}
	g.emit(emit, Row{Variant: program, Threads: threads}, runs[:]...)
	return nil
}

// ReisRun is the result of RunReis: the process's peak memory, and the time after each number of
// iterations.
type ReisRun struct {
	KiB     float64             `json:"kib"`
	Seconds [reisPoints]float64 `json:"seconds"`
}

// ReisCommand is the command of gamebench that prints the result of RunReis as JSON.
// Bench reis starts it for each of its runs.
const ReisCommand = "reis-run"

// RunReis trains a game by the program "recursive" or "iterative", and measures it.
// Step is the number of iterations between two times.
func RunReis(name, program string, threads, step int) (run ReisRun, err error) {
	game, err := boardlessGame(name)
	if err != nil {
		return run, err
	}
	var trainer interface{ Step() }
	switch program {
	case "recursive":
		trainer = reis.NewDepthFirst(game, 1)
	case "iterative":
		trainer = reis.NewLevelOrder(game, 1, threads)
	default:
		return run, usererr.Usagef("there is no program %q", program)
	}
	start := time.Now()
	for k := range run.Seconds {
		for range step {
			trainer.Step()
		}
		run.Seconds[k] = time.Since(start).Seconds()
	}
	run.KiB = float64(memory.Peak(os.Getpid())) / 1024
	return run, nil
}

// boardlessGame lays out a game that comes with the program, with the card abstraction of
// Reis (2015).
func boardlessGame(name string) (*mccfr.Game, error) {
	rules, err := configs.Game(name)
	if err != nil {
		return nil, err
	}
	return mccfr.NewGame(rules, betting.Actions{}, abstraction.NewBoardless(rules))
}
