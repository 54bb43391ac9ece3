package bench

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/usererr"
)

// Bench measures one part of the program. It emits a row for each figure, of
// which the fields Bench and Device are filled in by Run.
type Bench struct {
	Name, About string
	// Curves reports whether there are rows of which X is set, for Plot.
	Curves bool
	run    func(ctx context.Context, emit func(Row) error) error
}

// benches are what can be measured, by name.
var benches = []Bench{
	{"aivat", "how many hands fewer tell as much, when luck is taken out of a match", false, benchAIVAT},
	{"algorithms", "convergence of every way to train, on small games", false, fullAlgorithms.run},
	{"arena", "hands of tournaments in process, with their results stored", false, benchArena},
	{"batches", "convergence of training by batches of deals, on small games", true, fullBatches.run},
	{"boards", "hold'em by public chance sampling in batches, on CPUs and on a GPU", false, fullPublicChance.onCPU},
	{"cfr", "training: the programs of Reis (2015) beside his figures, then in vector form", false, benchCFR},
	{"cfr-vector", "training of all cards at once, on CPUs and on a GPU beside its floor", false, fullVector.onCPU},
	{"copy", "bandwidth of memory, and launches of a GPU", false, benchCopy},
	{"dealer", "hands of the dealer in process, actions of a match between processes", false, benchDealer},
	{"grid", "jobs that wait, on workers in network namespaces", true, benchGrid},
	{"hand", "time to rank a hand of the full deck", false, benchHand},
	{"havannah", "random games, and rating moves by them, beside the program of 2012", true, fullHavannah.onCPU},
	{"hexproto", "a server with 5,000 connections and 1,000 games, a move a second in each", false, benchHexproto},
	{"nash", "all equilibria of random games, beside the programs of Nguyen (2015)", true, benchNash},
	{"nim", "first moves of Nim in six ways, beside Fiorella's figures, and whole boards solved", true, fullNim.onCPU},
	{"player", "the player of Havannah: speed of its search, and what each part of it is worth", false, fullPlayer.onCPU},
	{"quick", "hold'em with quick cards: training, and matches with plain opponents", false, benchEHS},
	{"reis", "the part of bench cfr about the programs of Reis (2015), and their kind on a GPU", false, fullReis.onCPU},
	{"sampling", "speed of sampled training", false, benchSampling},
	{"snake", "snakes in the box, beside the tables of Buzer and Cazenave (2023)", true, fullSnake.onCPU},
	{"sum", "adding up floats in a fixed order", false, fullSum.onCPU},
}

// signatures are fixed amounts of work of every solver and of the rules below
// them. The number that each returns depends on every result of that work and
// on nothing else: not on the machine, and not on the number of threads.
var signatures = []struct {
	name string
	run  func(context.Context) (uint64, error)
}{
	{"cfr", signCFR},
	{"dealer", signDealer},
	{"deals", signDeals},
	{"hand", signHand},
	{"havannah", signHavannah},
	{"mccfr", signSampling},
	{"mcts", signSearch},
	{"nash", signNash},
	{"nim", signNim},
	{"nmcs", signNMCS},
}

// Row is one figure that a bench measured. Where X is set, rows of the same
// case, device and threads are points of a curve, and the case ends with what X
// counts. Threads is 0 where X counts them, or nobody did.
type Row struct {
	Bench   string  `json:"bench"`
	Case    string  `json:"case"`
	Variant string  `json:"variant,omitempty"` // of what is measured, each with a curve of its own
	X       float64 `json:"x,omitempty"`
	Device  string  `json:"device"`
	Threads int     `json:"threads"`
	Metric  string  `json:"metric"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
}

// All returns the benches in the order of their names.
func All() []Bench { return slices.Clone(benches) }

// Named returns the bench of a name.
func Named(name string) (Bench, error) {
	for _, b := range benches {
		if b.Name == name {
			return b, nil
		}
	}
	return Bench{}, usererr.WithHint(usererr.Usagef("unknown bench %q", name), "gamebots bench lists them")
}

// Run measures on the CPU and then on a GPU, where the bench has a loop for one;
// device picks one of the two.
func (b Bench) Run(ctx context.Context, device cudalib.Choice, emit func(Row) error) error {
	cpu := CPUModel()
	named := func(r Row) error {
		r.Bench, r.Device = b.Name, cmp.Or(r.Device, cpu)
		return emit(r)
	}
	if !device.GPU() {
		if err := b.run(ctx, named); err != nil {
			return err
		}
	}
	return benchOnGPU(ctx, b.Name, device, named)
}

// String returns the row as a line for people.
func (r Row) String() string {
	name := strings.TrimPrefix(r.Variant+": "+r.Case, ": ")
	if r.X != 0 {
		name = fmt.Sprint(name, " ", r.X)
	}
	of := ""
	if r.Threads > 0 { // none are counted on a GPU
		of = threads(r.Threads)
	}
	return fmt.Sprintf("%-8s %-40s %-10s  %-16s %12.5g %-13s %s",
		r.Bench, name, of, r.Metric, r.Value, r.Unit, r.Device)
}

func threads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprint(n, " threads")
}

// Sign does the fixed work of every solver and calls back with its number.
func Sign(ctx context.Context, emit func(name string, result uint64) error) error {
	for _, s := range signatures {
		n, err := s.run(ctx)
		if err != nil {
			return fmt.Errorf("signature %s: %w", s.name, err)
		}
		if err := emit(s.name, n); err != nil {
			return err
		}
	}
	return nil
}

// benchRuns is how often work is timed; one run in five may be disturbed
// without a change of the median.
const benchRuns = 5

// medianTime times work several times, after one time that is not counted.
func medianTime(work func() error) (time.Duration, error) {
	var times [benchRuns]time.Duration
	if err := work(); err != nil {
		return 0, err
	}
	for i := range times {
		start := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		times[i] = time.Since(start)
	}
	slices.Sort(times[:])
	return times[benchRuns/2], nil
}

// CPUModel names the processor, or its architecture where the system does not
// tell.
func CPUModel() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(info)) {
			key, value, _ := strings.Cut(line, ":")
			if strings.TrimSpace(key) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}
