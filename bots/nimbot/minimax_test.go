package nimbot

import (
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/nim"
	"gamebots/hexproto/wire"
	"gamebots/solvers/nimsolver"
)

func cpu(t *testing.T) cudalib.Choice {
	t.Helper()
	c, err := cudalib.ParseChoice("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newGame(options string) *wire.Game {
	return &wire.Game{Game: "g", Rules: boards.NimName, Options: json.RawMessage(options)}
}

// Whatever can be won the bot wins, against any player; it knows no rule.
func TestMinimaxWins(t *testing.T) {
	b := NewMinimax(1, cpu(t))
	defer b.Close()
	bots := [2]hexproto.Bot{Bot(b), Bot(XOR{})}
	for i, options := range []string{
		`{"heaps":[1,3,5,7],"misere":false}`, `{"heaps":[1,3,5,7],"misere":true}`, `{"heaps":[1,2,5,7],"misere":false}`,
		`{"heaps":[1,2,5,7],"misere":true}`,
		`{"heaps":[9,9,9],"misere":false,"max_take":2}`, `{"heaps":[8,9,4,0,3],"max_take":3,"misere":true}`,
		`{"heaps":[1,3,5,7,9,11,13,14],"misere":false}`,
	} {
		for seat := range 2 {
			g := newGame(options)
			g.Tag = fmt.Sprint(i)
			for {
				board := boards.NimBoard(at(t, g, 0).Game)
				if board.Over() {
					break
				}
				mine := g.Turn%2 == seat
				bot := bots[0]
				if !mine {
					bot = bots[1]
				}
				wins := !board.Lost()
				e, err := bot.Open(t.Context(), g, g.Turn%2)
				if err != nil {
					t.Fatal(err)
				}
				d, err := e.Decide(t.Context(), g, hexproto.Budget{})
				if err != nil {
					t.Fatal(err)
				}
				g.Moves = append(g.Moves, wire.Move{Turn: g.Turn, Seat: g.Turn % 2, Move: d.Move})
				g.Turn++
				after := boards.NimBoard(at(t, g, 0).Game)
				if mine && after.Lost() != wins {
					t.Errorf("%s: from %v: lost after it: %v", options, after, after.Lost())
				}
				if mine && (d.Rated[0].Value == 1) != wins {
					t.Errorf("%s: %v is rated %v, wins: %v", options, board, d.Rated[0].Value, wins)
				}
			}
		}
	}
}

// A board that is too large for a table is looked at as far as time allows, and a
// small one is solved once.
func TestMinimaxThinks(t *testing.T) {
	b := NewMinimax(1, cpu(t))
	defer b.Close()
	g := newGame(`{"heaps":[15,15,15,15,15,15,15,15,15,15,15,15],"misere":false}`)
	e, err := Bot(b).Open(t.Context(), g, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []time.Duration{1, 20 * time.Millisecond} {
		d, err := e.Decide(t.Context(), g, hexproto.Budget{Left: time.Second, Share: share})
		if err != nil || d.Rated[0].Value != 0.5 {
			t.Errorf("%+v: %v", d, err)
		}
	}
	// More games at a time than may look ahead.
	var games sync.WaitGroup
	for i := range 2 * maxSearches {
		games.Go(func() {
			large := nimsolver.Position{Rules: nim.Rules{MaxTake: 15 - i}, Heaps: 0xffffffffffff}
			r, err := b.think(t.Context(), large, 20*time.Millisecond)
			if err != nil || r.Value != nimsolver.Unknown || r.Move.Take == 0 {
				t.Errorf("game %d: %+v, %v", i, r, err)
			}
		})
	}
	games.Wait()
	for i := range 2 * maxTables {
		p := nimsolver.Position{Rules: nim.Rules{MaxTake: i}, Heaps: 0xfffff}
		for range 2 {
			r, err := b.think(t.Context(), p, time.Second)
			if err != nil || (r.Value == nimsolver.Loss) != p.Rules.Lost(p.Heaps) {
				t.Errorf("%+v: %+v, %v", p, r, err)
			}
		}
	}
	if len(b.tables) != maxTables {
		t.Errorf("%d tables are kept", len(b.tables))
	}
	if _, err := Bot(b).Open(t.Context(), newGame(`{"heaps":[99],"misere":false}`), 0); err == nil {
		t.Error("a heap of 99 was opened")
	}
}

// A small board is played while a large one is solved.
func TestMinimaxIsQuick(t *testing.T) {
	b := NewMinimax(1, cpu(t))
	defer b.Close()
	b.solving.Lock()
	defer b.solving.Unlock()
	for options, quick := range map[string]bool{`{"heaps":[1,3,5,7],"misere":false}`: true,
		`{"heaps":[15,15,15,15,15,15,15,15],"misere":false}`: false} {
		g := newGame(options)
		if got := hexproto.Quick(Bot(b), boards.NimName, at(t, g, 0).Game); got != quick {
			t.Errorf("%s: quick: %v", options, got)
		}
		if !quick {
			continue
		}
		e, err := Bot(b).Open(t.Context(), g, 0)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := e.Decide(t.Context(), g, hexproto.Budget{}); err != nil || d.Move == "" {
			t.Errorf("%+v, %v", d, err)
		}
	}
}

// Memory bounds the tables that are kept, and a search's own.
func TestMinimaxMemory(t *testing.T) {
	b := NewMinimax(1, cpu(t))
	defer b.Close()
	b.Memory = 256 << 10
	if err := b.prepare(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.think(t.Context(), nimsolver.Position{Heaps: 0xfffff}, time.Millisecond); err != nil ||
		len(b.tables) != 0 {
		t.Errorf("%d tables of 128 KiB are kept: %v", len(b.tables), err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := b.search(t.Context(), nimsolver.Position{Heaps: 0x11}, 20); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
		t.Errorf("a search takes %d bytes", bytes)
	}
}
