package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"

	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/internal/usererr"
	"gamebots/solvers/policy"
	"gamebots/solvers/policy/browse"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// showFlags are the flags of show.
type showFlags struct {
	at, board   string
	all, walk   bool
	table       bool
	ranges      bool
	csv, json   bool
	svg         string
	color       cli.Colour
	differences int
	memory      cli.Bytes
}

func newShow() *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:   "show STRATEGY [STRATEGY]",
		Short: "Show what a strategy does with each hand",
		Long: `show prints what a strategy does with each hand at a point of the game: at the
first action, or after the betting of --at. STRATEGY is a file or, by the name
of a game, the strategy that comes with the program.

Betting is written as the ACPC's dealer writes it: f folds, c checks or calls, r
bets or raises (in no-limit games to a total for the whole hand, as in r300),
and a slash separates rounds. --board gives the board cards. --at may also be a
dealer's line MATCHSTATE or STATE, with its cards.

Hold'em is shown as a grid of its 169 classes of hands, in colour on a terminal
unless NO_COLOR is set: the width of a colour is the probability of its action,
and grey is the part of the hands that do not reach this point. Other games are
shown as a table, and all games with --table. "reach" is the probability with
which the player's own actions lead here, and "bucket" the number of the bucket,
whose hands the strategy plays alike. "value" is what an action wins on average,
in chips, if all play the strategy before and after it: in small games, and in
the last round of two-player games. Without --board, a small game is listed with
all boards.

Two strategies of a game are shown side by side. --differences N lists the N
hands that they play most differently in the whole game: sorted by the chips
that the second strategy's probabilities lose there, if that is known, and
otherwise by the difference times the probability of the hand and the point. In
large games these are hands of the first round, and of later rounds for which
--board gives the cards.

--walk walks through the game: it lists the actions and reads one command a
line. --all prints every information set, with a line of CSV for each action.

More: docs/show.md`,
		Example: `  gamebots show kuhn.strategy
  gamebots show leduc.strategy --at crrc/ --board Ks
  gamebots show holdem-limit-2p --at r --svg bigblind.svg
  gamebots show holdem-limit-2p --at 'MATCHSTATE:0:7:rc/:AsKd|/Th9h2c'
  gamebots show leduc.strategy --all > leduc.csv
  gamebots show a.strategy b.strategy --differences 10
  gamebots show holdem-limit-2p --walk`,
		Args: cli.Arguments(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd.Flags(), len(args)); err != nil {
				return err
			}
			return f.show(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.at, "at", "", "show the point after this betting, or of this line of a dealer")
	flags.StringVar(&f.board, "board", "", "the `CARDS` on the board, in the order of their rounds")
	flags.BoolVar(&f.walk, "walk", false, "walk through the game")
	flags.BoolVar(&f.all, "all", false, "print the whole strategy as CSV, or as JSON lines with --json")
	flags.BoolVar(&f.table, "table", false, "print a table where a grid is the default")
	flags.BoolVar(&f.ranges, "ranges", false, "also print the ranges of all players at the point")
	flags.BoolVar(&f.csv, "csv", false, "print CSV, a line for each hand and action")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.svg, "svg", "", "also draw the grid into this `FILE`")
	flags.Var(&f.color, "color", "colours: auto, always or never")
	flags.IntVar(&f.differences, "differences", 0, "with two strategies: list the `N` hands that differ most")
	flags.Var(&f.memory, "memory", "memory limit, as in 8GiB (default all available memory)")
	return cmd
}

