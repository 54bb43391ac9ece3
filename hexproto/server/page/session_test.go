package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

// The server restarts in the middle of a game; the page comes back by itself,
// with the game as it was, and a move can be made.
func TestRestart(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, desktop, h.url())
	ada.expectOffline()
	ada.enter("ada")
	ada.begin("Havannah", "random", "5 min", "me", map[string]string{"side": "6"})
	ada.yours()
	ada.click(".cell[data-cell=f6]", "")
	ada.until(`document.querySelectorAll(".cell[data-stone]").length === 2 || document.querySelector(".move + .move")`)
	ada.yours()
	before := ada.stones()

	ada.reload()
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

// The connection breaks with a move on its way, before or after it has reached the
// server: it is made once.
func TestMoveOnItsWay(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	for name, arrives := range map[string]string{"lost": "false", "arrives": "true"} {
		ada := openAt(t, desktop, h.url(), `{
			const send = WebSocket.prototype.send;
			let broken = false;
			WebSocket.prototype.send = function (frame) {
				const breaks = !broken && frame.includes('"type":"play"');
				if (!breaks || `+arrives+`) send.call(this, frame);
				if (breaks) { broken = true; window.broken = true; this.close(); }
			};
		}`)
		ada.enter(name)
		ada.begin("Nim", "xor", "5 min", "me", map[string]string{"heaps": "3 4 5"})
		ada.yours()
		ada.click(`[data-stick="3.4"]`, "")
		ada.until(`window.broken`)
		ada.yours()
		if moves := ada.all(".move"); len(moves) != 2 || moves[0] != "2 of row 3" {
			t.Errorf("%s: %q", name, moves)
		}
	}
}

// Other connections of the account are told of as long as they last.
func TestSharedAccount(t *testing.T) {
	t.Parallel()
	h := newServer(t, false)
	token, err := server.AddAccount(h.cfg.Database, "ada", false)
	if err != nil {
		t.Fatal(err)
	}
	ada := open(t, phone, h.url()+"#/enter/"+token)
	ada.expectOffline()
	ada.sees(".connection a", "ada")
	if eval[bool](ada, one(".connection .tag", "")+" !== undefined") {
		t.Error("the only connection hears of others")
	}
	bot := newPuppet(t, h, wire.Hello{Token: token})
	ada.sees(".connection .tag", "2×")
	ada.inspect("shared", "phone-light")
	ada.visit("account")
	ada.sees("p", "Other tabs, devices or bots are connected as you now")
	newPuppet(t, h, wire.Hello{Token: token})
	ada.sees(".connection .tag", "3×")
	h.stop()
	h.start()
	ada.sees(".connection a", "ada")
	ada.until(one(".connection .tag", "") + " === undefined && " + one("p", "Other tabs") + " === undefined")
	bot.ws.Close()
}

// A move is marked as a mistake if both searches that rate it say so, or one is certain.
func TestMistakes(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	first, second := newPuppet(t, h, wire.Hello{Name: "deep", Bot: true}), newPuppet(t, h,
		wire.Hello{Name: "shallow", Bot: true})
	game := playGame(first, second, wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":4}`)},
		[]string{"a1", "b2", "c3", "e4"})
	eve := open(t, desktop, h.url()+"#/game/"+game)
	eve.enter("eve")
	eve.sees(".move", "e4")
	for turn, moves := range [][]wire.Rated{
		{{Move: "d4", Value: 0.7}, {Move: "a1", Value: 0.68}},
		{{Move: "e4", Value: 0.55}, {Move: "b2", Value: 0.3}}, // a1 has 0.45 by this search only
		{{Move: "d4", Value: 0.75}, {Move: "c3", Value: 0.4}}, // b2 has 0.25 by this search, too
		{{Move: "e4", Value: 0.61}, {Move: "d4", Value: 0.6}},
		{{Move: "d4", Value: 1, Proof: wire.ProvedWin}}, // e4 loses, whatever its value was
	} {
		ask[wire.Ack](first, wire.Analysis{Game: game, Turn: turn, Moves: moves})
	}
	eve.until(`[...document.querySelectorAll(".move")].at(-1).textContent !== "e4"`)
	if got := fmt.Sprint(eve.all(".move")); got != "[a1 b2? c3?? e4??]" {
		t.Errorf("the moves are %s", got)
	}
}

