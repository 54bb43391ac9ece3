package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"

	"gamebots/hexproto/server/internal/limit"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// archive has the games that are over and not in memory any more. It reads them from
// the database and plays their moves again without the server's lock, and keeps those
// that were asked for last. Nothing changes a table of the archive.
type archive struct {
	core    *core
	reading *limit.Turns

	mu     sync.Mutex
	recent *simplelru.LRU[string, *archived] // games by id
	size   int                               // size of all of them, in bytes
}

// archived is a game of the archive. It has no table if it cannot be read.
type archived struct {
	id    string
	table *table
	size  int
}

const (
	archiveSize    = 16 << 20 // bytes that the archive keeps at most
	archiveReaders = 2        // games that it reads at a time
)

func newArchive(c *core) *archive {
	recent, _ := simplelru.NewLRU[string, *archived](math.MaxInt, nil) // it fails only without room
	return &archive{core: c, reading: limit.NewTurns(archiveReaders), recent: recent}
}

// open returns a game for a client, which reads one at a time. It returns nil if there
// is no such game, and an error if it cannot be read.
func (ar *archive) open(ctx context.Context, client any, id string) (*table, error) {
	g := ar.kept(id)
	if g == nil {
		done, err := ar.reading.Take(ctx, client)
		if err != nil {
			return nil, err
		}
		defer done()
		if g = ar.kept(id); g == nil {
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
	return &archived{id, t, size + len(id) + 1000}, nil
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

// kept returns a game that the archive has in memory, or nil.
func (ar *archive) kept(id string) *archived {
	ar.mu.Lock()
	defer ar.mu.Unlock()
	g, _ := ar.recent.Get(id)
	return g
}

// keep keeps a game, and forgets those that nobody has asked for, for a long time.
func (ar *archive) keep(g *archived) {
	ar.mu.Lock()
	defer ar.mu.Unlock()
	if ar.recent.Contains(g.id) {
		return
	}
	ar.recent.Add(g.id, g)
	for ar.size += g.size; ar.size > archiveSize && ar.recent.Len() > 1; {
		_, old, _ := ar.recent.RemoveOldest()
		ar.size -= old.size
	}
}

// forget drops all games, because one was annulled.
func (ar *archive) forget() {
	ar.mu.Lock()
	defer ar.mu.Unlock()
	ar.recent.Purge()
	ar.size = 0
}
