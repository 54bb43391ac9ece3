package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"

	"github.com/chromedp/chromedp"
)

// windows returns sizes of windows in which every view must work: held sideways, upright, enlarged to 200%, and a
// desktop. The second tier has more of them.
func windows() [][2]int64 {
	sizes := [][2]int64{{740, 360}, {360, 640}, {640, 400}, {1280, 800}}
	if testkit.SlowEnabled() {
		sizes = append(sizes, [][2]int64{{844, 390}, {1280, 500}, {390, 844}, {768, 1024}}...)
	}
	return sizes
}

// covered lists the controls in an element that something lies over in their middles, when they are scrolled to.
func (tb *tab) covered(within string) []string {
	tb.Helper()
	return eval[[]string](tb, `[...document.querySelector(`+quote(within)+`).querySelectorAll(`+
		`"button, input, select, summary")].filter((e) => {
		if (e.disabled || !e.checkVisibility()) return false;
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const { x, y, width, height } = e.getBoundingClientRect();
		return !e.contains(document.elementFromPoint(x + width / 2, y + height / 2));
	}).map((e) => e.ariaLabel || e.textContent || e.name)`)
}

// In every window each control of a variation, of a planned move and of an invitation can be clicked.
func TestWindows(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	first, second := newPuppet(t, h, wire.Hello{Name: "grete"}), newPuppet(t, h, wire.Hello{Name: "hans"})
	side4 := json.RawMessage(`{"side":4}`)
	game := playGame(first, second, wire.Challenge{Rules: "havannah", Options: side4}, strings.Fields(lostGame))
	link := ask[wire.Ack](first, wire.Challenge{Rules: "havannah", Private: true}).Challenge
	stranger := open(t, desktop, h.url()+"#/join/"+link)
	stranger.sees("h1", "grete invites you")
	eve := open(t, desktop, h.url()+"#/game/"+game+"/9/a1/g7")
	eve.enter("eve")
	eve.sees(".turn", "Variation a1, g7")
	eve.click("button", "Rate the moves")
	eve.sees(".best button", "")
	bob := open(t, desktop, h.url())
	bob.enter("bob")
	bob.against(first, `{"side":4}`)
	bob.click(".cell[data-cell=a1]", "")
	bob.sees(".turn", "grete to move")
	bob.click(".cell[data-cell=b2]", "")
	bob.sees(".actions button", "Cancel")
	for _, w := range windows() {
		for view, tb := range map[string]*tab{"invitation": stranger, "variation": eve, "planned": bob} {
			tb.do(chromedp.Do(tb.ctx, chromedp.EmulateViewport(w[0], w[1])))
			if names := tb.covered("main"); len(names) > 0 {
				t.Errorf("%s in %v: %q are covered", view, w, names)
			}
			tb.inspect(view, fmt.Sprintf("%dx%d", w[0], w[1]))
		}
	}
}
