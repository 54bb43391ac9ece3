package page_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"gamebots/hexproto/wire"
)

// A move that is planned is seen, and can be cancelled, while one looks at earlier positions. It is planned still
// when the page is loaded again.
func TestPlannedWhileBrowsing(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	ask[wire.Ack](bob, wire.Challenge{Rules: "havannah", Seat: "first", Options: json.RawMessage(`{"side":4}`)})
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.click(".challenge button", "")
	ada.sees(".turn", "bob to move")
	game := eval[string](ada, `location.hash.split("/")[2]`)
	moves := []string{"a1", "g7", "a2"}
	ask[wire.Ack](bob, wire.Play{Game: game, Turn: 0, Move: moves[0]})
	ada.yours()
	ada.click(".cell[data-cell="+moves[1]+"]", "")
	ada.sees(".move", moves[1])
	const planned = "f6 will be played when it is your move"
	plan := func() {
		ada.click(".cell[data-cell=f6]", "")
		ada.sees(".turn", planned)
		ada.click(".steps button", "«")
		ada.sees(".turn", "After 0 of 2 moves: "+planned)
	}
	plan()
	ada.inspect("planned-browsing", "light")
	ada.click(".actions button", "Cancel")
	ada.until(`document.querySelector(".turn").textContent === "After 0 of 2 moves"`)
	ada.click(".steps button", "»")
	ada.sees(".turn", "bob to move")
	plan()
	ada.reload()
	ada.sees(".turn", planned)
	ask[wire.Ack](bob, wire.Play{Game: game, Turn: 2, Move: moves[2]})
	ada.sees(".move", "f6")
	ada.reload()
	ada.sees(".turn", "bob to move")
}

// ghost is an expression for the names of the cells on which a stone is shown that the game
// does not have.
const ghost = `[...document.querySelectorAll(".cell[data-chosen]:not([data-stone])")].` +
	`filter((e) => getComputedStyle(e.querySelector(".stone")).display !== "none").map((e) => e.dataset.cell).join()`

// A move that is chosen without a connection is shown. It can be replaced and cancelled, and only
// one that is shown is played once the server is back.
func TestMoveWithoutConnection(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, desktop, h.url())
	ada.expectOffline()
	ada.enter("ada")
	ada.begin("Havannah", "random", "5 min", "the opponent", map[string]string{"side": "4"})
	ada.yours()
	free := eval[[]string](ada, `[...document.querySelectorAll(".cell:not([data-stone])")].map((e) => e.dataset.cell)`)
	plans := func(move string) {
		t.Helper()
		ada.sees(".turn", move+" will be played when the connection is back")
		ada.until(ghost + ` === ` + quote(move))
	}
	h.stop()
	ada.sees(".turn", "Waiting for the connection")
	ada.click(".cell[data-cell="+free[0]+"]", "")
	plans(free[0])
	ada.inspect("planned", "light")
	ada.click(".cell[data-cell="+free[1]+"]", "")
	plans(free[1])
	ada.click(".actions button", "Cancel")
	ada.sees(".turn", "Waiting for the connection")
	ada.until(ghost + ` === ""`)
	ada.click(".cell[data-cell="+free[2]+"]", "")
	plans(free[2])
	ada.press("Escape")
	ada.until(ghost + ` === ""`)
	ada.click(".cell[data-cell="+free[3]+"]", "")
	plans(free[3])
	if disabled := eval[bool](ada, one(".actions button", "Abort")+".disabled"); !disabled {
		t.Error("a button that asks the server can be pressed without a connection")
	}
	h.start()
	ada.until(`document.querySelectorAll(".move").length >= 3`)
	if moves := ada.all(".move"); moves[1] != free[3] {
		t.Errorf("the moves are %q, not %s", moves, free[3])
	}
}

