package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// Offers that come in the moment in which a bot of the server is to move do not
// stop it: one wake can stand for both.
func TestBotGoesOnAfterOffers(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.BotGames, c.Limits.Rate, c.Limits.Burst = 40, 1e6, 1e6 })
	ada := join(t, h, "ada")
	for range 40 {
		id := ada.must(&wire.Challenge{
			Rules: "havannah", To: "random", Seat: "first", Options: json.RawMessage(`{"side":6}`),
		}).Game
		turn := 0
		for range 4 {
			g := ada.state(id)
			ada.send(&wire.Play{Game: id, Turn: turn, Move: g.View.Legal[0]})
			ada.send(&wire.Offer{Game: id, Offer: wire.OfferDraw})
			for moved := want[wire.Moved](ada); moved.Turn != turn+1; {
				moved = want[wire.Moved](ada)
			}
			turn += 2
		}
	}
}

// A player that has not moved has nothing to take back, and the bot plays on.
func TestBotAndNothingToTakeBack(t *testing.T) {
	h := start(t, nil)
	ada := join(t, h, "ada")
	id := ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "second"}).Game
	want[wire.Moved](ada)
	ada.refused(&wire.Offer{Game: id, Offer: wire.OfferTakeback}, wire.Refused)
	ada.must(&wire.Play{Game: id, Turn: 1, Move: "swap"})
	for moved := want[wire.Moved](ada); moved.Turn != 2; {
		moved = want[wire.Moved](ada)
	}
	ada.must(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
	for g := ada.state(id); g.Turn != 1; { // the bots of the server allow it
		g = ada.state(id)
	}
}

// thinker is a bot that decides when the test lets it.
type thinker struct {
	ctx   context.Context // context of the test
	asked chan string     // ids of games
	move  chan string     // the answers; "" is a failure
}

func newThinker(t *testing.T) *thinker {
	return &thinker{t.Context(), make(chan string, 1000), make(chan string, 1000)}
}

func (b *thinker) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) { return b, nil }

func (b *thinker) Decide(_ context.Context, game *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	b.asked <- game.Game
	select {
	case move := <-b.move:
		if move != "" {
			return hexproto.Decision{Move: move}, nil
		}
	case <-b.ctx.Done():
	}
	return hexproto.Decision{}, errors.New("no idea")
}

func (*thinker) Close() error { return nil }

// withThinker adds a bot to a server.
func withThinker(b *thinker) func(*server.Config) {
	return func(c *server.Config) {
		c.Bots = append(c.Bots, engines.Bot{Name: "thinker", Rules: []string{"havannah"}, Bot: b})
		c.Limits.Rate, c.Limits.Burst = 1e6, 1e6
	}
}

// An account's games with bots are limited, and those that are over do not count.
func TestBotGamesAreLimited(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	challenge := &wire.Challenge{Rules: "havannah", To: "random", Seat: "first"}
	var ids []string
	for range ada.hello.Limits.BotGames {
		ids = append(ids, ada.must(challenge).Game)
	}
	if len(ids) != 4 {
		t.Errorf("%d games are allowed", len(ids))
	}
	ada.refused(challenge, wire.TooMany)
	bob.must(challenge)
	ada.must(&wire.Resign{Game: ids[2]})
	ada.must(challenge)
	ada.refused(challenge, wire.TooMany)
}

// The limit holds for every player of a game with bots, the challenger too, who was below it
// when the challenges were made.
func TestBotLimitOfChallenger(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withPoker(t, sixMax)(c)
		c.Limits.BotGames = 1
	})
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	challenge := &wire.Challenge{Rules: sixMax, Fill: wire.Names{"caller-" + sixMax}}
	first, second := ada.must(challenge).Challenge, ada.must(challenge).Challenge
	bob.must(&wire.Accept{Challenge: first})
	if e := eve.refused(&wire.Accept{Challenge: second}, wire.TooMany); !strings.HasPrefix(e.Text,
		"ada plays 1 games with bots") {
		t.Error(e.Text)
	}
}

