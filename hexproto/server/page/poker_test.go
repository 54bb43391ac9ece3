package page_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/bots/poker"
	"gamebots/bots/poker/table"
	"gamebots/bots/registry"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// withPoker adds poker games, whose cards are those of a seed, and a bot that calls.
func withPoker(t *testing.T, names ...string) func(*server.Config) {
	return func(c *server.Config) {
		bot := engines.Bot{Name: "caller", About: "Always calls.", Bot: hexproto.ByRules{}}
		for _, name := range names {
			g, err := configs.Game(name)
			if name == "nine" {
				g, err = acpc.ParseGame(name, ninePlayers)
			}
			if err != nil {
				t.Fatal(err)
			}
			c.Rules = append(c.Rules, table.Rules{
				Game: g, Title: name, Shuffle: func([]byte) *acpc.Shuffler { return acpc.NewShuffler(11) },
			})
			bot.Rules = append(bot.Rules, name)
			bot.Bot.(hexproto.ByRules)[name] = table.Bot{
				Game: g, Player: func(uint64) (acpc.Player, error) { return poker.NewOpponent("call", 0) },
			}
		}
		c.Bots = append(c.Bots, bot)
	}
}

// newMatch starts a match against a bot from the lobby, in the first seat.
func (tb *tab) newMatch(title, bot string, hands int) {
	tb.Helper()
	tb.newMatchBy("no clock", title, bot, hands)
}

func (tb *tab) newMatchBy(clock, title, bot string, hands int) {
	tb.Helper()
	tb.choose("select[name=rules]", title)
	tb.choose("select[name=opponent]", bot)
	tb.choose("select[name=clock]", clock)
	eval[bool](tb, `(document.querySelector("select[name=seat]").value = "first", true)`)
	tb.write("input[name=hands]", fmt.Sprint(hands))
	tb.click("button.primary", "Play")
	tb.sees(".hand-title", fmt.Sprintf("Hand 1 of %d", hands))
}

// ninePlayers is a game at a full table.
const ninePlayers = `GAMEDEF
nolimit
numPlayers = 9
numRounds = 4
stack = 10000 10000 10000 10000 10000 10000 10000 10000 10000
blind = 50 100 0 0 0 0 0 0 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
`

// act presses the key of an action once its button is there.
func (tb *tab) act(key, button string) {
	tb.Helper()
	tb.sees(":is(.poker-buttons, .raise) > button", button)
	tb.press(key)
}

// A match of Leduc hold'em by mouse and keyboard, to its end and back.
func TestPoker(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "leduc"))
	ada := open(t, desktop, h.url())
	ada.sees("summary", "Poker: the rules") // before she has a name, as of the other games
	ada.enter("ada")
	ada.newMatch("leduc", "caller", 3)
	ada.sees("summary", ": the rules")
	// Ada's card has its face up, that of the bot its back, and so it is in the page's data.
	ada.until(`document.querySelectorAll(".hole .card[data-suit]").length === 1 && ` +
		`document.querySelectorAll(".hole .card.back").length === 1`)
	ada.until(`document.querySelectorAll(".poker-buttons button").length === 2`) // nothing to fold to
	ada.act("r", "Bet")
	ada.sees(".board-cards .card", "")
	ada.act("c", "Check")
	ada.sees(".felt .turn", "at the showdown: ")
	ada.until(`[...document.querySelectorAll(".said")].every((s) => /^(.* high|pair of .*)$/.test(s.textContent))`)
	ada.until(`[...document.querySelectorAll(".behind")].map((b) => b.textContent).sort().join() === "+3,−3"`)
	ada.until(`document.querySelectorAll(".hole .card.back").length === 0`)
	ada.click(".poker-buttons button", "Next hand")
	ada.sees(".hand-title", "Hand 2 of 3")
	ada.act("r", "Bet")
	ada.sees(".board-cards .card", "")
	ada.act("r", "Bet")
	ada.act("n", "Next hand")
	ada.sees(".hand-title", "Hand 3 of 3")
	ada.act("c", "Check")
	ada.sees(".board-cards .card", "")
	ada.act("c", "Check")
	ada.until(`document.querySelectorAll(".hand-row").length === 3 && !document.querySelector(".poker-buttons button")`)
	ada.sees(".below .turn", "chips")
	ada.click("summary", "The hand in words")
	ada.sees(".story li", "Round 2, ")
	// The hands again.
	ada.press("Home")
	ada.sees(".hand-title", "Hand 1 of 3")
	ada.sees(".felt .turn", "The cards are dealt")
	ada.press("ArrowRight")
	ada.sees(".felt .turn", "ada bets 2")
	ada.click(".hand-row", "")
	ada.sees(".felt .turn", "at the showdown")
	ada.until(`[...document.querySelectorAll(".hand-row")].map((r) => r.ariaCurrent).join() === "step,,"`)
	// A spectator of the next match sees backs only.
	ada.click("button", "Play again")
	ada.sees(".hand-title", "Hand 1 of 3")
	bob := open(t, desktop, h.url())
	bob.enter("bob")
	bob.click(".game-open", "")
	bob.sees(".hand-title", "Hand 1 of 3")
	bob.until(`document.querySelectorAll(".hole .card.back").length === 2 && ` +
		`document.querySelectorAll(".hole .card").length === 2`)
}

