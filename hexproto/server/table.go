package server

import (
	"slices"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// table is a game with its players and spectators.
type table struct {
	core *core
	record
	position
	seating
	memory int // bytes that it takes at most, about

	slept int   // how often it was put to sleep
	waits []int // the seats to move while it sleeps
}

// tableRef is a table to code that has to outlast an operation.
type tableRef = parallel.Ref[games, table]

func (t *table) ref() tableRef { return parallel.To[games](t) }

// record is what describes a game to its audience and in the database, beside its moves.
type record struct {
	row       int64 // row in the database
	id, tag   string
	maker     *account // who made the challenge
	rulesName string
	kind      string // for ratings
	rated     bool
	started   int64
	moved     int64 // when the last move was made, or the game began
	result    *wire.Result
	foreign   string // the record of a game that was played elsewhere, else ""
	chat      []said

	board *wire.Board        // set while the game is in the archive
	final map[int]*wire.View // last views of a game that is over, by the seat that has seen it
}

// sendPresence tells the audience which players are at the table. Who comes or goes pays for it.
func (t *table) sendPresence(tx *transaction) {
	m := &wire.Presence{
		Game: t.id, Present: t.present(), Gone: slices.Clone(t.gone), Away: t.away(), Watchers: len(t.watchers),
	}
	if t.hidden() != nil {
		time := t.time()
		m.Time = &time
	}
	tx.shown += t.send(tx, m)
}

// reader is what the messages of a game depend on: all connections with the same get the same frame.
type reader struct {
	seat  int
	views bool
	by    *account // if it ignores others, so that their chat is left out
}

// readerOf returns what the messages of the game to a connection depend on.
func (t *table) readerOf(c *conn) reader {
	r := reader{seat: t.seat(c.account), views: c.views}
	if len(c.account.ignored) > 0 {
		r.by = c.account
	}
	return r
}

// sendState shows the audience the state of the game.
func (t *table) sendState(tx *transaction) {
	frames := map[reader]*frame{}
	tx.shown += t.tell(tx, func(c *conn) *frame {
		r := t.readerOf(c)
		if frames[r] == nil {
			frames[r] = encode(0, t.stateFor(r))
		}
		return frames[r]
	})
}

// stateFor returns the game with its chat for a reader.
func (t *table) stateFor(r reader) *wire.Game {
	g := t.state(r.seat, r.views)
	g.Said = t.saidTo(r.seat, r.by)
	return g
}

// state returns the game as a seat sees it, or a spectator, whose seat is -1, without the chat.
// In a game with hidden information a seat sees its own in the view, so it always has one.
func (t *table) state(seat int, views bool) *wire.Game {
	g := &wire.Game{
		Game: t.id, Tag: t.tag, Rules: t.rulesName, Options: t.options.whole, Kind: t.kind, Rated: t.rated,
		Seats: t.players(t.kind), Names: t.rules.About().Seats,
		You: seat, Started: t.started,
		Clock: t.clocks.Clock, Time: t.time(),
		Turn: t.turn, ToMove: t.toMove(), Swap: t.result == nil && t.game.CanSwap(),
		Moves: slices.Clone(t.moves), Offers: slices.Clone(t.offers), Result: t.result,
		Present: t.present(), Gone: slices.Clone(t.gone), Away: t.away(), Watchers: len(t.watchers),
		Record: t.foreign,
	}
	if g.Moves == nil {
		g.Moves = []wire.Move{}
	}
	if seat >= 0 {
		g.Mine = t.pending[seat]
	}
	if views || t.hidden() != nil {
		if g.Board = t.board; g.Board == nil {
			g.Board = t.game.Board()
		}
		g.View = t.view(seat, -1)
	}
	return g
}

// recorded returns the game as its record has it for the caller of a request: the view of a
// spectator or, in games with hidden information, that of the caller's seat.
func (t *table) recorded(caller any) *wire.Game {
	a, _ := caller.(*account)
	g := t.state(t.viewer(t.seat(a)), false)
	g.Said = t.saidTo(t.seat(a), a)
	return g
}

// view returns a seat's view of the position, with the hands that ended in a turn from since
// on, or in any if that is -1. A game that is over has no legal moves.
func (t *table) view(seat, since int) *wire.View {
	seat = t.viewer(seat)
	if v := t.final[seat]; v != nil {
		return v
	}
	var v *wire.View
	if h := t.hidden(); h != nil {
		v = h.ViewOf(seat, since)
	} else {
		v = t.game.View()
	}
	if t.result != nil {
		v.Legal, v.LegalSecond = []string{}, nil
		if t.final == nil {
			t.final = map[int]*wire.View{}
		}
		t.final[seat] = v
	}
	return v
}

// brief describes a running game as the lobby lists it.
func (t *table) brief() wire.Brief {
	return wire.Brief{
		Game: t.id, Tag: t.tag, Rules: t.rulesName, Options: t.options.short, Cut: t.options.cut, Kind: t.kind,
		Rated: t.rated,
		Seats: t.players(t.kind),
		Clock: t.clocks.Clock, Turn: t.turn, Started: t.started, Idle: t.idle(), Hand: t.hand(),
	}
}

// hand describes the hand of a game of poker, and is nil for other games.
func (t *table) hand() *wire.PokerHand {
	if p, ok := t.game.(game.Poker); ok {
		return p.Hand()
	}
	return nil
}

// idleAfter is the time without a move after which a game is idle.
const idleAfter = 10 * time.Minute

// idle reports whether nobody seems to play the game just now.
func (t *table) idle() bool {
	return !t.seats.attended(t.present(), t.gone) || date()-t.moved > idleAfter.Milliseconds()
}

// toMove lists the seats for which the turn waits.
func (t *table) toMove() []int {
	switch {
	case t.result != nil:
		return []int{}
	case t.asleep():
		return slices.Clone(t.waits)
	}
	return t.waiting()
}

// time returns the clocks as messages have them.
func (t *table) time() wire.Time { return t.clocks.time(now(), t.core.limits.FirstMove) }
