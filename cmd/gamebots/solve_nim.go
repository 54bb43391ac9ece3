package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/hexproto/nim"
	"gamebots/internal/memory"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/nimsolver"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// nimFlags are the flags of solve nim.
type nimFlags struct {
	rules   nim.Rules
	depth   int
	exact   bool
	table   bool
	method  string
	threads int
	device  cudalib.Choice
	json    bool

	given func(flag string) bool
}

func newSolveNim() *cobra.Command {
	var f nimFlags
	cmd := explain(&cobra.Command{
		Use:   "nim HEAPS",
		Short: "Find the best move in a position of Nim, and its value",
		Args:  cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.given = cmd.Flags().Changed
			return solveNim(cmd, args[0], f)
		},
	}, "solve_nim")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// A first heap below 0 looks like flags of one letter.
		unknown := interface{ GetSpecifiedShortnames() string }(nil)
		if errors.As(err, &unknown) {
			if h := unknown.GetSpecifiedShortnames(); h != "" && strings.Contains("0123456789", h[:1]) {
				_, _, err = parseHeaps("-" + h)
				return err
			}
		}
		return cli.FlagError(cmd, err)
	})
	flags := cmd.Flags()
	flags.BoolVar(&f.rules.Misere, "misere", false, "the player who takes the last stick loses")
	flags.IntVar(&f.rules.MaxTake, "max-take", 0, "maximum number of sticks in a move, 0 for no limit")
	flags.IntVar(&f.depth, "depth", nimsolver.DefaultDepth, "search depth in plies")
	flags.BoolVar(&f.exact, "exact", false, "solve the whole board, however large")
	flags.BoolVar(&f.table, "table", true, "use a transposition table (v0)")
	flags.StringVar(&f.method, "method", "auto", "search method: auto or v0 to v5")
	cli.AddThreads(flags, &f.threads, "threads to use; the result is the same for any number")
	cli.AddDevice(flags, &f.device, "where to search: auto, cpu, cuda or cuda:N; the result is the same")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// nimMethods are the methods of a search, in the order of versions.
var nimMethods = []string{"v0", "v1", "v2", "v3", "v4", "v5"}

// version returns the version of --method, or -1.
func (f *nimFlags) version() (nimsolver.Version, error) {
	if f.method == "auto" {
		return -1, nil
	}
	for v, name := range nimMethods {
		if name == f.method {
			return nimsolver.Version(v), nil
		}
	}
	return 0, usererr.Usagef("--method: %q is not one of auto, v0, v1, v2, v3, v4, v5", f.method)
}

// ahead reports whether to search to a depth rather than to solve the board.
func (f *nimFlags) ahead() bool {
	return !f.exact && (f.given("depth") || f.given("table") || f.given("method"))
}

func (f *nimFlags) check(version nimsolver.Version) error {
	switch {
	case f.exact && (f.given("depth") || f.given("table") || f.given("method")):
		return usererr.Usagef("--exact cannot be combined with --depth, --table or --method")
	case f.depth < 1 || f.depth > nimsolver.MaxDepth:
		return usererr.Usagef("--depth: %d is not from 1 to %d", f.depth, nimsolver.MaxDepth)
	case f.device.GPU() && version == 0:
		return usererr.Usagef("--method: v0 is for the CPU")
	case f.device.CPU() && version >= 1 && version < nimsolver.SolveVersion:
		return usererr.Usagef("--method: v%d is for a GPU", version)
	}
	if err := f.rules.Check(); err != nil {
		return usererr.Usage(fmt.Errorf("--%w", err))
	}
	return nil
}

// parseHeaps parses a position that is not over. It returns the number of heaps too.
func parseHeaps(text string) (nim.Heaps, int, error) {
	h, heaps, err := nim.ParseHeaps(text)
	if err == nil && h == 0 {
		err = errors.New("heaps: all are empty")
	}
	if err != nil {
		return 0, 0, usererr.WithHint(usererr.Usage(err), `heaps are like "1,3,5,7"`)
	}
	return h, heaps, nil
}

func solveNim(cmd *cobra.Command, text string, f nimFlags) error {
	version, err := f.version()
	if err != nil {
		return err
	}
	if err := f.check(version); err != nil {
		return err
	}
	h, heaps, err := parseHeaps(text)
	if err != nil {
		return err
	}
	p := nimsolver.Position{Rules: f.rules, Heaps: h}
	bytes, tooLarge := nimsolver.TableBytes(p)
	if !f.exact && !f.ahead() && (tooLarge != nil || bytes > nimsolver.EightHeapsBytes) {
		return printNimRule(cmd.OutOrStdout(), p, heaps, tooLarge == nil, f.json)
	}
	gpu, where, err := f.open(p, version)
	if err != nil {
		return err
	}
	defer gpu.close()
	zerolog.Ctx(cmd.Context()).Debug().Str("device", where).Msg("solving")
	start := time.Now()
	bar := cli.NewPartBar(cmd.ErrOrStderr(), zerolog.Ctx(cmd.Context()), "solving")
	r, err := f.solve(cmd.Context(), p, version, gpu, bar)
	bar.Close()
	if err != nil {
		return err
	}
	took := time.Since(start)
	answer := nimAnswer{Heap: int(r.Move.Heap) + 1, Take: int(r.Move.Take), Value: r.Value.String(), Nodes: r.Nodes, Seconds: took.Seconds(), Device: where}
	value := outcomeOf(r.Value == nimsolver.Win)
	if r.Value == nimsolver.Unknown {
		best, wins := f.rules.Best(h)
		answer.Rule = valueByRule(wins)
		value = fmt.Sprintf("unknown %d plies ahead; %s, by the XOR rule, with %v", f.depth, outcomeOf(wins), best)
	}
	if f.json {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(answer)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\nmove    %v, take %d of heap %d\nnodes   %d\ntime    %.3g s on %s\n",
		h.Format(heaps, ";"), value, r.Move, r.Move.Take, r.Move.Heap+1, r.Nodes, took.Seconds(), where)
	return err
}

