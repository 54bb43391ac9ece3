package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gamebots/hexproto/wire"
)

// Records are searched by player, opponent, side, result and date, and all that are found
// are downloaded in one file. A profile sums them up.
func TestRecordsAndProfile(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob, eve := newPuppet(t, h, wire.Hello{Name: "bob"}), newPuppet(t, h, wire.Hello{Name: "eve"})
	for side := 5; side < 8; side++ {
		c := wire.Challenge{
			Rules: "havannah", Options: json.RawMessage(fmt.Sprintf(`{"side":%d}`, side)), Rated: side == 5,
			Clock: wire.Clock{Main: 60_000},
		}
		game := playGame(bob, eve, c, []string{"a1", "b2", "a3", "b4", "c5"})
		ask[wire.Ack]([]*puppet{eve, bob, bob}[side-5], wire.Resign{Game: game})
	}
	ask[wire.Ack](bob, wire.Abort{Game: playGame(bob, eve, wire.Challenge{Rules: "nim"}, nil)})

	ada := openAt(t, desktop, h.url(), `{
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return make(blob); };
	}`)
	ada.enter("ada")
	ada.visit("records")
	finds := func(want ...string) {
		t.Helper()
		ada.click("form button", "Find")
		ada.until(`JSON.stringify([...document.querySelectorAll(".game-row .tag")].map((e) => e.textContent)) === ` +
			quote(`["`+strings.Join(want, `","`)+`"]`))
	}
	ada.write("input[name=player]", "bob")
	finds("aborted", "lost", "lost", "won")
	ada.choose("select[name=result]", "lost")
	finds("lost", "lost")
	ada.write("input[name=side]", "6")
	finds("lost")
	ada.click("button", "TXT")
	ada.until(`window.saved?.includes("side=6") && !window.saved.includes("side=7")`)
	ada.click("form button", "All")
	ada.until(`document.querySelectorAll(".game-row").length === 4`)
	ada.write("input[name=opponent]", "bob") // bob has not played this page's player
	ada.click("form button", "Find")
	ada.sees(".empty", "No games")
	ada.click("form button", "All")
	eval[bool](ada, `(document.querySelector("input[name=since]").value = "2999-01-01", true)`)
	ada.click("form button", "Find")
	ada.sees(".empty", "No games")
	ada.click("form button", "All")

	ada.click(".game-row .person-name", "bob")
	ada.sees(".ratings th", "Havannah, side 5")
	ada.sees(".lead", "connected")
	ada.until(`document.querySelectorAll(".game-row .tag.lost").length === 2`)
	ada.sees(".game-row .rating", "(+")
	ada.inspect("player", "light")
	ada.click(".button", "All games")
	ada.until(`document.querySelectorAll(".game-row .tag.won").length === 1`)
	ada.visit("player/bob")
	ada.click(".button", "Challenge")
	ada.until(`document.querySelector("input[name=to]")?.value === "bob"`)
	ada.visit("player/random") // a bot that has not played yet
	ada.sees(".plays", "Havannah 400 in an arenaMakes any legal move.")
	ada.visit("player/equilibrium")
	ada.click(".button", "Challenge") // to a game that it plays
	ada.until(`document.querySelector("select[name=rules]")?.value === "matrix" && ` +
		`document.querySelector("select[name=opponent]").value === "=equilibrium"`)
	ada.expect("404")
	ada.visit("player/nobody")
	ada.sees(".notice", "Nobody is called nobody")
}
