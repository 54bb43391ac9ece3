package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gamebots/hexproto/wire"

	"github.com/chromedp/chromedp"
)

// lostGame is a game in which black makes two threats with its fifth stone.
const lostGame = "d4 d1 c3 d7 e4 a4 b2 c5 f5 b4 d6 c6"

// The analysis of a finished game says what is proved, shows the played move beside the
// best, and marks mistakes in the list of moves.
func TestAnalysisOfAGame(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	first, second := newPuppet(t, h, wire.Hello{Name: "grete"}), newPuppet(t, h, wire.Hello{Name: "hans"})
	game := playGame(first, second, wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":4}`)},
		strings.Fields(lostGame))
	eve := open(t, desktop, h.url()+"#/game/"+game)
	eve.enter("eve")
	eve.sees(".turn", "hans (black) wins")
	eve.click(".move", "b4")
	eve.click("button", "Rate the moves")
	eve.sees("section", "All 27 moves lose. By search with proofs")
	eve.sees(".best li", "loses in 1")
	eve.sees(".best li.played", "d6")
	eve.until(`document.querySelectorAll('.cell[data-value="L"]').length === 27 && ` +
		`document.querySelector('.cell[data-cell=a1]').ariaLabel.includes("loses in 1")`)
	if n := len(eve.all(".best li")); n != 5 {
		t.Errorf("%d moves", n)
	}
	eve.click("button", "All 27 moves")
	eve.until(`document.querySelectorAll(".best li").length === 27`)

	eve.click("button", "Rate the whole game")
	eve.until(`document.querySelectorAll(".chart circle").length === 12`)
	eve.sees(".legend", "?? blunder")
	eve.until(`[...document.querySelectorAll(".move")].some((b) => b.ariaLabel.includes("blunder: loses") && ` +
		`b.textContent.endsWith("??"))`)
	eve.inspect("analysis-game", "light")
	eve.click(".move", "f5")
	eve.sees(".best li", "wins in 2")
	eve.inspect("analysis-won", "light")

	dark := phone
	dark.dark = true
	max := open(t, dark, h.url()+"#/game/"+game)
	max.enter("max")
	max.sees(".turn", "hans (black) wins")
	max.click("button", "Rate the whole game") // the server knows the game by now
	max.until(`document.querySelectorAll(".chart circle").length === 12`)
	max.click(".move", "b4")
	max.inspect("analysis-game", "phone-dark")
}

