package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gamebots/acpc/history"
	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"
)

// newProgram is newServer with gamebots serve itself, as a process that stop kills without a warning.
func newProgram(t *testing.T) *testServer {
	t.Helper()
	testkit.SlowOnly(t)
	folder := t.TempDir()
	program := filepath.Join(folder, "gamebots.exe")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../../cmd/gamebots").
		CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	h := &testServer{T: t, address: testkit.FreeAddress(t), stop: func() {}}
	h.begin = func() {
		var log bytes.Buffer
		cmd := exec.CommandContext(t.Context(), program, "serve", "--listen", h.address,
			"--database", filepath.Join(folder, "games.db"), "--set", "max-bot-games=9")
		cmd.Dir, cmd.Stdout, cmd.Stderr = "../../..", &log, &log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		h.stop = func() {
			_ = cmd.Process.Kill() // it fails if the program has ended, which a test would have seen
			_ = cmd.Wait()
			h.stop = func() {}
		}
		for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			if r, err := http.Get(h.url()); err == nil {
				r.Body.Close()
				return
			}
			if time.Now().After(end) {
				t.Fatalf("the program does not serve: %s", log.String())
			}
		}
	}
	h.start()
	t.Cleanup(func() { h.stop() })
	return h
}

// shown is the text of a view. That another player has chosen a secret move is only seen by who comes later.
const shown = `(document.querySelector("main")?.innerText ?? "").replace(/^to move\n/m, "")`

// keeps fails if what the page shows is not there again after it is loaded again, and after the server is killed.
func (tb *tab) keeps(h *testServer, what string) {
	tb.Helper()
	before := ""
	for now := eval[string](tb, shown); now != before; now = eval[string](tb, shown) { // bots may be about to move
		before = now
		time.Sleep(500 * time.Millisecond)
	}
	same := func(after string) {
		tb.Helper()
		for end := time.Now().Add(patience / 4); ; time.Sleep(50 * time.Millisecond) {
			now := eval[string](tb, shown)
			if now == before {
				return
			}
			if time.Now().After(end) {
				tb.Fatalf("%s %s:\n%s\nbefore:\n%s", what, after, now, before)
			}
		}
	}
	tb.reload()
	same("loaded again")
	h.stop()
	tb.sees(".connection", "offline")
	h.start()
	tb.sees(".connection a", "")
	same("after the server was killed")
	tb.reload()
	same("loaded again after that")
}

// A game of each kind, and a spot, lose nothing by a reload and a server that was killed, and go on.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	h := newProgram(t)
	tb := open(t, desktop, h.url())
	tb.expectOffline()
	tb.enter("ada")
	for _, game := range []struct {
		rules, bot, option, value string
		move, then                string // what is clicked, and what goes on afterwards
	}{
		{"Havannah", "mcts-easy", "side", "5", ".cell:not([data-stone])", ".cell:not([data-stone])"},
		{"Nim", "xor", "heaps", "3 4 6", ".stick[data-state=there]", ".stick[data-state=there]"},
		{"Matrix", "equilibrium", "rounds", "10", ".action:enabled", ".action:enabled"},
		{"Kuhn poker for two", "cfr", "hands", "9", "", ".poker-buttons button"},
		{"No-limit Texas hold'em for six", "cfr", "buy_in", "60", "", ".poker-buttons button"},
	} {
		tb.visit("")
		tb.sees("h2", "New game")
		tb.begin(game.rules, game.bot, "no clock", "random", map[string]string{game.option: game.value})
		settled := `[...document.querySelectorAll(".turn")].some((e) => /^Your move(, or swap)?$/.test(e.textContent))`
		// A hand that is won before the person can act is followed by the next.
		tb.until(`[...document.querySelectorAll(".poker-buttons button")].find((b) => b.checkVisibility() &&
			b.ariaPressed !== "true" && /^Next hand/.test(b.textContent))?.click(), ` + settled)
		if game.move != "" {
			tb.click(game.move, "")
			tb.until(`document.querySelector(".move, .hand-row")`)
			tb.until(settled)
		}
		tb.keeps(h, game.rules)
		before := eval[string](tb, shown)
		tb.click(game.then, "")
		tb.until(shown + ` !== ` + quote(before))
	}
	tb.until(act + `(true) && ` + one("section[aria-label='your decisions'] p", "Strategies are for full stacks"))
	tb.visit("spot")
	tb.click("form button", "River 25")
	tb.click("button", "Solve")
	tb.click("a.button", "bet 66")
	tb.sees("section", "66 to call")
	tb.keeps(h, "a spot")
}

