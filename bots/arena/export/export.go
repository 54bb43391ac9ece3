package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"gamebots/bots/arena/record"
	"gamebots/bots/arena/store"
	"gamebots/hexproto/server"
)

// Format is how games are written.
type Format string

// The formats: of poker, of board games, and of both.
const (
	ACPC  Format = "acpc"
	PHH   Format = "phh"
	HGF   Format = "hgf"
	Text  Format = "text"
	CSV   Format = "csv"
	JSONL Format = "jsonl"
)

// Formats are all of them.
var Formats = []Format{ACPC, PHH, HGF, Text, CSV, JSONL}

// FormatError says that a run cannot be written in a format.
type FormatError struct {
	Run    string
	Kind   string
	Format Format
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("run %s is of %s games, which are not written as %s", e.Run, e.Kind, e.Format)
}

// Hint names the formats that there are.
func (e *FormatError) Hint() string {
	if e.Kind == record.Poker {
		return fmt.Sprintf("%s, %s, %s and %s are for poker", ACPC, PHH, CSV, JSONL)
	}
	return fmt.Sprintf("%s (of Havannah), %s, %s and %s are for board games", HGF, Text, CSV, JSONL)
}

// Write writes everything that is stored of a run, by the numbers of its shards, and
// returns how many hands or games that is. rules are those of board games.
func Write(ctx context.Context, w io.Writer, db *store.Store, run *store.Run, rules []server.Rules, format Format) (n int, err error) {
	bad := &FormatError{run.Plan.Name, run.Plan.Kind, format}
	out := bufio.NewWriter(w)
	defer func() { err = errors.Join(err, out.Flush()) }()
	if run.Plan.Kind == record.Poker {
		if !slices.Contains([]Format{ACPC, PHH, CSV, JSONL}, format) {
			return 0, bad
		}
		return writeHands(ctx, out, db, run, format)
	}
	if !slices.Contains([]Format{HGF, Text, CSV, JSONL}, format) {
		return 0, bad
	}
	i := slices.IndexFunc(rules, func(r server.Rules) bool { return r.About().Name == run.Plan.Game })
	if i < 0 {
		return 0, fmt.Errorf("run %s: this program does not know the rules %q", run.Plan.Name, run.Plan.Game)
	}
	return writeBoards(ctx, out, db, run, rules[i], format)
}
