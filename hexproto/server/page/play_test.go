package page_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"testing"

	"gamebots/bots/havannah"
	"gamebots/bots/nim"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/boards"
	"gamebots/hexproto/server/page"
)

// house is a game server with a page, that can be restarted.
type house struct {
	*testing.T
	cfg     server.Config
	address string
	stop    func()
}

func newHouse(t *testing.T, open bool) *house {
	t.Helper()
	h := &house{T: t, cfg: server.Config{
		Database: filepath.Join(t.TempDir(), "games.db"),
		Rules:    []server.Rules{boards.Havannah{}, boards.Nim{}},
		Bots: []server.House{
			{Name: "random", Rules: []string{havannah.Rules}, Bot: havannah.Random{}},
			{Name: "xor", Rules: []string{nim.Rules}, Bot: nim.XOR{}},
		},
		Page: page.Handler(), Version: "gamebots test", Open: open, Loopback: true,
	}}
	h.start()
	t.Cleanup(func() { h.stop() })
	return h
}

// start starts the server, on the same port as before if it ran before.
func (h *house) start() {
	h.Helper()
	s, err := server.New(h.cfg)
	if err != nil {
		h.Fatal(err)
	}
	l := h.listen()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l, "", "") }()
	h.stop = func() {
		cancel()
		<-served
		if err := s.Close(); err != nil {
			h.Error(err)
		}
		h.stop = func() {}
	}
}

// listen listens where the server listened before. The first port is none that
// systems give to whoever asks for any, or it would be gone at a restart.
func (h *house) listen() net.Listener {
	h.Helper()
	for try := 0; ; try++ {
		address := h.address
		if address == "" {
			address = fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000))
		}
		l, err := new(net.ListenConfig).Listen(h.Context(), "tcp", address)
		if err == nil {
			h.address = address
			return l
		}
		if try == 100 {
			h.Fatal(err)
		}
	}
}

func (h *house) url() string { return "http://" + h.address + "/" }

// begin starts a game against a bot of the server.
func (tb *tab) begin(rules, bot, clock, seat string, options map[string]string) {
	tb.Helper()
	tb.choose("select[name=rules]", rules)
	tb.choose("select[name=opponent]", bot)
	tb.choose("select[name=clock]", clock)
	for name, value := range options {
		tb.write("input[name="+name+"]", value)
	}
	tb.choose("select[name=seat]", seat)
	tb.click("form button", "Play")
	tb.sees(".board", "")
}

// yours waits until it is the player's move, or the game is over, and says which.
func (tb *tab) yours() bool {
	tb.Helper()
	tb.until(`document.querySelector(".turn")?.textContent.match(/^(Your move(, or swap)?$|.* wins|A draw)/)`)
	return eval[bool](tb, `document.querySelector(".turn").textContent.startsWith("Your move")`)
}

// stones returns how many stones are on the board.
func (tb *tab) stones() int {
	tb.Helper()
	return eval[int](tb, `document.querySelectorAll(".cell[data-stone]").length`)
}

func TestHavannahAgainstBot(t *testing.T) {
	h := newHouse(t, true)
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Havannah", "random", "no clock", "me", map[string]string{"side": "3"})
	moves := 0
	seen := map[int]string{} // by turns
	for ada.yours() {
		seen[ada.turns()] = ada.board()
		// The first empty cell, by mouse.
		cell := eval[string](ada, `document.querySelector(".cell:not([data-stone])").dataset.cell`)
		ada.click(fmt.Sprintf(`.cell[data-cell=%q]`, cell), "")
		ada.until(fmt.Sprintf(`document.querySelector('.cell[data-cell=%q][data-stone]')`, cell)) // black, if the bot swapped
		if moves++; moves > 19 {
			t.Fatal("the game does not end")
		}
	}
	ada.until(`document.querySelectorAll(".cell[data-last]").length === 1`)
	ada.until(`document.querySelector(".turn").textContent.startsWith("A draw") || document.querySelectorAll(".cell[data-won]").length >= 3`)

	seen[ada.turns()] = ada.board()
	ada.goThrough(seen)
}

// turns returns how many turns the board shows, board what is on it.
func (tb *tab) turns() int {
	tb.Helper()
	return eval[int](tb, `Number(document.querySelector(".where").textContent.match(/\d+/)?.[0] ?? 0)`)
}

func (tb *tab) board() string {
	tb.Helper()
	return eval[string](tb, `[...document.querySelectorAll(".cell, .stick")].map((e) => e.dataset.stone ?? e.dataset.state ?? ".").join(" ") + " last " +
		[...document.querySelectorAll("[data-last]")].map((e) => e.dataset.cell)`)
}