// So it is with the actions of poker.
func TestActionWithoutConnection(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "leduc"))
	ada := open(t, desktop, h.url())
	ada.expectOffline()
	ada.enter("ada")
	ada.newMatch("leduc", "caller", 2)
	ada.sees(".poker-buttons button", "Bet 2")
	h.stop()
	ada.sees(".turn", "Waiting for the connection")
	plans := func(action, words string) {
		t.Helper()
		ada.click(".poker-buttons button", action)
		ada.sees(".below .turn", words+" will be played when the connection is back")
		ada.until(fmt.Sprintf(`%s?.getAttribute("aria-pressed") === "true"`, one(".poker-buttons button", action)))
	}
	plans("Bet 2", "Bet 2")
	ada.click(".actions button", "Cancel")
	ada.sees(".turn", "Waiting for the connection")
	plans("Bet 2", "Bet 2")
	plans("Check", "Check")
	h.start()
	ada.until(`document.querySelector(".where").textContent !== "start"`)
	made := eval[string](ada, `fetch("records/" + location.hash.split("/")[2] + ".json").then((r) => r.json()).`+
		`then(({moves}) => moves[0].move)`)
	if made != "c" {
		t.Errorf("%s is played, not a check", made)
	}
}

// A move that the server has not answered in time is planned again, and can be replaced: the
// server does not make it any more, although it has it.
func TestMoveWithoutAnswer(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	ada := openAt(t, desktop, h.url(), `{
		const send = WebSocket.prototype.send;
		const late = []; // frames that the server has, but does not read
		WebSocket.prototype.send = function (frame) { window.frozen ? late.push([this, frame]) : send.call(this, frame); };
		window.thaw = () => { window.frozen = false; late.forEach(([socket, frame]) => send.call(socket, frame)); };
	}`)
	ada.enter("ada")
	game := ada.against(bob, `{"side":4}`)
	ada.yours()
	eval[bool](ada, `(window.frozen = true)`)
	ada.click(".cell[data-cell=b2]", "")
	ada.sees(".turn", "Sending your move")
	ada.until(ghost + ` === "b2"`)
	ada.sees(".turn", "b2 will be played when the server answers")
	ada.click(".cell[data-cell=c3]", "")
	ada.sees(".turn", "c3 will be played when the server answers")
	eval[bool](ada, `(thaw(), true)`)
	if moved := next[wire.Moved](bob, "moved"); moved.Moves[0].Move != "c3" {
		t.Errorf("%s is played, which was replaced", moved.Moves[0].Move)
	}
	ask[wire.Ack](bob, wire.Play{Game: game, Turn: 1, Move: "d4"})
	ada.yours()
}

// A move can be planned while the opponent is to move, on a phone by two taps. It is not played if
// the opponent takes the cell.
func TestPlannedMove(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	for i, d := range []device{desktop, phone} {
		bob := newPuppet(t, h, wire.Hello{Name: fmt.Sprint("bob-", i)})
		ada := open(t, d, h.url())
		ada.enter(fmt.Sprint("ada-", i))
		game := ada.against(bob, `{"side":4}`)
		choose := func(move string) {
			ada.click(".cell[data-cell="+move+"]", "")
			if d.phone {
				ada.sees(".turn", "Choose it again to play "+move)
				ada.click(".cell[data-cell="+move+"]", "")
			}
		}
		ada.yours()
		choose("a1")
		ada.sees(".turn", "to move")
		choose("b2")
		ada.sees(".turn", "b2 will be played when it is your move")
		choose("c3")
		ada.sees(".turn", "c3 will be played when it is your move")
		ada.until(ghost + ` === "c3"`)
		ask[wire.Ack](bob, wire.Play{Game: game, Turn: 1, Move: "d4"})
		ada.until(`document.querySelector(".cell[data-cell=c3]").dataset.stone === "0"`)
		choose("d5")
		ada.sees(".turn", "d5 will be played")
		ask[wire.Ack](bob, wire.Play{Game: game, Turn: 3, Move: "d5"})
		ada.sees(".notice", "d5 was not played")
		ada.yours()
		if moves := ada.all(".move"); len(moves) != 4 {
			t.Errorf("%q", moves)
		}
	}
}

// against has the page's player accept a challenge of a puppet, which moves second, and returns the
// game.
func (tb *tab) against(bob *puppet, options string) string {
	tb.Helper()
	challenge := wire.Challenge{Rules: "havannah", Options: json.RawMessage(options), Seat: "second"}
	tb.visit("join/" + ask[wire.Ack](bob, challenge).Challenge)
	tb.click(".panel button", "Play")
	tb.sees(".board", "")
	return eval[string](tb, `location.hash.split("/")[2]`)
}