// After each hand the strategy of the bot says what it thinks of one's decisions, and what
// the match would be without luck.
func TestPokerReport(t *testing.T) {
	t.Parallel()
	strategies, err := registry.TrainQuick(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	strategies = append(strategies, registry.PokerStrategy{Bot: "cfr", Policy: twoCards(t)})
	room, err := registry.Poker(strategies)
	if err != nil {
		t.Fatal(err)
	}
	h := newServerWith(t, true, func(c *server.Config) {
		c.Rules, c.Bots, c.Strategies = append(c.Rules, room.Rules...), append(c.Bots,
			room.Bots...), room.Library.Handler()
	})
	t.Cleanup(func() { // before the files are removed
		h.stop()
		for _, s := range strategies {
			s.Policy.Close()
		}
	})
	eve := open(t, device{width: 320, height: 640, phone: true}, h.url())
	eve.enter("eve")
	eve.visit("strategies")
	eve.sees("li a", "Play against it: Kuhn poker for two")
	eve.inspect("strategies", "phone-light")
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.newMatch("Kuhn poker for two", "cfr", 3)
	ada.act("r", "Bet")
	ada.sees(".poker-buttons button", "Next hand")
	ada.click("section[aria-label='your decisions'] input", "")
	ada.sees("section[aria-label='your decisions'] p", "In 1 hand you ")
	ada.sees(".best .line", "bet 1")
	ada.sees(".best li", "Round 1")
	ada.until(`/^Hand 1: .♠, [+−]\d$/.test(` +
		`document.querySelector("section[aria-label='your decisions'] h3").textContent)`)
	ada.sees(".best .line", "chips")
	ada.click(".poker-buttons button", "Next hand")
	// The bot acts first. Whatever it does, a second hand that is called or checked ends.
	ada.until(`document.querySelector(".poker-buttons button")?.textContent !== "Next hand" && ` +
		`document.querySelector(".poker-buttons button") !== null`)
	ada.press("c")
	ada.sees("section[aria-label='your decisions'] p", "In 2 hands you ")
	ada.sees("section[aria-label='your decisions'] p", "without luck")
	ada.sees("section[aria-label='your decisions'] p", "By the strategy of cfr your decisions cost ")
	// In large games it is not known what a decision costs, which is not nothing.
	eval[bool](ada, `(() => {
		const get = fetch;
		window.fetch = async (...request) => {
			window.fetch = get;
			const report = await (await get(...request)).json();
			report.hands.forEach(({ decisions }) => decisions.forEach((d) => delete d.lost));
			return Response.json(report);
		};
		return true;
	})()`)
	ada.click("button", "Judge my decisions")
	ada.sees("section[aria-label='your decisions'] p", "What your decisions cost is not known.")

	// A match from elsewhere is judged for any player, and a link leads to it.
	const log = "# name/game/hands/seed old kuhn 2 7\n" +
		"STATE:0:crf:Qs|Ks:-1|1:Ingo A.|rival\nSTATE:1:rc:As|Ks:2|-2:rival|Ingo A.\n"
	ada.visit("record")
	ada.write("textarea", strings.Replace(log, "rc", "rx", 1))
	ada.click("button", "Study it")
	ada.sees(".notice", "Line 3: ")
	ada.write("textarea", log)
	ada.click("button", "Study it")
	ada.sees(".felt, .table", "rival")
	ada.click("button", "Judge the decisions of")
	ada.sees("section[aria-label='your decisions'] p", "In 2 hands Ingo_A lost 3")
	ada.choose("select[aria-label='whose decisions']", "rival")
	ada.sees("section[aria-label='your decisions'] p", "In 2 hands rival won 3")
	ada.sees("section[aria-label='your decisions'] p", "the decisions cost")
	ada.inspect("record-poker", "light")
	fay := open(t, device{width: 320, height: 640, phone: true, dark: true}, h.url())
	fay.enter("fay")
	fay.visit("record/" + url.PathEscape("# name/game/hands/seed play kuhn 1 7\nSTATE:0:rf:Qs|Ks:1|-1:you|bot1\n"))
	fay.until(`/you win\b/.test(document.querySelector(".felt .turn")?.textContent)`)
	fay.click("summary", "The hand in words")
	fay.sees(".story li", "you bet 1, bot1 folds, you take back 1.")
	fay.visit("record/" + url.PathEscape(log))
	fay.click("button", "Judge the decisions of")
	fay.sees("section[aria-label='your decisions'] p", "In 2 hands Ingo_A lost 3")
	fay.inspect("record-poker", "phone-dark")
	ada.reload()
	ada.sees("button", "Judge the decisions of")

	// The whole strategy, decision by decision.
	ada.click("button", "Judge the decisions of")
	ada.click("a", "The whole strategy")
	ada.sees("h1", "The strategy of cfr")
	ada.until(`[...document.querySelectorAll(".decision tbody th")].map((h) => h.textContent).join() === "A,K,Q"`)
	ada.click("a.button", "bet")
	ada.sees("nav.path span", "bet 1")
	ada.sees("a.button, .ends", "fold")
	ada.inspect("strategy", "light")
	ada.click("nav.path a", "start")
	ada.sees("a.button", "bet")
	// Two hole cards are a grid, and one by one where somebody wants that.
	ada.visit("strategy/two-cards/cfr")
	ada.until(`document.querySelectorAll(".hand-grid > div").length === 9`)
	ada.click("summary", "Ranges")
	ada.sees(".ranges dd", "QQ+")
	ada.sees(".decision tbody th", "Ks")
	ada.inspect("strategy-grid", "light")
}

// In the plate of a seat the clock does not lie over what the player has won so far.
func TestPokerClock(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "holdem-nolimit-6p"))
	ada := open(t, phone, h.url())
	ada.enter("ada")
	ada.newMatchBy("5 min + 3 s", "holdem-nolimit-6p", "caller", 3)
	ada.act("f", "Fold")
	ada.until(`[...document.querySelectorAll(".poker-buttons button")].some((b) => {
		b.ariaLabel === "Next hand" && b.click();
		return document.querySelector(".hand-title").textContent.startsWith("Hand 2 of 3");
	})`)
	ada.sees(".plate .bet", "")
	ada.until(`(() => {
		const plate = [...document.querySelectorAll(".plate")].find((p) => p.querySelector(".clock:not([hidden])"));
		const [clock, total] = [".clock", ".bet"].map((part) => plate.querySelector(part).getBoundingClientRect());
		return clock.right <= total.left && total.right <= plate.getBoundingClientRect().right;
	})()`)
}

