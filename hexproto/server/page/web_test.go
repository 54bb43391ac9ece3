package page_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gamebots/hexproto/server"
	"gamebots/hexproto/server/page"
	"gamebots/internal/testkit"
)

// webFolder builds the page of make web and returns its folder, or returns $GAMEBOTS_WEB.
func webFolder(t *testing.T) string {
	t.Helper()
	testkit.SlowOnly(t)
	if folder := os.Getenv("GAMEBOTS_WEB"); folder != "" {
		return folder
	}
	folder := filepath.Join(t.TempDir(), "web")
	build := exec.CommandContext(t.Context(), "make", "-C", "../../..", "web", "WEB="+folder)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("make web: %v: %s", err, out)
	}
	return folder
}

// The page of make web plays, judges, walks strategies and solves rivers on a server that requires tokens, without
// one, and without the server once it has been loaded.
func TestWeb(t *testing.T) {
	t.Parallel()
	handler, err := page.WithPlay(webFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	h := newServerWith(t, false, func(c *server.Config) { c.Page = handler })
	you := open(t, desktop, h.url()+"play/")
	you.sees(".connection a", "you")
	you.inspect("web-lobby", "light")
	you.choose("select[name=opponent]", "network-medium")
	you.choose("select[name=seat]", "the opponent")
	you.click("form button", "Play")
	you.sees(".turn", "Your move")

	you.click("nav a", "River")
	you.write("input[name='spot.board']", "Ks 9d 7h 4c 2x")
	you.click("button", "Solve")
	you.sees(".notice", "Board: ")
	you.write("input[name='spot.board']", "Ks 9d 7h 4c 2s")
	you.inspect("web-river", "light")
	you.click("button", "Solve")
	you.sees(".button", "bet 66")
	you.inspect("web-solved", "light")
	you.click("a.button", "bet 66")
	you.sees("nav.path", "bet 66")
	you.sees("section", "66 to call")

	// A reload loses neither the solution nor the game.
	you.reload()
	you.sees("section", "66 to call")
	you.click("nav a", "Lobby")
	you.click(".game-open", "Your move")
	you.sees(".turn", "Your move")

	you.click("nav a", "Strategies")
	you.click("li button", "Heads-up limit")
	you.sees("li a", "Look at it: Heads-up limit")
	you.inspect("web-strategies", "light")
	you.click("li a", "Look at it: Heads-up limit")
	you.sees("section", "acts, before the flop")
	you.click("a.button", "raise")
	you.sees("nav.path", "raise")
	you.sees(".connection a", "you")

	// Leave a hand of Kuhn poker and have it judged.
	you.click("nav a", "Strategies")
	you.click("li a", "Play against it: Kuhn poker for two")
	you.write("input[name=hands]", "1")
	you.click("form button", "Play")
	you.until(`(() => { const b = [...document.querySelectorAll("button")].find((b) => /^(Check|Call)/.test(b.textContent));
		b?.click(); return document.body.innerText.includes("Judge my decisions"); })()`)
	you.click("button", "Judge my decisions")
	you.sees("section", "decision")

	small := open(t, device{width: 320, height: 640, phone: true}, h.url()+"play/")
	small.sees(".connection a", "you")
	small.inspect("web-lobby", "phone-light")
	small.tap("nav a", "River")
	small.tap("button", "Solve")
	small.sees(".button", "bet 66")
	small.inspect("web-solved", "phone-light")

	// The files of the page are kept once its service worker is there.
	eval[bool](you, `navigator.serviceWorker.ready.then(() => true)`)
	h.stop()
	eval[bool](you, `(window.old = true, location.hash = "#/", location.reload(), true)`)
	you.until(`!window.old`)
	you.sees(".connection a", "you")
	you.click("nav a", "Strategies")
	you.sees("li a", "Look at it: Heads-up limit")
}
