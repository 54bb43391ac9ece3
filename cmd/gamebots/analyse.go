package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gamebots/bots/files"
	"gamebots/bots/havannahbot"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
	"gamebots/solvers/playout"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newAnalyse() *cobra.Command {
	return group("analyse", "Rate the moves of a position of a board game", newAnalyseHavannah())
}

// The values of --bot of analyse havannah.
const (
	byMCTS     = "mcts"
	byPlayouts = "playouts"
)

// analyseFlags are the flags of analyse havannah.
type analyseFlags struct {
	playout.Options
	bot         string
	time        time.Duration
	simulations uint64 // 0 for as many as the time allows
	net         string
	device      cudalib.Choice
	top         int
	svg         string
	json        bool
}

func newAnalyseHavannah() *cobra.Command {
	f := analyseFlags{bot: byMCTS, time: time.Second, net: boards.HavannahName, top: 10}
	cmd := command("analyse_havannah", "havannah POSITION|FILE",
		"Rate the moves of a position of Havannah, or of whole games", cli.Arguments(1, cli.AnyNumber))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(cmd.Flags().Changed); err != nil {
			return err
		}
		text := strings.Join(args, " ")
		if _, err := os.Stat(text); err == nil {
			games, err := files.Havannah(text)
			if err != nil {
				return err
			}
			return f.review(cmd, games)
		}
		r, err := havannah.ParseRecord(text)
		switch {
		case err != nil:
			return usererr.WithHint(usererr.Usage(err), `a position is like "side=8 : h8 swap k11"`)
		case r.End() != "open":
			return f.review(cmd, []*havannah.Record{r})
		case f.bot == byMCTS:
			return f.search(cmd, &r.Board)
		}
		return f.playouts(cmd, &r.Board)
	}
	f.Playouts = 1000
	cli.Bind(cmd, "bot", &f.bot, "time", &f.time, "simulations", &f.simulations, "net", &f.net,
		"playouts", &f.Playouts, "seed", &f.Seed, "threads", cli.PerProcessor(&f.Threads), "device", &f.device,
		"top", &f.top, "svg", &f.svg, "json", &f.json)
	return cmd
}

// check returns an error for flags that cannot be combined, of which some were given. Playouts choose their bot.
func (f *analyseFlags) check(given func(flag string) bool) error {
	if given("playouts") && !given("bot") {
		f.bot = byPlayouts
	}
	switch {
	case f.bot != byMCTS && f.bot != byPlayouts:
		return usererr.Usagef("--bot: %q is not one of %s, %s", f.bot, byMCTS, byPlayouts)
	case f.bot == byMCTS && (given("playouts") || given("device")):
		return usererr.Usagef("--playouts and --device are for --bot playouts")
	case f.bot == byPlayouts && (given("time") || given("simulations") || given("net")):
		return usererr.Usagef("--time, --simulations and --net are for --bot mcts")
	case given("time") && given("simulations"):
		return usererr.Usagef("--time cannot be combined with --simulations")
	case f.time <= 0:
		return usererr.Usagef("--time: %v is not a positive time", f.time)
	case f.Playouts < 1:
		return usererr.Usagef("--playouts: at least 1 is needed")
	case f.top < 0:
		return usererr.Usagef("--top: %d is negative", f.top)
	case f.svg != "" && filepath.Ext(f.svg) != ".svg":
		return usererr.Usagef("--svg: %q is not an .svg file", f.svg)
	}
	return nil
}

