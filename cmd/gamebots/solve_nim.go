package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/hexproto/nim"
	"gamebots/internal/memory"
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
}

func newSolveNim() *cobra.Command {
	f := nimFlags{depth: nimsolver.DefaultDepth, table: true, method: "auto"}
	cmd := command("solve_nim", "nim HEAPS",
		"Find the best move in a position of Nim, and its value", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) }
	cli.Bind(cmd, "misere", &f.rules.Misere, "max-take", &f.rules.MaxTake, "depth", &f.depth, "exact", &f.exact,
		"table", &f.table, "method", &f.method, "threads", cli.PerProcessor(&f.threads), "device", &f.device,
		"json", &f.json)
	return cmd
}

// request returns what the flags ask for, of a position. given reports whether a flag was set.
func (f *nimFlags) request(h nim.Heaps, given func(flag string) bool) (r nimsolver.Request, err error) {
	search := given("depth") || given("table") || given("method")
	version, err := nimsolver.ParseVersion(f.method)
	switch {
	case err != nil:
		return r, usererr.Usagef("--method: %w", err)
	case f.exact && search:
		return r, usererr.Usagef("--exact cannot be combined with --depth, --table or --method")
	case f.depth < 1 || f.depth > nimsolver.MaxDepth:
		return r, usererr.Usagef("--depth: %d is not from 1 to %d", f.depth, nimsolver.MaxDepth)
	case f.device.GPU() && version == 0:
		return r, usererr.Usagef("--method: v0 is for the CPU")
	case f.device.CPU() && version.NeedsDevice():
		return r, usererr.Usagef("--method: v%d is for a GPU", version)
	}
	if err := f.rules.Check(); err != nil {
		return r, usererr.Usage(fmt.Errorf("--%w", err))
	}
	r = nimsolver.Request{Position: nimsolver.Position{Rules: f.rules, Heaps: h}, Version: version,
		Transposition: f.table}
	if search {
		r.Depth = f.depth
	}
	return r, nil
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

func (f *nimFlags) run(cmd *cobra.Command, text string) error {
	h, heaps, err := parseHeaps(text)
	if err != nil {
		return err
	}
	r, err := f.request(h, cmd.Flags().Changed)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if r.Depth == 0 {
		bytes, err := nimsolver.TableBytes(r.Position)
		if !f.exact && (err != nil || bytes > nimsolver.EightHeapsBytes) {
			a := r.Rule()
			a.Count = heaps
			return f.printRule(out, a, err == nil)
		}
		if err == nil {
			err = memory.Enough("the board's table", bytes, memory.Available())
		}
		if err != nil {
			return usererr.WithHint(err, "--depth 7 searches seven plies instead")
		}
	}
	gpu, where, end, err := f.open(r)
	if err != nil {
		return err
	}
	defer end()
	log := zerolog.Ctx(cmd.Context())
	log.Debug().Str("device", where).Msg("solving")
	start := time.Now()
	bar := cli.NewPartBar(cmd.ErrOrStderr(), log, "solving")
	stop := func() {}
	if r.Depth > 0 {
		stop = bar.Tick() // the length of a search is unknown
	}
	found, err := r.Find(cmd.Context(), gpu, f.threads, bar.Update)
	stop()
	bar.Close()
	if err != nil {
		return err
	}
	return cli.Print(out, f.json, nimsolver.Answer{
		Request: r, Result: found, Count: heaps, Device: where, Seconds: time.Since(start).Seconds(),
	})
}

// printRule prints the answer of the XOR rule, and which flags search instead. table says whether there
// can be a table of the board.
func (f *nimFlags) printRule(w io.Writer, a nimsolver.Answer, table bool) error {
	if err := cli.Print(w, f.json, a); err != nil || f.json {
		return err
	}
	search := "--depth 7 searches seven plies"
	if table {
		search = "--exact solves the board, " + search
	}
	_, err := fmt.Fprintf(w, "by      the XOR rule, as the board is too large for a search (%s)\n", search)
	return err
}

// open opens the GPU for a request, if one is to be used; otherwise gpu is nil. End closes it.
func (f *nimFlags) open(r nimsolver.Request) (gpu *nimsolver.Device, where string, end func(), err error) {
	end = func() {}
	choice := f.device
	if r.Version.NeedsDevice() && !choice.GPU() {
		choice = cudalib.GPU(0)
	}
	d, where, err := choice.If(r.DeviceWorthwhile()).Open()
	if d == nil || err != nil {
		return nil, where, end, err
	}
	if gpu, err = nimsolver.NewDevice(d); err != nil {
		return nil, "", end, errors.Join(err, d.Close())
	}
	return gpu, where, func() { _, _ = gpu.Close(), d.Close() }, nil // nothing on it is needed any more
}
