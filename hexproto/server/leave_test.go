package server_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

const sixMax = "holdem-nolimit-6p"

// ofThree is a challenge for three players at a table of six.
func ofThree(hands int, clock wire.Clock) *wire.Challenge {
	return &wire.Challenge{
		Rules: sixMax, Options: json.RawMessage(fmt.Sprintf(`{"hands":%d}`, hands)), Players: 3,
		Fill: wire.Names{"caller-" + sixMax}, Clock: clock,
	}
}

// sitThree starts a match of three players and three bots. It returns the players by seat.
func sitThree(t *testing.T, peers []*peer, hands int, clock wire.Clock) (string, []*peer) {
	t.Helper()
	id := peers[0].must(ofThree(hands, clock)).Challenge
	peers[1].must(&wire.Accept{Challenge: id})
	game := peers[2].must(&wire.Accept{Challenge: id}).Game
	bySeat := make([]*peer, 3)
	for _, p := range peers {
		g := want[wire.Game](p)
		if g.Game != game || len(g.Seats) != 6 || g.Seats[g.You].Name != p.name || bySeat[g.You] != nil {
			t.Fatalf("%s is sent %+v", p.name, g)
		}
		bySeat[g.You] = p
	}
	return game, bySeat
}

// until plays a game as some moves say, until a condition holds or it is over. Moves of
// bots, and of seats that are away or have left, are awaited.
func until(game string, bySeat []*peer, move func(*wire.Game) string, done func(*wire.Game) bool) *wire.Game {
	for {
		g := bySeat[0].state(game)
		if g.Result != nil || done(g) {
			return g
		}
		if seat := g.ToMove[0]; seat < len(bySeat) && !slices.Contains(append(g.Gone, g.Away...), seat) {
			bySeat[seat].must(&wire.Play{Game: game, Turn: g.Turn, Move: move(g)})
		}
	}
}

func calls(*wire.Game) string { return "c" }

// A challenge for three waits for two who accept it. One of them may leave it again, or stay
// away for too long.
func TestChallengeOfThree(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withPoker(t, sixMax)(c)
		c.Limits.ChallengeLife = 20 * time.Millisecond
	})
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	for players, code := range map[int]string{1: wire.Illegal, -1: wire.Illegal, 7: wire.Illegal} {
		c := ofThree(6, wire.Clock{})
		c.Players = players
		ada.refused(c, code)
	}
	for _, change := range []func(*wire.Challenge){func(c *wire.Challenge) { c.To = "bob" },
		func(c *wire.Challenge) { c.Fill = nil }} {
		c := ofThree(6, wire.Clock{})
		change(c)
		ada.refused(c, wire.Refused)
	}
	id := ada.must(ofThree(6, wire.Clock{})).Challenge
	accept := &wire.Accept{Challenge: id}
	joined := func(names ...string) {
		t.Helper()
		c := want[wire.Challenged](ada)
		var got []string
		for _, p := range c.Joined {
			got = append(got, p.Name)
		}
		if c.Challenge != id || c.Players != 3 || !slices.Equal(got, names) {
			t.Errorf("%+v, want %v", c, names)
		}
	}
	if ack := bob.must(accept); ack.Game != "" || ack.Challenge != id {
		t.Errorf("%+v", ack)
	}
	joined("bob")
	bob.refused(accept, wire.Refused)
	bob.must(&wire.Cancel{Challenge: id})
	joined()
	bob.refused(&wire.Cancel{Challenge: id}, wire.NotFound)
	bob.must(accept)
	joined("bob")
	bob.ws.Close()
	joined()
	eve.must(accept)
	joined("eve")
	again := eve.again(h)
	if c := want[wire.Challenged](again); c.Challenge != id {
		t.Errorf("another connection is sent %+v", c)
	}
	bob = bob.again(h)
	game := bob.must(accept).Game
	for _, p := range []*peer{ada, eve} {
		if c := want[wire.Closed](p); c.Game != game || c.By != "bob" {
			t.Errorf("%s is sent %+v", p.name, c)
		}
		if g := want[wire.Game](p); g.Game != game || len(g.Seats) != 6 {
			t.Errorf("%s is sent %+v", p.name, g)
		}
	}
	other := ada.must(ofThree(6, wire.Clock{})).Challenge
	eve.must(&wire.Accept{Challenge: other})
	ada.must(&wire.Cancel{Challenge: other})
	if c := want[wire.Closed](eve); c.Challenge != other || c.Why != "cancelled" {
		t.Errorf("%+v", c)
	}
}

