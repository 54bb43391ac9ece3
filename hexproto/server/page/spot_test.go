package page_test

import (
	"fmt"
	"net/http"
	"testing"

	"gamebots/bots/spotstudy"
	"gamebots/hexproto/server"
)

// studyServer is a server that solves spots.
func studyServer(t *testing.T) *testServer {
	return newServerWith(t, true, func(c *server.Config) {
		c.Spots = &spotstudy.Study{Memory: 1 << 30, Flops: true}
		c.Strategies = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
	})
}

// drag moves the mouse, pressed, from one element to another.
func (tb *tab) drag(from, to string) {
	tb.Helper()
	tb.middle(from, "") // scrolls there, and the end may scroll it again
	u, v := tb.middle(to, "")
	x, y := tb.middle(from, "")
	for _, event := range []struct {
		kind string
		x, y float64
	}{{"mousePressed", x, y}, {"mouseMoved", (x + u) / 2, (y + v) / 2}, {"mouseMoved", u, v}, {"mouseReleased", u, v}} {
		tb.command("Input.dispatchMouseEvent", map[string]any{
			"type": event.kind, "x": event.x, "y": event.y, "button": "left", "buttons": 1, "clickCount": 1,
		})
	}
}

// has waits until a field has a value.
func (tb *tab) has(field, value string) {
	tb.Helper()
	tb.until(fmt.Sprintf(`document.querySelector("[name='%s']")?.value === %s`, field, quote(value)))
}

// A spot is set up by clicks and drags, solved and walked through; its address has all of it.
func TestSpot(t *testing.T) {
	t.Parallel()
	tb := open(t, desktop, studyServer(t).url())
	tb.enter("ada")
	tb.expect("status of 422") // what is no spot
	tb.click("nav a", "Spots")
	tb.click("form button", "Turn paired") // an example, and another one
	tb.click("form button", "River bluffs")
	tb.has("spot.board", "2c 3d 7h 8s Tc")
	tb.has("ranges.oop", "AA,KK,QhJh,QdJd,QsJs,QcJc,KsJs,KdJd,KcQc,KdQd,KhQh,KsQs")

	// The board by clicks, ranges by a drag, in a weight and out again, and by their names.
	tb.click(".picker button", "10 of clubs")
	tb.click(".picker button", "9 of clubs")
	tb.has("spot.board", "2c 3d 7h 8s 9c")
	tb.click("form button", "In position")
	tb.choose("select[name=range]", "No hand")
	tb.drag("[data-hands=AKs]", "[data-hands=ATs]")
	tb.has("ranges.ip", "ATs+")
	tb.click("form button", "50%")
	tb.drag("[data-hands=AA]", "[data-hands=KK]")
	tb.click("[data-hands=ATs]", "")
	tb.has("ranges.ip", "KK+:0.5,AJs+,ATs:0.5")
	tb.click("[data-hands=ATs]", "")
	tb.has("ranges.ip", "KK+:0.5,AJs+")
	tb.write("input[aria-label^=name]", "mine")
	tb.click("button", "Keep this range")
	tb.choose("select[name=range]", "All hands")
	tb.choose("select[name=range]", "mine")
	tb.has("ranges.ip", "KK+:0.5,AJs+")

	// What is wrong is said beside its field.
	for _, c := range [][3]string{
		{"bets.bets", "2x", "Percent"}, {"ranges.ip", "foo", "is not a hand"},
		{"bets.merge", "x", ""}, {"spot.pot", "0", ""},
	} {
		value := eval[string](tb, fmt.Sprintf(`document.querySelector("[name='%s']").value`, c[0]))
		eval[bool](tb, fmt.Sprintf(`(() => { const e = document.querySelector("[name='%s']"); e.value = %s;
			e.dispatchEvent(new Event("input")); return true; })()`, c[0], quote(c[1])))
		tb.click("button", "Solve")
		tb.until(fmt.Sprintf(`(() => { const e = document.querySelector("[name='%s'][aria-invalid=true]");
			return e && document.getElementById(e.getAttribute("aria-describedby")).textContent.length > 3; })()`, c[0]))
		tb.write(fmt.Sprintf("input[name='%s']", c[0]), value)
	}

	tb.click("button", "Solve")
	tb.sees(".button", "bet 100")
	tb.click("button", "Equity")
	tb.until(`document.querySelector(".hands [role=listitem] b")?.textContent > 0`)
	tb.click(".hands [role=listitem]", "AA")
	tb.until(`document.querySelectorAll(".decision tbody tr").length === 6`)
	tb.click(".decision button", "EV")
	tb.until(`document.querySelector(".decision [aria-sort=descending]")`)
	// Until a hand is over, and another one. A double click is one action.
	tb.click("button", "Drill this spot")
	tb.until(`(() => { const place = document.querySelector("[aria-label='your action']");
		const next = [...place?.querySelectorAll("button") ?? []];
		if (next[0]?.textContent === "Next hand") return true;
		if (next.length > 0 && place !== globalThis.chosen) {
			globalThis.chosen = place; next.at(-1).click(); next.at(-1).click(); }
		return false; })()`)
	tb.sees("section[aria-label=drill] li", "%")
	tb.sees("section[aria-label=drill]", "Hands 1, decisions ")
	tb.click("button", "Next hand")
	tb.sees("section[aria-label=drill] p", "position.")
	tb.click("button", "Back to the solution")
	tb.click("a.button", "bet 100")
	tb.sees("section", "100 to call")
	// The solution as a file, which is opened with the same strategies; what is no file says so.
	tb.click("nav.path a", "start")
	tb.sees("button", "Save the solution")
	tb.expect("status of 422")
	eval[bool](tb, `(() => { globalThis.saved = []; const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { globalThis.saved.push(blob); return make(blob); };
		document.addEventListener("click", (e) => e.target.download && e.preventDefault(), true); return true; })()`)
	tb.click("button", "Save the solution")
	tb.until("globalThis.saved.length === 1")
	tb.click("summary", "The spot")
	for _, content := range []string{"['[spot]']", "globalThis.saved"} {
		eval[bool](tb, `(() => { const input = document.querySelector("input[type=file]"); const data = new DataTransfer();
			data.items.add(new File(`+content+`, "a.spot")); input.files = data.files;
			input.dispatchEvent(new Event("change")); return true; })()`)
		if content[0] == '[' {
			tb.sees(".notice", "not a strategy")
		}
	}
	tb.sees("p", "From a file. Exploitability")
	tb.click("a.button", "bet 100")
	tb.sees("section", "100 to call")
	tb.inspect("spot-file", "light")
	tb.reload() // it is the link that has the spot
	tb.sees("section", "100 to call")
	tb.sees("nav.path", "bet 100")
}