// act does one thing at a poker table if there is one to do: it goes on to the next hand, or folds, checks or calls. A
// player with few chips buys in again.
const act = `((folds) => {
	const at = (text) => [...document.querySelectorAll(".poker-buttons button")].find((b) =>
		b.checkVisibility() && !b.disabled && b.ariaPressed !== "true" && text.test(b.textContent));
	const button = at(/^Next hand/) ?? at(/^Buy in again/) ?? (folds && at(/^Fold$/) || at(/^(Check$|Call \d)/));
	button?.click();
	return true;
})`

// chipsAddUp fails unless each hand has the chips of the one before, but for seats that have bought in again, and
// returns which seats have.
func chipsAddUp(t *testing.T, p *wire.Poker, buyIn int32) (again []int) {
	t.Helper()
	var before []int32 // chips by seat
	for _, text := range append(slices.Clone(p.Finished), p.Hand) {
		var hand history.JSONHand
		if err := json.Unmarshal(text, &hand); err != nil {
			t.Fatal(err)
		}
		now, sum := make([]int32, len(hand.Players)), 0.0
		for position, chips := range hand.Stacks {
			seat := (position + int(hand.Hand)) % len(now)
			if before != nil && chips != before[seat] {
				if chips != buyIn || before[seat] >= buyIn {
					t.Fatalf("hand %d begins with %d chips in seat %d, not %d", hand.Hand, chips, seat, before[seat])
				}
				again = append(again, seat)
			}
			now[seat] = chips
			if hand.Values != nil {
				now[seat] += int32(hand.Values[position])
				sum += hand.Values[position]
			}
		}
		if sum != 0 {
			t.Fatalf("hand %d: %v", hand.Hand, hand.Values)
		}
		before = now
	}
	return again
}

