package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"gamebots/cmd/gamebench/internal/published"
	"gamebots/configs"
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

// measured is a figure that a publication has, or the median of some repetitions.
type measured struct {
	value float64
	Repeated
}

// reisFigures are a program's memory and times on a game. Threads is 0 where they
// are not known.
type reisFigures struct {
	program string
	device  string // "" for the CPU of this machine
	source  string // "" for our own programs
	threads int
	kib     measured
	seconds [published.ReisPoints]measured
	// Only of our own programs: the peak memory with the executable's pages, and
	// the average utility by position, in chips a hand.
	resident measured
	utility  []float64
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
		for _, p := range published.Reis() {
			if p.Game != g.name {
				continue
			}
			f := reisFigures{program: p.Name, device: "machine of Reis (2015)", source: "Reis (2015)",
				threads: p.Threads, kib: measured{value: p.KiB}}
			for k, seconds := range p.Seconds {
				f.seconds[k].value = seconds
			}
			if err := g.emit(f, emit); err != nil {
				return err
			}
		}
		programs := []reisFigures{{program: "recursive", threads: 1}}
		for _, threads := range allThreads() {
			programs = append(programs, reisFigures{program: "iterative", threads: threads})
		}
		for _, f := range programs {
			if err := g.measure(ctx, self, &f); err != nil {
				return err
			}
			if err := g.emit(f, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// emit emits a program's figures on the game.
func (g reisGame) emit(f reisFigures, emit func(Row)) error {
	r := Row{Case: g.name, Variant: f.program, Device: f.device, Source: f.source, Threads: f.threads}
	for _, memory := range []struct {
		metric string
		kib    measured
	}{{"memory", f.kib}, {"with executable", f.resident}} {
		if memory.kib.value == 0 {
			continue // not every system reports it
		}
		r.Metric, r.Value, r.Unit, r.Repeated = memory.metric, memory.kib.value, "KiB", memory.kib.Repeated
		emit(r)
	}
	// The first half of the time includes page faults: only the second is speed.
	const half = published.ReisPoints / 2
	whole := f.seconds[published.ReisPoints-1]
	r.Metric, r.Unit, r.Repeated = "later speed", "iterations/s", whole.Repeated
	r.Value = float64(g.step*half) / (whole.value - f.seconds[half-1].value)
	emit(r)
	for position, chips := range f.utility {
		r.Metric, r.Value, r.Unit, r.Repeated = fmt.Sprintf("utility %d", position+1), chips, "chips/hand", Repeated{}
		emit(r)
	}
	r.Case, r.Metric, r.Unit = g.name+", iterations", "time", "s"
	for k, seconds := range f.seconds {
		r.X, r.Value, r.Repeated = float64(g.step*(k+1)), seconds.value, seconds.Repeated
		emit(r)
	}
	return nil
}

// measure sets the figures of a program to the medians of several runs.
func (g reisGame) measure(ctx context.Context, self string, f *reisFigures) error {
	var runs [benchRuns]ReisRun
	for i := range runs {
		command := exec.CommandContext(ctx, self, ReisCommand, g.name, f.program,
			strconv.Itoa(f.threads), strconv.Itoa(g.step))
		command.Stderr = os.Stderr
		out, err := command.Output()
		if err != nil {
			return fmt.Errorf("%s of %s: %w", f.program, g.name, err)
		}
		if err := json.Unmarshal(out, &runs[i]); err != nil {
			return fmt.Errorf("%s of %s: %w", f.program, g.name, err)
		}
	}
	medianOf := func(of func(ReisRun) float64) (m measured) {
		var all []float64
		for _, run := range runs {
			all = append(all, of(run))
		}
		m.value, m.Repeated = median(all)
		return m
	}
	f.utility = runs[0].Utility
	f.kib = medianOf(func(r ReisRun) float64 { return r.KiB })
	f.resident = medianOf(func(r ReisRun) float64 { return r.Resident })
	for k := range f.seconds {
		f.seconds[k] = medianOf(func(r ReisRun) float64 { return r.Seconds[k] })
	}
	return nil
}

// ReisRun is the result of RunReis: the process's memory for data, its peak memory with
// the pages of the executable, and the time after each number of iterations.
type ReisRun struct {
	KiB      float64                       `json:"kib"`
	Resident float64                       `json:"resident"`
	Seconds  [published.ReisPoints]float64 `json:"seconds"`
	Utility  []float64                     `json:"utility"`
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
	debug.FreeOSMemory() // returns what laying the game out took
	var trainer interface {
		Step()
		AverageUtility() []float64
	}
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
	// Training frees nothing.
	run.KiB, run.Resident = processMemory("self", "RssAnon:"), processMemory("self", "VmHWM:")
	run.Utility = trainer.AverageUtility()
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

// processMemory returns the memory of a process under a name of proc(5), in KiB; 0 where the system does not report it.
func processMemory(pid, name string) float64 {
	status, _ := os.ReadFile("/proc/" + pid + "/status")
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == name {
			kib, _ := strconv.ParseFloat(fields[1], 64)
			return kib
		}
	}
	return 0
}
