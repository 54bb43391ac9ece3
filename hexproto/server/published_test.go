package server_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// analyses wants who has published what a peer has been sent, with the moves.
func analyses(p *peer, want ...string) {
	p.t.Helper()
	p.must(&wire.EnterLobby{}) // all that was sent before has come by then
	var got []string
	p.heard = slices.DeleteFunc(p.heard, func(m wire.Message) bool {
		a, ok := m.(*wire.Analysis)
		if ok {
			text := fmt.Sprintf("%s %d", a.By, a.Turn)
			for _, r := range a.Moves {
				text += " " + strings.Join(append([]string{r.Move}, r.Line...), ">")
			}
			got = append(got, text)
		}
		return ok
	})
	if !slices.Equal(got, want) {
		p.t.Errorf("%s is sent %q, want %q", p.name, got, want)
	}
}

// Nothing goes to spectators but how good legal moves are, each once, and in the words of the game.
func TestAnalysisIsChecked(t *testing.T) {
	h := start(t, withMatrix)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	id := sit(t, ada, bob, wire.Challenge{Options: json.RawMessage(`{"side":8}`)})
	eve.state(id)
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
	turn := 2
	for _, c := range []struct {
		moves string // as JSON
		code  string
	}{
		{`null`, wire.BadMessage},
		{`[]`, wire.BadMessage},
		{`[{"move":"a1","value":0.5}]`, wire.Illegal},                            // is taken
		{`[{"move":"swap","value":0.5}]`, wire.Illegal},                          // was legal a turn before
		{`[{"move":"visit evil.example","value":0.5}]`, wire.Illegal},            // no move
		{`[{"value":0.5}]`, wire.Illegal},                                        //
		{`[{"move":"b2","value":0.5},{"move":"B2","value":1}]`, wire.BadMessage}, // the same
		{`[{"move":"b2","value":1.001}]`, wire.BadMessage},
		{`[{"move":"b2","value":-1e-9}]`, wire.BadMessage},
		{`[{"move":"b2","value":9.9e100}]`, wire.BadMessage},
		{`[{"move":"b2","value":1e400}]`, wire.BadMessage},
		{`[{"move":"b2","value":"NaN"}]`, wire.BadMessage},
		{`[{"move":"b2","value":0.5,"work":-1}]`, wire.BadMessage},
		{`[{"move":"b2","value":0.5,"plies":-1}]`, wire.BadMessage},
		{`[{"move":"b2","value":0.5,"share":2}]`, wire.BadMessage},
		{`[{"move":"b2","value":0.5,"seat":2}]`, wire.BadMessage},
		{`[{"move":"b2","value":0.5,"payoff":1}]`, wire.BadMessage}, // Havannah has none
		{`[{"move":"b2","value":0.5,"proof":"\u202eYOU IDIOT"}]`, wire.BadMessage},
		{`[{"move":"b2","value":0.5,"line":["b2","\u202eYOU IDIOT"]}]`, wire.Illegal},
		{`[{"move":"b2","value":0.5,"dominated":"\u001b[31m"}]`, wire.Illegal},
		{`[{"move":"b2","value":0.5}],"line":["b2"]`, wire.BadMessage},
	} {
		mover := []*peer{ada, bob}[turn%2]
		ada.raw(websocket.TextMessage, fmt.Appendf(nil, `{"type":"analysis","game":%q,"turn":%d,"by":"max","moves":%s}`,
			id, turn, c.moves))
		if e := want[wire.Error](ada); e.Code != c.code || e.Text == "" {
			t.Errorf("%s: %+v, want %s", c.moves, e, c.code)
		}
		legal := ada.state(id).View.Legal
		mover.must(&wire.Play{Game: id, Turn: turn, Move: legal[len(legal)-1-5*turn%60]})
		turn++
	}
	analyses(eve)
	analyses(bob)

	// What is right goes out, in the canonical form and under the name of its sender.
	good := &wire.Analysis{Game: id, Turn: 2, By: "max", Moves: []wire.Rated{
		{Move: "B2", Value: 1, Work: 7, Proof: wire.ProvedWin, Plies: 3, Line: []string{"B2", "a2", "d4"}},
		{Move: "c2"}, // with the value 0
	}}
	bob.must(good) // though its turn is past by now
	bob.refused(good, wire.Refused)
	ada.refused(good, wire.Refused) // it was wrong above
	good.Turn = turn + 1
	bob.refused(good, wire.WrongTurn)
	analyses(eve, "bob 2 b2>b2>a2>d4 c2")
	analyses(ada)

	// Where both move at once, the moves of both are rated.
	id = ada.must(&wire.Challenge{Rules: boards.MatrixName, To: "dice"}).Game
	state := eve.state(id)
	row, column := state.View.Legal[0], state.View.LegalSecond[1]
	both := &wire.Analysis{Game: id, Moves: []wire.Rated{
		{Move: row, Share: 1, Payoff: -1, Dominated: state.View.Legal[1]}, {Move: column, Seat: 1, Payoff: 1 + 1e-12},
	}}
	ada.must(both)
	analyses(eve, fmt.Sprintf("ada 0 %s %s", row, column))
	for turn, payoff := range []float64{1.001, -3, 9.9e100} {
		ada.must(&wire.Play{Game: id, Turn: turn, Move: row})
		ada.state(id)
		both.Turn, both.Moves[0].Payoff = turn+1, payoff
		if e := ada.refused(both, wire.BadMessage); !strings.Contains(e.Text, "payoff") {
			t.Errorf("%+v", e)
		}
	}
}