// The map is hottest where the list begins. Moves on which a search has spent little are pale and grey, whatever
// their value, and proofs count for what they prove.
func TestHeatSaysWhatTheListSays(t *testing.T) {
	t.Parallel()
	tb := open(t, desktop, sources(t))
	heat := func(moves string) string {
		return eval[string](tb, `(async () => {
			const { Analysis } = await import("./js/game/analysis.js");
			const analysis = new Analysis({ settings: { get: () => true } }, {});
			const game = { turn: 0, analyses: new Map([[0, { by: "search", moves: `+moves+` }]]) };
			return [...analysis.onBoard(game, 0, { shown: [] }).entries()].
				map(([move, { heat, faint }]) => move + " " + heat.toFixed(2) + (faint ? " faint" : "")).join(", ");
		})()`)
	}
	for _, tt := range []struct{ name, moves, want string }{
		{"search", `[{move: "a6", value: .4, work: 24482}, {move: "f7", value: .5, work: 512},
			{move: "b2", value: 0, work: 30, proof: "loss"}]`, "a6 1.00, f7 0.14 faint, b2 0.00"},
		{"a win", `[{move: "c3", value: 1, work: 9, proof: "win"}, {move: "a6", value: .8, work: 400},
			{move: "f7", value: .5, work: 100}]`, "c3 1.00, a6 1.00, f7 0.50"},
		{"as many games each", `[{move: "a6", value: .6, work: 100}, {move: "f7", value: .5, work: 100},
			{move: "b2", value: .2, work: 100}]`, "a6 1.00, f7 0.65, b2 0.00"},
	} {
		if got := heat(tt.moves); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The analysis can be made by random games, and replaces the other.
func TestAnalysisByPlayouts(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	first, second := newPuppet(t, h, wire.Hello{Name: "grete"}), newPuppet(t, h, wire.Hello{Name: "hans"})
	game := playGame(first, second, wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":4}`)},
		strings.Fields(lostGame))
	eve := open(t, desktop, h.url()+"#/game/"+game)
	eve.enter("eve")
	eve.click(".move", "b4")
	eve.click("button", "Rate the moves")
	eve.sees("section", "All 27 moves lose")
	eval[bool](eve, `((s) => (s.value = "playouts", s.dispatchEvent(new Event("change")), `+
		`true))(document.querySelector("select[name=method]"))`)
	eve.click("button", "Rate the moves")
	eve.sees("section", "By random games: 27 moves")
	eve.sees(".best li", "%")
}

// Nobody is offered help in a running game between players, and no spectator either.
func TestNoHelpAgainstPeople(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	ask[wire.Ack](bob, wire.Challenge{Rules: "nim", Seat: "first", Options: json.RawMessage(`{"heaps":[3,4,5]}`)})
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.click(".challenge button", "")
	ada.until(`location.hash.startsWith("#/game/")`)
	ada.sees(".turn", "bob to move")
	game := eval[string](ada, `location.hash.split("/")[2]`)
	ask[wire.Ack](bob, wire.Play{Game: game, Turn: 0, Move: "pile:1, take:1;"})
	ada.yours()
	eve := open(t, desktop, h.url()+"#/game/"+game)
	eve.enter("eve")
	eve.sees(".turn", "ada to move")
	for _, tb := range []*tab{ada, eve} {
		if eval[bool](tb, one("button", "Rate the moves")+" !== undefined") {
			t.Error("help is offered")
		}
	}
	ask[wire.Ack](bob, wire.Resign{Game: game})
	ada.sees("button", "Rate the whole game")
}

// Exact answers of Nim and of matrix games are said in words.
func TestExactAnalysis(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	grete := newPuppet(t, h, wire.Hello{Name: "grete"})
	begin := func(rules, options, bot string) string {
		return ask[wire.Ack](grete,
			wire.Challenge{Rules: rules, Options: json.RawMessage(options), To: bot, Seat: "first"}).Game
	}
	lost := begin("nim", "", "xor") // 1 3 5 7, misère
	won := begin("nim", `{"heaps":[3,4,5],"misere":false}`, "xor")
	matrix := begin("matrix", `{"game":"prisoners-dilemma"}`, "equilibrium")
	eve := open(t, desktop, h.url()+"#/game/"+lost)
	eve.enter("eve")
	eve.click("button", "Rate the moves")
	eve.sees("section", "All 16 moves lose. By the XOR rule")
	eve.inspect("analysis-nim", "light")
	eve.visit("game/" + won)
	eve.click("button", "Rate the moves")
	eve.sees(".best li", "2 of row 1wins")
	eve.sees("section", "By the XOR rule: 12 moves")
	eve.visit("game/" + matrix)
	eve.click("button", "Rate the moves")
	eve.sees(".best li", "row should play")
	eve.sees(".best li", "100 %")
	eve.sees(".best li", "pays more")
	eve.inspect("analysis-matrix", "light")
}

// Variations are tried from any position of a game that is over, go beyond its end, are rated, and
// are led back to. The curve leads to its moves, and a link to a position.
func TestVariations(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	first, second := newPuppet(t, h, wire.Hello{Name: "grete"}), newPuppet(t, h, wire.Hello{Name: "hans"})
	side4 := json.RawMessage(`{"side":4}`)
	game := playGame(first, second, wire.Challenge{Rules: "havannah", Options: side4}, strings.Fields(lostGame))
	eve := open(t, desktop, h.url()+"#/game/"+game+"/9")
	eve.enter("eve")
	eve.sees(".turn", "After 9 of 12 moves") // the link leads to its position
	stone := func(cell, seat string) {
		t.Helper()
		eve.until(fmt.Sprintf(`(document.querySelector(".cell[data-cell=%s]").dataset.stone ?? "") === %q`, cell, seat))
	}
	eve.sees(".legend", "Choose a move on the board to try it")
	eve.click(".cell[data-cell=a1]", "") // b4 was played
	eve.sees(".turn", "Variation a1: grete to move")
	stone("a1", "1")
	stone("b4", "")
	eve.click(".cell[data-cell=g7]", "")
	eve.sees(".turn", "Variation a1, g7: hans to move")
	stone("g7", "0")
	eve.sees(".where", "variation, 2 of 2")
	eve.click(".cell[data-cell=g7]", "")
	eve.until(`document.getElementById("announcer").textContent.includes("the cell is taken")`)
	eve.click("button", "Rate the moves")
	eve.sees("section", "By search with proofs")
	eve.until(`document.querySelectorAll(".cell[data-value]").length > 0 && ` +
		`document.querySelector(".cell[data-cell=g7]").dataset.value === undefined`)
	eve.inspect("variation", "light")
	best := eve.all(".best li b")[0]
	eve.click(".best button", best)
	eve.sees(".where", "variation, 3 of 3")
	stone(best, "1")
	eve.press("ArrowLeft", "ArrowLeft")
	eve.sees(".where", "variation, 1 of 3")
	stone("g7", "")
	eve.press("ArrowLeft")
	eve.sees(".where", "after 9 of 12")
	stone("a1", "")
	eve.click(".variation button", "g7")
	eve.sees(".where", "variation, 2 of 3")
	eve.click(".cell[data-cell=g6]", "") // another variation from there
	eve.until(`[...document.querySelectorAll(".variation button")].map((b) => b.textContent).join() === "a1,g7,g6"`)
	eve.click(".moves .move", "b4")
	eve.sees(".turn", "After 10 of 12 moves")
	stone("g7", "")
	eve.click(".cell[data-cell=d6]", "") // the move of the game
	eve.sees(".turn", "After 11 of 12 moves")

	eve.visit("game/" + game + "/9/a1/g7")
	eve.sees(".turn", "Variation a1, g7: hans to move")
	eve.press("ArrowLeft")
	eve.sees(".turn", "Variation a1: grete to move")
	eve.reload()
	eve.sees(".turn", "Variation a1: grete to move")

	eve.press("Home")
	eve.sees(".where", "after 0 of 12")
	eve.click("button", "Rate the whole game")
	eve.until(`document.querySelectorAll(".chart circle").length === 12`)
	x, y := eve.middle(".chart svg", "")
	eve.do(chromedp.Do(eve.ctx, chromedp.MouseClickXY(x, y)))
	eve.sees(".turn", "After 6 of 12 moves")
	eval[bool](eve, `(document.querySelector(".chart svg").focus(), true)`)
	eve.press("ArrowRight")
	eve.sees(".turn", "After 7 of 12 moves")
	says := eval[string](eve, `document.activeElement.ariaValueNow + ": " + document.activeElement.ariaValueText`)
	if !strings.HasPrefix(says, "7: after 7 moves: ") || !strings.HasSuffix(says, " %") {
		t.Errorf("the curve says %q", says)
	}

	// A resigned game goes on in a variation, to its end by the rules. So does Nim.
	resigned := playGame(first, second, wire.Challenge{Rules: "havannah", Options: side4},
		strings.Fields(lostGame)[:11])
	ask[wire.Ack](first, wire.Resign{Game: resigned})
	eve.visit("game/" + resigned)
	eve.sees(".turn", "hans (black) wins by resignation")
	eve.click(".cell[data-cell=c6]", "")
	eve.sees(".turn", "Variation: hans (black) wins with a")
	eve.until(`document.querySelectorAll(".cell[data-won]").length > 0`)
	nim := playGame(first, second, wire.Challenge{Rules: "nim", Options: json.RawMessage(`{"heaps":[2,1]}`)}, nil)
	ask[wire.Ack](first, wire.Resign{Game: nim})
	eve.visit("game/" + nim)
	eve.click(`[data-stick="1.1"]`, "")
	eve.sees(".turn", "Variation 2 of row 1: hans to move")
}
