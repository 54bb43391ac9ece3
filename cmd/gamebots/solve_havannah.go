package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/havannah"
	"gamebots/internal/memory"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/minimax"
	"gamebots/solvers/minimax/boards"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// solveHavannahFlags are the flags of solve havannah.
type solveHavannahFlags struct {
	minimax.Options
	side int
	json bool
}

func newSolveHavannah() *cobra.Command {
	f := solveHavannahFlags{Options: minimax.Options{Split: true, Every: true}}
	cmd := explain(&cobra.Command{
		Use:   "havannah [POSITION]",
		Short: "Prove the result of each move of a small Havannah position",
		RunE: func(cmd *cobra.Command, args []string) error {
			return solveHavannah(cmd, strings.Join(args, " "), f)
		},
	}, "solve_havannah")
	flags := cmd.Flags()
	flags.IntVar(&f.side, "side", 0, "the empty board of this side")
	flags.IntVar(&f.Depth, "depth", 0, "plies to search, 0 for all")
	flags.IntVar(&f.TableBits, "table-bits", 20, "size of the transposition table: 2^N positions per thread, 24 bytes each; 0 for none")
	cli.AddThreads(flags, &f.Threads, "threads to use; the result does not depend on them")
	flags.BoolVar(&f.json, "json", false, "print one JSON object per line")
	return cmd
}

func solveHavannah(cmd *cobra.Command, position string, f solveHavannahFlags) error {
	switch {
	case (f.side == 0) == (position == ""):
		return usererr.Usagef("either a position or --side is needed")
	case f.Depth < 0 || f.Depth > minimax.MaxDepth:
		return usererr.Usagef("--depth: %d is not from 0 to %d", f.Depth, minimax.MaxDepth)
	case f.TableBits < 0 || f.TableBits > 28:
		return usererr.Usagef("--table-bits: %d is not from 0 to 28", f.TableBits)
	}
	if f.TableBits > 0 {
		if err := memory.Enough("--table-bits: the threads' tables", memory.Saturate(24*float64(f.Threads)*math.Pow(2, float64(f.TableBits))), memory.Available()); err != nil {
			return err
		}
	}
	board, err := havannah.New(f.side)
	switch {
	case position != "":
		if board, err = parsePosition(position); err != nil {
			return err
		}
	case err != nil:
		return usererr.Usagef("--side: %v", err)
	}
	end := showSolving(cmd, &f.Options)
	r, err := minimax.Search(cmd.Context(), func() *boards.Havannah { return boards.NewHavannah(board) }, f.Options)
	end()
	var stopped error
	switch legal := len(board.AppendMoves(nil)); {
	case errors.Is(err, context.Canceled):
		err, stopped = nil, fmt.Errorf("stopped: %d of %d moves are done", len(r.Ratings), legal)
	case err != nil:
		return err
	}
	out := cmd.OutOrStdout()
	encoder := json.NewEncoder(out)
	for _, m := range r.Ratings {
		move, value := board.Grid().Format(m.Move), valueOf(m.Score, m.Proven)
		if f.json {
			err = encoder.Encode(struct {
				Move  string `json:"move"`
				Value string `json:"value"`
				Nodes uint64 `json:"nodes"`
			}{move, value, m.Nodes})
		} else {
			_, err = fmt.Fprintf(out, "%-4s %-8s %12d nodes\n", move, value, m.Nodes)
		}
		if err != nil {
			return err
		}
	}
	if !f.json && stopped == nil {
		_, err = fmt.Fprintf(out, "%v to move: %s, with %s; %d nodes\n", board.Turn(), valueOf(r.Score, r.Proven), board.Grid().Format(r.Best), r.Nodes)
	}
	return errors.Join(stopped, err)
}

// showSolving shows the progress of a search until end is called.
func showSolving(cmd *cobra.Command, o *minimax.Options) (end func()) {
	p := new(minimax.Progress)
	o.Progress = p
	ended := make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		bar := progress.New(cmd.ErrOrStderr(), "moves")
		defer bar.Close()
		began := time.Now()
		tick := time.NewTicker(time.Second / 10)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			if moves := p.Moves.Load(); moves > 0 && bar.Due() {
				done, nodes := p.Done.Load(), p.Nodes.Load()
				left := progress.TimeLeft(began, float64(done)/float64(moves))
				text := fmt.Sprintf("%d of %d, %d million nodes, %s left", done, moves, nodes/1e6, left)
				if !bar.Show(float64(done)/float64(moves), text) {
					zerolog.Ctx(cmd.Context()).Info().Int64("done", done).Int64("of", moves).Uint64("nodes", nodes).Str("left", left).Msg("moves")
				}
			}
		}
	})
	return func() {
		close(ended)
		shown.Wait()
	}
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
