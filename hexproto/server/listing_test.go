package server_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// follow has a peer enter the lobby for its changes.
func follow(p *peer) *wire.Lobby {
	p.t.Helper()
	p.send(&wire.EnterLobby{On: true, Changes: true})
	return want[wire.Lobby](p)
}

// changesUntil applies changes to a lobby until it is as a test wants.
func changesUntil(p *peer, l *wire.Lobby, is func() bool) {
	p.t.Helper()
	for !is() {
		apply(l, want[wire.LobbyChanged](p))
	}
}

// Changes lead to the lobby that another connection enters.
func TestLobbyChanges(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	l := follow(ada)
	changesUntil(ada, l, func() bool { return len(l.Players) == 2 && l.Connected == 2 })
	eve := join(t, h, "Eve")
	var open []string
	for side := range 3 {
		options := json.RawMessage(fmt.Sprintf(`{"side":%d}`, side+3))
		open = append(open, bob.must(&wire.Challenge{Rules: boards.HavannahName, Options: options}).Challenge)
	}
	changesUntil(ada, l, func() bool { return len(l.Challenges) == 3 && len(l.Players) == 3 })
	for i, c := range l.Challenges { // the newest first
		if c.Challenge != open[2-i] || c.From.Name != "bob" {
			t.Errorf("challenge %d is %+v", i, c)
		}
	}
	bob.must(&wire.Cancel{Challenge: open[1]})
	first := eve.must(&wire.Accept{Challenge: open[0]}).Game
	changesUntil(ada, l, func() bool { return len(l.Challenges) == 1 && len(l.Games) == 1 && l.Running == 1 })
	second := eve.must(&wire.Accept{Challenge: open[2]}).Game
	changesUntil(ada, l, func() bool { return len(l.Games) == 2 })
	if l.Games[0].Game != second || l.Games[1].Game != first {
		t.Errorf("%+v", l.Games)
	}
	mover, other := bob, eve
	if g := bob.state(first); !slices.Contains(g.ToMove, g.You) {
		mover, other = eve, bob
	}
	mover.must(&wire.Play{Game: first, Turn: 0, Move: "a1"})
	other.must(&wire.Resign{Game: second}) // so that the lobby is told at once
	changesUntil(ada, l, func() bool { return len(l.Games) == 1 && l.Games[0].Turn == 1 })
	eve.ws.Close()
	changesUntil(ada, l, func() bool { return len(l.Players) == 2 })

	// Whoever enters now sees the same.
	bob.send(&wire.EnterLobby{On: true})
	if other := want[wire.Lobby](bob); !reflect.DeepEqual(other, l) {
		t.Errorf("ada sees %+v, and bob %+v", l, other)
	}
	ada.must(&wire.EnterLobby{})
}

// Games in which nobody moves any more, or nobody is there, are listed last.
func TestIdleGamesAreLast(t *testing.T) {
	var gone atomic.Int64 // since then, in ns
	then := time.Now()
	t.Cleanup(server.SetClock(func() time.Time { return then.Add(time.Duration(gone.Load())) }))
	h := start(t, nil)
	ada, bob, eve, max := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve"), join(t, h, "max")
	left := sit(t, eve, max, wire.Challenge{})
	waits := sit(t, ada, bob, wire.Challenge{})
	eve.ws.Close()
	max.ws.Close()
	ids := func(l *wire.Lobby) (ids []string, idle []bool) {
		for _, g := range l.Games {
			ids, idle = append(ids, g.Game), append(idle, g.Idle)
		}
		return ids, idle
	}
	l := follow(ada)
	changesUntil(ada, l, func() bool {
		games, idle := ids(l)
		return slices.Equal(games, []string{waits, left}) && slices.Equal(idle, []bool{false, true})
	})
	gone.Store(int64(11 * time.Minute))
	begun := sit(t, ada, bob, wire.Challenge{})
	changesUntil(ada, l, func() bool {
		games, idle := ids(l)
		return len(games) == 3 && games[0] == begun && slices.Equal(idle, []bool{false, true, true})
	})
	ada.must(&wire.Play{Game: waits, Turn: 0, Move: "a1"})
	ada.must(&wire.Challenge{Rules: boards.HavannahName}) // so that the lobby is told at once
	changesUntil(ada, l, func() bool {
		games, idle := ids(l)
		return games[2] == left && slices.Equal(idle, []bool{false, false, true})
	})
}

// A match of poker is listed with its hand.
func TestPokerInTheLobby(t *testing.T) {
	h := start(t, withPoker(t, "leduc-nolimit"))
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	c := ada.must(&wire.Challenge{Rules: "leduc-nolimit", Options: json.RawMessage(`{"hands":7}`)}).Challenge
	id := bob.must(&wire.Accept{Challenge: c}).Game
	l := follow(ada)
	changesUntil(ada, l, func() bool { return len(l.Games) == 1 })
	hand := l.Games[0].Hand
	if hand == nil || hand.Number != 1 || hand.Of != 7 || hand.Street == "" || hand.Pot <= 0 {
		t.Fatalf("%+v", l.Games[0])
	}
	mover := ada
	if g := ada.state(id); !slices.Contains(g.ToMove, g.You) {
		mover = bob
	}
	mover.must(&wire.Play{Game: id, Move: "c"})
	bob.must(&wire.Challenge{Rules: "leduc-nolimit"}) // so that the lobby is told at once
	changesUntil(ada, l, func() bool { return l.Games[0].Turn == 1 && l.Games[0].Hand != nil })
}

// Four accounts with as many games and challenges as they may have leave the lobby small, and
// show each other's entries.
func TestLobbyOfHostileAccounts(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withMatrix(c)
		c.Limits.Rate, c.Limits.Burst, c.Limits.Clockless = 1e6, 1e6, 100
	})
	var hostile []*peer
	for i := range 4 {
		hostile = append(hostile, join(t, h, fmt.Sprintf("a-name-of-24-characters%d", i)))
	}
	ada := join(t, h, "ada")
	large := wire.Challenge{Rules: boards.MatrixName, Options: largeGame(t, strings.Repeat("ö", 60), 8)}
	for range 80 {
		c := hostile[2].must(&large).Challenge
		hostile[3].must(&wire.Accept{Challenge: c})
	}
	for _, p := range hostile {
		for range 64 {
			large.Tag = fmt.Sprintf("%062d", p.ids)
			p.must(&large)
		}
	}
	own := ada.must(&wire.Challenge{Rules: boards.HavannahName}).Challenge
	size := 0
	ada.tap = func(frame []byte) { size = len(frame) }
	l := follow(ada)
	if size > 25_000 || len(l.Games) != 8 || l.Running != 80 || len(l.Challenges) != 33 ||
		!slices.ContainsFunc(l.Challenges, func(c wire.Challenged) bool { return c.Challenge == own }) {
		t.Errorf("%d bytes, %d games of %d, %d challenges", size, len(l.Games), l.Running, len(l.Challenges))
	}
}

// An account may enter the lobby so often, and then some times a second.
func TestEnteringHasAPrice(t *testing.T) {
	now := time.Now() // a clock that stands
	t.Cleanup(server.SetClock(func() time.Time { return now }))
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	for range 20 {
		ada.send(&wire.EnterLobby{On: true})
		want[wire.Lobby](ada)
	}
	if e := ada.again(h).refused(&wire.EnterLobby{On: true}, wire.TooFast); e.Retry < 1 || e.Retry > 1000 {
		t.Errorf("%+v", e)
	}
	ada.must(&wire.EnterLobby{})
	follow(bob)
}
