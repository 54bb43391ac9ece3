package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/reis"
)

// reisPoints is how many numbers of iterations were measured.
const reisPoints = 10

// reisVariant is a game of Reis (2015): the first number of iterations, and what
// was measured with each program.
type reisVariant struct {
	game       string
	iterations int
	programs   []reisProgram
}

// reisProgram is a program's memory and times. Threads is 0 where nobody says.
type reisProgram struct {
	name    string
	threads int
	kib     float64
	seconds [reisPoints]float64
	// Of ours only: the memory with the executable's, and the average utility
	// by position, in chips a hand.
	resident float64
	utility  []float64
}

// benchReis runs the two programs of Reis (2015) as we have them on his games,
// with his numbers of iterations, and prints his figures with ours. Each run is
// a process of its own, so that its memory is all that it takes.
func benchReis(ctx context.Context, emit func(Row) error) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, v := range reisVariants {
		for _, p := range v.programs {
			p.name += " (2015)"
			if err := v.emit(p, emit); err != nil {
				return err
			}
		}
		ours := []reisProgram{{name: "recursive", threads: 1}}
		for _, threads := range allThreads() {
			ours = append(ours, reisProgram{name: "iterative", threads: threads})
		}
		for _, p := range ours {
			if err := v.measure(ctx, self, &p); err != nil {
				return err
			}
			if err := v.emit(p, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// emit prints a program's figures on a variant.
func (v *reisVariant) emit(p reisProgram, emit func(Row) error) error {
	r := Row{Device: p.name, Threads: p.threads}
	for _, memory := range []struct {
		metric string
		kib    float64
	}{{"memory", p.kib}, {"with executable", p.resident}} {
		if memory.kib == 0 {
			continue // not every system tells
		}
		r.Case, r.Metric, r.Value, r.Unit = v.game, memory.metric, memory.kib, "KiB"
		if err := emit(r); err != nil {
			return err
		}
	}
	// Until all of its memory was touched, a program waits for the system.
	half := reisPoints / 2
	r.Case, r.Metric, r.Unit = v.game, "later speed", "iterations/s"
	r.Value = float64(v.iterations*half) / (p.seconds[reisPoints-1] - p.seconds[half-1])
	if err := emit(r); err != nil {
		return err
	}
	for position, chips := range p.utility {
		r.Case, r.Metric, r.Value, r.Unit = v.game, fmt.Sprintf("utility %d", position+1), chips, "chips/hand"
		if err := emit(r); err != nil {
			return err
		}
	}
	r.Case, r.Metric, r.Unit = v.game+", iterations", "time", "s"
	for i, seconds := range p.seconds {
		r.X, r.Value = float64(v.iterations*(i+1)), seconds
		if err := emit(r); err != nil {
			return err
		}
	}
	return nil
}

// measure fills in the medians of several runs of a program.
func (v *reisVariant) measure(ctx context.Context, self string, p *reisProgram) error {
	var runs [benchRuns]reisRun
	for i := range runs {
		command := exec.CommandContext(ctx, self, "bench", ReisCommand, v.game, p.name,
			strconv.Itoa(p.threads), strconv.Itoa(v.iterations))
		command.Stderr = os.Stderr
		out, err := command.Output()
		if err != nil {
			return fmt.Errorf("%s of %s: %w", p.name, v.game, err)
		}
		if err := json.Unmarshal(out, &runs[i]); err != nil {
			return fmt.Errorf("%s of %s: %w", p.name, v.game, err)
		}
	}
	median := func(of func(reisRun) float64) float64 {
		var all []float64
		for _, run := range runs {
			all = append(all, of(run))
		}
		slices.Sort(all)
		return all[benchRuns/2]
	}
	p.utility = runs[0].Utility
	p.kib = median(func(r reisRun) float64 { return r.KiB })
	p.resident = median(func(r reisRun) float64 { return r.Resident })
	for k := range p.seconds {
		p.seconds[k] = median(func(r reisRun) float64 { return r.Seconds[k] })
	}
	return nil
}

// reisRun is what one run measures of itself: its memory, see ownMemory, and the
// time after each number of iterations.
type reisRun struct {
	KiB      float64             `json:"kib"`
	Resident float64             `json:"resident"`
	Seconds  [reisPoints]float64 `json:"seconds"`
	Utility  []float64           `json:"utility"`
}

const ReisCommand = "reis-run"

// RunReis trains a variant and measures it.
func RunReis(name, program string, threads, iterations int) (run reisRun, err error) {
	rules, err := configs.Game(name)
	if err != nil {
		return run, err
	}
	game, err := mccfr.NewGame(rules, betting.Actions{}, abstraction.NewBoardless(rules))
	if err != nil {
		return run, err
	}
	debug.FreeOSMemory() // what was needed to lay the game out
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
		for range iterations {
			trainer.Step()
		}
		run.Seconds[k] = time.Since(start).Seconds()
	}
	run.KiB, run.Resident = ownMemory() // nothing is given back before the end
	run.Utility = trainer.AverageUtility()
	return run, nil
}

// ownMemory returns the memory that this process has for its data, and the most
// that it had in all, with the pages of the executable that it touched; both in
// KiB, and 0 where the system does not tell.
func ownMemory() (data, resident float64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) == 3 {
			kib, _ := strconv.ParseFloat(fields[1], 64)
			switch fields[0] {
			case "RssAnon:":
				data = kib
			case "VmHWM:":
				resident = kib
			}
		}
	}
	return data, resident
}
