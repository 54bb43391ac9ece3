package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"gamebots/bots/arena/plan"
	"gamebots/hexproto/game"
)

// Formats are those of poker, of board games, and of both.
var Formats = []Format{ACPC, PHH, HGF, Text, CSV, JSONL}

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
		return fmt.Sprintf("%s, %s, %s and %s are for poker", ACPC, PHH, CSV, JSONL)
	}
	return fmt.Sprintf("%s (of Havannah), %s, %s and %s are for board games", HGF, Text,
		CSV, JSONL)
}

// Export writes all stored games of a run, by shard, and returns the number of hands or
// games. Rules are the known board games.
func Export(
	ctx context.Context, w io.Writer, games plan.Games, run *plan.Run, rules []game.Rules, format Format,
) (n int, err error) {
	bad := &FormatError{run.Plan.Name, run.Plan.Kind, format}
	out := bufio.NewWriter(w)
	defer func() { err = errors.Join(err, out.Flush()) }()
	if run.Plan.Kind == plan.Poker {
		if !slices.Contains([]Format{ACPC, PHH, CSV, JSONL}, format) {
			return 0, bad
		}
		return writeHands(ctx, out, games, run, format)
	}
	if !slices.Contains([]Format{HGF, Text, CSV, JSONL}, format) {
		return 0, bad
	}
	i := slices.IndexFunc(rules, func(r game.Rules) bool { return r.About().Name == run.Plan.Game })
	if i < 0 {
		return 0, fmt.Errorf("run %s: this program does not know the rules %q", run.Plan.Name, run.Plan.Game)
	}
	return writeBoards(ctx, out, games, run, rules[i], format)
}
