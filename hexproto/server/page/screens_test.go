package page_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

var update = flag.Bool("update", false, "rewrite the pictures of the docs")

// maxPicture is how large a picture of the docs may be, in bytes.
const maxPicture = 150 << 10

// sample is a game of two bots that choose by random games, and ends with a ring.
const sample = "d5 swap k10 k6 i9 d6 c6 f8 g9 e5 f10 e7 c4 f6 f7 g8 g7 d2 g11 g6 h10 h7 f9 h8"

// The views as people see them, light and dark, large and small: without text
// that cannot be read, and nothing is cut off at the side. With -update their
// pictures go to the docs; look at them.
func TestViews(t *testing.T) {
	t.Parallel()
	// Puppets send no pings.
	h := newServerWith(t, true, func(c *server.Config) { c.Limits.Idle = time.Hour })
	first := newPuppet(t, h, wire.Hello{Name: "Grete"})
	second := newPuppet(t, h, wire.Hello{Name: "deep-thought", Bot: true})
	clock := wire.Clock{Main: 600_000, Increment: 5000}
	side6 := json.RawMessage(`{"side":6}`)
	over := playGame(first, second, wire.Challenge{Rules: "havannah", Options: side6, Clock: clock, Rated: true},
		strings.Fields(sample))
	nim := playGame(first, second, wire.Challenge{Rules: "nim", Clock: clock}, []string{"pile:4, take:3;"})
	matrix := playGame(first, second, wire.Challenge{Rules: "matrix", Clock: clock}, nil)
	side7 := json.RawMessage(`{"side":7}`) // else the other would not be rated meanwhile
	running := playGame(first, second, wire.Challenge{Rules: "havannah", Options: side7, Clock: clock},
		strings.Fields(sample)[:20])
	ask[wire.Ack](first, wire.Chat{Game: running, Text: "That fork was close!"})
	ask[wire.Ack](second, wire.Chat{Game: running, Text: "I counted 2,097,152 random games."})
	ask[wire.Ack](first, wire.Challenge{
		Rules: "havannah", Options: json.RawMessage(`{"side":10}`), Clock: clock, Rated: true,
	})
	ask[wire.Ack](second, wire.Challenge{
		Rules: "havannah", Clock: wire.Clock{PerMove: 10_000}, Only: &wire.Only{Bots: true},
	})

	eachLook(t, func(t *testing.T, look look) {
		tb := open(t, look.device, h.url())
		tb.inspect("enter", look.name)
		tb.enter("eve-" + look.name)
		tb.sees(".challenge", "deep-thought")
		tb.inspect("lobby", look.name)
		tb.visit("game/" + running)
		tb.sees(".move", "e7")
		tb.inspect("game", look.name)
		tb.visit("game/" + over)
		tb.sees(".turn", "wins with a ring")
		tb.until(`document.querySelectorAll(".cell[data-won]").length === 10`)
		if look.name == "light" && (*update || os.Getenv("GAMEBOTS_SCREENS") != "") { // it takes seconds
			tb.click("button", "Rate the whole game")
			tb.until(`document.querySelectorAll(".chart circle").length === 24`)
			tb.click(".move", "g11")
			tb.inspect("analysis", look.name)
			tb.press("End")
		}
		tb.inspect("over", look.name)
		tb.visit("game/" + nim)
		tb.sees(".move", "3 of row 4")
		tb.inspect("nim", look.name)
		tb.visit("game/" + matrix)
		tb.sees(".action", "scissors")
		tb.until(`document.querySelector(".matrix").scrollWidth <= document.querySelector(".matrix").clientWidth`)
		tb.inspect("matrix", look.name)
		tb.visit("records")
		tb.sees(".game-open", "wins with a ring")
		tb.inspect("records", look.name)
		tb.visit("account")
		tb.sees("h1", "eve-")
		tb.inspect("account", look.name)
		tb.visit("player/Grete")
		tb.sees(".game-row .tag", "lost")
		tb.inspect("player", look.name)
	})
}

// visit goes to a view.
func (tb *tab) visit(path string) {
	tb.Helper()
	eval[bool](tb, `(location.hash = "/" + `+quote(path)+`, true)`)
}

