package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"gamebots/cudalib"

	"github.com/spf13/cobra"
)

// benches are what can be measured. Each calls emit with a row for each
// figure, of which the fields Bench and Device are filled in for it.
var benches = []struct {
	name, about string
	run         func(ctx context.Context, emit func(row) error) error
}{
	{"aivat", "how many hands fewer tell as much, when luck is taken out of a match", benchAIVAT},
	{"algorithms", "convergence of every way to train, on small games", benchAlgorithms},
	{"arena", "hands of tournaments in process, with their results stored", benchArena},
	{"batches", "convergence of training by batches of deals, on small games", benchBatches},
	{"boards", "hold'em by public chance sampling in batches, on CPUs and on a GPU", benchBoards},
	{"cfr", "training: the programs of Reis (2015) beside his figures, then in vector form", benchCFR},
	{"cfr-vector", "training of all cards at once, on CPUs and on a GPU beside its floor", benchVector},
	{"copy", "bandwidth of memory, and launches of a GPU", benchCopy},
	{"dealer", "hands of the dealer in process, actions of a match between processes", benchDealer},
	{"grid", "jobs that wait, on workers in network namespaces", benchGrid},
	{"hand", "time to rank a hand of the full deck", benchHand},
	{"havannah", "random games, and rating moves by them, beside the program of 2012", benchHavannah},
	{"hexproto", "a server with 5,000 connections and 1,000 games, a move a second in each", benchHexproto},
	{"nash", "all equilibria of random games, beside the programs of Nguyen (2015)", benchNash},
	{"nim", "first moves of Nim in six ways beside the seed's, and whole boards solved", benchNim},
	{"player", "the player of Havannah: speed of its search, and what each part of it is worth", benchPlayer},
	{"quick", "hold'em with quick cards: training, and matches with plain opponents", benchQuick},
	{"reis", "the part of bench cfr about the programs of Reis (2015), and their kind on a GPU", benchReis},
	{"sampling", "speed of sampled training", benchSampling},
	{"snake", "snakes in the box, beside the tables of Buzer and Cazenave (2023)", benchSnake},
	{"sum", "adding up floats in a fixed order", benchSum},
}

// curved are the benches with rows of which X is set: those that --plot can draw.
var curved = []string{"batches", "grid", "havannah", "nash", "nim", "snake"}

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

// row is one figure that a bench measured. Where X is set, rows of the same
// case, device and threads are points of a curve, and the case ends with what X
// counts. Threads is 0 where X counts them, or nobody did.
type row struct {
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

func newBench() *cobra.Command {
	asJSON, sign, plotFile, device := false, false, "", cudalib.Choice{}
	cmd := &cobra.Command{
		Use:   "bench [NAME]",
		Short: "Measure speed, or sign the results of fixed work",
		Long: `bench measures one part of the program on this machine; without a name it lists
what there is. A figure is the median of several runs. With --json each is one
object a line:
  {"bench", "case", "variant", "x", "device", "threads", "metric", "value", "unit"}
where x is there only if the figure is a point of a curve; --plot draws those,
and variant only if a case has several.
A bench that can use a GPU measures the CPU and then the GPU, where there is
one; --device picks one of the two.

With --signature nothing is timed: a fixed amount of work of every solver is
done and its results are printed as one number each. They are the same on every
machine, so that a change of them shows a change of behaviour.`,
		Example: `  gamebots bench
  gamebots bench hand --json
  gamebots bench copy --device cuda
  gamebots bench --signature`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case sign && (asJSON || plotFile != "" || len(args) > 0):
				return usagef("--signature goes with no other flag and no name")
			case plotFile != "" && len(args) == 0:
				return usagef("--plot: draw what? a name is needed")
			case sign:
				return printSignatures(cmd.Context(), cmd.OutOrStdout())
			case len(args) == 0:
				for _, b := range benches {
					fmt.Fprintf(cmd.OutOrStdout(), "%-10s %s\n", b.name, b.about)
				}
				return nil
			}
			if err := drawable("--plot", plotFile); err != nil {
				return err
			}
			print := printRow
			if asJSON {
				print = printRowJSON
			}
			return runBench(cmd, args[0], device, plotFile, print)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.Flags().Var(&device, "device", "what to measure: auto, cpu, cuda or cuda:N")
	cmd.AddCommand(newBenchEcho(), newBenchReisRun())
	cmd.Flags().BoolVar(&sign, "signature", false, "print one number for the results of each solver")
	cmd.Flags().StringVar(&plotFile, "plot", "", "draw curves into this .png or .svg file")
	return cmd
}

func runBench(cmd *cobra.Command, name string, device cudalib.Choice, plotFile string, print func(io.Writer, row) error) error {
	for _, b := range benches {
		if b.name != name {
			continue
		}
		if plotFile != "" && !slices.Contains(curved, name) {
			return hinted{usagef("--plot: bench %s has no curves", name), "those of " + strings.Join(curved, ", ") + " can be drawn"}
		}
		cpu := cpuModel()
		var points []row
		emit := func(r row) error {
			r.Bench, r.Device = name, cmp.Or(r.Device, cpu)
			if r.X != 0 {
				points = append(points, r)
			}
			return print(cmd.OutOrStdout(), r)
		}
		var err error
		if !device.GPU() {
			err = b.run(cmd.Context(), emit)
		}
		if err == nil {
			err = benchOnGPU(cmd.Context(), name, device, emit)
		}
		if plotFile == "" || err != nil && len(points) == 0 {
			return err
		}
		return errors.Join(err, plotRows(plotFile, points)) // what there is
	}
	return hinted{usagef("unknown bench %q", name), "gamebots bench lists them"}
}

func printRow(w io.Writer, r row) error {
	name := strings.TrimPrefix(r.Variant+": "+r.Case, ": ")
	if r.X != 0 {
		name = fmt.Sprint(name, " ", r.X)
	}
	of := ""
	if r.Threads > 0 { // none are said of a GPU
		of = threads(r.Threads)
	}
	_, err := fmt.Fprintf(w, "%-8s %-40s %-10s  %-16s %12.5g %-13s %s\n",
		r.Bench, name, of, r.Metric, r.Value, r.Unit, r.Device)
	return err
}

func threads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprint(n, " threads")
}

func printRowJSON(w io.Writer, r row) error { return json.NewEncoder(w).Encode(r) }

func printSignatures(ctx context.Context, w io.Writer) error {
	for _, s := range signatures {
		n, err := s.run(ctx)
		if err != nil {
			return fmt.Errorf("signature %s: %w", s.name, err)
		}
		fmt.Fprintf(w, "%s %016x\n", s.name, n)
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

// cpuModel names the processor, or its architecture where the system does not
// tell.
func cpuModel() string {
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