// No game with a bot begins while too many wait for one.
func TestBotsAreBusy(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withThinker(newThinker(t))(c)
		c.Limits.BotGames, c.Limits.Games = 1e6, 1e6
	})
	ada := join(t, h, "ada")
	challenge := &wire.Challenge{Rules: "havannah", To: "thinker", Seat: "second"}
	for n := 0; ; n++ {
		if n > 65*engines.MaxThinking()+1000 {
			t.Fatalf("%d games with bots began", n)
		}
		_, e := ada.ask(challenge)
		if e == nil {
			continue
		}
		if e.Code != wire.Refused || e.Retry == 0 || n < 65*engines.MaxThinking() {
			t.Errorf("game %d: %+v", n, e)
		}
		return
	}
}

// A bot that decides at once does not wait for those that think.
func TestQuickBotDoesNotWait(t *testing.T) {
	slow := newThinker(t)
	h := start(t, func(c *server.Config) {
		withThinker(slow)(c)
		c.Limits.BotGames = 100
	})
	ada := join(t, h, "ada")
	for range engines.MaxThinking() + 1 {
		ada.must(&wire.Challenge{Rules: "havannah", To: "thinker", Seat: "second"})
	}
	for range engines.MaxThinking() {
		<-slow.asked
	}
	id := ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "second"}).Game
	if moved := want[wire.Moved](ada); moved.Game != id {
		t.Errorf("moved: %+v", moved)
	}
}

// The bot's time goes round the accounts, however many games one of them has.
func TestBotsServeAccountsInTurn(t *testing.T) {
	slow := newThinker(t)
	h := start(t, func(c *server.Config) {
		withThinker(slow)(c)
		c.Limits.BotGames = 1000
	})
	eve, ada := join(t, h, "eve"), join(t, h, "ada")
	challenge := &wire.Challenge{Rules: "havannah", To: "thinker", Seat: "second"}
	for range 10 * engines.MaxThinking() {
		eve.must(challenge)
	}
	for range engines.MaxThinking() {
		<-slow.asked
	}
	id := ada.must(challenge).Game
	h.waiting(t, 9*engines.MaxThinking()+1)
	var asked []string
	for range 2 {
		slow.move <- "a1"
		asked = append(asked, <-slow.asked)
	}
	if !slices.Contains(asked, id) {
		t.Error("the games of one account all come first")
	}
}

// timedThinker is a thinker that tells how long it may think about its first move.
type timedThinker struct {
	*thinker
	limit chan time.Duration
}

func (b timedThinker) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) { return b, nil }

func (b timedThinker) Decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	deadline, _ := ctx.Deadline()
	b.limit <- time.Until(deadline)
	return b.thinker.Decide(ctx, game, budget)
}

// A bot of fixed work has time for it while others wait, and other bots have less than usual then.
func TestFixedBotsWhileOthersWait(t *testing.T) {
	slow := newThinker(t)
	fixed, other := timedThinker{slow, make(chan time.Duration, 1)}, timedThinker{slow, make(chan time.Duration, 1)}
	h := start(t, func(c *server.Config) {
		withThinker(slow)(c)
		c.Limits.BotGames = 1000
		c.Bots = append(c.Bots, engines.Bot{Name: "fixed", Rules: []string{"havannah"}, Bot: fixed, Fixed: true},
			engines.Bot{Name: "other", Rules: []string{"havannah"}, Bot: other})
	})
	ada := join(t, h, "ada")
	for range engines.MaxThinking() {
		ada.must(&wire.Challenge{Rules: "havannah", To: "thinker", Seat: "second"})
		<-slow.asked
	}
	for n, name := range []string{"fixed", "other", "thinker", "thinker"} {
		ada.must(&wire.Challenge{Rules: "havannah", To: name, Seat: "second"})
		h.waiting(t, n+1)
	}
	slow.move <- "a1"
	if limit := <-fixed.limit; limit <= time.Second {
		t.Errorf("the bot of fixed work may think for %v", limit)
	}
	slow.move <- "a1"
	if limit := <-other.limit; limit >= time.Second {
		t.Errorf("the other bot may think for %v while others wait", limit)
	}
}

