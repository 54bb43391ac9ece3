package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gamebots/bots/arena/plan"
	"gamebots/hexproto/game"
)

// FormatError reports that a run cannot be written in a format.
type FormatError struct {
	Run    string
	Kind   string
	Format Format
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("run %s is of %s games, which are not written as %s", e.Run, e.Kind, e.Format)
}

// Hint names the formats of the run's kind of game.
func (e *FormatError) Hint() string {
	if e.Kind == plan.Poker {
		return List(named(format.poker)) + " are for poker"
	}
	return strings.Replace(List(named(format.boards)), "hgf", "hgf (of Havannah)", 1) + " are for board games"
}

// Export writes all stored games of a run, by shard, and returns the number of hands or
// games. Rules are the known board games.
func Export(
	ctx context.Context, w io.Writer, games plan.Games, run *plan.Run, rules []game.Rules, to Format,
) (n int, err error) {
	f, poker := formatNamed(to), run.Plan.Kind == plan.Poker
	if poker && !f.poker() || !poker && !f.boards() {
		return 0, &FormatError{run.Plan.Name, run.Plan.Kind, to}
	}
	out := bufio.NewWriter(w)
	defer func() { err = errors.Join(err, out.Flush()) }()
	if poker {
		return writeHands(ctx, out, games, run, to)
	}
	i := slices.IndexFunc(rules, func(r game.Rules) bool { return r.About().Name == run.Plan.Game })
	if i < 0 {
		return 0, fmt.Errorf("run %s: this program does not know the rules %q", run.Plan.Name, run.Plan.Game)
	}
	return writeBoards(ctx, out, games, run, rules[i], to)
}