// check refuses flags that cannot be combined.
func (f *showFlags) check(flags *pflag.FlagSet, files int) error {
	for _, pair := range [][2]string{
		{"all", "at"}, {"all", "board"}, {"all", "csv"}, {"all", "ranges"}, {"all", "svg"}, {"all", "table"}, {"all", "walk"},
		{"walk", "csv"}, {"walk", "json"}, {"walk", "svg"},
		{"csv", "json"}, {"csv", "ranges"}, {"csv", "table"}, {"json", "ranges"}, {"json", "table"},
		{"differences", "at"}, {"differences", "ranges"}, {"differences", "table"},
	} {
		if flags.Changed(pair[0]) && flags.Changed(pair[1]) {
			return usererr.Usagef("--%s and --%s cannot be combined", pair[0], pair[1])
		}
	}
	switch {
	case flags.Changed("differences") && (f.differences < 1 || files != 2):
		return usererr.Usagef("--differences lists at least 1 hand, of two strategies")
	case files == 2 && (f.all || f.walk || f.svg != ""):
		return usererr.Usagef("--all, --walk and --svg are for one strategy")
	case f.svg != "" && filepath.Ext(f.svg) != ".svg":
		return usererr.Usagef("--svg: %q is not an .svg file", f.svg)
	}
	return nil
}

// show shows the strategies of some files.
func (f *showFlags) show(cmd *cobra.Command, files []string) error {
	var opened []*browse.Strategy
	for _, name := range files {
		file, err := strategies.File(name)
		if err != nil {
			return err
		}
		p, err := strategies.OpenPart(cmd, file, f.memory.Or(memory.Available))
		if err != nil {
			return err
		}
		defer p.Close()
		if f.all {
			return printStrategy(cmd.OutOrStdout(), p, f.json)
		}
		s, err := browse.New(p, runtime.NumCPU())
		if err != nil {
			return err
		}
		opened = append(opened, s)
	}
	first, w := opened[0], cmd.OutOrStdout()
	if f.differences > 0 {
		all, err := parallel.Await(cmd.Context(), func() ([]browse.Difference, error) {
			return browse.Compare(first, opened[1], f.board)
		})
		if err != nil {
			return showError(err)
		}
		return f.printDifferences(w, first.Game(), all[:min(f.differences, len(all))])
	}
	point, err := first.Parse(f.at, f.board)
	if err != nil {
		return showError(err)
	}
	if f.walk {
		return f.walkThrough(cli.LineReader(cmd.Context(), cmd.InOrStdin()), w, first, point)
	}
	if len(opened) == 2 {
		return f.showBoth(w, files, [2]*browse.Strategy(opened), point)
	}
	node, err := first.At(point)
	if err != nil {
		return showError(err)
	}
	return f.printNode(w, node, &point)
}

// showBoth shows what two strategies of some files do at a point: in a table, or as two grids
// and the hands that differ most.
func (f *showFlags) showBoth(w io.Writer, files []string, strategies [2]*browse.Strategy, point browse.Point) error {
	first := strategies[0]
	all, err := browse.CompareAt(first, strategies[1], point)
	if err != nil {
		return showError(err)
	}
	var nodes [2]*browse.Node
	for i, s := range strategies {
		if nodes[i], err = s.At(point); err != nil {
			return showError(err)
		}
	}
	if f.csv || f.json || f.table || nodes[0].Grid == nil {
		return f.printDifferences(w, first.Game(), all)
	}
	for i, n := range nodes {
		fmt.Fprintln(w, files[i])
		if err := f.printText(w, n); err != nil {
			return err
		}
	}
	slices.SortStableFunc(all, func(x, y browse.Difference) int { return cmp.Compare(y.Weighted, x.Weighted) })
	return f.printDifferences(w, first.Game(), all[:min(shownDifferences, len(all))])
}

// shownDifferences is how many hands are listed below two grids.
const shownDifferences = 10

// showError adds advice to an error about a point.
func showError(err error) error {
	missing := (*browse.BoardError)(nil)
	switch {
	case errors.As(err, &missing):
		return usererr.WithHint(err, fmt.Sprintf("--board gives the cards, as in --board %s", "AhKs2d7c4s"[:min(10, 2*missing.Cards)]))
	case errors.Is(err, policy.ErrOffTree):
		return usererr.WithHint(err, "--walk lists the actions that it has")
	}
	return err
}
