package page_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
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

// mostRequests is how many requests the first page may take: each costs a round trip, on slow networks half a second.
const mostRequests = 25

// counted is a handler that counts its requests.
type counted struct {
	http.Handler
	n atomic.Int32
}

func (c *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.n.Add(1)
	c.Handler.ServeHTTP(w, r)
}

func TestFirstPage(t *testing.T) {
	t.Parallel()
	c := &counted{Handler: page.Handler()}
	h := newServerWith(t, true, func(cfg *server.Config) { cfg.Page = c })
	open(t, desktop, h.url()).sees("label", "name")
	if n := c.n.Load(); n > mostRequests {
		t.Errorf("the first page takes %d requests, more than %d", n, mostRequests)
	}
}

// stub stands for the program of make web: it says what was kept for it, and has something kept.
const stub = `globalThis.Go = class {
	importObject = {};
	async run() {
		const kept = globalThis.keptGames;
		if (globalThis.keepGames) await globalThis.keepGames(new Uint8Array([7]));
		postMessage({ kind: "ready" });
		postMessage({ kind: "failed", text: kept ? "kept " + kept : "nothing was kept" });
		return new Promise(() => {});
	}
};`

// What the server of the page in the browser stores is there when the page is loaded again. Where another tab has it,
// the page says that what is played there goes with it. The files are as they are written, not bundled.
func TestKept(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	// The second one has other files for some of the first.
	sources := []string{"site", "../../../cmd/gamebots-web/site"}
	for _, source := range sources {
		files := os.DirFS(source)
		err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			to := filepath.Join(folder, filepath.FromSlash(name))
			if err != nil || d.IsDir() {
				return errors.Join(err, os.MkdirAll(to, 0o755))
			}
			text, err := fs.ReadFile(files, name)
			return errors.Join(err, os.WriteFile(to, text, 0o600))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"js/version.js": `export const VERSION = "gamebots-test"; export const SIZES = { "gamebots.wasm": 8 };`,
		"wasm_exec.js":  stub, "gamebots.wasm": "\x00asm\x01\x00\x00\x00", "offline.js": "",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(s.Close)
	you := open(t, desktop, s.URL)
	you.sees(".notice", "nothing was kept")
	you.reload()
	you.sees(".notice", "kept 7")
	apart := openAt(t, desktop, s.URL, `navigator.locks.request("gamebots-play", () => new Promise(() => {}))`)
	apart.sees(".notice", "What you play here goes with this page")
	apart.sees(".notice", "nothing was kept")
	if eval[bool](you, `document.body.innerText.includes("goes with this page")`) {
		t.Error("the tab that has the games says that they go with it")
	}
}

// The page of make web plays, judges, walks strategies and solves spots on a server that requires tokens, without
// one, and without the server once it has been loaded.
func TestWeb(t *testing.T) {
	t.Parallel()
	handler, err := page.WithPlay(webFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{Handler: handler}
	h := newServerWith(t, false, func(cfg *server.Config) { cfg.Page = c })
	you := open(t, desktop, h.url()+"play/")
	you.sees(".connection a", "you")
	if n := c.n.Load(); n > mostRequests {
		t.Errorf("the first page takes %d requests, more than %d", n, mostRequests)
	}
	you.inspect("web-lobby", "light")
	you.choose("select[name=opponent]", "network-medium")
	you.choose("select[name=seat]", "the opponent")
	you.click("form button", "Play")
	you.sees(".turn", "Your move")

	you.expect("status of 422") // what is no spot
	you.click("nav a", "Spots")
	you.click("form button", "River 25")
	you.write("input[name='spot.board']", "Ks 9d 7h 4c 2x")
	you.click("button", "Solve")
	you.until(`document.querySelector("[name='spot.board'][aria-invalid=true]")`)
	you.write("input[name='spot.board']", "Ks 9d 7h 4c 2s")
	you.inspect("web-spot", "light")
	you.click("button", "Solve")
	you.sees(".button", "bet 66")
	you.inspect("web-solved", "light")
	you.click("a.button", "bet 66")
	you.sees("nav.path", "bet 66")
	you.sees("section", "66 to call")
	you.click("nav.path a", "start")
	you.click("button", "Drill this spot")
	you.click("[aria-label='your action'] button", "")
	you.sees("section[aria-label=drill] li", "%")
	you.inspect("web-drill", "light")
	you.click("button", "Back to the solution")
	you.click("a.button", "bet 66")
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
	small.tap("nav a", "Spots")
	small.tap("button", "Solve")
	small.sees(".button", "bet 25")
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
