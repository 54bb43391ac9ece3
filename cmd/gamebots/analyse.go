package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
	"gamebots/solvers/playout"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newAnalyse() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "analyse",
		Short:   "Rate the moves of a position of a board game",
		Long:    `analyse rates the legal moves in a position of a board game.`,
		Example: `  gamebots analyse havannah side=8 : h8 swap`,
	}
	cli.LeadsTo(cmd, newAnalyseHavannah())
	return cmd
}

// analyseFlags are the flags of analyse havannah.
type analyseFlags struct {
	playout.Options
	bot    string
	search searchFlags
	net    string
	device cudalib.Choice
	top    int
	svg    string
	json   bool
}

// openDevice opens the GPU that was chosen, if a number of random games gain from it, and
// returns where they are played. Release closes the GPU.
func (f *analyseFlags) openDevice(side int, games uint64) (where string, release func(), err error) {
	nothing := func() {}
	if !f.device.GPU() && !f.device.CPU() && games < playout.MinDevicePlayouts {
		return fmt.Sprintf("the CPU: %d random games, and a GPU gains from %d on", games, playout.MinDevicePlayouts), nothing, nil
	}
	gpu, where, err := f.device.Open()
	if gpu == nil || err != nil {
		return where, nothing, err
	}
	if f.Device, err = playout.NewDevice(gpu, side, havannahgpu.Grid{}); err != nil {
		err = errors.Join(err, gpu.Close())
		if f.device.GPU() {
			return "", nothing, err
		}
		return "the CPU: " + err.Error(), nothing, nil
	}
	return where, func() { _, _ = f.Device.Close(), gpu.Close() }, nil // errors of closing do not matter any more
}

func newAnalyseHavannah() *cobra.Command {
	var f analyseFlags
	cmd := &cobra.Command{
		Use:   "havannah POSITION",
		Short: "Rate the moves of a Havannah position",
		Long: `havannah rates the moves of a position: best move first, and on a board, where 9
marks the best moves and 0 the worst.

By default it searches as the bot mcts does, for a --time or a number of
--simulations, and looks for proofs. A move is printed with its winning chance
and the expected line; if the result is proved, with "wins in 3" moves of its
player or "loses in 2" of the opponent. There may be a quicker win than that of
the proof. Moves that were hardly searched are left out.

POSITION is a line of a game record: side=, a colon and the moves, swap among
them, in HGui's notation (row letter from the top, column of the skewed grid).
Stones placed without moves come before the colon: aw= and ab= with commas
between them, and pl= for the player to move.

With --bot playouts, or --playouts, it plays random games after every legal move
instead. The score of a move is then the share of games won, a draw counting
half, with the margin of a 95% confidence interval. The counts depend on the
position, the number of playouts and the seed, not on the device.

When stopped by Ctrl-C, havannah prints what it has so far, and exits with
status 1. With --json there is one object per line for each move: {"move",
"value", "work", "proof", "plies", "line"} as in the message "analysis" of
docs/hexproto.md, or {"move", "wins", "losses", "draws", "plies"} of playouts.

More: docs/player.md`,
		Example: `  gamebots analyse havannah side=10 : --time 5s
  gamebots analyse havannah side=8 : h8 swap k11 --playouts 100000 \
    --svg heat.svg
  gamebots analyse havannah side=4 : d4 swap c2 --net four.net
  gamebots analyse havannah side=4 aw=a1,a2 ab=g7,g6 pl=white : --top 5`,
		Args: cli.Arguments(1, cli.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			return analyseHavannah(cmd, strings.Join(args, " "), f)
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) && unknown.GetSpecifiedName() == "plot" {
			return usererr.WithHint(usererr.Usage(err), "--svg FILE draws the board")
		}
		return cli.FlagError(cmd, err)
	})
	flags := cmd.Flags()
	flags.StringVar(&f.bot, "bot", byMCTS, "what rates the moves: mcts or playouts")
	flags.DurationVar(&f.search.time, "time", time.Second, "how long mcts searches")
	flags.Uint64Var(&f.search.simulations, "simulations", 0, "simulations of mcts, instead of a time")
	flags.StringVar(&f.net, "net", "", "network that advises mcts: a `FILE` of train havannah, or havannah for the one that comes with the program")
	flags.Uint64Var(&f.Playouts, "playouts", 1000, "random games after each move")
	flags.Uint64Var(&f.Seed, "seed", 0, "seed of the random games")
	cli.AddThreads(flags, &f.Threads, "threads to use; the counts of playouts do not depend on them")
	cli.AddDevice(flags, &f.device, "where to play playouts: auto, cpu, cuda or cuda:N; the counts do not depend on it")
	flags.IntVar(&f.top, "top", 10, "number of moves to print, best first; 0 for all")
	flags.StringVar(&f.svg, "svg", "", "draw the board to this .svg file")
	flags.BoolVar(&f.json, "json", false, "print all moves, as one JSON object per line")
	return cmd
}

