package page_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"gamebots/hexproto/wire"
)

// A notice covers neither a clock nor, when they are scrolled to, the board, its actions and the moves.
func TestNoticesCoverNoClock(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	for i, window := range windows {
		bob := newPuppet(t, h, wire.Hello{Name: fmt.Sprint("bob-", i)})
		ada := open(t, device{width: window[0], height: window[1], phone: window[0] < 500}, h.url())
		ada.enter(fmt.Sprint("ada-", i))
		ada.begin("Havannah", "random", "5 min", "me", map[string]string{"side": "4"})
		ada.yours()
		ask[wire.Ack](bob, wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":5}`),
			Clock: wire.Clock{Main: 300_000, Increment: 3000}, To: fmt.Sprint("ada-", i)})
		ada.sees(".notice", "wants to play Havannah")
		clocks := `[...document.querySelectorAll(".clock")].filter((e) => {
			const { x, y, width, height } = e.getBoundingClientRect();
			return y + height <= innerHeight &&
				[0, 0.5, 1].some((part) => document.elementFromPoint(x + width * part, y + height / 2)?.closest(".notices"));
		}).length`
		if n := eval[int](ada, clocks); n > 0 {
			t.Errorf("%v: %d clocks are covered", window, n)
		}
		for _, part := range []string{".table", "section[aria-label=moves]"} {
			if names := ada.covered(part); len(names) > 0 {
				t.Errorf("%v: %q are covered", window, names)
			}
		}
		ada.inspect("notice", fmt.Sprintf("%dx%d", window[0], window[1]))
	}
}