// Where there are clocks the next hand comes by itself, and the player's clock stands until then. The player may be
// writing meanwhile, or about to press the button that goes.
func TestNextHandByItself(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "leduc"))
	ada := openAt(t, desktop, h.url(), `{
		const now = Date.now;
		window.skipped = 0; // ms that the test does not wait for
		Date.now = () => now() + window.skipped;
	}`)
	ada.expectOffline()
	ada.enter("ada")
	ada.newMatchBy("5 min + 3 s", "leduc", "caller", 4)
	const clock = `document.querySelector(".poker-seat[data-place=first] .clock")`
	ada.until(clock + `.hasAttribute("data-running")`)
	eval[bool](ada, `(setInterval(() => {
		window.charged ||= document.querySelector("[aria-label='Next hand']") && `+clock+`.hasAttribute("data-running");
	}, 10), true)`)
	playHand := func() {
		t.Helper()
		ada.act("r", "Bet")
		ada.sees(".board-cards .card", "")
		ada.act("r", "Bet")
		ada.sees(".felt .turn", "at the showdown")
		ada.sees(".poker-buttons button", "Next hand in ")
	}
	playHand()
	ada.until(`(document.querySelector(".chat input").focus(), true)`)
	eval[bool](ada, `(window.skipped += 5000, true)`)
	ada.sees(".hand-title", "Hand 2 of 4")
	ada.until(`document.activeElement === document.querySelector(".chat input")`)
	ada.until(`!document.querySelector(".poker-buttons").inert`)
	ada.until(`document.querySelectorAll(".hand-row .hand-end[data-sign]").length === 1`)
	eval[bool](ada, `(document.activeElement.blur(), window.skipped = 0, true)`)
	ada.until(clock + `.hasAttribute("data-running")`)
	playHand()
	ada.press("n") // one need not wait
	ada.sees(".hand-title", "Hand 3 of 4")
	playHand()
	// When the player is back after a restart the clock runs, and the hand is shown at once.
	h.stop()
	h.start()
	ada.sees(".hand-title", "Hand 4 of 4")
	ada.until(clock + `.hasAttribute("data-running")`)
	if eval[bool](ada, `Boolean(window.charged)`) {
		t.Error("the clock ran while a hand was shown that was over")
	}
}