// No message and no record has cards that its reader may not see, at a table of three
// players and three bots: not of a player, nor of a spectator.
func TestHiddenCardsOfSix(t *testing.T) {
	h := start(t, withPoker(t, sixMax))
	ada, bob, eve, zoe := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve"), join(t, h, "zoe")
	game, bySeat := sitThree(t, []*peer{ada, bob, eve}, 12, wire.Clock{})
	readers := map[*peer]*reader{zoe: {t: t, who: "zoe", seat: -1, hole: 2}}
	for seat, p := range bySeat {
		readers[p] = &reader{t: t, who: p.name, seat: seat, hole: 2}
	}
	for p, r := range readers {
		p.tap = r.frame
	}
	zoe.state(game)
	g := until(game, bySeat, func(g *wire.Game) string {
		if g.Turn%5 == 0 && slices.Contains(bySeat[g.ToMove[0]].state(game).View.Legal, "f") {
			return "f"
		}
		return "c"
	}, func(*wire.Game) bool { return false })
	if !zeroSum(g.Result.Score) || g.Result.How != "chips" {
		t.Errorf("%+v", g.Result)
	}
	for p, r := range readers {
		p.state(game)
		token := p.token
		if r.seat < 0 {
			token = ""
		}
		r.frame([]byte(get(t, h, "/records/"+game+".json", token)))
		if r.read < 24 {
			t.Errorf("%s has read %d hands", r.who, r.read)
		}
	}
}

// Whoever leaves a table of several players folds from then on, and the others go on, over a
// restart of the server, too. The game ends when a single player would be left with nobody.
func TestLeaveTable(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, withPoker(t, sixMax))
	peers := []*peer{join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")}
	game, bySeat := sitThree(t, peers, 12, wire.Clock{})
	until(game, bySeat, calls, func(g *wire.Game) bool { return g.Turn > 8 && g.ToMove[0] == 0 })
	bySeat[2].must(&wire.Resign{Game: game})
	if p := want[wire.Presence](bySeat[0]); !slices.Equal(p.Gone, []int{2}) {
		t.Errorf("%+v", p)
	}
	bySeat[2].refused(&wire.Resign{Game: game}, wire.GameOver)
	hands := func(g *wire.Game) int { return len(g.View.Poker.Finished) }
	before := until(game, bySeat[:2], calls, func(g *wire.Game) bool { return hands(g) == 3 })
	for _, m := range before.Moves {
		if m.Seat == 2 && m.Turn > 20 && m.Move == "c" && m.Ms != 0 {
			t.Errorf("a seat that has left plays %+v", m)
		}
	}
	h.end()
	h = open(t, database, withPoker(t, sixMax))
	for seat, p := range bySeat {
		bySeat[seat] = p.again(h)
	}
	if len(bySeat[2].hello.Games) != 0 || len(bySeat[1].hello.Games) != 1 {
		t.Errorf("running games of who has left: %v, of another: %v", bySeat[2].hello.Games, bySeat[1].hello.Games)
	}
	after := until(game, bySeat[:2], calls, func(g *wire.Game) bool { return hands(g) == 5 })
	if !slices.Equal(after.Gone, []int{2}) {
		t.Errorf("after a restart %v have left", after.Gone)
	}
	bySeat[1].must(&wire.Resign{Game: game})
	if g := bySeat[0].state(game); g.Result != nil {
		t.Errorf("over with a player at the table: %+v", g.Result)
	}
	bySeat[0].must(&wire.Resign{Game: game})
	g := bySeat[0].state(game)
	if g.Result == nil || g.Result.How != wire.Resigned || !zeroSum(g.Result.Score) {
		t.Errorf("the last player has left: %+v", g.Result)
	}
}

