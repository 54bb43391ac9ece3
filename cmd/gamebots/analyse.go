package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/internal/usererr"
	"gamebots/solvers/atomicfile"
	"gamebots/solvers/playout"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newAnalyse() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "analyse",
		Short:   "Rate the moves of a position",
		Long:    `analyse rates the moves that are legal in a position of a board game.`,
		Example: `  gamebots analyse havannah side=8 : h8 swap`,
	}
	leadsTo(cmd, newAnalyseHavannah())
	return cmd
}

// analyseFlags are the flags of analyse havannah.
type analyseFlags struct {
	playout.Options
	device cudalib.Choice
	top    int
	svg    string
	json   bool
}

// gainOnGPU is from how many random games on a GPU is worth its start, which
// takes some tenths of a second.
const gainOnGPU = 1 << 20

// place says where some random games are to be played and, if that is a GPU,
// prepares it; release gives it back.
func (f *analyseFlags) place(side int, games uint64) (where string, release func(), err error) {
	nothing := func() {}
	if !f.device.GPU() && !f.device.CPU() && games < gainOnGPU {
		return fmt.Sprintf("the CPU: %d random games, and a GPU gains from %d on", games, gainOnGPU), nothing, nil
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
	return where, func() { _, _ = f.Device.Close(), gpu.Close() }, nil // nobody needs what is there any more
}

func newAnalyseHavannah() *cobra.Command {
	var f analyseFlags
	cmd := &cobra.Command{
		Use:   "havannah POSITION",
		Short: "Rate the moves of a Havannah position by random games",
		Long: `havannah plays random games after every legal move of a position, and prints
how many of them the player to move won, lost and drew, best move first, with a
board on which 9 marks the best moves and 0 the worst.

POSITION is a line of a game record: side=, a colon and the moves in HGui's
notation (row letter from the top, column of the skewed grid), swap among them.
Stones without moves go before the colon: aw= and ab= with commas between them,
pl= for who is to move.

The score of a move is the share of games won, a draw counting half, with the
bounds of a 95% confidence interval. The counts follow from the position, the
number of playouts and the seed alone, not from the device. Stopped by Ctrl-C,
havannah prints what it has, which is as if fewer playouts had been asked for;
its exit status then is 1. With --json there is one object a line for each move:
{"move", "wins", "losses", "draws", "plies"}.`,
		Example: `  gamebots analyse havannah side=10 :
  gamebots analyse havannah side=8 : h8 swap k11 --playouts 100000 --svg heat.svg
  gamebots analyse havannah side=4 aw=a1,a2 ab=g7,g6 pl=white : --top 5`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return analyseHavannah(cmd, strings.Join(args, " "), f)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.Playouts, "playouts", 1000, "random games after each move")
	flags.Uint64Var(&f.Seed, "seed", 0, "seed of the random games")
	addThreads(flags, &f.Threads, "threads to use; the counts are the same for any number")
	flags.Var(&f.device, "device", "where to play: auto, cpu, cuda or cuda:N; the counts are the same")
	flags.IntVar(&f.top, "top", 10, "print so many of the best moves, 0 for all")
	flags.StringVar(&f.svg, "svg", "", "draw the board into this .svg file")
	flags.BoolVar(&f.json, "json", false, "print all moves, as one JSON object a line")
	return cmd
}

func analyseHavannah(cmd *cobra.Command, position string, f analyseFlags) error {
	switch {
	case f.Playouts < 1:
		return usererr.Usagef("--playouts: at least 1 is needed")
	case f.top < 0:
		return usererr.Usagef("--top: %d is negative", f.top)
	}
	if f.svg != "" && filepath.Ext(f.svg) != ".svg" {
		return usererr.Usagef("--svg: %q is no .svg file", f.svg)
	}
	board, err := parsePosition(position)
	if err != nil {
		return err
	}
	where, release, err := f.place(board.Grid().Side, f.Playouts*uint64(len(board.AppendMoves(nil))))
	if err != nil {
		return err
	}
	defer release()
	zerolog.Ctx(cmd.Context()).Info().Str("device", where).Msg("random games")
	bar := newCountBar(cmd.ErrOrStderr(), zerolog.Ctx(cmd.Context()), "playouts a move", f.Playouts)
	f.Progress = bar.Update
	ratings, stopped := playout.Rate(cmd.Context(), board, f.Options)
	bar.Close()
	if ratings == nil {
		return stopped
	}
	// What was counted before the end came is printed, and then the error.
	f.Playouts = ratings[0].Playouts()
	if stopped != nil {
		stopped = fmt.Errorf("stopped after %d playouts a move: %w", f.Playouts, stopped)
	}
	heat, worst, best := heatOf(board, ratings)
	if f.svg != "" {
		if err := atomicfile.Write(f.svg, []byte(board.SVG(heat))); err != nil {
			stopped = errors.Join(stopped, fmt.Errorf("--svg: %w", err))
		}
	}
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

// parsePosition reads a position of Havannah in which the game goes on.
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

// heatOf makes colours of the scores of cells, from the worst to the best.
func heatOf(b *havannah.Board, ratings []playout.Rating) (heat havannah.Heat, worst, best float64) {
	cells := slices.DeleteFunc(slices.Clone(ratings), func(r playout.Rating) bool { return r.Move == havannah.Swap })
	worst, best = math.Inf(1), math.Inf(-1)
	for _, r := range cells {
		worst, best = min(worst, r.Score()), max(best, r.Score())
	}
	heat = make(havannah.Heat, b.Grid().NumCells)
	for _, r := range cells {
		heat[r.Move] = 0.5
		if best > worst {
			heat[r.Move] = (r.Score() - worst) / (best - worst)
		}
	}
	return heat, worst, best
}

func printRatings(w io.Writer, b *havannah.Board, ratings []playout.Rating) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "move\tscore\t\twins\tlosses\tdraws\tplies\t\n")
	for _, r := range ratings {
		n := float64(r.Playouts())
		// Two wins and two losses more keep few games from looking certain (A. Agresti
		// and B. Coull, 1998).
		p := (n*r.Score() + 2) / (n + 4)
		fmt.Fprintf(table, "%s\t%.2f%%\t±%.2f\t%d\t%d\t%d\t%.1f\t\n", b.Grid().Format(r.Move), 100*r.Score(),
			196*math.Sqrt(p*(1-p)/(n+4)), r.Wins, r.Losses, r.Draws, float64(r.Plies)/n)
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