// all returns the texts of all elements that fit.
func (tb *tab) all(selector string) []string {
	tb.Helper()
	return eval[[]string](tb, `[...document.querySelectorAll(`+quote(selector)+`)].map((e) => e.textContent)`)
}

// goThrough goes through a game that is over, and sees the boards again that it
// had while it was played: what the page plays again is what the server said.
func (tb *tab) goThrough(seen map[int]string) {
	tb.Helper()
	all := tb.turns()
	tb.press("Escape", "Home")
	tb.sees(".where", fmt.Sprintf("after 0 of %d", all))
	for turn := 0; ; turn++ {
		if want, ok := seen[turn]; ok && tb.board() != want {
			tb.Errorf("after %d turns the board is %s, and was %s", turn, tb.board(), want)
		}
		if turn == all {
			return
		}
		tb.press("ArrowRight")
		if turn+1 < all {
			tb.sees(".where", fmt.Sprintf("after %d of", turn+1))
		} else {
			tb.sees(".where", fmt.Sprintf("%d moves", all))
		}
	}
}

// Nim against the bot that knows the rule, by mouse and by keyboard.
func TestNimAgainstBot(t *testing.T) {
	h := newHouse(t, true)
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Nim", "xor", "no clock", "me", map[string]string{"heaps": "2 4 5"})
	ada.yours()
	seen := map[int]string{0: ada.board()}
	ada.click(`[data-stick="3.4"]`, "") // it and what is right of it
	ada.sees(".move", "2 of row 3")
	for n := 0; ada.yours(); n++ {
		seen[ada.turns()] = ada.board()
		if n > 12 {
			t.Fatal("the game does not end")
		}
		ada.until(`(document.querySelector('.stick[tabindex="0"]')?.focus(), document.activeElement.matches(".stick"))`)
		ada.press("ArrowDown", "End", "Enter") // the last stick of a row
	}
	seen[ada.turns()] = ada.board()
	ada.sees(".turn", "xor (second) wins by the last stick") // whom 2 4 3 is won for
	ada.goThrough(seen)
	ada.press("Home")
	ada.click("button", "Rate the moves")
	ada.sees(".best li", "100 %")
	ada.until(`document.querySelectorAll(".stick[data-value]").length === 11`)
	ada.click("button", "Rate the whole game")
	ada.sees(".chart small", "ada (first) wins: 100 %")
	ada.until(fmt.Sprintf(`document.querySelectorAll(".chart circle").length === %d`, len(ada.all(".move"))))
}

// By keyboard alone, and in words for who does not see the board.
func TestHavannahByKeyboard(t *testing.T) {
	h := newHouse(t, true)
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Havannah", "random", "no clock", "me", map[string]string{"side": "4"})
	ada.yours()
	focus := func() string { return eval[string](ada, `document.activeElement.dataset.cell ?? ""`) }
	for i := 0; focus() == ""; i++ {
		if i > 30 {
			t.Fatal("Tab does not lead to the board")
		}
		ada.press("Tab")
	}
	if at := focus(); at != "d4" {
		t.Errorf("the board is entered at %s, not in its middle", at)
	}
	for _, c := range []struct{ key, want string }{
		{"ArrowRight", "d5"}, {"ArrowUp", "c4"}, {"ArrowUp", "b4"}, {"ArrowDown", "c4"}, {"ArrowDown", "d5"},
		{"Home", "d1"}, {"ArrowLeft", "d1"}, {"End", "d7"}, {"ArrowDown", "e7"}, {"ArrowLeft", "e6"},
	} {
		ada.press(c.key)
		if at := focus(); at != c.want {
			t.Errorf("%s leads to %s, not %s", c.key, at, c.want)
		}
	}
	ada.press("Enter")
	ada.until(`document.querySelector('.cell[data-cell="e6"]').ariaLabel.match(/^e6, (white|black)/)`) // black, if the bot swaps
	ada.until(`document.getElementById("announcer").textContent.match(/random plays .*Your move/)`)
	if label := eval[string](ada, `document.querySelector(".board").getAttribute("aria-label")`); label == "" {
		t.Error("the board has no name")
	}
}

