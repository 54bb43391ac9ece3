package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/acpc/history"
	"gamebots/bots/poker"
	"gamebots/bots/poker/table"
	"gamebots/configs"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// withPoker adds poker games and a bot that calls to a server.
func withPoker(t *testing.T, games ...string) func(*server.Config) {
	return func(cfg *server.Config) {
		for _, name := range games {
			g, err := configs.Game(name)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Limits.Rate = 10_000
			cfg.Rules = append(cfg.Rules, table.Rules{Game: g, Title: name})
			cfg.Bots = append(cfg.Bots, engines.Bot{Name: "caller-" + name, Rules: []string{name},
				Bot: table.Bot{Game: g, Player: func(uint64) (acpc.Player, error) {
					return poker.NewOpponent("call", 0)
				}}})
		}
	}
}

var cardText = regexp.MustCompile(`[2-9TJQKA][cdhs]`)

// reader checks all that a connection receives of a match: it has the cards of one seat, or
// of none, and those that were shown.
type reader struct {
	t    *testing.T
	who  string
	seat int
	hole int // cards of each player
	read int // hands
}

// frame checks a message, or a record in JSON.
func (r *reader) frame(text []byte) {
	r.t.Helper()
	var m struct {
		Game string
		View struct{ Poker *wire.Poker }
	}
	if err := json.Unmarshal(text, &m); err != nil {
		r.t.Fatalf("%s: %v", text, err)
	}
	rest := strings.ReplaceAll(string(text), m.Game, "")
	if p := m.View.Poker; p != nil {
		for _, h := range append(slices.Clone(p.Finished), p.Hand) {
			r.hand(h)
			rest = strings.Replace(rest, string(h), "", 1)
		}
		if i := strings.LastIndexByte(p.Match, ':'); i >= 0 && r.seat < 0 {
			r.t.Errorf("%s is told %s", r.who, p.Match)
		}
		rest = strings.Replace(rest, p.Match, "", 1)
		if state, _, _ := strings.Cut(p.Match[strings.LastIndexByte(p.Match, ':')+1:],
			"/"); len(cardText.FindAllString(state, -1)) > r.hole {
			var h history.JSONHand
			if json.Unmarshal(p.Hand, &h); !h.Showdown {
				r.t.Errorf("%s is told %s", r.who, p.Match)
			}
		}
	}
	if c := cardText.FindString(rest); c != "" && !strings.Contains(rest, `"type":"welcome"`) &&
		!strings.Contains(rest, `"type":"closed"`) && !strings.Contains(rest, `"type":"challenged"`) &&
		!strings.Contains(rest, `"type":"lobby"`) {
		r.t.Errorf("%s reads %s somewhere in %s", r.who, c, text)
	}
}

// hand checks a hand.
func (r *reader) hand(text json.RawMessage) {
	r.t.Helper()
	var h history.JSONHand
	if err := json.Unmarshal(text, &h); err != nil {
		r.t.Fatalf("%s: %v", text, err)
	}
	r.read++
	n := len(h.Players)
	for p, hole := range h.Holes {
		own := (p+int(h.Hand))%n == r.seat
		if shown := own || h.Showdown && !h.Folded[p]; shown != (hole != "") {
			r.t.Errorf("%s, in seat %d, sees the cards of position %d: %s", r.who, r.seat, p, text)
		}
	}
	rounds := 1
	for _, a := range h.Actions {
		rounds = max(rounds, a.Round+1)
	}
	if len(h.Board) > rounds+1 {
		r.t.Errorf("%s sees the board of %s", r.who, text)
	}
}

