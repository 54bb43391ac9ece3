package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/bots/spotstudy"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/resolve/spot"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// boards returns the boards of --flops.
func (f *spotFlags) boards() ([]spotstudy.Board, error) {
	if f.flops == "all" {
		return spotstudy.Flops(spotstudy.NumFlops), nil
	}
	if n, err := strconv.Atoi(f.flops); err == nil {
		if n < 1 || n > spotstudy.NumFlops {
			return nil, usererr.Usagef("--flops: %d is not from 1 to %d flops", n, spotstudy.NumFlops)
		}
		return spotstudy.Flops(n), nil
	}
	file, err := os.Open(f.flops)
	if err != nil {
		return nil, usererr.HintIf(err, fs.ErrNotExist, "--flops takes a file with a board a line, a number or all")
	}
	defer file.Close()
	all, err := spotstudy.ReadBoards(file)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.flops, err)
	}
	return all, err
}

// checkBoards refuses flags that have no effect on many boards.
func (f *spotFlags) checkBoards(given func(flag string) bool) error {
	switch {
	case given("board"):
		return usererr.Usagef("--board cannot be combined with --flops")
	case f.grid.NATS == "":
	case f.save != "":
		return usererr.Usagef("--save cannot be combined with --nats: files are written by this machine only")
	case f.memory != 0:
		return usererr.Usagef("--memory cannot be combined with --nats: other machines take what they have free")
	}
	return f.grid.Check()
}

// solveBoards solves a spot on the boards of --flops, and prints a line for each as it is done.
func (f *spotFlags) solveBoards(cmd *cobra.Command) error {
	if err := f.checkBoards(cmd.Flags().Changed); err != nil {
		return err
	}
	all, err := f.boards()
	if err != nil {
		return err
	}
	settings, s, err := f.load(append(overrides(cmd.Flags()), "spot.board="+all[0].Cards))
	if err != nil {
		return err
	}
	options, err := f.options(settings.Solve)
	if err != nil {
		return err
	}
	run := &jobs.Boards{
		Spot: s, Algorithm: settings.Solve.Algorithm, Half: options.Algorithm.Quantized,
		Target: settings.Solve.Target / 100 * float64(s.Pot), Iterations: settings.Solve.Iterations, Lines: f.at,
	}
	need, err := spot.Measure(s, options)
	if err != nil {
		return err
	}
	zerolog.Ctx(cmd.Context()).Info().Int("boards", len(all)).Str("memory_of_the_first", memory.Bytes(need)).
		Msg("solving the spot on all boards")
	g, end, err := f.boardGrid(cmd.Context())
	if err != nil {
		return err
	}
	table := &spotstudy.Table{Out: cmd.OutOrStdout(), Pot: s.Pot, JSON: f.json}
	err = f.takeBoards(cmd, g, run, all, table)
	if err := errors.Join(err, table.Mean(), end()); err != nil {
		return err
	}
	solve := settings.Solve
	if err := missed(cmd.Flags().Changed, table.Worst.Exploitability, solve.Target, solve.Iterations); err != nil {
		return fmt.Errorf("%s: %w", table.Worst.Cards, err)
	}
	return nil
}

// takeBoards prints what was found on boards, of which those of --save are read if they are there.
func (f *spotFlags) takeBoards(
	cmd *cobra.Command, g grid.Grid, run *jobs.Boards, all []spotstudy.Board, table *spotstudy.Table,
) error {
	var open []spotstudy.Board
	var cards []string
	for _, b := range all {
		r, err := f.savedBoard(run, b.Cards)
		switch {
		case err != nil:
			return err
		case r != nil:
			if err := table.Add(b, r); err != nil {
				return err
			}
		default:
			open, cards = append(open, b), append(cards, b.Cards)
		}
	}
	done := 0
	log := zerolog.Ctx(cmd.Context())
	bar := cli.NewCountBar(cmd.ErrOrStderr(), log, "solving the spot on all boards", uint64(len(open)))
	defer bar.Close()
	err := jobs.SolveBoards(cmd.Context(), g, run, cards, func(i int, r *jobs.BoardResult) error {
		done++
		bar.Update(uint64(done))
		return table.Add(open[i], r)
	})
	if cmd.Context().Err() != nil {
		return fmt.Errorf("interrupted after %d of %d boards", len(all)-len(open)+done, len(all))
	}
	if f.save != "" && errors.As(err, new(*grid.FailedJobsError)) {
		err = usererr.WithHint(err, "all other boards are saved; the same command tries the missing ones again")
	}
	return err
}

// boardFile returns the file of a board's solution.
func (f *spotFlags) boardFile(board string) string { return filepath.Join(f.save, board+".spot") }

// savedBoard returns what the folder of --save has of a board, nil if it has not reached the target.
func (f *spotFlags) savedBoard(run *jobs.Boards, board string) (*jobs.BoardResult, error) {
	if f.save == "" || f.force {
		return nil, nil
	}
	s, err := spot.OpenSaved(f.boardFile(board), f.threads, f.memory.Or(memory.Available))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usererr.WithHint(err, "--force solves it again")
	}
	defer s.Close()
	same, err := run.Same(s, board)
	if err == nil && !same {
		err = usererr.WithHint(fmt.Errorf("%s has another spot", f.boardFile(board)),
			"--force replaces it; --save FOLDER writes to another folder")
	}
	if err != nil {
		return nil, err
	}
	return run.SavedBoard(s, board)
}

// boardGrid returns where boards are solved: on the machines of --nats, or here, on all threads one after the other, or
// on a GPU, while threads prepare what comes next. End closes it.
func (f *spotFlags) boardGrid(ctx context.Context) (g grid.Grid, end func() error, err error) {
	if f.grid.NATS != "" {
		return f.grid.Open(ctx, 1)
	}
	var save func(board string) string
	if f.save != "" {
		if err := os.MkdirAll(f.save, 0o755); err != nil {
			return nil, nil, err
		}
		save = f.boardFile
	}
	d, where, err := f.device.Open()
	if err != nil {
		return nil, nil, err
	}
	atOnce := 1
	end = func() error { return nil }
	if d != nil {
		atOnce, end = 3, d.Close
		zerolog.Ctx(ctx).Info().Str("device", where).Msg("boards are solved there")
	}
	open := sync.OnceValues(func() (*cudalib.Device, error) { return d, nil })
	kinds := grid.Kinds{jobs.BoardKind: jobs.BoardJob(jobs.BoardMeans{
		Open: open, Device: f.device, Threads: f.threads, Save: save,
		Memory: int64(f.memory), DeviceMemory: int64(f.memory),
	})}
	return &grid.Local{Kinds: kinds, Threads: atOnce, Tries: 1}, end, nil
}