// Two people and a spectator: a challenge to anybody, swap, chat, an offer of a
// draw that is refused, resignation, and another game.
func TestTwoPeopleAndASpectator(t *testing.T) {
	h := newHouse(t, true)
	ada, bob := open(t, desktop, h.url()), open(t, desktop, h.url())
	ada.enter("ada")
	bob.enter("bob")

	ada.write("input[name=side]", "5")
	ada.choose("select[name=opponent]", "anybody")
	ada.choose("select[name=seat]", "me")
	ada.click("form button", "Offer this game")
	ada.sees(".challenge button", "Cancel")

	bob.choose("select[name=from]", "by bots")
	bob.sees(".empty", "None of 1 fits the filters")
	bob.choose("select[name=from]", "by people")
	bob.click(".challenge button", "Play")
	bob.sees(".turn", "ada to move")
	ada.sees(".turn", "Your move") // its page went to the game by itself

	eve := open(t, desktop, h.url())
	eve.enter("eve")
	eve.click(".game-link", "ada")
	eve.sees(".turn", "ada to move")
	if eval[int](eve, `document.querySelectorAll(".actions button").length`) != 0 {
		t.Error("a spectator has buttons to play with")
	}

	ada.click(".cell[data-cell=c3]", "")
	bob.click(".actions button", "Swap")
	for _, tb := range []*tab{ada, bob, eve} {
		tb.until(`document.querySelector('.cell[data-cell="c3"]').dataset.stone === "1"`)
		tb.sees(".move", "swap")
	}
	ada.click(".cell[data-cell=e5]", "")
	eve.until(`document.querySelector('.cell[data-cell="e5"]').dataset.stone === "0"`)

	// Text of strangers stays text.
	const evil = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script> & </b>`
	bob.write(".chat input", evil)
	bob.press("Enter")
	for _, tb := range []*tab{ada, bob, eve} {
		tb.until(`[...document.querySelectorAll(".lines li")].some((l) => l.textContent.includes(` + quote(evil) + `))`)
		if eval[bool](tb, `document.querySelector(".lines img, .lines script, .lines b b") !== null || document.title === "broken"`) {
			t.Error("chat became markup")
		}
	}

	bob.click(".actions button", "Offer a draw")
	ada.sees(".seat-note", "offers a draw")
	ada.click(".actions button", "Refuse")
	bob.sees(".actions button", "Offer a draw")

	bob.click(".actions button", "Resign")
	bob.click(".actions button", "Play on")
	bob.click(".actions button", "Resign")
	bob.click(".actions button", "Really resign")
	for _, tb := range []*tab{ada, bob, eve} {
		tb.sees(".turn", "ada (white) wins by resignation")
	}
	bob.click(".actions button", "Play again")
	ada.click(".notice button", "Accept")
	bob.sees(".turn", "Your move") // seats are exchanged
	ada.sees(".turn", "bob to move")
}

// A challenge to a player by name: declined, taken back, and of nobody.
func TestChallengeByName(t *testing.T) {
	h := newHouse(t, true)
	ada, bob := open(t, desktop, h.url()), open(t, phone, h.url())
	ada.enter("ada")
	bob.enter("bob")
	ask := func(name string) {
		ada.choose("select[name=opponent]", "a player")
		ada.write("input[name=to]", name)
		ada.click("form button", "Challenge")
	}
	ask("nobody")
	ada.sees(".notice", "Nobody is called nobody")
	ask("bob")
	ada.sees(".notice", "bob is asked")
	bob.tap(".notice button", "Decline")
	ada.sees(".notice", "bob declined: not now")
	ask("bob")
	bob.sees(".notice", "ada, rated 1500, wants to play Havannah")
	ada.click(".notice button", "Take back")
	bob.until(`document.querySelectorAll(".notice").length === 0`)
	ada.click(".list button", "Challenge") // in the list of players
	ada.click("form button", "Challenge")
	bob.tap(".notice button", "Accept")
	ada.sees(".board", "")
	bob.sees(".board", "")
}

// The server restarts in the middle of a game; the page comes back by itself,
// with the game as it was, and a move can be made.
func TestRestart(t *testing.T) {
	h := newHouse(t, true)
	ada := open(t, desktop, h.url())
	ada.expect("WebSocket connection to")
	ada.enter("ada")
	ada.begin("Havannah", "random", "5 min", "me", map[string]string{"side": "6"})
	ada.yours()
	ada.click(".cell[data-cell=f6]", "")
	ada.until(`document.querySelectorAll(".cell[data-stone]").length === 2 || document.querySelector(".move + .move")`)
	ada.yours()
	before := ada.stones()

	eval[bool](ada, `(location.reload(), true)`)
	ada.yours() // the account and the game are known again

	h.stop()
	ada.sees(".connection", "trying again")
	ada.sees(".turn", "Waiting for the connection")
	h.start()
	ada.sees(".connection a", "ada")
	ada.yours()
	if now := ada.stones(); now != before {
		t.Errorf("%d stones after the restart, %d before", now, before)
	}
	ada.click(".cell:not([data-stone])", "")
	ada.until(fmt.Sprintf(`document.querySelectorAll(".cell[data-stone]").length > %d`, before))
}

// Moves are taken back: the board, and what was said of positions that are no
// more, go back with them.
func TestTakeback(t *testing.T) {
	h := newHouse(t, true)
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Nim", "xor", "no clock", "me", map[string]string{"heaps": "3 4 5"})
	ada.yours()
	if eval[bool](ada, one("button", "Take back")+" !== undefined") {
		t.Error("a move can be taken back before there is one")
	}
	ada.click(`[data-stick="1.1"]`, "")
	ada.until(`document.querySelectorAll(".move").length === 2`)
	ada.yours()
	ada.click("button", "Rate the moves")
	ada.sees(".best li", "%")
	ada.click("button", "Take back")
	ada.until(`document.querySelectorAll(".stick[data-state=there]").length === 12 && document.querySelectorAll(".move").length === 0`)
	ada.sees("section", "Nothing yet for this position")
	ada.yours()
}

// The clock is the server's, however wrong that of the browser is, and a loss on
// time is seen.
func TestClock(t *testing.T) {
	h := newHouse(t, true)
	ada := openAt(t, desktop, h.url(), `{ const now = Date.now; Date.now = () => now() + 3_600_000; }`)
	ada.enter("ada")
	ada.begin("Nim", "xor", "other", "me", map[string]string{"heaps": "3 4 5", "main": "0.03", "increment": "0", "per_move": "0"})
	ada.yours()
	ada.click(`[data-stick="1.2"]`, "")
	ada.yours()
	if left := eval[float64](ada, `Number(document.querySelectorAll(".clock .time")[1].textContent)`); left <= 0.2 || left > 1.8 {
		t.Errorf("the clock shows %v s of 1.8", left)
	}
	ada.until(`document.querySelectorAll(".clock .time")[1].textContent < "1"`)
	ada.sees(".turn", "xor (second) wins on time")
}

// On a phone a finger chooses a cell and then confirms it.
func TestPhone(t *testing.T) {
	h := newHouse(t, true)
	ada := open(t, phone, h.url())
	ada.enter("ada")
	ada.begin("Havannah", "random", "no clock", "me", map[string]string{"side": "4"})
	ada.yours()
	ada.tap(".cell[data-cell=c3]", "")
	ada.sees(".turn", "Choose it again to play c3")
	ada.tap(".cell[data-cell=d4]", "") // another one
	ada.sees(".actions button", "Play d4")
	if n := ada.stones(); n != 0 {
		t.Fatalf("%d stones before the move is confirmed", n)
	}
	ada.tap(".cell[data-cell=d4]", "")
	ada.until(`document.querySelector('.cell[data-cell="d4"][data-stone]')`)
	ada.yours()
	free := eval[string](ada, `document.querySelector(".cell:not([data-stone])").dataset.cell`)
	ada.tap(fmt.Sprintf(".cell[data-cell=%s]", free), "")
	ada.tap(".actions button", "Play "+free)
	ada.until(fmt.Sprintf(`document.querySelector('.cell[data-cell="%s"][data-stone="0"]')`, free))
}

// Where accounts need a token, the page asks for it; a link can bring it.
func TestToken(t *testing.T) {
	h := newHouse(t, false)
	token, err := server.AddAccount(h.cfg.Database, "ada", false)
	if err != nil {
		t.Fatal(err)
	}
	tb := open(t, desktop, h.url())
	tb.write("input[name=name]", "bob")
	tb.click("button", "Enter")
	tb.sees(".notice", "Ask whoever runs the server for a token")
	tb.write("input[name=token]", "gb_wrong")
	tb.click("button", "Enter with the token")
	tb.sees(".notice", "Ask whoever runs the server for a token")
	tb.write("input[name=token]", token)
	tb.click("button", "Enter with the token")
	tb.sees(".connection a", "ada")
	tb.visit("records")
	tb.sees(".empty", "No games") // with the token, or it would be an error

	other := open(t, desktop, h.url()+"#/enter/"+token)
	other.sees(".connection a", "ada")
	if at := eval[string](other, "location.href"); at != h.url()+"#/" {
		t.Errorf("the address is %s, with the token", at)
	}
}
