package page_test

import (
	"fmt"
	"slices"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

func TestHavannahAgainstBot(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Havannah", "random", "no clock", "me", map[string]string{"side": "3"})
	moves := 0
	seen := map[int]string{} // players seen by turns
	for ada.yours() {
		seen[ada.turns()] = ada.board()
		// The first empty cell, by mouse.
		cell := eval[string](ada, `document.querySelector(".cell:not([data-stone])").dataset.cell`)
		ada.click(fmt.Sprintf(`.cell[data-cell=%q]`, cell), "")
		ada.until(fmt.Sprintf(`document.querySelector('.cell[data-cell=%q][data-stone]')`,
			cell)) // black, if the bot swapped
		if moves++; moves > 19 {
			t.Fatal("the game does not end")
		}
	}
	ada.until(`document.querySelectorAll(".cell[data-last]").length === 1`)
	ada.until(`document.querySelector(".turn").textContent.startsWith("A draw") || ` +
		`document.querySelectorAll(".cell[data-won]").length >= 3`)

	seen[ada.turns()] = ada.board()
	ada.goThrough(seen)
}

// Nim against the bot that knows the rule, by mouse and by keyboard.
func TestNimAgainstBot(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Nim", "xor", "no clock", "me", map[string]string{"heaps": "2 4 5"})
	ada.yours()
	seen := map[int]string{0: ada.board()}
	ada.click(`[data-stick="3.4"]`, "") // it and the sticks to its right
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
	ada.sees(".turn", "xor (second) wins: ada took the last stick") // 2 4 3 is won for it
	ada.goThrough(seen)
	ada.press("Home")
	ada.click("button", "Rate the moves")
	ada.sees(".best li", "wins")
	ada.until(`document.querySelectorAll(".stick[data-value]").length === 11`)
	ada.click("button", "Rate the whole game")
	ada.sees(".chart small", "ada (first) wins: 100 %")
	ada.until(fmt.Sprintf(`document.querySelectorAll(".chart circle").length === %d`, len(ada.all(".move"))))
}

// Rounds of a matrix game, in which both move at once.
func TestMatrixAgainstBot(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Matrix", "equilibrium", "no clock", "me", map[string]string{"rounds": "3"})
	for round := range 3 {
		ada.yours()
		ada.click(`.action:not(:disabled)`, "paper")
		ada.until(fmt.Sprintf(`document.querySelectorAll(".move").length === %d`, 2*round+2))
		ada.until(`document.querySelectorAll(".matrix td[data-last]").length === 1`)
	}
	ada.until(`document.querySelector(".turn").textContent.` +
		`match(/^You (won|lost: .* wins) by payoffs, −?\d to −?\d$|^A draw/)`)
	ada.press("Home", "ArrowRight")
	ada.sees(".position", "rounds played: 1, payoffs")
	if moves := ada.all(".move"); moves[0] != "paper" {
		t.Errorf("%q", moves)
	}
}

// A move that the opponent may not see yet is not said to be under way any more.
func TestMatrixAgainstPerson(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.visit("join/" + ask[wire.Ack](bob, wire.Challenge{Rules: "matrix"}).Challenge)
	ada.click(".panel button", "Play")
	ada.yours()
	ada.click(`.action:not(:disabled)`, "paper")
	ada.sees(".turn", "Your move is secret until the opponent has moved")
	game := eval[string](ada, `location.hash.split("/")[2]`)
	ask[wire.Ack](bob, wire.Play{Game: game, Turn: 0, Move: "rock"})
	ada.yours()
}

// The second player of a matrix game has other actions than the first, and more.
func TestMatrixColumns(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Matrix", "equilibrium", "no clock", "the opponent", map[string]string{"rounds": "2",
		"game": `NFG 1 R "t" { "" "" } { { "up" } { "left" "middle" "right" } } 1 2 3 4 5 6`})
	for range 2 {
		ada.yours()
		if buttons := ada.all(`.action:not(:disabled)`); !slices.Equal(buttons, []string{"left", "middle", "right"}) {
			t.Fatalf("actions %q", buttons)
		}
		ada.click(`.action:not(:disabled)`, "right")
	}
	ada.until(`document.querySelector(".turn").textContent.match(/^You won by payoffs, 12 to 10/)`)
}