// A player whose time is over is away, and comes back, after a reload and a restart of the server, too. Who is away for
// three hands leaves the table, is told so, and comes back while the others play.
func TestAwayFromTable(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "holdem-nolimit-6p"))
	ada := open(t, desktop, h.url())
	ada.expectOffline()
	ada.enter("ada")
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	challenge := wire.Challenge{
		Rules: "holdem-nolimit-6p", Options: json.RawMessage(`{"hands":200,"buy_in":60}`), Seat: "second",
		Fill: wire.Names{"caller"}, Clock: wire.Clock{PerMove: 4000},
	}
	ada.visit("join/" + ask[wire.Ack](bob, challenge).Challenge)
	ada.click(".panel button", "Play")
	ada.sees(".hand-title", "Hand 1 of 200")
	game := eval[string](ada, `location.hash.split("/")[2]`)
	// until has bob check, call, and go on at once, until a condition holds.
	until := func(what string, done func(wire.Game) bool) {
		t.Helper()
		for end := time.Now().Add(patience); ; time.Sleep(250 * time.Millisecond) {
			g := ask[wire.Game](bob, wire.Watch{Game: game})
			switch {
			case done(g):
				return
			case time.Now().After(end):
				t.Fatalf("never: %s", what)
			case slices.Equal(g.ToMove, []int{1}) && !slices.Contains(g.Away, 1):
				ask[wire.Ack](bob, wire.Play{Game: game, Turn: g.Turn, Move: "c"})
			}
			ask[wire.Ack](bob, wire.Here{Game: game, Hand: len(g.View.Poker.Finished)})
		}
	}
	sees := func(selector, text string) {
		t.Helper()
		until(text, func(wire.Game) bool {
			return eval[bool](ada, `Boolean(`+one(selector, text)+`)`)
		})
	}
	isIn := func(seats []int) bool { return slices.Contains(seats, 0) }
	until("ada is away", func(g wire.Game) bool { return isIn(g.Away) })
	sees(".notice", "Your time was over: the server checks or folds for you until you are back.")
	sees(".below .turn", "You are away")
	ada.reload()
	sees(".poker-buttons button", "I am back")
	h.stop()
	h.start()
	bob.ws.Close()
	bob = newPuppet(t, h, wire.Hello{Token: bob.token})
	sees(".connection a", "ada")
	sees(".poker-buttons button", "I am back")
	ada.click(".poker-buttons button", "I am back")
	until("ada is back", func(g wire.Game) bool { return !isIn(g.Away) })
	until("ada has left", func(g wire.Game) bool { return isIn(g.Gone) })
	sees(".notice", "You were away for three hands and have left the table.")
	sees(".below .turn", "You have left the table")
	ada.inspect("poker-away", "light")
	ada.click(".poker-buttons button", "Come back")
	until("it is ada's turn", func(g wire.Game) bool { return !isIn(g.Gone) && slices.Equal(g.ToMove, []int{0}) })
	ada.until(`[...document.querySelectorAll(".poker-buttons button")].some((b) => b.title === "C")`)
	ada.press("c")
	until("ada plays", func(g wire.Game) bool {
		sum := 0.0
		for _, chips := range g.View.Poker.Won {
			sum += chips
		}
		if math.Abs(sum) > 1e-6 {
			t.Fatalf("%v are lost: %v", sum, g.View.Poker.Won)
		}
		return g.Moves[g.Turn-1].Seat == 0 && g.Moves[g.Turn-1].Ms > 0
	})
}

// The clock of the next hand begins once both players have gone on to it.
func TestBothReady(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "leduc"))
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	challenge := wire.Challenge{Rules: "leduc", Seat: "second", Clock: wire.Clock{Main: 30_000, PerMove: 15_000}}
	ada.visit("join/" + ask[wire.Ack](bob, challenge).Challenge)
	ada.sees(".panel", "15 s a move and 30 s for the game")
	ada.click(".panel button", "Play")
	ada.act("r", "Bet")
	game := eval[string](ada, `location.hash.split("/")[2]`)
	next[wire.Moved](bob, "moved")
	ask[wire.Ack](bob, wire.Play{Game: game, Turn: 1, Move: "f"})
	ask[wire.Ack](bob, wire.Here{Game: game, Hand: 1})
	ada.act("n", "Next hand")
	if p := next[wire.Presence](bob, "presence"); p.Time.Since[1] != p.Time.At {
		t.Errorf("it is bob's turn: %+v", p.Time)
	}
}

// What is chosen while another person is to move is done when it is the player's turn, after a reload, too.
func TestActAhead(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "leduc"))
	ada := open(t, phone, h.url())
	ada.enter("ada")
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	ada.visit("join/" + ask[wire.Ack](bob, wire.Challenge{Rules: "leduc", Seat: "first"}).Challenge)
	ada.tap(".panel button", "Play")
	pressed := func(text string) {
		t.Helper()
		ada.until(`document.querySelector(".ahead [aria-pressed=true]")?.textContent === ` + quote(text))
	}
	ada.tap(".ahead button", "Call any")
	pressed("Call any")
	ada.tap(".ahead button", "Check/fold")
	pressed("Check/fold")
	ada.inspect("poker-ahead", "phone-light")
	ada.reload()
	pressed("Check/fold")
	game := eval[string](ada, `location.hash.split("/")[2]`)
	answers := func(turn int, move, want string) {
		t.Helper()
		ask[wire.Ack](bob, wire.Play{Game: game, Turn: turn, Move: move})
		for {
			if m := next[wire.Moved](bob, "moved").Moves[0]; m.Turn == turn+1 {
				if m.Seat != 1 || m.Move != want {
					t.Errorf("after %s: %+v, want %s", move, m, want)
				}
				return
			}
		}
	}
	answers(0, "r", "f")
	ada.act("n", "Next hand")
	ada.act("r", "Bet")
	ada.tap(".ahead button", "Call any")
	pressed("Call any")
	answers(3, "r", "c")
	ada.until(`!document.querySelector(".ahead [aria-pressed=true]")`) // for one decision
}

