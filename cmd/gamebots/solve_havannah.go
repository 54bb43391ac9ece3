package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/havannah"
	"gamebots/internal/memory"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/minimax"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// solveHavannahFlags are the flags of solve havannah.
type solveHavannahFlags struct {
	minimax.Options
	side int
}

func newSolveHavannah() *cobra.Command {
	f := solveHavannahFlags{Options: minimax.Options{Split: true, Every: true}}
	cmd := command("solve_havannah", "havannah [POSITION]",
		"Prove the result of each move of a small Havannah position", nil)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, strings.Join(args, " ")) }
	f.TableBits = 20
	cli.Bind(cmd, "side", &f.side, "depth", &f.Depth, "table-bits", &f.TableBits,
		"threads", cli.PerProcessor(&f.Threads))
	return cmd
}

// board returns the position that flags and arguments name, after it has checked the flags.
func (f *solveHavannahFlags) board(position string) (*havannah.Board, error) {
	switch {
	case (f.side == 0) == (position == ""):
		return nil, usererr.Usagef("either a position or --side is needed")
	case f.Depth < 0 || f.Depth > minimax.MaxDepth:
		return nil, usererr.Usagef("--depth: %d is not from 0 to %d", f.Depth, minimax.MaxDepth)
	case f.TableBits < 0 || f.TableBits > 28:
		return nil, usererr.Usagef("--table-bits: %d is not from 0 to 28", f.TableBits)
	}
	if err := memory.Enough("--table-bits: the threads' tables", f.TableBytes(), memory.Available()); err != nil {
		return nil, err
	}
	if position != "" {
		return parsePosition(position)
	}
	board, err := havannah.New(f.side)
	if err != nil {
		return nil, usererr.Usagef("--side: %v", err)
	}
	return board, nil
}

func (f *solveHavannahFlags) run(cmd *cobra.Command, position string) error {
	board, err := f.board(position)
	if err != nil {
		return err
	}
	end := watchMoves(cmd, &f.Options)
	r, err := minimax.Search(cmd.Context(), func() *minimax.Havannah { return minimax.NewHavannah(board) }, f.Options)
	end()
	var stopped error
	switch legal := len(board.AppendMoves(nil)); {
	case errors.Is(err, context.Canceled):
		err, stopped = nil, fmt.Errorf("interrupted: %d of %d moves are done", len(r.Ratings), legal)
	case err != nil:
		return err
	}
	out := cmd.OutOrStdout()
	for _, m := range r.Ratings {
		_, err := fmt.Fprintf(out, "%-4s %-8s %12d nodes\n",
			board.Grid().Format(m.Move), valueOf(m.Score, m.Proven), m.Nodes)
		if err != nil {
			return err
		}
	}
	if stopped == nil {
		_, err = fmt.Fprintf(out, "%v to move: %s, with %s; %d nodes\n",
			board.Turn(), valueOf(r.Score, r.Proven), board.Grid().Format(r.Best), r.Nodes)
	}
	return errors.Join(stopped, err)
}

// watchMoves shows the progress of a search until end is called.
func watchMoves(cmd *cobra.Command, o *minimax.Options) (end func()) {
	p := new(minimax.Progress)
	o.Progress = p
	return progress.Watch(cmd.ErrOrStderr(), "moves", func(bar *progress.Bar) {
		moves := p.Moves.Load()
		if moves == 0 {
			return
		}
		done, nodes := p.Done.Load(), p.Nodes.Load()
		part := float64(done) / float64(moves)
		left := progress.TimeLeft(bar.Start, part)
		if !bar.Show(part, fmt.Sprintf("%d of %d, %d million nodes, %s left", done, moves, nodes/1e6, left)) {
			log := zerolog.Ctx(cmd.Context()).Info().Int64("done", done).Int64("of", moves)
			log.Uint64("nodes", nodes).Str("left", left).Msg("moves")
		}
	})
}

// valueOf returns the word for a score.
func valueOf(s minimax.Score, proven bool) string {
	switch {
	case s >= minimax.Win:
		return "win"
	case s <= minimax.Loss:
		return "loss"
	case proven:
		return "draw"
	}
	return "unknown"
}
