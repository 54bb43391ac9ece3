package page_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"gamebots/hexproto/wire"

	"github.com/chromedp/chromedp"
)

// A notice covers neither a clock nor, when they are scrolled to, the board, its actions and the moves.
func TestNoticesCoverNoClock(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	for name, d := range map[string]device{"ada": desktop, "eve": phone} {
		tb := open(t, d, h.url())
		tb.enter(name)
		tb.begin("Havannah", "random", "5 min", "me", map[string]string{"side": "4"})
		tb.yours()
		ask[wire.Ack](bob, wire.Challenge{
			Rules: "havannah", Options: json.RawMessage(`{"side":5}`), To: name,
			Clock: wire.Clock{Main: 300_000, Increment: 3000},
		})
		tb.sees(".notice", "wants to play Havannah")
		for _, w := range windows() {
			if d.phone == (w[0] > 500) {
				continue
			}
			tb.do(chromedp.Do(tb.ctx, chromedp.EmulateViewport(w[0], w[1])))
			eval[bool](tb, `(scrollTo({ top: 0, behavior: "instant" }), true)`)
			clocks := eval[int](tb, `[...document.querySelectorAll(".clock")].filter((e) => {
				const { x, y, width, height } = e.getBoundingClientRect();
				const at = (part) => document.elementFromPoint(x + width * part, y + height / 2);
				return y + height <= innerHeight && [0, 0.5, 1].some((part) => at(part)?.closest(".notices"));
			}).length`)
			if clocks > 0 {
				t.Errorf("%v: %d clocks are covered", w, clocks)
			}
			for _, part := range []string{".table", "section[aria-label=moves]"} {
				if names := tb.covered(part); len(names) > 0 {
					t.Errorf("%v: %q are covered", w, names)
				}
			}
			tb.inspect("notice", fmt.Sprintf("%dx%d", w[0], w[1]))
		}
	}
}