// Amounts are in big blinds, and raises on buttons have sizes of the player's own, where the player wants that.
func TestOwnSizes(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "holdem-nolimit-2p", "holdem-nolimit-6p"))
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.visit("account")
	ada.click("input[name=blinds]", "")
	ada.write("input[name=sizes]", "75%, a lot")
	ada.until(`!document.querySelector("input[name=sizes]").checkValidity()`)
	ada.write("input[name=sizes]", "75%, 150% 3x")
	ada.inspect("account-sizes", "light")
	ada.visit("")
	ada.newMatch("holdem-nolimit-2p", "caller", 2) // calls, and ada may raise
	ada.sees(".pot", "Pot 2 bb")
	ada.sees(".behind", "199 bb")
	ada.until(`[...document.querySelectorAll(".sizes button")].map((b) => b.textContent + " " + b.title).join() === ` +
		`"Min 2 bb,75% 2.5 bb,3x 3 bb,150% 4 bb,All-in 200 bb"`)
	ada.click(".sizes button", "75%")
	ada.until(`document.querySelector(".raise input[type=number]").value === "2.5"`)
	ada.click(".raise button.primary", "Raise to 2.5 bb")
	ada.sees(".pot", "Pot 5 bb")
	ada.write(".raise input[type=number]", "1.25")
	ada.click(".raise button.primary", "Bet 1.25 bb")
	ada.sees(".pot", "Pot 7.5 bb")
	ada.sees(".hand-row", "in play")
	ada.inspect("poker-blinds", "light")
	eve := open(t, device{width: 320, height: 640, phone: true}, h.url())
	eve.enter("eve")
	eve.visit("account")
	eve.tap("input[name=blinds]", "")
	eve.visit("")
	eve.newMatch("holdem-nolimit-6p", "caller", 1)
	eve.sees(".pot", "Pot 5.5 bb")
	eve.sees(".raise button.primary", "Raise to 2 bb")
	for _, over := range eval[[]string](eve, overlaps) {
		t.Errorf("on a small phone %s", over)
	}
	eve.inspect("poker-blinds", "phone-light")
}

// With a buy-in seats keep their chips from hand to hand, and the player may buy in again between hands.
func TestKeptStacks(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "holdem-nolimit-2p"))
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.choose("select[name=rules]", "holdem-nolimit-2p")
	ada.write("input[name=buy_in]", "100")
	ada.newMatch("holdem-nolimit-2p", "caller", 4)
	ada.sees(".about", "stacks kept, buy-in 100")
	stacks := func(hand int, mine, caller string) { // with what is in front of the seats
		t.Helper()
		ada.sees(".hand-title", fmt.Sprintf("Hand %d of 4", hand))
		ada.until(`[...document.querySelectorAll(".poker-seat")].map((s) => {
			const chips = (part) => Number(s.querySelector(part).textContent.replace(/\D/g, "") || 0);
			return chips(".behind") + (s.querySelector(".chips-in").hidden ? 0 : chips(".chips-in"));
		}).join() === ` + quote(mine+","+caller))
	}
	ada.click(".raise button.primary", "Raise to 200") // with the worse hand
	for range 3 {
		ada.act("c", "Check")
	}
	ada.act("n", "Next hand")
	stacks(2, "9800", "10200")
	ada.click(".ahead button", "Buy in again after the hand")
	ada.inspect("poker-stacks", "light")
	ada.act("f", "Fold")
	ada.act("n", "Next hand")
	stacks(3, "10000", "10250")
	ada.reload()
	stacks(3, "10000", "10250")
	ada.click(".sizes button", "All-in")
	ada.click(".raise button.primary", "Raise to 10,000")
	ada.act("n", "Next hand")
	ada.until(`document.querySelector(".hand-title").textContent.startsWith("Hand 4 of 4")`)
}