func analyseHavannah(cmd *cobra.Command, position string, f analyseFlags) error {
	given := cmd.Flags().Changed
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
	case f.search.time <= 0:
		return usererr.Usagef("--time: %v is not a positive time", f.search.time)
	case f.Playouts < 1:
		return usererr.Usagef("--playouts: at least 1 is needed")
	case f.top < 0:
		return usererr.Usagef("--top: %d is negative", f.top)
	}
	if f.svg != "" && filepath.Ext(f.svg) != ".svg" {
		return usererr.Usagef("--svg: %q is not an .svg file", f.svg)
	}
	board, err := parsePosition(position)
	if err != nil {
		return err
	}
	if f.bot == byMCTS {
		return analyseBySearch(cmd, board, f)
	}
	where, release, err := f.openDevice(board.Grid().Side, f.Playouts*uint64(len(board.AppendMoves(nil))))
	if err != nil {
		return err
	}
	defer release()
	zerolog.Ctx(cmd.Context()).Info().Str("device", where).Msg("random games")
	bar := cli.NewCountBar(cmd.ErrOrStderr(), zerolog.Ctx(cmd.Context()), "playouts a move", f.Playouts)
	f.Progress = bar.Update
	ratings, stopped := playout.Rate(cmd.Context(), board, f.Options)
	bar.Close()
	if ratings == nil {
		return stopped
	}
	// The counts so far are printed before the error.
	f.Playouts = ratings[0].Playouts()
	if stopped != nil {
		stopped = fmt.Errorf("stopped after %d playouts a move: %w", f.Playouts, stopped)
	}
	heat, worst, best := playout.Heat(board, ratings)
	stopped = errors.Join(stopped, f.draw(board, heat))
	slices.SortStableFunc(ratings, func(a, b playout.Rating) int { return cmp.Compare(b.Score(), a.Score()) })
	out := cmd.OutOrStdout()
	if f.json {
		return errors.Join(stopped, printRatingsJSON(out, board, ratings))
	}
	fmt.Fprintf(out, "%v to move, %d playouts a move, from %.2f%% (0) to %.2f%% (9):\n%s\n",
		board.Turn(), f.Playouts, 100*worst, 100*best, board.Text(heat))
	if f.top > 0 && f.top < len(ratings) {
		ratings = ratings[:f.top]
	}
	return errors.Join(stopped, printRatings(out, board, ratings))
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
	record, err := havannah.ParseRecord(text)
	switch {
	case err == nil && record.Resigned != havannah.NoColour:
		err = errors.New("the game was resigned")
	case err == nil && record.Board.Over():
		err = havannah.ErrOver
	}
	if err != nil {
		return nil, usererr.WithHint(usererr.Usage(err), `a position is like "side=8 : h8 swap k11"`)
	}
	return &record.Board, nil
}

func printRatings(w io.Writer, b *havannah.Board, ratings []playout.Rating) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "move\tscore\t\twins\tlosses\tdraws\tplies\t\n")
	for _, r := range ratings {
		fmt.Fprintf(table, "%s\t%.2f%%\t±%.2f\t%d\t%d\t%d\t%.1f\t\n", b.Grid().Format(r.Move), 100*r.Score(),
			100*r.Margin95(), r.Wins, r.Losses, r.Draws, float64(r.Plies)/float64(r.Playouts()))
	}
	return table.Flush()
}

func printRatingsJSON(w io.Writer, b *havannah.Board, ratings []playout.Rating) error {
	out := json.NewEncoder(w)
	for _, r := range ratings {
		if err := out.Encode(struct {
			Move   string `json:"move"`
			Wins   uint64 `json:"wins"`
			Losses uint64 `json:"losses"`
			Draws  uint64 `json:"draws"`
			Plies  uint64 `json:"plies"`
		}{b.Grid().Format(r.Move), r.Wins, r.Losses, r.Draws, r.Plies}); err != nil {
			return err
		}
	}
	return nil
}