// By keyboard alone, and in words for players who do not see the board.
func TestHavannahByKeyboard(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
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
		if !eval[bool](ada, wholeRing) {
			t.Errorf("the ring of the focus is not whole around %s", c.want)
		}
	}
	ada.press("Enter")
	// A bot that swaps makes the stone black.
	ada.until(`document.querySelector('.cell[data-cell="e6"]').ariaLabel.match(/^e6, (white|black)/)`)
	ada.until(`document.getElementById("announcer").textContent.match(/random plays .*Your move/)`)
	if label := eval[string](ada, `document.querySelector(".board").getAttribute("aria-label")`); label == "" {
		t.Error("the board has no name")
	}
}

// wholeRing is an expression for whether the ring around the focused cell is shown, and
// nothing is drawn over it.
const wholeRing = `(() => {
	const ring = document.querySelector(".ring");
	return ring === document.querySelector(".board").lastElementChild && getComputedStyle(ring).display !== "none" &&
		ring.getAttribute("points") === document.activeElement.querySelector("polygon").getAttribute("points");
})()`

// Two people and a spectator: a challenge to anybody, swap, chat, an offer of a
// draw that is refused, resignation, and another game that both want.
func TestTwoPeopleAndASpectator(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
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
	eve.click(".game-open", "ada")
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
		if eval[bool](tb, `document.querySelector(".lines img, .lines script, .lines b b") !== null || `+
			`document.title === "broken"`) {
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
	ada.sees(".turn", "You won by resignation")
	bob.sees(".turn", "You lost: ada (white) wins by resignation")
	eve.sees(".turn", "ada (white) wins by resignation")
	for _, tb := range []*tab{ada, bob, eve} {
		tb.sees(".seat[data-seat='0'] .seat-note", "won")
		tb.sees(".seat[data-seat='1'] .seat-note", "lost")
	}
	// Both want to play again: the second who presses the button accepts the challenge of the first.
	bob.click(".actions button", "Play again")
	ada.sees(".notice", "bob, rated 1500, wants to play Havannah")
	ada.click(".actions button", "Play again")
	bob.sees(".turn", "Your move") // seats are exchanged
	ada.sees(".turn", "bob to move")
	bob.until(`document.querySelectorAll(".notice").length === 0`)
}

// What a bot that searches a tree thought of its move is on the page: the move first
// that it made, with its chance to win, and none that it hardly looked at.
func TestBotsAnalysis(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, func(c *server.Config) {
		c.Bots = append(c.Bots, engines.Bot{
			Name: "mcts", Rules: []string{boards.HavannahName},
			Bot: havannahbot.Bot(havannahbot.MCTS{Simulations: 3000, Memory: 16 << 20}),
		})
	})
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.begin("Havannah", "mcts", "no clock", "me", map[string]string{"side": "4"})
	eve := open(t, desktop, h.url())
	eve.enter("eve")
	eve.click(".game-open", "ada")
	eve.sees(".turn", "ada to move") // a client that comes later does not see earlier thoughts
	for i, move := range []string{"a1", "b1", "c1"} {
		ada.click(fmt.Sprintf(".cell[data-cell=%s]:not([data-stone])", move), "")
		eve.until(fmt.Sprintf(`document.querySelectorAll(".move").length === %d`, 2*i+2))
		eve.until(`document.querySelector("section[aria-label=analysis] .empty").textContent.startsWith("By mcts")`)
		made := eve.all(".move")[2*i+1]
		eve.until(fmt.Sprintf(`document.querySelector(".best li b")?.textContent === %q`, made))
		eve.sees(".best li .rate", "%")
		if i == 0 { // later a move may be forced: the only one, and no value is on its stone
			eve.until(`[...document.querySelectorAll(".cell .value")].filter((e) => e.textContent !== "").length > 1`)
		}
		values := eve.all(".cell .value")
		if rated := slices.DeleteFunc(values, func(text string) bool { return text == "" }); len(rated) > 25 {
			t.Errorf("%d moves are rated: %v", len(rated), rated)
		}
	}
	eve.until(`document.querySelectorAll(".chart circle").length === 3`)
}

// A challenge to a player by name: declined, taken back, and to an unknown name.
func TestChallengeByName(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
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
	ada.click(".notice button", "Withdraw")
	bob.until(`document.querySelectorAll(".notice").length === 0`)
	ada.click(".list button", "Challenge") // a button in the list of players
	ada.click("form button", "Challenge")
	bob.tap(".notice button", "Accept")
	ada.sees(".board", "")
	bob.sees(".board", "")
}