// What a player's program thinks of moves is shown to spectators.
func TestAnalysisOfAPlayer(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	first, second := newPuppet(t, h, wire.Hello{Name: "deep", Bot: true}), newPuppet(t, h,
		wire.Hello{Name: "shallow", Bot: true})
	game := playGame(first, second, wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":4}`)},
		[]string{"a1", "b2"})
	eve := open(t, desktop, h.url()+"#/game/"+game)
	eve.enter("eve")
	eve.sees(".move", "b2")
	ask[wire.Ack](first, wire.Analysis{Game: game, Turn: 2, Moves: []wire.Rated{
		{Move: "d4", Value: 0.75, Work: 100}, {Move: "c3"}, {Move: "D5", Value: 0.5},
	}})
	eve.until(`document.querySelector('.cell[data-cell="d4"]').dataset.value === "75" && ` +
		`document.querySelector('.cell[data-cell="c3"]').dataset.value === "0"`)
	eve.sees(".best li", "d5")
	eve.hover(".cell[data-cell=d4]", "")
	is := eval[string](eve, `getComputedStyle(document.querySelector('.cell:hover .value')).visibility`)
	if is != "visible" {
		t.Errorf("the value under the pointer is %s", is)
	}
	ask[wire.Ack](first, wire.Play{Game: game, Turn: 2, Move: "d4"})
	eve.sees("section", "By deep, before the last move: 3 moves")
	ask[wire.Ack](second, wire.Play{Game: game, Turn: 3, Move: "c3"})
	eve.until(`document.querySelectorAll(".cell[data-value]").length === 0`)
}

// Moves are taken back: the board, and the ratings of positions that are no
// more, go back with them.
func TestTakeback(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
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
	ada.sees(".best li", "s") // wins or loses
	ada.click("button", "Take back")
	ada.until(`document.querySelectorAll(".stick[data-state=there]").length === 12 && ` +
		`document.querySelectorAll(".move").length === 0`)
	ada.sees("section", "Nothing yet for this position")
	ada.yours()
}

// The clock is the server's, however wrong that of the browser is, and a loss on
// time is seen.
func TestClock(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := openAt(t, desktop, h.url(), `{ const now = Date.now; Date.now = () => now() + 3_600_000; }`)
	ada.enter("ada")
	ada.begin("Nim", "xor", "other", "me",
		map[string]string{"heaps": "3 4 5", "main": "0.03", "increment": "0", "per_move": "0"})
	ada.yours()
	ada.click(`[data-stick="1.2"]`, "")
	ada.yours()
	if left := eval[float64](ada, `Number(document.querySelectorAll(".clock .time")[1].textContent)`); left <= 0.2 ||
		left > 1.8 {
		t.Errorf("the clock shows %v s of 1.8", left)
	}
	ada.until(`document.querySelectorAll(".clock .time")[1].textContent < "1"`)
	ada.sees(".turn", "xor (second) wins on time")
}

// A game in which a player does not begin is aborted: how long there is, and why, is said.
func TestAbort(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, func(c *server.Config) { c.Limits.FirstMove = 2 * time.Second })
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Havannah", "random", "5 min", "me", nil)
	ada.sees(".seat-note", "begin")
	ada.sees(".turn", "Aborted, does not count: ada did not move within 2 s")
	ada.visit("records")
	ada.sees(".game-row .tag", "aborted")
}

// On a phone a finger chooses a cell and then confirms it.
func TestPhone(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, phone, h.url())
	ada.sees("header a.brand", "") // there are no links yet
	ada.enter("ada")
	ada.until(`!document.querySelector(".brand").checkVisibility()`)
	ada.begin("Havannah", "random", "5 min", "me", map[string]string{"side": "4"})
	ada.yours()
	ada.inspect("begin", "phone-light")
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

// Who is banned is told until when, and the page does not try again.
func TestBannedOnPage(t *testing.T) {
	t.Parallel()
	h := newServer(t, false)
	token, err := server.AddAccount(h.cfg.Database, "eve", false)
	if err != nil {
		t.Fatal(err)
	}
	tb := open(t, desktop, h.url()+"#/enter/"+token)
	tb.sees(".connection a", "eve")
	if _, err := database.AddBan(t.Context(), h.cfg.Database, database.Ban{
		Target: "eve", Until: time.Now().Add(time.Hour), Made: time.Now(), Reason: "insults",
	}); err != nil {
		t.Fatal(err)
	}
	tb.sees(".notice", "anned until")
	tb.sees(".notice", "UTC: insults")
	tb.sees(".notice", "Write to whoever runs the server")
	tb.reload()
	tb.sees("main .notice", "anned until")
	if eval[bool](tb, `document.querySelector("input[name=name]").checkVisibility()`) {
		t.Error("a name would make a new account, whose token takes the place of the stored one")
	}
}