// No message, no record and no answer has cards that its reader may not see: not of a
// player, of another connection without views, of a spectator, nor of the world.
func TestHiddenCardsStayHidden(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, withPoker(t, "leduc"))
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	plain := ada.again(h)
	id := ada.must(&wire.Challenge{Rules: "leduc", Options: json.RawMessage(`{"hands":30}`), Seat: "first"}).Challenge
	game := bob.must(&wire.Accept{Challenge: id}).Game
	readers := map[*peer]*reader{
		ada: {t: t, who: "ada", seat: 0, hole: 1}, bob: {t: t, who: "bob", seat: 1, hole: 1},
		eve: {t: t, who: "eve", seat: -1, hole: 1}, plain: {t: t, who: "ada's program", seat: 0, hole: 1},
	}
	for p, r := range readers {
		p.tap = r.frame
	}
	eve.state(game)
	state := ada.state(game)
	for turn := 0; state.Result == nil; turn++ {
		if turn%7 == 0 {
			eve.state(game)
			plain.state(game)
		}
		eve.refused(&wire.Analyse{Game: game, Turn: turn}, wire.Refused)
		p := []*peer{ada, bob}[state.ToMove[0]]
		move := []string{"c", "r", "c", "f", "r", "c"}[turn*turn%6]
		if !slices.Contains(state.View.Legal, move) {
			move = "c"
		}
		p.must(&wire.Play{Game: game, Turn: turn, Move: move})
		state = ada.state(game)
	}
	ada.refused(&wire.Offer{Game: game, Offer: wire.OfferTakeback}, wire.GameOver)
	files := func(h *testServer) {
		for p, r := range map[string]*reader{ada.token: readers[ada], bob.token: readers[bob], "": readers[eve]} {
			r.frame([]byte(get(t, h, "/records/"+game+".json", p)))
			r.frame([]byte(get(t, h, "/records/games.jsonl?rules=leduc", p)))
			for _, path := range []string{
				"/records/" + game + ".log", "/records/" + game + ".txt", "/records/games.txt?rules=leduc",
			} {
				r.log(get(t, h, path, p))
			}
			get(t, h, "/records/"+game+".phh", p)
		}
	}
	files(h)
	h.end()
	h = open(t, database, withPoker(t, "leduc"))
	files(h)
	eve = eve.again(h)
	eve.tap = readers[plain].frame
	readers[plain].who, readers[plain].seat = "eve", -1
	eve.state(game)
	if views, size := h.Archived(game); views != 3 || size < 3*30*100 {
		t.Errorf("the archive has %d views of the match, of %d bytes; want those of two seats and of a spectator",
			views, size)
	}
	for _, r := range readers {
		if r.read < 60 {
			t.Errorf("%s has read %d hands", r.who, r.read)
		}
	}
}

// log checks an ACPC log of a match of 30 hands.
func (r *reader) log(text string) {
	r.t.Helper()
	g, err := configs.Game("leduc")
	if err != nil {
		r.t.Fatal(err)
	}
	hands := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "STATE:") {
			continue
		}
		s, _, err := g.ParseState(line)
		if err != nil {
			r.t.Fatal(err)
		}
		hands++
		cards := strings.Split(strings.Split(line, ":")[3], "/")[0]
		for p, hole := range strings.Split(cards, "|") {
			if own := (p+int(s.HandID))%2 == r.seat; (own || s.AtShowdown()) != (hole != "") {
				r.t.Errorf("%s, in seat %d, reads %s", r.who, r.seat, line)
			}
		}
	}
	if hands != 30 {
		r.t.Errorf("%s reads %d hands of %q", r.who, hands, text)
	}
}

// Bots of the server take the seats beyond the second, and a match goes on after a
// restart with the same cards.
func TestTableOfSix(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, withPoker(t, "holdem-nolimit-6p"))
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	six := &wire.Challenge{Rules: "holdem-nolimit-6p", Options: json.RawMessage(`{"hands":6}`)}
	ada.refused(six, wire.Refused)
	rated := *six
	rated.To, rated.Rated = "caller-holdem-nolimit-6p", true
	ada.refused(&rated, wire.Refused)
	six.Fill = wire.Names{"caller-holdem-nolimit-6p"}
	id := ada.must(six).Challenge
	game := bob.must(&wire.Accept{Challenge: id}).Game
	state := want[wire.Game](ada)
	if len(state.Seats) != 6 || !state.Seats[5].Bot || len(state.Time.Left) != 6 || len(state.Present) != 6 {
		t.Fatalf("%+v", state)
	}
	play := func(until int) {
		for state = ada.state(game); state.Result == nil && state.Turn < until; state = ada.state(game) {
			if seat := state.ToMove[0]; seat < 2 && state.Turn == ada.state(game).Turn {
				p := ada
				if seat != state.You {
					p = bob
				}
				p.must(&wire.Play{Game: game, Turn: state.Turn, Move: "c"})
			}
		}
	}
	play(20)
	before := fmt.Sprintf("%s %s", state.View.Poker.Finished, state.View.Poker.Match)
	h.end()
	h = open(t, database, withPoker(t, "holdem-nolimit-6p"))
	ada, bob = ada.again(h), bob.again(h)
	if after := ada.state(game); after.Turn == state.Turn && fmt.Sprintf("%s %s",
		after.View.Poker.Finished, after.View.Poker.Match) != before {
		t.Errorf("after a restart\n%s %s\nbefore\n%s", after.View.Poker.Finished, after.View.Poker.Match, before)
	}
	play(1000)
	if len(state.Result.Score) != 6 || !zeroSum(state.Result.Score) || state.Result.How != "chips" {
		t.Errorf("%+v", state.Result)
	}
	var list []wire.Brief
	if err := json.Unmarshal([]byte(get(t, h, "/records/?player=ada", "")), &list); err != nil || len(list) != 1 ||
		len(list[0].Seats) != 6 || list[0].Changes != nil {
		t.Fatalf("%+v, %v", list, err)
	}
	for seat, p := range list[0].Seats {
		if p.Name != state.Seats[seat].Name || p.Rating != state.Seats[seat].Rating {
			t.Errorf("seat %d is listed as %+v, want %+v", seat, p, state.Seats[seat])
		}
	}
}

