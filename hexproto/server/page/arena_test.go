package page_test

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"

	"gamebots/bots/arena/web"
	"gamebots/bots/arena/web/webtest"
	"gamebots/hexproto/server"
)

// arenaServer is a server that shows an arena. Admin is the account that may remove
// runs, or "".
func arenaServer(t *testing.T, admin string, runs ...string) (h *testServer, database string) {
	t.Helper()
	database = filepath.Join(t.TempDir(), "arena.db")
	for _, text := range runs {
		webtest.Play(t, database, text, 0)
	}
	s, err := web.New(context.Background(),
		web.Config{Database: database, Rules: webtest.Rules, MayWrite: func(r *http.Request) bool {
			return admin != "" && h.server.Account(r) == admin
		}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return newServerWith(t, true, func(c *server.Config) { c.Arena = s.Handler() }), database
}

// TestArena looks at runs, and goes through a hand and two games, without
// signing in.
func TestArena(t *testing.T) {
	t.Parallel()
	h, _ := arenaServer(t, "", webtest.Leduc, webtest.Holdem3, webtest.Havannah, webtest.Nim)
	tb := open(t, desktop, h.url()+"#/arena")
	tb.sees(".game-link", "leduc-3")
	tb.click(".game-link", "leduc-3")
	tb.sees(".standings th", "chance")
	tb.sees(".cross td", "±")
	tb.sees(".standings th", "Runoff")
	tb.until(`document.querySelectorAll(".plot polyline").length === 3`)
	tb.until(`document.querySelectorAll(".run .game-link").length === 25`)
	tb.click("button", "More")
	tb.until(`document.querySelectorAll(".run .game-link").length === 50`)
	tb.choose("select[name=table]", "call – chance")
	tb.until(`[...document.querySelectorAll(".run .game-link")].every((e) => e.textContent.includes("chance")) && ` +
		`document.querySelectorAll(".run .game-link").length === 25`)

	// A hand: cards, pot and actions, by keyboard and mouse.
	tb.click(".game-link", "deal 3")
	tb.sees("h1", "Deal 3")
	tb.until(`document.querySelectorAll(".hole .card").length === 2`)
	tb.sees(".felt .turn", "The cards are dealt")
	tb.sees(".pot", "Pot 2")
	tb.press("ArrowRight")
	tb.until(`document.querySelectorAll(".poker-seat[data-actor]").length === 1`)
	tb.press("End")
	tb.until(`document.querySelectorAll(".poker-seat[data-won]").length <= 1`)
	tb.sees(".behind[data-sign='1']", "+")
	tb.click("button", "«")
	tb.sees(".felt .turn", "The cards are dealt")
	tb.click(".button", "Next hand")
	tb.sees("h1", "Deal 4")
	tb.click(".button", "2")
	tb.sees("h1", "Deal 4")
	tb.sees(".button[aria-current]", "2")

	// Three players, a board of three rounds and side pots.
	tb.visit("replay/three/0/0")
	tb.sees("h1", "Deal 1")
	tb.press("End")
	tb.until(`document.querySelectorAll(".poker-seat").length === 3`)

	// Board games begin at their end.
	tb.visit("replay/havannah/0/0")
	tb.sees("h1", "Havannah, game 1")
	tb.sees(".turn", "wins")
	tb.until(`document.querySelectorAll(".cell[data-won]").length > 3`)
	tb.press("Home")
	tb.until(`document.querySelectorAll(".cell[data-stone]").length === 0`)
	tb.press("ArrowRight", "ArrowRight")
	tb.until(`document.querySelectorAll(".cell[data-stone]").length >= 1`)
	tb.visit("run/nim")
	tb.sees(".standings th", "Elo")
	tb.until(`document.querySelectorAll(".lines-chart").length === 2`)
	tb.visit("replay/nim/0/1")
	tb.sees(".turn", "wins: chance took the last stick")
	tb.press("ArrowLeft")
	tb.until(`document.querySelectorAll(".stick[data-state=there]").length > 0`)

	tb.expect("404")
	tb.visit("replay/nim/99/1")
	tb.sees(".notice", "Shard 99 of nim is not played")
	tb.visit("run/none")
	tb.sees(".notice", "There is no run none")
}

// TestArenaLive watches a run that is being played, and removes it by an account that
// may.
func TestArenaLive(t *testing.T) {
	t.Parallel()
	h, database := arenaServer(t, "ada", webtest.Nim)
	tb := open(t, desktop, h.url())
	tb.enter("ada")
	tb.click("nav a", "Arena")
	tb.sees(".game-link", "nim")
	webtest.Play(t, database, webtest.Leduc, 2)
	tb.sees(".game-link", "leduc-3")
	tb.until(`document.querySelectorAll(".game-link progress").length === 1`)
	tb.click(".game-link", "leduc-3")
	tb.sees(".run-progress", "of 1,200 hands")
	tb.until(`!document.querySelector(".run-progress").textContent.includes("Ended")`)
	webtest.Play(t, database, webtest.Leduc, 0)
	tb.sees(".run-progress", "Ended ")
	tb.sees(".run-progress", "1,200 of 1,200 hands")
	tb.until(`document.querySelectorAll(".plot polyline")[0].points.length === 13`)

	eval[bool](tb, `(window.confirm = () => true)() `)
	tb.click("button", "Remove this run")
	tb.until(`document.querySelectorAll(".game-link").length === 1 && location.hash === "#/arena"`)

	// Others have no such button, and those without an arena no link to it.
	other := open(t, desktop, h.url())
	other.enter("grete")
	other.visit("run/nim")
	other.sees(".standings th", "perfect")
	other.until(`document.querySelector("button.danger").hidden`)
	without := open(t, desktop, newServer(t, true).url())
	without.enter("eve")
	without.sees("nav a", "Records")
	without.until(`[...document.querySelectorAll("nav a")].find((a) => a.textContent === "Arena").hidden`)
}

// TestArenaViews are the views of the arena as people see them.
func TestArenaViews(t *testing.T) {
	t.Parallel()
	h, _ := arenaServer(t, "", webtest.Leduc, webtest.Holdem3, webtest.Havannah)
	eachLook(t, func(t *testing.T, look look) {
		tb := open(t, look.device, h.url()+"#/arena")
		tb.sees(".game-link", "leduc-3")
		tb.inspect("arena", look.name)
		tb.visit("run/leduc-3")
		tb.sees(".standings th", "chance")
		tb.until(`document.querySelectorAll(".run .game-link").length === 25`)
		tb.inspect("run", look.name)
		tb.visit("run/havannah")
		tb.sees(".standings th", "Elo")
		tb.until(`document.querySelectorAll(".run .game-link").length === 6`)
		tb.inspect("ratings", look.name)
		tb.visit("replay/leduc-3/1/3")
		tb.sees("h1", "Deal 4")
		tb.press("End")
		tb.sees(".behind[data-sign='1']", "+")
		tb.inspect("hand", look.name)
		tb.visit("replay/three/0/1")
		tb.sees("h1", "Deal 2")
		tb.press("End")
		tb.sees(".behind[data-sign='1']", "+")
		tb.inspect("hand3", look.name)
		tb.visit("replay/havannah/0/0")
		tb.sees(".turn", "wins")
		tb.inspect("replay", look.name)
	})
}