// waiting waits until n bots wait for their turn.
func (h *testServer) waiting(t *testing.T, n int) {
	t.Helper()
	for want := fmt.Sprintf("hexproto_bots_waiting %d\n", n); !strings.Contains(get(t, h, "/metrics", ""), want); {
		time.Sleep(time.Millisecond)
	}
}

// A bot does not think about a game without clocks while its player is away, and goes
// on when the player is back.
func TestBotWaitsForItsPlayer(t *testing.T) {
	slow := newThinker(t)
	h := start(t, withThinker(slow))
	eve, ada := join(t, h, "eve"), join(t, h, "ada")
	challenge := wire.Challenge{Rules: "havannah", To: "thinker", Seat: "second"}
	for range engines.MaxThinking() {
		eve.must(&challenge)
		<-slow.asked
	}
	untimed := ada.must(&challenge).Game
	challenge.Clock.Main = 60_000
	timed := ada.must(&challenge).Game
	h.waiting(t, 2)
	eve.state(untimed)
	ada.ws.Close()
	for p := want[wire.Presence](eve); p.Game != untimed || p.Present[1]; {
		p = want[wire.Presence](eve)
	}
	for range engines.MaxThinking() {
		slow.move <- "a1"
	}
	if id := <-slow.asked; id != timed {
		t.Errorf("it thinks about %s, not %s", id, timed)
	}
	slow.move <- "a1"
	h.waiting(t, 0)
	if len(slow.asked) > 0 {
		t.Error("it thinks while the player is away")
	}
	ada.again(h)
	if id := <-slow.asked; id != untimed {
		t.Errorf("it thinks about %s, not %s", id, untimed)
	}
}

// A game in which a bot fails is aborted, and costs nobody a rating.
func TestBotFails(t *testing.T) {
	for name, bot := range map[string]hexproto.Bot{"opening": unable{}, "deciding": failing(t)} {
		t.Run(name, func(t *testing.T) {
			h := start(t, func(c *server.Config) {
				c.Bots = []engines.Bot{{Name: "broken", Rules: []string{"havannah"}, Bot: bot}}
			})
			ada := join(t, h, "ada")
			ada.must(&wire.Challenge{Rules: "havannah", To: "broken", Seat: "second", Rated: true, Clock: minute})
			if over := want[wire.Over](ada); over.Result.How != wire.Aborted || over.Ratings[0] != over.Ratings[1] {
				t.Errorf("%+v", over)
			}
		})
	}
}

type unable struct{}

func (unable) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) {
	return nil, errors.New("cannot")
}

func failing(t *testing.T) *thinker {
	b := newThinker(t)
	b.move <- ""
	return b
}

// A new bot of the server is left out where a player has its name.
func TestBotWithThePlayersName(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, nil)
	ada := join(t, h, "thinker")
	h.end()
	h = open(t, database, withThinker(newThinker(t)))
	ada = ada.again(h)
	if bots := ada.hello.Rules[0].Bots; !slices.Equal(bots, []string{"random", "playouts"}) || ada.hello.You.Bot {
		t.Errorf("the bots are %v, %+v is a player", bots, ada.hello.You)
	}
}

// Two bots of one account would answer for each other, and names go by the rules of accounts.
func TestBotNames(t *testing.T) {
	for _, name := range []string{"Random", "a.b", "x"} {
		_, err := server.New(server.Config{Database: filepath.Join(t.TempDir(), "games.db"),
			Rules: []game.Rules{havannahbot.Rules{}}, Bots: []engines.Bot{
				{Name: "random", Rules: []string{"havannah"}, Bot: havannahbot.Bot(havannahbot.Random{})},
				{Name: name, Rules: []string{"havannah"}, Bot: havannahbot.Bot(havannahbot.Random{})},
			}})
		if e := (*engines.NameError)(nil); !errors.As(err, &e) || e.Name != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
