package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"gamebots/hexproto/server/internal/limit"

	lru "github.com/hashicorp/golang-lru/v2"
)

// archive has the games that are over and not in memory any more. It reads them from
// the database and plays their moves again without the server's lock, and keeps those
// that were asked for last. Nothing changes a table of the archive.
type archive struct {
	core    *core
	reading *limit.Turns

	recent *lru.Cache[string, *archived] // games by id
	size   atomic.Int64                  // size of all of them, in bytes
}

// archived is a game of the archive. It has no table if it cannot be read.
type archived struct {
	id    string
	table *table
	size  int64
}

const (
	archiveSize    = 16 << 20 // bytes that the archive keeps at most
	archiveReaders = 2        // games that it reads at a time
)

func newArchive(c *core) *archive {
	ar := &archive{core: c, reading: limit.NewTurns(archiveReaders)}
	ar.recent, _ = lru.NewWithEvict(math.MaxInt, func(_ string, g *archived) { ar.size.Add(-g.size) })
	return ar // the cache fails only without room
}

// open returns a game for a client, which reads one at a time. It returns nil if there
// is no such game, and an error if it cannot be read.
func (ar *archive) open(ctx context.Context, client any, id string) (*table, error) {
	g, ok := ar.recent.Get(id)
	if !ok {
		done, err := ar.reading.Take(ctx, client)
		if err != nil {
			return nil, err
		}
		defer done()
		if g, ok = ar.recent.Get(id); !ok {
			if g, err = ar.read(id); g == nil || err != nil {
				return nil, err
			}
			ar.keep(g)
		}
	}
	if g.table == nil {
		return nil, fmt.Errorf("game %s: %s", id, reasonFailed)
	}
	return g.table, nil
}

// read reads a game from the database.
func (ar *archive) read(id string) (*archived, error) {
	stored, err := ar.core.readGames(`WHERE id = ? AND result IS NOT NULL`, id)
	if err != nil || len(stored) == 0 {
		return nil, err
	}
	t := stored[0]
	if t.rules == nil {
		err = fmt.Errorf("unknown rules %q", t.rulesName)
	} else {
		err = t.restore()
	}
	size := 0
	if err == nil {
		size, err = t.freeze()
	}
	if err != nil {
		ar.core.log.Error("a stored game cannot be read", "game", id, "error", err)
		t = nil
	}
	return &archived{id, t, int64(size + len(id) + 1000)}, nil
}

// freeze computes what is shown of a game that is over to spectators and, if that differs, to
// each seat, so that nothing calls its rules any more. It returns about how much memory the
// game takes.
func (t *table) freeze() (size int, err error) {
	ok := t.core.locked(func(tx *transaction) {
		t.board = t.game.Board()
		viewers := 0
		if t.hidden() != nil {
			viewers = len(t.seats)
		}
		for seat := -1; seat < viewers && err == nil; seat++ {
			var text []byte
			text, err = json.Marshal(t.state(seat, true))
			size += 4 * len(text)
		}
		for _, line := range t.chat {
			size += 2*len(line.Text) + 200
		}
	})
	if !ok {
		return 0, errors.New(reasonFailed)
	}
	return size, err
}

// keep keeps a game, and forgets those that nobody has asked for, for a long time.
func (ar *archive) keep(g *archived) {
	if known, _ := ar.recent.ContainsOrAdd(g.id, g); !known {
		ar.size.Add(g.size)
	}
	for ar.size.Load() > archiveSize && ar.recent.Len() > 1 {
		ar.recent.RemoveOldest()
	}
}