// nimAnswer is the answer as JSON.
type nimAnswer struct {
	Heap    int     `json:"heap"`
	Take    int     `json:"take"`
	Value   string  `json:"value"`
	Rule    string  `json:"rule,omitempty"`
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
	Device  string  `json:"device,omitempty"`
}

// outcomeOf says for whom a position is won; first is to move.
func outcomeOf(wins bool) string {
	if wins {
		return "win: first wins"
	}
	return "loss: first loses"
}

// valueByRule returns the value of a position by the XOR rule.
func valueByRule(wins bool) string {
	if wins {
		return nimsolver.Win.String()
	}
	return nimsolver.Loss.String()
}

// printNimRule prints the answer of the XOR rule, and how a search would be had. Table
// says whether there can be a table of the board.
func printNimRule(w io.Writer, p nimsolver.Position, heaps int, table, asJSON bool) error {
	best, wins := p.Rules.Best(p.Heaps)
	if asJSON {
		value := valueByRule(wins)
		return json.NewEncoder(w).Encode(nimAnswer{Heap: int(best.Heap) + 1, Take: int(best.Take), Value: value, Rule: value})
	}
	search := "--depth 7 searches seven plies"
	if table {
		search = "--exact solves the board, " + search
	}
	_, err := fmt.Fprintf(w, "%s: %s\nmove    %v, take %d of heap %d\nby      the XOR rule, as the board is too large for a search (%s)\n",
		p.Heaps.Format(heaps, ";"), outcomeOf(wins), best, best.Take, best.Heap+1, search)
	return err
}

// nimGPU is a GPU that is ready for Nim. The zero value is none.
type nimGPU struct {
	device *cudalib.Device
	*nimsolver.Device
}

func (g nimGPU) close() {
	if g.device != nil {
		_, _ = g.Close(), g.device.Close() // nothing on it is needed any more
	}
}

// The bytes of a table and the plies of a search from which on a GPU is worth its
// start, which takes some tenths of a second.
const (
	gainTable = 256 << 20
	gainDepth = 11
)

// open opens the GPU for a position, if one is to be used.
func (f *nimFlags) open(p nimsolver.Position, version nimsolver.Version) (g nimGPU, where string, err error) {
	bytes, err := nimsolver.TableBytes(p)
	large := !f.ahead() && err == nil && bytes >= gainTable || f.ahead() && version != 0 && f.depth >= gainDepth
	only := version >= 1 && version < nimsolver.SolveVersion
	if !f.device.GPU() && !only && !large {
		return g, "CPU", nil
	}
	if only && !f.device.GPU() {
		f.device = cudalib.GPU(0)
	}
	d, where, err := f.device.Open()
	if d == nil || err != nil {
		return g, "CPU", err
	}
	s, err := nimsolver.NewDevice(d)
	if err != nil {
		return g, "", errors.Join(err, d.Close())
	}
	return nimGPU{d, s}, where, nil
}

// solve finds value and move, and shows its progress.
func (f *nimFlags) solve(ctx context.Context, p nimsolver.Position, version nimsolver.Version, gpu nimGPU, bar *progress.Part) (nimsolver.Result, error) {
	if !f.ahead() {
		bytes, err := nimsolver.TableBytes(p)
		if err == nil {
			err = memory.Enough("the board's table", bytes, memory.Available())
		}
		if err != nil {
			return nimsolver.Result{}, usererr.WithHint(err, "--depth 7 searches seven plies instead")
		}
		return f.solveBoard(ctx, p, gpu, bar)
	}
	defer bar.Tick()() // the length of a search is unknown
	switch {
	case gpu.Device != nil:
		if version < 0 {
			version = nimsolver.SolveVersion
		}
		r, _, err := gpu.Search(version, p, f.depth)
		return r, err
	case version == nimsolver.SolveVersion:
		return nimsolver.Solve(ctx, p, f.depth, f.threads)
	case !f.table:
		return nimsolver.Search(ctx, p, f.depth, 0)
	}
	return nimsolver.Search(ctx, p, f.depth, nimsolver.TableBits(f.depth))
}

func (f *nimFlags) solveBoard(ctx context.Context, p nimsolver.Position, gpu nimGPU, bar *progress.Part) (nimsolver.Result, error) {
	var t *nimsolver.Table
	var err error
	if gpu.Device != nil {
		t, err = gpu.NewTable(ctx, p)
	} else {
		t, err = nimsolver.NewTable(ctx, p, f.threads, bar.Update)
	}
	if err != nil {
		return nimsolver.Result{}, err
	}
	return t.Best(p.Heaps), nil
}
