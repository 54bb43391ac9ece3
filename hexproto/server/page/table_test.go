package page_test

import (
	"fmt"
)

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
	const turn = `document.querySelector(".turn")?.textContent.` +
		`match(/^(Your move)(, or swap)?$|.* wins|You won|A draw/)`
	tb.until(turn)
	return eval[bool](tb, turn+`?.[1] !== undefined`)
}

// stones returns how many stones are on the board.
func (tb *tab) stones() int {
	tb.Helper()
	return eval[int](tb, `document.querySelectorAll(".cell[data-stone]").length`)
}

// turns returns how many turns the board shows, board its stones.
func (tb *tab) turns() int {
	tb.Helper()
	return eval[int](tb, `Number(document.querySelector(".where").textContent.match(/\d+/)?.[0] ?? 0)`)
}

func (tb *tab) board() string {
	tb.Helper()
	return eval[string](tb, `[...document.querySelectorAll(".cell, .stick")].
		map((e) => e.dataset.stone ?? e.dataset.state ?? ".").join(" ") + " last " +
		[...document.querySelectorAll("[data-last]")].map((e) => e.dataset.cell)`)
}

// all returns the texts of all elements that fit.
func (tb *tab) all(selector string) []string {
	tb.Helper()
	return eval[[]string](tb, `[...document.querySelectorAll(`+quote(selector)+`)].map((e) => e.textContent)`)
}

// goThrough goes through a game that is over, and sees the boards again that it
// had while it was played: the page's replay agrees with the server.
func (tb *tab) goThrough(seen map[int]string) {
	tb.Helper()
	all := tb.turns()
	tb.press("Home") // whatever has the focus
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