// smallFlop is the address of a flop that takes a few seconds to a percent of the pot.
const smallFlop = "spot/spot.board=Td9d6h&spot.pot=100&spot.stack=200&ranges.oop=88+,KJs,QTs,JTs&" +
	"ranges.ip=QQ-66,AQs,T8s+&bets.bets=50&bets.raise_cap=1"

// A flop is solved by the server, which says how far it is. It can be stopped, and goes on from what was found; its
// turns and rivers are a click away. One that is too large says what to cut.
func TestSpotFlop(t *testing.T) {
	t.Parallel()
	h := studyServer(t)
	for _, d := range []device{desktop, {width: 320, height: 640, phone: true}} {
		tb := open(t, d, h.url())
		tb.enter(fmt.Sprint("flop-", d.width))
		tb.expect("status of 422")                                           // what is too large
		tb.visit(fmt.Sprintf("%s&solve.target=0.000%d", smallFlop, d.width)) // not the one that the server has kept
		tb.sees("button", "Texas flop")
		tb.click("button", "Solve")
		tb.until(`document.querySelector("progress")?.value > 0`)
		tb.inspect("spot-flop-solving", fmt.Sprint(d.width))
		tb.click("button", "Stop")
		tb.sees("p", "The target is not reached")
		tb.click("button", "Solve further")
		tb.until(`document.querySelector("progress")?.value > 0`)
		tb.click("button", "Stop")
		tb.click("a.button", "check")
		tb.sees("nav.path span", "check")
		tb.click("a.button", "check")
		tb.sees("h2", "The turn")
		tb.click("[aria-label='next card'] button", "2 of clubs")
		tb.sees("nav.path", "2♣")
		tb.inspect("spot-flop", fmt.Sprint(d.width))
		tb.visit("spot/spot.board=Td9d6h&spot.pot=10&spot.stack=10000&" +
			"bets.bets=20,30,40,50,60,70&bets.raises=30,40,50,60")
		tb.click("button", "Solve")
		tb.sees("small.wrong", "one size of bets")
	}
}

// A turn leads over a card to its river; views as people see them.
func TestSpotLooks(t *testing.T) {
	t.Parallel()
	h := studyServer(t)
	eachLook(t, func(t *testing.T, look look) {
		tb := open(t, look.device, h.url())
		tb.enter("eve-" + look.name)
		tb.visit("strategies")
		tb.sees("h1", "Strategies")
		tb.visit("spot/spot.board=Td9d6hQc&spot.pot=100&spot.stack=100&" +
			"ranges.oop=JJ+,KJs&ranges.ip=99-66,AQs&bets.bets=50")
		tb.sees("button", "Turn paired")
		tb.inspect("spot", look.name)
		tb.click("button", "Solve")
		tb.sees(".button", "bet 50")
		tb.inspect("spot-turn", look.name)
		tb.click("button", "Drill this spot")
		tb.click("[aria-label='your action'] button", "")
		tb.sees("section[aria-label=drill] li", "%")
		tb.inspect("drill", look.name)
		tb.click("button", "Back to the solution")
		tb.click("a.button", "bet 50")
		tb.click("a.button", "call")
		tb.sees("h2", "The river")
		tb.inspect("spot-card", look.name)
		tb.click("[aria-label='next card'] button", "2 of clubs")
		tb.sees("nav.path", "2♣")
		tb.inspect("spot-river", look.name)
	})
}

// What is rounded to 0 has no sign, and one chip is no chips.
func TestNumbers(t *testing.T) {
	t.Parallel()
	tb := open(t, desktop, sources(t))
	got := eval[string](tb, `import("./js/words.js").then(({ number }) =>
		[number(-0.001, 2), number(-0.001, 2, true), number(-1.5, 1), number(2, 0, true), number(0)].join())`)
	if want := "0.00,0.00,−1.5,+2,0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	got = eval[string](tb, `import("./js/people.js").then(({ resultOf }) => [-1, 1, 2].map((won) =>
		resultOf({ you: 0, seats: [{}, {}], result: { winner: 0, how: "chips", score: [won, -won] } })).join())`)
	if want := "You won with −1 chip,You won 1 chip,You won 2 chips"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