// inspect looks for faults that a person would see at once, and takes a picture
// for the docs or for $GAMEBOTS_SCREENS.
func (tb *tab) inspect(view, look string) {
	tb.Helper()
	eval[bool](tb, `(scrollTo({top: 0, behavior: "instant"}), true)`)
	found := eval[[]string](tb, faults)
	found = append(found, tb.breaches()...)
	for _, fault := range found {
		tb.Errorf("%s, %s: %s", view, look, fault)
	}
	var file string
	switch folder := os.Getenv("GAMEBOTS_SCREENS"); {
	case folder != "":
		file = filepath.Join(folder, view+"-"+look+".png")
	case *update && docs[view+"-"+look] != "":
		file = filepath.Join("../../../docs/images", docs[view+"-"+look])
	default:
		return
	}
	picture := squeeze(tb.picture())
	if len(picture) > maxPicture {
		tb.Errorf("%s has %d bytes, more than %d", file, len(picture), maxPicture)
	}
	tb.do(os.WriteFile(file, picture, 0o644))
}

// docs are the pictures that the docs show.
var docs = map[string]string{
	"analysis-light": "page-game.png", "lobby-light": "page-lobby.png", "over-phone-dark": "page-phone.png",
	"run-light": "page-run.png", "poker-holdem-nolimit-6p-light": "page-poker.png",
}

// faults lists what is wrong with the view that is shown: text without enough
// contrast (WCAG 2: 4.5, or 3 where it is large), content that is wider than the
// window, controls without a name or too small for a finger.
const faults = `(() => {
	const found = [];
	const seen = (e) => e.getClientRects().length > 0 && !e.closest(".unseen, .skip");
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
	const known = new Map();
	const rgba = (colour) => {
		if (known.has(colour)) return known.get(colour);
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = colour;
		canvas.fillRect(0, 0, 1, 1);
		const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
		known.set(colour, [r, g, b, a / 255]);
		return known.get(colour);
	};
	const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
	const ground = (e) => {
		if (!e) return [255, 255, 255];
		const own = rgba(getComputedStyle(e).backgroundColor);
		return own[3] === 1 ? own.slice(0, 3) : over(own, ground(e.parentElement));
	};
	const light = (colour) => {
		const [r, g, b] = colour.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const { parentElement: e, data } = texts.currentNode;
		if (!data.trim() || !seen(e) || e.closest("svg, option, :disabled, noscript")) continue;
		const style = getComputedStyle(e);
		const below = ground(e);
		const contrast = ratio(over(rgba(style.color), below), below);
		const large = parseFloat(style.fontSize) >= 24 ||
			parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700;
		if (contrast < (large ? 3 : 4.5))
			found.push("contrast " + contrast.toFixed(2) + " of " + JSON.stringify(data.trim()));
	}
	for (const number of document.querySelectorAll(".cell .value")) {
		if (!number.textContent) continue;
		const polygon = number.parentElement.querySelector("polygon");
		const contrast = ratio(rgba(getComputedStyle(number).fill), rgba(getComputedStyle(polygon).fill).slice(0, 3));
		if (contrast < 4.5) found.push("contrast " + contrast.toFixed(2) + " of the value " + number.textContent);
	}
	const { scrollWidth, clientWidth } = document.documentElement; // innerWidth of a phone grows with what is too wide
	if (scrollWidth > clientWidth) found.push("it is " + scrollWidth + " wide in a window of " + clientWidth);
	const coarse = matchMedia("(pointer: coarse)").matches;
	for (const e of document.querySelectorAll("button, a, input, select")) {
		if (!seen(e)) continue;
		const name = e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent || e.title;
		if (!name?.trim()) found.push("no name: " + e.outerHTML);
		const { width, height, right } = e.getBoundingClientRect();
		if (e.closest(".panel")?.getBoundingClientRect().right < right && !e.closest(".scrolls"))
			found.push("outside of its panel: " + name);
		const least = e.matches(".move, input[type=checkbox], a:not(.button)") ? 18 : 40;
		if (coarse && height < least) found.push("only " + height + " high: " + (name || e.outerHTML));
		if (width < 18) found.push("only " + width + " wide: " + (name || e.outerHTML));
	}
	if (document.querySelectorAll("h1").length !== 1)
		found.push(document.querySelectorAll("h1").length + " headings h1");
	const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
	if (new Set(ids).size !== ids.length) found.push("an id is there twice");
	return found;
})()`
