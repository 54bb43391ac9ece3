package page_test

import (
	"encoding/json"
	"testing"

	"gamebots/hexproto/wire"
)

// The lobby shows running games as small boards that follow the moves. Names in its lists
// lead to profiles, rows to games.
func TestSmallBoards(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob, eve := newPuppet(t, h, wire.Hello{Name: "bob"}), newPuppet(t, h, wire.Hello{Name: "eve"})
	game := playGame(bob, eve, wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":4}`)}, []string{"a1", "b2"})
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.until(`document.querySelectorAll(".preview .cell[data-stone]").length === 2`)
	ask[wire.Ack](bob, wire.Play{Game: game, Turn: 2, Move: "d4"})
	ada.until(`document.querySelectorAll(".preview .cell[data-stone]").length === 3`)
	ada.sees(".game-open", "move 4")
	ask[wire.Ack](eve, wire.Resign{Game: game})
	ada.until(`document.querySelectorAll(".preview").length === 0`)

	ada.visit("records")
	ada.click(".game-row .person-name", "bob")
	ada.sees("h1", "bob")
	ada.sees(".game-row .tag.won", "won")
	ada.click(".game-row .person-name", "eve")
	ada.sees("h1", "eve")
	ada.sees(".game-row .tag.lost", "lost")
	ada.click(".game-open", "bob wins by resignation")
	ada.sees(".turn", "bob (white) wins by resignation")
}