// Where accounts need a token, the page asks for it; a link can bring it.
func TestToken(t *testing.T) {
	t.Parallel()
	h := newServer(t, false)
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

// A link with a token asks who is signed in already, and changes nothing before the server knows that token.
func TestTokenOfAnother(t *testing.T) {
	t.Parallel()
	h := newServer(t, false)
	tokens := map[string]string{}
	for _, name := range []string{"ada", "eve"} {
		token, err := server.AddAccount(h.cfg.Database, name, false)
		if err != nil {
			t.Fatal(err)
		}
		tokens[name] = token
	}
	const asks = "You are signed in as ada. Sign in as another?"
	const refusal = "Ask whoever runs the server for a token"
	stored := func(tb *tab) string {
		return eval[string](tb, `JSON.parse(localStorage.gamebots ?? "{}").token ?? ""`)
	}
	tb := open(t, desktop, h.url()+"#/enter/%E0%A4%A")
	tb.sees(".notice", refusal)
	if token := stored(tb); token != "" {
		t.Errorf("%q is stored, which is no token", token)
	}
	tb.visit("enter/" + tokens["ada"])
	tb.sees(".connection a", "ada")
	tb.until(`localStorage.gamebots.includes(` + quote(tokens["ada"]) + `)`)
	for _, link := range []string{"garbage", "%E0%A4%A", strings.Repeat("g", 40_000), tokens["eve"]} {
		tb.visit("enter/" + link)
		tb.sees(".notice", asks)
		// It is asked again when the page is loaded with the link, as in a tab of its own.
		eval[bool](tb, `(window.old = true, history.replaceState(null, "", `+quote("#/enter/"+link)+`),
			location.reload(), true)`)
		tb.until(`!window.old`)
		tb.sees(".notice", asks)
		if at := eval[string](tb, "location.href"); at != h.url()+"#/" || stored(tb) != tokens["ada"] {
			t.Errorf("a link: %s is stored, and the address is %s", stored(tb), at)
		}
		tb.click(".notice button", "Sign in as another")
		if link != tokens["eve"] {
			tb.sees(".notice", refusal)
			tb.sees(".connection a", "ada")
			if stored(tb) != tokens["ada"] {
				t.Errorf("a wrong token: %s is stored", stored(tb))
			}
			tb.click(".notice button", "Close")
		}
	}
	tb.sees(".connection a", "eve")
	if stored(tb) != tokens["eve"] {
		t.Errorf("signed in as eve: %s is stored", stored(tb))
	}
	tb.visit("enter/" + tokens["eve"])
	tb.until(`location.hash === "#/"`)
	tb.sees("h1, h2", "") // the lobby, without a question
	if eval[bool](tb, one(".notice", "")+` !== undefined`) {
		t.Error("the link of whoever is signed in asks")
	}
	for _, link := range []string{"enter", "enter/"} { // where a name would make a new account in its place
		tb.visit("account")
		tb.sees("label", "Sounds")
		tb.visit(link)
		tb.sees("select[name=rules]", "")
	}
	// Another tab has signed in as ada: a setting of this one leaves that token alone.
	tb.visit("account")
	tb.sees("label", "Sounds")
	eval[bool](tb, `(localStorage.gamebots = JSON.stringify({token: `+quote(tokens["ada"])+`}), true)`)
	tb.click("label", "Sounds")
	if stored(tb) != tokens["ada"] || !eval[bool](tb, `JSON.parse(localStorage.gamebots).sound`) {
		t.Errorf("after a setting of an older tab: %s is stored", eval[string](tb, "localStorage.gamebots"))
	}
}

// The focus is where somebody goes on: in the one field at first, then at the view. What was said of another view is
// not said again, and links in a chat lead elsewhere.
func TestFocusAndWords(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, desktop, h.url())
	ada.until(`document.activeElement.name === "name"`)
	ada.enter("ada")
	ada.until(`document.activeElement.id === "place"`)
	ada.begin("Havannah", "random", "no clock", "me", map[string]string{"side": "4"})
	ada.yours()
	ada.click(".cell[data-cell=d4]", "")
	ada.until(`document.getElementById("announcer").textContent !== ""`)
	ada.write(".chat input", "see https://example.org/a?b=1.")
	ada.press("Enter")
	ada.until(`document.querySelector(".chat li span a")?.outerHTML === ` +
		quote(`<a href="https://example.org/a?b=1" target="_blank" rel="noopener noreferrer nofollow">`+
			`https://example.org/a?b=1</a>`))
	ada.click("nav a", "Records")
	ada.until(`document.getElementById("announcer").textContent === ""`)
}
