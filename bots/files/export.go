package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"gamebots/bots/arena"
	"gamebots/hexproto/game"
	"gamebots/internal/usererr"
)

// Export writes all stored games of a run, by shard, and returns the number of hands or
// games. Rules are the known board games.
func Export(
	ctx context.Context, w io.Writer, games arena.Games, run *arena.Run, rules []game.Rules, to Format,
) (n int, err error) {
	f, poker := formatNamed(to), run.Plan.Kind == arena.Poker
	if poker && !f.poker() || !poker && !f.boards() {
		hint := strings.Replace(List(named(format.boards)), "hgf", "hgf (of Havannah)", 1) + " are for board games"
		if poker {
			hint = List(named(format.poker)) + " are for poker"
		}
		return 0, usererr.WithHint(fmt.Errorf("run %s is of %s games, which are not written as %s", run.Plan.Name,
			run.Plan.Kind, to), hint)
	}
	out := bufio.NewWriter(w)
	defer func() { err = errors.Join(err, out.Flush()) }()
	if poker {
		return writeHands(ctx, out, games, run, to)
	}
	known := game.Named(rules, run.Plan.Game)
	if known == nil {
		return 0, fmt.Errorf("run %s: this program does not know the rules %q", run.Plan.Name, run.Plan.Game)
	}
	return writeBoards(ctx, out, games, run, known, to)
}