// A table of six by a link: two people and four bots, who keep their chips. One of the people is away for long, is told
// so, and comes back; the other has lost chips and buys in again. Nobody else folds a hand that a player did not fold.
// The page is loaded again, and the server killed.
func TestCashTable(t *testing.T) {
	t.Parallel()
	h := newProgram(t)
	ada := open(t, desktop, h.url())
	ada.expectOffline()
	ada.enter("ada")
	ada.choose("select[name=rules]", "No-limit Texas hold'em for six")
	ada.choose("select[name=opponent]", "a friend, by a link")
	ada.choose("select[name=clock]", "10 s a move")
	ada.choose("select[name=seat]", "SB")
	ada.write("input[name=hands]", "200")
	ada.write("input[name=buy_in]", "60")
	ada.click("form button", "Make the link")
	ada.sees("h1", "Invite")
	bob := open(t, phone, ada.all(".panel code")[0])
	bob.expectOffline()
	bob.sees("h1", "ada invites you to No-limit Texas hold'em for six")
	bob.write("input[name=name]", "bob")
	bob.tap("button", "Enter")
	bob.tap(".panel button", "Play")
	ada.sees(".hand-title", "Hand 1 of 200")
	bob.sees(".hand-title", "Hand 1 of 200")
	id := eval[string](ada, `location.hash.split("/")[2]`)
	eve := newPuppet(t, h, wire.Hello{Name: "eve"})
	var again []int
	// until has people play until a condition holds.
	until := func(what string, done func(wire.Game) bool, people ...*tab) wire.Game {
		t.Helper()
		for end := time.Now().Add(2 * patience); ; time.Sleep(200 * time.Millisecond) {
			for _, tb := range people {
				eval[bool](tb, fmt.Sprintf("%s(%v)", act, tb == bob))
			}
			g := ask[wire.Game](eve, wire.Watch{Game: id})
			again = chipsAddUp(t, g.View.Poker, 6000)
			switch {
			case done(g):
				return g
			case g.Result != nil || time.Now().After(end):
				t.Fatalf("never: %s: %+v", what, g)
			case len(people) == 2 && len(g.Away)+len(g.Gone) > 0:
				t.Fatalf("%s: a player who plays is away: %+v", what, g)
			}
		}
	}
	g := until("two hands", func(g wire.Game) bool { return len(g.View.Poker.Finished) >= 2 }, ada, bob)
	seat := slices.IndexFunc(g.Seats, func(s wire.Player) bool { return s.Name == "ada" })
	mine := slices.IndexFunc(g.Seats, func(s wire.Player) bool { return s.Name == "bob" })
	isIn := func(seats []int) bool { return slices.Contains(seats, seat) }

	until("ada is away", func(g wire.Game) bool { return isIn(g.Away) }, bob)
	ada.sees(".notice", "Your time was over: the server checks or folds for you until you are back.")
	ada.sees(".below .turn", "You are away")
	ada.inspect("hour-away", "light")
	until("ada has left", func(g wire.Game) bool { return isIn(g.Gone) }, bob)
	ada.sees(".notice", "You were away for three hands and have left the table.")
	ada.click(".poker-buttons button", "Come back")
	g = until("ada is back", func(g wire.Game) bool { return !isIn(g.Away) && !isIn(g.Gone) }, bob)
	hands := len(g.View.Poker.Finished)
	until("ada plays again", func(g wire.Game) bool { return len(g.View.Poker.Finished) > hands+1 }, ada, bob)

	ada.reload()
	ada.sees(".hand-title", "Hand ")
	h.stop()
	bob.sees(".connection", "offline")
	h.start()
	ada.sees(".connection a", "ada")
	bob.sees(".connection a", "bob")
	eve = newPuppet(t, h, wire.Hello{Token: eve.token})
	until("bob buys in again", func(wire.Game) bool { return slices.Contains(again, mine) }, ada, bob)
	bob.inspect("hour-table", "phone-light")
	ada.click(".actions button", "Leave")
	ada.click(".actions button", "Really leave")
	ada.click("nav a", "Lobby")
	ada.sees("h2", "New game")
}

// From the entry page to a river that is solved, with a range painted by a finger; then the record of a game from
// elsewhere is rated. Each step leads to the next.
func TestStudyOnPhone(t *testing.T) {
	t.Parallel()
	h := newProgram(t)
	start := time.Now()
	tb := open(t, phone, h.url())
	tb.inspect("hour-1-entry", "phone-light")
	tb.write("input[name=name]", "carl")
	tb.tap("button", "Enter")
	tb.tap("nav a", "Spots")
	tb.tap("form button", "River 25")
	tb.tap("form button", "In position")
	tb.choose("select[name=range]", "No hand")
	tb.has("ranges.ip", "")
	tb.middle("[data-hands=A8s]", "") // the grid may have to scroll
	u, v := tb.middle("[data-hands=AKs]", "")
	x, y := tb.middle("[data-hands=A8s]", "")
	tb.touch("touchStart", [2]float64{u, v})
	tb.touch("touchMove", [2]float64{(u + x) / 2, v})
	tb.touch("touchMove", [2]float64{x, y})
	tb.touch("touchEnd")
	tb.has("ranges.ip", "A8s+")
	tb.tap("[data-hands=KK]", "")
	tb.has("ranges.ip", "KK,A8s+")
	tb.inspect("hour-2-painted", "phone-light")
	tb.tap("button", "Solve")
	tb.sees(".button", "bet 66")
	t.Logf("a solved river after %v", time.Since(start))
	tb.inspect("hour-3-solved", "phone-light")
	tb.tap("nav a", "Records")
	tb.tap("a.button", "A game from elsewhere")
	tb.write("textarea", elsewhere)
	tb.tap("button", "Study it")
	tb.tap("button", "Rate the whole game")
	tb.sees("button.move", "b2??")
	tb.until(`document.querySelector(".rating-all").hidden`)
	tb.inspect("hour-4-rated", "phone-light")
	tb.tap("nav a", "Lobby")
	tb.sees("h2", "New game")
}
