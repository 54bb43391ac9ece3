package server_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// texts returns the lines of a chat, those of spectators in brackets.
func texts(lines []wire.Line) string {
	var all []string
	for _, line := range lines {
		text := line.From + " " + line.Text
		if line.Spectator {
			text = "(" + text + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// hears wants the lines of chat that a peer has been sent, in their order.
func hears(p *peer, want ...string) {
	p.t.Helper()
	p.must(&wire.EnterLobby{}) // all that was sent before has come by then
	var lines []wire.Line
	p.heard = slices.DeleteFunc(p.heard, func(m wire.Message) bool {
		said, ok := m.(*wire.Said)
		if ok {
			lines = append(lines, said.Line)
		}
		return ok
	})
	if got := texts(lines); got != strings.Join(want, ", ") {
		p.t.Errorf("%s hears %s, want %s", p.name, got, strings.Join(want, ", "))
	}
}

// Players do not read what spectators say while the game runs, also not in its state or record,
// nor after a restart. Spectators read everything, and after the game everybody does.
func TestSpectatorsChat(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, nil)
	ada, bob, eve, max := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve"), join(t, h, "max")
	id := sit(t, ada, bob, wire.Challenge{Rated: true})
	eve.state(id)
	max.state(id)
	for _, said := range []struct {
		by   *peer
		text string
	}{{ada, "hello"}, {eve, "play c3"}, {bob, "hi"}, {max, "no"}} {
		said.by.must(&wire.Chat{Game: id, Text: said.text})
	}
	const players, all = "ada hello, bob hi", "ada hello, (eve play c3), bob hi, (max no)"
	for restarts := range 2 {
		for p, want := range map[*peer]string{ada: players, bob: players, eve: all, max: all} {
			if restarts == 0 {
				hears(p, strings.Split(want, ", ")...)
			}
			if got := texts(p.state(id).Said); got != want {
				t.Errorf("%s reads %s, want %s", p.name, got, want)
			}
			record := get(t, h, "/records/"+id+".json", p.token)
			if strings.Contains(record, "play c3") != (want == all) {
				t.Errorf("%s gets %s", p.name, record)
			}
		}
		h.end()
		h = open(t, database, nil)
		ada, bob, eve, max = ada.again(h), bob.again(h), eve.again(h), max.again(h)
	}
	eve.state(id)
	bob.must(&wire.Resign{Game: id})
	for _, p := range []*peer{ada, bob, eve} {
		if got := texts(p.state(id).Said); got != all {
			t.Errorf("after the game %s reads %s", p.name, got)
		}
	}
	eve.must(&wire.Chat{Game: id, Text: "well played"})
	hears(ada, "(eve well played)")
}

// However much spectators say, what players have said is kept.
func TestSpectatorsDoNotCrowdPlayersOut(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{})
	ada.must(&wire.Chat{Game: id, Text: "hello"})
	for i := range 7 {
		eve := join(t, h, fmt.Sprintf("eve%d", i))
		eve.state(id)
		for range 9 {
			eve.must(&wire.Chat{Game: id, Text: "x"})
		}
	}
	bob.must(&wire.Resign{Game: id})
	if said := bob.state(id).Said; len(said) != 51 || said[0].Text != "hello" {
		t.Errorf("%d lines: %s", len(said), texts(said))
	}
}

// A player who is muted is not read any more, wherever he talks; one who is blocked cannot
// challenge either, nor sit down at the table. All connections of the account know it, and it
// outlives a restart.
func TestIgnore(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, nil)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	other := ada.again(h)
	ignore := func(name, how string, muted, blocked []string) {
		t.Helper()
		ada.send(&wire.Ignore{Name: name, How: how})
		for _, p := range []*peer{ada, other} {
			if m := want[wire.Ignored](p); !slices.Equal(m.Muted, muted) || !slices.Equal(m.Blocked, blocked) {
				t.Errorf("%s, %q: %+v, want %v and %v", name, how, m, muted, blocked)
			}
		}
	}
	for _, c := range []struct{ name, how, code string }{
		{"nobody", wire.IgnoreAll, wire.NotFound}, {"ada", wire.IgnoreChat, wire.Refused},
		{"random", wire.IgnoreAll, wire.Refused}, {"bob", "hate", wire.BadMessage},
	} {
		ada.refused(&wire.Ignore{Name: c.name, How: c.how}, c.code)
	}
	for _, p := range []*peer{ada, bob, eve} {
		p.send(&wire.EnterLobby{On: true})
		want[wire.Lobby](p)
	}
	id := sit(t, ada, bob, wire.Challenge{})
	bob.must(&wire.Chat{Game: id, Text: "one"})
	ignore("BOB", wire.IgnoreChat, []string{"bob"}, nil)
	bob.must(&wire.Chat{Game: id, Text: "two"})
	bob.must(&wire.Chat{Text: "three"})
	hears(ada, "bob one")
	hears(bob, "bob one", "bob two", "bob three")
	if said := ada.state(id).Said; len(said) != 0 {
		t.Errorf("ada reads %s", texts(said))
	}
	toAda := &wire.Challenge{Rules: "havannah", To: "ada"}
	waiting := bob.must(toAda).Challenge
	ignore("eve", wire.IgnoreAll, []string{"bob"}, []string{"eve"})
	ignore("bob", wire.IgnoreAll, nil, []string{"bob", "eve"})
	for c := want[wire.Closed](bob); c.Challenge != waiting || c.Reason != "blocked" || c.By != "ada"; {
		c = want[wire.Closed](bob)
	}
	for range 2 {
		offered := ada.must(&wire.Challenge{Rules: "havannah"}).Challenge
		for _, p := range []*peer{bob, eve} {
			for _, m := range []wire.Message{toAda, &wire.Accept{Challenge: offered}} {
				if e := p.refused(m, wire.Refused); e.Text != "ada does not want to play with you" {
					t.Errorf("%+v", e)
				}
			}
		}
		ada.must(&wire.Cancel{Challenge: offered})
		h.end()
		h = open(t, database, nil)
		ada, bob, eve = ada.again(h), bob.again(h), eve.again(h)
		if m := ada.hello.Ignored; m.Muted != nil || !slices.Equal(m.Blocked, []string{"bob", "eve"}) {
			t.Errorf("after a restart %+v", m)
		}
	}
	other = ada.again(h)
	ignore("eve", "", nil, []string{"bob"})
	ignore("eve", "", nil, []string{"bob"})
	eve.must(toAda)
	ada.must(&wire.Challenge{Rules: "havannah", To: "bob"}) // the other way it is allowed
}

// The players whom an account ignores are limited.
func TestIgnoreLimit(t *testing.T) {
	passed := passTime(t)
	h := start(t, func(c *server.Config) { c.Limits.Rate, c.Limits.Burst = 1000, 1000 })
	ada := join(t, h, "ada")
	for i := range 201 {
		name := fmt.Sprintf("eve%d", i)
		join(t, h, name).ws.Close()
		m := &wire.Ignore{Name: name, How: wire.IgnoreAll}
		passed.Add(5e8)
		if i == 200 {
			ada.refused(m, wire.TooMany)
			ada.send(&wire.Ignore{Name: "eve7", How: wire.IgnoreChat})
			want[wire.Ignored](ada)
			for range 21 { // each is written to the database
				ada.send(&wire.Ignore{Name: "eve7", How: wire.IgnoreAll})
			}
			if e := want[wire.Error](ada); e.Code != wire.TooFast || e.Retry <= 0 {
				t.Errorf("%+v", e)
			}
			return
		}
		ada.send(m)
		want[wire.Ignored](ada)
	}
}