// playouts prints the ratings of random games.
func (f *analyseFlags) playouts(cmd *cobra.Command, board *havannah.Board) error {
	log := zerolog.Ctx(cmd.Context())
	moves := uint64(len(board.AppendMoves(nil)))
	device, where, err := playout.OpenDevice(f.device, board.Grid().Side, f.Playouts*moves)
	if err != nil {
		return err
	}
	if f.Device = device; device != nil {
		defer device.Close() // the results are no longer on it
	}
	log.Info().Str("device", where).Msg("random games")
	bar := cli.NewCountBar(cmd.ErrOrStderr(), log, "playouts a move", f.Playouts)
	f.Progress = bar.Update
	ratings, stopped := playout.Rate(cmd.Context(), board, f.Options)
	bar.Close()
	if ratings == nil {
		return stopped
	}
	// The counts so far are printed before the error.
	done := ratings[0].Playouts()
	if cmd.Context().Err() != nil {
		stopped = fmt.Errorf("interrupted after %d playouts a move", done)
	}
	heat, worst, best := playout.Heat(board, ratings)
	stopped = errors.Join(stopped, f.draw(board, heat))
	slices.SortStableFunc(ratings, func(a, b playout.Rating) int { return cmp.Compare(b.Score(), a.Score()) })
	out := cmd.OutOrStdout()
	if f.json {
		return errors.Join(stopped, cli.PrintList(out, true, playout.Rows(board, ratings)))
	}
	fmt.Fprintf(out, "%v to move, %d playouts a move, from %.2f%% (0) to %.2f%% (9):\n%s\n",
		board.Turn(), done, 100*worst, 100*best, board.Text(heat))
	return errors.Join(stopped, cli.Print(out, false, playout.Rows(board, topOf(ratings, f.top))))
}

// topOf returns the first n of a list, or all if n is 0.
func topOf[T any](list []T, n int) []T {
	return list[:min(cmp.Or(n, len(list)), len(list))]
}

// draw draws the board for --svg.
func (f *analyseFlags) draw(board *havannah.Board, heat havannah.Heat) error {
	if f.svg == "" {
		return nil
	}
	if err := atomicfile.Write(f.svg, []byte(board.SVG(heat))); err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	return nil
}

// parsePosition parses a position of Havannah in which the game is not over.
func parsePosition(text string) (*havannah.Board, error) {
	board, err := havannah.ParsePosition(text)
	if err != nil {
		return nil, usererr.WithHint(usererr.Usage(err), `a position is like "side=8 : h8 swap k11"`)
	}
	return board, nil
}

// analysis returns the search that the flags ask for.
func (f *analyseFlags) analysis() (a havannahbot.Analysis, err error) {
	a = havannahbot.Analysis{Simulations: int(min(f.simulations, math.MaxInt)), Threads: f.Threads, Seed: f.Seed}
	if f.simulations == 0 {
		a.Time = f.time
	}
	a.Net, err = registry.Net(f.net)
	return a, err
}

// search prints the ratings of a search.
func (f *analyseFlags) search(cmd *cobra.Command, board *havannah.Board) error {
	a, err := f.analysis()
	if err != nil {
		return err
	}
	rated, err := a.Rate(cmd.Context(), board)
	if err != nil {
		return err
	}
	var stopped error
	if cmd.Context().Err() != nil {
		stopped = errors.New("interrupted before the search was done")
	}
	heat, err := havannahbot.Heat(board, rated)
	if err != nil {
		return err
	}
	stopped = errors.Join(stopped, f.draw(board, heat))
	out := cmd.OutOrStdout()
	if f.json {
		return errors.Join(cli.PrintList(out, true, rated), stopped)
	}
	fmt.Fprintf(out, "%v to move: %s\n%s\n", board.Turn(), havannahbot.Summary(rated), board.Text(heat))
	return errors.Join(stopped, havannahbot.WriteRated(out, topOf(rated, f.top)))
}

// review prints what the moves of games were worth.
func (f *analyseFlags) review(cmd *cobra.Command, records []*havannah.Record) error {
	if f.bot != byMCTS || f.svg != "" {
		return usererr.Usagef("--bot playouts and --svg are for a position, not for a game that is over or a file")
	}
	a, err := f.analysis()
	if err != nil {
		return err
	}
	out, total := cmd.OutOrStdout(), uint64(0)
	for _, r := range records {
		total += uint64(r.Board.NumMoves() + 1)
	}
	bar, done := cli.NewCountBar(cmd.ErrOrStderr(), zerolog.Ctx(cmd.Context()), "positions", total), uint64(0)
	defer bar.Close()
	for _, r := range records {
		moves, err := a.Review(cmd.Context(), &r.Board, func(int) { done++; bar.Update(done) })
		switch {
		case err != nil:
		case f.json:
			err = cli.PrintList(out, true, moves)
		default:
			fmt.Fprintln(out, r)
			err = havannahbot.WriteReview(out, moves)
		}
		if err == nil && cmd.Context().Err() != nil {
			err = errors.New("interrupted: the moves before are not rated")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