// zeroSum reports whether the players win together what they lose, but for the rounding of
// pots that three players share.
func zeroSum(score []float64) bool {
	var sum float64
	for _, v := range score {
		sum += v
	}
	return math.Abs(sum) < 1e-9
}

// A thousand hands against a bot of the server, played over the websocket: the record is
// the log of an ACPC dealer with the same seed and the same actions, but for the cards that
// the player never saw.
func TestThousandHands(t *testing.T) {
	const matches, hands = 5, 200
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	var seed atomic.Uint32 // seed of the match
	h := start(t, func(cfg *server.Config) {
		cfg.Limits.Rate, cfg.Sync = 100_000, "normal"
		cfg.Rules = append(cfg.Rules, table.Rules{
			Game: g, Title: "Leduc", Shuffle: func([]byte) *acpc.Shuffler { return acpc.NewShuffler(seed.Load()) },
		})
		cfg.Bots = append(cfg.Bots, engines.Bot{Name: "gambler", Rules: []string{"leduc"},
			Bot: table.Bot{Game: g, Player: func(seed uint64) (acpc.Player, error) {
				return poker.NewOpponent("random", seed)
			}}})
	})
	ada := join(t, h, "ada")
	for range matches {
		seed.Add(1)
		game := ada.must(&wire.Challenge{
			Rules: "leduc", Options: json.RawMessage(fmt.Sprintf(`{"hands":%d}`, hands)), To: "gambler", Seat: "first",
		}).Game
		player, err := poker.NewOpponent("random", 3)
		if err != nil {
			t.Fatal(err)
		}
		moves := ada.playMatch(g, game, player)
		dealt := dealer.Match{Game: g, Hands: hands, Seed: seed.Load(), Names: []string{"ada", "gambler"}}
		same := &replayed{moves: moves}
		var log []byte
		score, err := dealt.Play(t.Context(), []acpc.Player{same, same}, func(s *acpc.State) error {
			line, err := history.ParseLog(g, strings.TrimSpace(string(dealt.AppendHand(nil, s))))
			if err != nil {
				return err
			}
			if bot := dealt.Position(s.HandID, 1); !s.AtShowdown() {
				line.Hidden[bot] = true
			}
			log = line.AppendLog(log)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		log = dealt.AppendScore(log, score)
		_, got, _ := strings.Cut(get(t, h, "/records/"+game+".log", ada.token), "\n") // after the comment
		if got != string(log) {
			t.Errorf("the record is\n%.2000s\nand the dealer's log\n%.2000s", got, log)
		}
		if result := want[wire.Over](ada).Result; !slices.Equal(result.Score, score) {
			t.Errorf("%+v, and the dealer's score is %v", result, score)
		}
	}
}

// playMatch plays a match that has just begun in seat 0, and returns the actions of all.
func (p *peer) playMatch(g *acpc.Game, game string, player acpc.Player) []acpc.Action {
	p.t.Helper()
	var actions []acpc.Action
	state := want[wire.Game](p)
	view, toMove := state.View, state.ToMove
	for len(toMove) > 0 {
		if toMove[0] == 0 {
			seen, _, err := g.ParseMatchState(view.Poker.Match)
			if err != nil {
				p.t.Fatal(err)
			}
			action, err := player.Act(p.t.Context(), &seen)
			if err != nil {
				p.t.Fatal(err)
			}
			p.must(&wire.Play{Game: game, Turn: len(actions), Move: action.String()})
		}
		m := want[wire.Moved](p)
		action, _, err := g.ParseAction(m.Moves[0].Move)
		if err != nil || m.Turn != len(actions) {
			p.t.Fatalf("%+v, %v", m, err)
		}
		actions = append(actions, action)
		view, toMove = m.View, m.ToMove
	}
	return actions
}

// replayed repeats the actions of a match, whoever is to act.
type replayed struct{ moves []acpc.Action }

func (r *replayed) Act(context.Context, *acpc.MatchState) (acpc.Action, error) {
	next := r.moves[0]
	r.moves = r.moves[1:]
	return next, nil
}

// Different bots take the seats that players leave, in the order of their names. A single name is that of all, as in
// older clients, and a challenge says so in the old way.
func TestTableOfDifferentBots(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withPoker(t, sixMax, "leduc")(c)
		six := c.Bots[len(c.Bots)-2]
		for _, name := range []string{"one", "two"} {
			six.Name = name
			c.Bots = append(c.Bots, six)
		}
	})
	ada := join(t, h, "ada")
	for _, c := range []struct {
		to, fill string // fill in JSON
		seats    string // after ada's
		shown    string // fill of the challenge, if it is open
		bots     []string
		refused  string
	}{
		{to: "one", fill: `""`, seats: "one one one one one"},
		{to: "one", fill: `[]`, seats: "one one one one one"},
		{to: "one", fill: `"two"`, seats: "one two two two two"},
		{to: "one", fill: `["TWO"]`, seats: "one two two two two"},
		{to: "one", fill: `["one","two","one","two"]`, seats: "one one two one two"},
		{fill: `"two"`, shown: "two"},
		{fill: `["two","two","two","two"]`, shown: "two"},
		{fill: `["two","two","one","two"]`, bots: []string{"two", "two", "one", "two"}},
		{to: "one", fill: `["one","two"]`, refused: "has 4 more seats, and fill names 2 bots: name 4, or one for all"},
		{to: "one", fill: `["one","two","ada","two"]`, refused: `"ada" is no bot of the server`},
		{to: "one", fill: `["one","two","one","caller-leduc"]`, refused: "that plays holdem-nolimit-6p"},
		{fill: `""`, refused: "fill them with bots"},
		{fill: `"nobody"`, refused: `"nobody" is no bot`},
	} {
		m := &wire.Challenge{Rules: sixMax, To: c.to, Seat: "first"}
		if err := json.Unmarshal([]byte(`{"fill":`+c.fill+`}`), m); err != nil {
			t.Fatal(err)
		}
		ack, e := ada.ask(m)
		switch {
		case e != nil || c.refused != "":
			if e == nil || c.refused == "" || !strings.Contains(e.Text, c.refused) {
				t.Errorf("%s, %s: %+v, want %q", c.to, c.fill, e, c.refused)
			}
		case ack.Game != "":
			var names []string
			for _, p := range ada.state(ack.Game).Seats[1:] {
				names = append(names, p.Name)
			}
			if strings.Join(names, " ") != c.seats {
				t.Errorf("%s, %s: %v, want %s", c.to, c.fill, names, c.seats)
			}
			ada.must(&wire.Resign{Game: ack.Game})
		default:
			ada.send(&wire.ViewChallenge{Challenge: ack.Challenge})
			if shown := want[wire.Challenged](ada); shown.Fill != c.shown || !slices.Equal(shown.Bots, c.bots) {
				t.Errorf("%s: the challenge is %+v", c.fill, shown)
			}
		}
	}
	ada.raw(websocket.TextMessage, []byte(`{"type":"challenge","id":99,"rules":"`+sixMax+`","to":"one","fill":[1]}`))
	if _, e := ada.answer(99); e == nil || e.Text != "challenge: bots are a name or a list of names" {
		t.Errorf("%+v", e)
	}
}