// What an account has spectators sent is charged to it, so that it has less than so much sent in a second
// in the long run. Its moves go on, and other players have a budget of their own.
func TestAnalysisBudget(t *testing.T) {
	const sent = 4000
	passed := passTime(t)
	h := start(t, func(c *server.Config) { c.Limits.Sent = sent })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{Options: json.RawMessage(`{"side":8}`)})
	var watchers []*peer
	for len(watchers) < 8 {
		watchers = append(watchers, join(t, h, fmt.Sprint("eve", len(watchers))))
	}
	bytes := 0
	for _, p := range watchers {
		p.state(id)
		p.tap = func(frame []byte) {
			if strings.Contains(string(frame), `"by":"ada"`) {
				bytes += len(frame)
			}
		}
	}
	legal := ada.state(id).View.Legal
	long := func(turn int) *wire.Analysis {
		m := &wire.Analysis{Game: id, Turn: turn}
		for _, move := range legal[60:160] { // nobody plays them below
			m.Moves = append(m.Moves, wire.Rated{Move: move, Value: 0.5, Line: []string{move}})
		}
		return m
	}
	published, refused := 0, 0
	for turn := range 40 {
		mover := []*peer{ada, bob}[turn%2]
		switch _, e := ada.ask(long(turn)); {
		case e == nil:
			published++
		case e.Code != wire.TooFast || e.Retry <= 0 || !strings.Contains(e.Text, "others"):
			t.Fatal(e)
		default:
			refused++
		}
		mover.must(&wire.Play{Game: id, Turn: turn, Move: legal[turn]})
		passed.Add(int64(100 * time.Millisecond))
	}
	bob.must(long(40))
	for _, p := range watchers {
		p.must(&wire.EnterLobby{}) // all has come by then
	}
	// At once and in four seconds, and the last one may be longer than what is left.
	if one := bytes / max(1, published); published < 2 || bytes > (32+4)*sent+one || refused == 0 {
		t.Errorf("%d bytes in %d analyses, %d refused", bytes, published, refused)
	}
	wait := limited(t, ada, long(40), wire.TooFast, "others")
	passed.Add(int64(wait + 100*time.Millisecond)) // the refusal has a length, too
	ada.must(long(40))
}

// Nor does a game that is taken back and forth flood its spectators with states, for which the player pays who
// agrees, or who plays against a bot of the server.
func TestTakebackBudget(t *testing.T) {
	passTime(t)
	h := start(t, func(c *server.Config) { c.Limits.Sent = 4000 })
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	side8 := wire.Challenge{Rules: "havannah", To: "random", Seat: "first", Options: json.RawMessage(`{"side":8}`)}
	withBot := ada.must(&side8).Game
	want[wire.Game](ada)
	for id, opponent := range map[string]*peer{sit(t, ada, bob, side8): bob, withBot: nil} {
		eve.state(id)
		limited := false
		for round := 0; round < 20 && !limited; round++ {
			ada.must(&wire.Play{Game: id, Move: "a1"})
			want[wire.Moved](ada)
			if opponent == nil {
				want[wire.Moved](ada)
			}
			takeback := &wire.Offer{Game: id, Offer: wire.OfferTakeback}
			_, e := ada.ask(takeback)
			if e == nil && opponent != nil {
				_, e = opponent.ask(takeback)
			}
			switch {
			case e == nil:
				want[wire.Game](ada)
			case e.Code != wire.TooFast || e.Retry <= 0 || !strings.Contains(e.Text, "others"):
				t.Fatal(e)
			default:
				limited = true
			}
		}
		if !limited {
			t.Error("20 takebacks in no time")
		}
	}
}

// Who is banned from chat publishes nothing, and who mutes or blocks a player is not sent it.
func TestAnalysisOfIgnoredPlayers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	tokens := map[string]string{}
	for _, name := range []string{"ada", "bob", "eve", "max", "zoe"} {
		tokens[name] = account(t, path, name)
	}
	if _, err := database.AddBan(t.Context(), path, database.Ban{Target: "bob", Chat: true}); err != nil {
		t.Fatal(err)
	}
	h := open(t, path, func(c *server.Config) { c.Open = false })
	peers := map[string]*peer{}
	for name, token := range tokens {
		peers[name] = enter(t, h, name, token)
	}
	ada, bob := peers["ada"], peers["bob"]
	id := sit(t, ada, bob, wire.Challenge{})
	peers["eve"].send(&wire.Ignore{Name: "ada", How: wire.IgnoreChat})
	peers["max"].send(&wire.Ignore{Name: "ada", How: wire.IgnoreAll})
	for _, name := range []string{"eve", "max", "zoe"} {
		peers[name].state(id)
	}
	m := &wire.Analysis{Game: id, Moves: []wire.Rated{{Move: "a1", Value: 0.5}}}
	ada.must(m)
	if e := bob.refused(m, wire.Refused); e.Text != "you are banned from chat" {
		t.Errorf("%+v", e)
	}
	analyses(peers["eve"])
	analyses(peers["max"])
	analyses(peers["zoe"], "ada 0 a1")
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
}