// Who has left a table does not win, however many chips the player had won: not when the others
// leave, too, nor when they play to the end. The records and the counts of wins say the same.
func TestLeaverDoesNotWin(t *testing.T) {
	for name, play := range map[string]func(game string, bySeat []*peer, leader int) (winner int){
		"the next leaves": func(game string, bySeat []*peer, leader int) int {
			next, stays := (leader+1)%3, (leader+2)%3
			bySeat[next].must(&wire.Resign{Game: game})
			return stays
		},
		"the others play on after a restart": func(game string, bySeat []*peer, leader int) int {
			first, second := (leader+1)%3, (leader+2)%3
			for {
				g := bySeat[first].state(game)
				if g.Result != nil {
					score := g.Result.Score
					switch {
					case score[first] > score[second]:
						return first
					case score[first] < score[second]:
						return second
					}
					return -1
				}
				bySeat[g.ToMove[0]].must(&wire.Play{Game: game, Turn: g.Turn, Move: "c"})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			database := filepath.Join(t.TempDir(), "games.db")
			h := open(t, database, withPoker(t, "kuhn-3p"))
			bySeat := make([]*peer, 3)
			ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
			options := json.RawMessage(`{"hands":31}`)
			id := ada.must(&wire.Challenge{Rules: "kuhn-3p", Players: 3, Options: options}).Challenge
			bob.must(&wire.Accept{Challenge: id})
			game := eve.must(&wire.Accept{Challenge: id}).Game
			for _, p := range []*peer{ada, bob, eve} {
				bySeat[want[wire.Game](p).You] = p
			}
			leader := 0
			until(game, bySeat, calls, func(g *wire.Game) bool { // hands are played until one is far ahead
				won := g.View.Poker.Won
				leader = slices.Index(won, slices.Max(won))
				return won[leader] >= 4
			})
			bySeat[leader].must(&wire.Resign{Game: game})
			h.end()
			h = open(t, database, withPoker(t, "kuhn-3p"))
			for seat, p := range bySeat {
				bySeat[seat] = p.again(h)
			}
			winner := play(game, bySeat, leader)
			r := bySeat[leader].state(game).Result
			if r == nil || r.Winner != winner || !zeroSum(r.Score) {
				t.Errorf("%+v, want that seat %d wins", r, winner)
			}
			for seat, p := range bySeat {
				outcome := "lost"
				switch {
				case seat == winner:
					outcome = "won"
				case winner < 0 && seat != leader:
					outcome = "drawn"
				}
				var games []wire.Brief
				if err := json.Unmarshal([]byte(get(t, h, "/records/?player="+p.name, "")), &games); err != nil ||
					len(games) != 1 || games[0].Outcome != outcome {
					t.Errorf("the records of %s: %+v, %v; want %s", p.name, games, err, outcome)
				}
				var profile wire.Profile
				if err := json.Unmarshal([]byte(get(t, h, "/players/"+p.name, "")), &profile); err != nil {
					t.Fatal(err)
				}
				k := profile.Kinds[0]
				if counts := map[string]int{"won": k.Won, "lost": k.Lost, "drawn": k.Drawn}; counts[outcome] != 1 ||
					k.Won+k.Lost+k.Drawn != 1 {
					t.Errorf("the profile of %s: %+v, want one %s", p.name, profile, outcome)
				}
			}
		})
	}
}

// A bot in several seats has won a match that any of them has won, once.
func TestBotInSeveralSeatsWins(t *testing.T) {
	h := start(t, withPoker(t, sixMax))
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	bot := "caller-" + sixMax
	var won, lost, drawn int
	for later := false; !later; {
		options := json.RawMessage(`{"hands":1}`)
		id := ada.must(&wire.Challenge{Rules: sixMax, Options: options, Fill: wire.Names{bot}, Seat: "first"}).Challenge
		game := bob.must(&wire.Accept{Challenge: id}).Game
		fold := func(g *wire.Game) string { return g.View.Legal[0] }
		g := until(game, []*peer{ada, bob}, fold, func(*wire.Game) bool { return false })
		switch w := g.Result.Winner; {
		case w < 0:
			drawn++
		case g.Seats[w].Name == bot:
			won++
			later = w > 2
		default:
			lost++
		}
	}
	var profile wire.Profile
	if err := json.Unmarshal([]byte(get(t, h, "/players/"+bot, "")), &profile); err != nil {
		t.Fatal(err)
	}
	if k := profile.Kinds[0]; k.Won != won || k.Lost != lost || k.Drawn != drawn {
		t.Errorf("%+v, want %d won, %d lost and %d drawn", k, won, lost, drawn)
	}
}

// A match of poker counts once the cards are dealt: nobody escapes a bad first hand by aborting
// it, nor by not acting.
func TestFirstHandCounts(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withPoker(t, "holdem-limit-2p")(c)
		c.Limits.FirstMove = 100 * time.Millisecond
	})
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	begin := func(clock wire.Clock) (game string, toAct, other *peer) {
		id := ada.must(&wire.Challenge{Rules: "holdem-limit-2p", Clock: clock}).Challenge
		game = bob.must(&wire.Accept{Challenge: id}).Game
		if g := ada.state(game); g.ToMove[0] == g.You {
			return game, ada, bob
		}
		return game, bob, ada
	}
	game, toAct, other := begin(wire.Clock{})
	for _, p := range []*peer{toAct, other} {
		p.refused(&wire.Abort{Game: game}, wire.Refused)
	}
	toAct.must(&wire.Play{Game: game, Turn: 0, Move: "c"})
	other.refused(&wire.Abort{Game: game}, wire.Refused)

	const perMove = 2000
	game, toAct, other = begin(wire.Clock{PerMove: perMove})
	if g := other.state(game); g.Time.Abort != 0 || !g.Time.Running[1-g.You] {
		t.Errorf("in the first turn: %+v", g.Time)
	}
	for {
		if m := want[wire.Moved](other); m.Game == game {
			if m.Moves[0].Move != "f" || m.Moves[0].Ms != perMove || m.View.Poker.Won[other.state(game).You] <= 0 {
				t.Errorf("%s did not act in the first hand: %+v", toAct.name, m)
			}
			return
		}
	}
}