// twoCards returns a strategy of a game with two hole cards of twelve and one betting round.
func twoCards(t *testing.T) *policy.Policy {
	t.Helper()
	g, err := acpc.ParseGame("two-cards", `GAMEDEF
limit
numPlayers = 2
numRounds = 1
blind = 10 5
raiseSize = 10
firstPlayer = 2
maxRaises = 2
numSuits = 4
numRanks = 3
numHoleCards = 2
numBoardCards = 0
END GAMEDEF
`)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := publictree.Prepare(g, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	trainer, file := cfr.NewTrainer(layout, cfr.Algorithms[0], 1), filepath.Join(t.TempDir(), "two-cards.strategy")
	trainer.Step()
	if err := trainer.Save(file, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(file, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The views of poker on a desktop and on a phone, light and dark.
func TestPokerViews(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "leduc", "holdem-nolimit-2p", "holdem-nolimit-6p"))
	eachLook(t, func(t *testing.T, look look) {
		tb := open(t, look.device, h.url())
		tb.enter("eve-" + look.name)
		for _, game := range []string{"holdem-nolimit-2p", "holdem-nolimit-6p"} {
			tb.visit("")
			tb.sees("h2", "New game")
			tb.newMatch(game, "caller", 4)
			tb.until(`document.querySelector(".poker-buttons input[type=number]") !== null`)
			tb.inspect("poker-first-"+game, look.name)
			tb.click(".raise button", "Raise to")
			tb.sees(".board-cards .card", "")
			tb.sees(".raise button.primary", "Bet") // nobody has bet after the flop
			tb.inspect("poker-"+game, look.name)
			tb.click(".raise button", "All-in")
			tb.click(".raise button.primary", "Bet")
			tb.sees(".poker-buttons button", "Next hand")
		}
		// However much is said, it is within the window.
		eval[bool](tb, `(document.querySelector(".felt .turn").textContent += ": two pair, queens and jacks", true)`)
		tb.inspect("poker-end", look.name)
		tb.visit("player/caller") // says the same of all games
		tb.until(`document.querySelectorAll(".plays dt").length === 3 &&
			document.querySelectorAll(".plays dd").length === 1`)
	})
}

// Amounts are those of the round, as at every poker table: on buttons, in the field, in front of the seats, and in
// what is said of them.
func TestPokerAmounts(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "holdem-nolimit-2p"))
	ada, bob := open(t, desktop, h.url()), open(t, desktop, h.url())
	ada.enter("ada")
	bob.enter("bob")
	ada.choose("select[name=rules]", "holdem-nolimit-2p")
	ada.choose("select[name=opponent]", "anybody")
	ada.choose("select[name=clock]", "no clock")
	ada.choose("select[name=seat]", "the opponent") // has the button
	ada.write("input[name=hands]", "2")
	ada.click("form button.primary", "Offer this game")
	bob.sees(".challenge small", "you have the button first")
	bob.click(".challenge button", "Play")
	// Bob has the button and the small blind. He limps, and ada may check or raise.
	bob.sees(".poker-seat:first-child .at", "BTN")
	bob.sees(".poker-seat:first-child .dealer", "D")
	ada.sees(".poker-seat:first-child .at", "BB")
	bob.sees(".odds", "50 to win 150 · pot odds 3 : 1 · needs 25%")
	bob.act("c", "Call 50")
	ada.sees(".raise button.primary", "Raise to")
	ada.act("c", "Check")
	// A bet of half the pot on the flop, and the least raise.
	ada.sees(".raise button.primary", "Bet")
	ada.until(`document.querySelector(".raise input[type=number]").value === "100"`)
	ada.until(`[...document.querySelectorAll(".sizes button")].map((b) => b.textContent).join() === ` +
		`"Min,Pot,All-in"`)
	ada.write(".raise input[type=number]", "150")
	ada.click(".raise button.primary", "Bet")
	bob.sees(".felt .turn", "ada bets 150")
	bob.until(`[...document.querySelectorAll(".chips-in")].filter((c) => !c.hidden).map((c) => c.textContent)` +
		`.join() === "150"`)
	bob.sees(".odds", "150 to win 350 · pot odds 2.3 : 1 · needs 30%")
	bob.until(`document.querySelector(".raise input[type=number]").min === "300"`)
	bob.until(`[...document.querySelectorAll(".sizes button")].map((b) => b.textContent + " " + b.title).join() === ` +
		`"Min 300,½ pot 400,Pot 650,All-in 19,900"`)
	bob.click(".sizes button", "½ pot")
	bob.click(".raise button.primary", "Raise to")
	ada.sees(".felt .turn", "bob raises to 400")
	ada.sees(".poker-buttons button", "Call 250")
	ada.click(".sizes button", "All-in")
	ada.click(".raise button.primary", "Raise to")
	bob.sees(".felt .turn", "ada raises to 19,900 all-in")
	bob.sees(".poker-buttons button", "Call 19,500 all-in")
	bob.act("f", "Fold")
	// What was won so far has the hand at its end, and not while it is played.
	ada.sees(".poker-seat .bet", "+500 so far")
	ada.act("n", "Next hand")
	ada.sees(".poker-seat .bet", "+500 so far")
	ada.act("c", "Call 50")
	ada.sees(".felt .turn", "ada calls 50")
	ada.click(".hand-row", "")
	ada.sees(".poker-seat .bet", "+500 so far")
	ada.click("button", "‹")
	ada.until(`!document.querySelector(".poker-seat .bet")`)
	ada.click("button", "›")
	ada.click("summary", "The hand in words")
	ada.sees(".story li", "Before the flop: bob calls 50, ada checks.")
	ada.sees(".story li", ": ada bets 150, bob raises to 400, ada raises to 19,900 all-in, bob folds, "+
		"ada takes back 19,500.")
	ada.sees(".story li", "ada wins.")
	// The line to copy is that of the log that ada may read.
	line := ada.all(".acpc")[0]
	log := eval[string](ada, `fetch("records/" + location.hash.split("/")[2] + ".log", { headers: {
		Authorization: "Bearer " + JSON.parse(localStorage.getItem("gamebots")).token } }).then((r) => r.text())`)
	if !strings.Contains(log, "\n"+line+"\n") || !strings.HasPrefix(line, "STATE:0:cc/r250r500r20000f:") {
		t.Errorf("the ACPC line is %q, the log\n%s", line, log)
	}
	eval[bool](ada, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)`)
	ada.click("button", "Copy the words")
	ada.until(`window.copied.startsWith("Hand 1, blinds 50/100: ada (BB) 20,000, bob (BTN) 20,000.\nCards: ada ")`)
	ada.until(`window.copied.endsWith("ada takes back 19,500.\nada wins.\nada +500, bob −500.")`)
	ada.click("button", "Copy the ACPC line")
	ada.until(`window.copied === document.querySelector(".acpc").textContent`)
	ada.inspect("poker-story", "light")
}

// In every window each button of a poker table is where it can be clicked: nothing lies over it, and the actions are in
// sight without scrolling. So is the whole table, whose seats, cards and chips do not lie over each other.
func TestPokerWindows(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "kuhn", "holdem-nolimit-6p", "nine"))
	for i, window := range [][2]int64{
		{740, 360}, {844, 390}, {932, 430}, {640, 400}, {1000, 500}, {1280, 500}, // held sideways, enlarged, or low
		{320, 640}, {360, 640}, {390, 844}, {768, 1024}, {1024, 768}, {1280, 800},
	} {
		tb := open(t, device{width: window[0], height: window[1]}, h.url())
		tb.enter(fmt.Sprintf("eve-%d", i))
		for _, game := range []string{"kuhn", "holdem-nolimit-6p", "nine"} {
			tb.visit("")
			tb.sees("h2", "New game")
			tb.newMatch(game, "caller", 4)
			tb.sees(".poker-buttons button", "")
			for _, hidden := range eval[[]string](tb, `[...document.querySelectorAll(".game button")].filter((b) => {
				if (b.disabled || !b.checkVisibility()) return false;
				if (!b.closest(".poker-buttons")) b.scrollIntoView({ block: "center", behavior: "instant" });
				else scrollTo({ top: 0, behavior: "instant" });
				const { x, y, width, height } = b.getBoundingClientRect();
				return !b.contains(document.elementFromPoint(x + width / 2, y + height / 2));
			}).map((b) => b.textContent)`) {
				t.Errorf("%s in %v: %q cannot be clicked", game, window, hidden)
			}
			for _, over := range eval[[]string](tb, overlaps) {
				t.Errorf("%s in %v: %s", game, window, over)
			}
			if game == "holdem-nolimit-6p" { // with axe-core, a third of a second each
				tb.inspect(fmt.Sprintf("poker-%s-%dx%d", game, window[0], window[1]), "light")
			}
		}
	}
}

// overlaps lists what lies over each other at a poker table, or outside of the window, and names that are cut.
const overlaps = `(() => {
	scrollTo({ top: 0, behavior: "instant" });
	const parts = [...document.querySelectorAll(".plate, .board-cards, .pot, .chips-in")].filter((e) => e.checkVisibility()).
		map((e) => [e.closest(".poker-seat")?.querySelector(".person-name").textContent ?? "", e.className, e.getBoundingClientRect()]);
	const cut = [...document.querySelectorAll(".plate .person-name")].filter((n) => n.scrollWidth > n.clientWidth).
		map((n) => n.textContent + " is cut");
	return cut.concat(parts.flatMap(([name, kind, a], i) => [
		a.left < 0 || a.right > innerWidth || a.top < 0 || a.bottom > innerHeight ? [name + " " + kind + " is outside"] : [],
		parts.slice(0, i).filter(([, , b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1).
			map(([other, what]) => name + " " + kind + " lies over " + other + " " + what),
	]).flat());
})()`

// Three players sit down at a table of six by a challenge in the lobby. One of them leaves,
// and the others go on.
func TestTableOfPlayers(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "holdem-nolimit-6p"))
	ada, bob, eve := open(t, desktop, h.url()), open(t, desktop, h.url()), open(t, phone, h.url())
	ada.enter("ada")
	bob.enter("bob")
	eve.enter("eve")
	ada.choose("select[name=rules]", "holdem-nolimit-6p")
	ada.choose("select[name=opponent]", "anybody")
	ada.choose("select[name=players]", "3")
	ada.choose("select[name=clock]", "no clock")
	ada.choose("select[name=seat]", "SB")
	ada.write("input[name=hands]", "6")
	ada.inspect("poker-players", "light")
	ada.click("form button.primary", "Offer this game")
	bob.sees(".challenge small", "they begin as SB · 1 of 3 players · bots in the other seats: caller")
	bob.click(".challenge button", "Play")
	bob.sees(".challenge button", "Leave")
	bob.click(".challenge button", "Leave")
	bob.sees(".challenge small", "1 of 3 players")
	bob.click(".challenge button", "Play")
	eve.sees(".challenge small", "2 of 3 players, with bob")
	eve.inspect("poker-joined", "phone-light")
	eve.tap(".challenge button", "Play")
	for _, tab := range []*tab{ada, bob, eve} {
		tab.sees(".hand-title", "Hand 1 of 6")
		tab.until(`document.querySelectorAll(".hole .card[data-suit]").length === 2 && ` +
			`document.querySelectorAll(".hole .card.back").length === 10`)
	}
	third, second := bob, eve
	if strings.Contains(ada.all(".below .turn")[0], "eve") {
		third, second = eve, bob
	}
	third.act("f", "Fold")
	ada.act("f", "Fold")
	for range 4 { // second has the big blind
		second.act("c", "Check")
	}
	ada.act("n", "Next hand")
	eve.tap(".actions button", "Leave")
	eve.tap(".actions button", "Really leave")
	ada.sees(".seat-note", "has left")
	eve.until(`!document.querySelector(".actions button")`)
	bob.act("n", "Next hand")
	ada.inspect("poker-six", "light")
	eve.inspect("poker-left", "phone-light")
	ada.act("f", "Fold")
}

// Each seat that players leave has its own bot. Seats of one bot are told apart, by numbers in the lists and at the
// table, and a second match has the same bots.
func TestTableOfDifferentBots(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, func(c *server.Config) {
		withPoker(t, "holdem-nolimit-6p")(c)
		raiser := c.Bots[len(c.Bots)-1]
		raiser.Name, raiser.About = "raiser", "Raises."
		c.Bots = append(c.Bots, raiser)
	})
	ada := open(t, phone, h.url())
	ada.enter("ada")
	ada.choose("select[name=rules]", "holdem-nolimit-6p")
	ada.choose("select[name=opponent]", "caller")
	fills := `[...document.querySelectorAll("select[name=fill]")]`
	ada.until(fills + `.map((s) => s.value).join() === "raiser,caller,raiser,caller"`)
	eval[bool](ada, `(`+fills+`[1].value = "raiser", true)`)
	ada.inspect("poker-bots", "phone-light")
	ada.choose("select[name=clock]", "5 min")
	ada.choose("select[name=seat]", "BB")
	ada.write("input[name=hands]", "1")
	ada.tap("form button.primary", "Play")
	names := `[...document.querySelectorAll(".plate .person-name")].map((n) => n.textContent).join()`
	ada.until(names + ` === "ada,raiser 1,raiser 2,raiser 3,caller 2,caller 1"`)
	ada.until(`[...document.querySelectorAll(".plate .person-name")].every((n) => n.scrollWidth <= n.clientWidth)`)
	// Only ada's clock is of use.
	ada.until(`[...document.querySelectorAll(".clock")].filter((c) => c.checkVisibility()).length === 1`)
	for range 4 {
		ada.act("c", "Check")
	}
	ada.sees(".below .turn", "chips")
	ada.tap(".actions button", "Play again")
	ada.sees(".hand-title", "Hand 1 of 1")
	// Ada and the first bot have exchanged their seats.
	ada.until(names + ` === "ada,caller 1,raiser 1,raiser 2,raiser 3,caller 2"`)
}

// An action that is chosen without a connection is shown, and can be replaced. At each moment one frame is at the
// table, that of who is to move, and once the match is over that of who has won the hand that is shown.
func TestPokerWithoutConnection(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "holdem-nolimit-2p"))
	ada := open(t, phone, h.url())
	ada.expectOffline()
	ada.enter("ada")
	ada.newMatch("holdem-nolimit-2p", "caller", 1)
	framed := `[...document.querySelectorAll(".plate")].` +
		`filter((p) => getComputedStyle(p).boxShadow.includes("0px 0px 0px 2px")).` +
		`map((p) => p.querySelector(".person-name").textContent).join()`
	ada.sees(".poker-buttons button", "Check")
	ada.until(framed + ` === "ada"`)
	h.stop()
	ada.sees(".below .turn", "Waiting for the connection")
	ada.tap(".sizes button", "All-in")
	ada.tap(".raise button.primary", "Raise to")
	ada.sees(".below .turn", "Raise to 20,000 all-in will be played when the connection is back")
	ada.tap(".poker-buttons button", "Check")
	ada.sees(".below .turn", "Check will be played when the connection is back")
	ada.until(`document.querySelector(".poker-buttons [aria-pressed=true]").textContent === "Check"`)
	h.start()
	ada.sees(".board-cards .card", "")
	for range 3 {
		ada.act("c", "Check")
	}
	ada.sees(".below .turn", "chips")
	ada.until(framed + ` === (document.querySelector(".poker-seat[data-won] .person-name").textContent)`)
	ada.press("Home")
	ada.press("ArrowRight")
	ada.sees(".felt .turn", "calls 50")
	ada.until(framed + ` === "caller"`)
}

// A bet that nobody called is not in the pot, and each all-in ends a pot that its player can win.
func TestPots(t *testing.T) {
	t.Parallel()
	tb := open(t, desktop, sources(t))
	pots := func(hand string) string {
		return eval[string](tb, `(async () => {
			const { potsOf, stepsOf } = await import("./js/poker/steps.js");
			const hand = `+hand+`;
			const steps = stepsOf(hand);
			const back = steps.find(({ returned }) => returned)?.words ?? "nobody takes back chips";
			return back + ": " + steps.at(-1).pot + " = " + potsOf(steps.at(-1), hand.stacks).join(" + ");
		})()`)
	}
	for _, tt := range []struct{ name, hand, want string }{
		{"a raise that all fold to", `{players: ["ada", "cfr"], blinds: [50, 100], stacks: [10000, 10000], board: [""],
			values: [200, -200], actions: [
				{round: 0, position: 0, action: "raise", name: "raise to 200", to: 200, pot: 300},
				{round: 0, position: 1, action: "call", name: "call 100", to: 200, pot: 400},
				{round: 0, position: 0, action: "raise", name: "bet 400", to: 600, pot: 800},
				{round: 0, position: 1, action: "fold", name: "fold", to: 200, pot: 800}]}`,
			"ada takes back 400: 400 = 400"},
		{"three all-ins", `{players: ["ada", "bob", "eve"], blinds: [50, 100, 0], stacks: [500, 300, 1000],
			board: [""], values: [-500, 600, -100], actions: [
				{round: 0, position: 2, action: "raise", name: "raise to 1,000, all-in", to: 1000, pot: 1150},
				{round: 0, position: 0, action: "call", name: "call 450, all-in", to: 500, pot: 1600},
				{round: 0, position: 1, action: "call", name: "call 200, all-in", to: 300, pot: 1800}]}`,
			"eve takes back 500: 1300 = 900 + 400"},
		{"a call", `{players: ["ada", "cfr"], blinds: [50, 100], stacks: [10000, 10000], board: [""],
			values: [100, -100], actions: [
				{round: 0, position: 0, action: "call", name: "call 50", to: 100, pot: 200}]}`,
			"nobody takes back chips: 200 = 200"},
	} {
		if got := pots(tt.hand); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
