package page_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"gamebots/hexproto/wire"
)

// landscape is a phone held sideways.
var landscape = device{width: 844, height: 390, phone: true}

// box is where an element is on the screen.
type box struct{ Left, Top, Right, Bottom, Width, Height float64 }

func (tb *tab) box(selector string) box {
	tb.Helper()
	return eval[box](tb, fmt.Sprintf(`(({left, top, right, bottom, width, height}) => ({left, top, right, bottom, `+
		`width, height}))(document.querySelector(%s).getBoundingClientRect())`, quote(selector)))
}

// touch sends fingers that touch, move or leave the screen.
func (tb *tab) touch(kind string, at ...[2]float64) {
	tb.Helper()
	points := []map[string]float64{}
	for i, p := range at {
		points = append(points, map[string]float64{"x": p[0], "y": p[1], "id": float64(i)})
	}
	tb.command("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": points})
}

// The largest board on a phone: two fingers and buttons enlarge it, one finger moves it,
// its cells have names, and a tap chooses the cell under the finger.
func TestZoom(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, phone, h.url())
	ada.enter("ada")
	ada.begin("Havannah", "random", "no clock", "me", map[string]string{"side": "13"})
	ada.yours()
	const middle = ".cell[data-cell=m13]"
	small := ada.box(middle)
	ada.tap("button", "larger board")
	ada.tap("button", "larger board")
	large := ada.box(middle)
	if large.Width < 2*small.Width {
		t.Errorf("a cell of %.0f px is enlarged to %.0f px", small.Width, large.Width)
	}
	ada.until(`getComputedStyle(document.querySelector(".cell[data-cell=m14] .own-name")).display !== "none"`)
	ada.sees(".cell[data-cell=m14] .own-name", "m14")
	ada.inspect("side13", "phone-light")

	x, y := (large.Left+large.Right)/2, (large.Top+large.Bottom)/2
	ada.touch("touchStart", [2]float64{x, y})
	for i := range 6 {
		ada.touch("touchMove", [2]float64{x + 10*float64(i), y})
	}
	ada.touch("touchEnd")
	if moved := ada.box(middle).Left - large.Left; moved < 40 || moved > 60 {
		t.Errorf("the board is moved by %.0f px, the finger by 50", moved)
	}
	if chosen := eval[bool](ada, `document.querySelector("[data-chosen]") !== null`); chosen {
		t.Error("moving the board chooses a cell")
	}
	ada.tap(middle, "")
	ada.sees(".turn", "Choose it again to play m13")
	ada.tap("button", "smaller board")
	ada.tap("button", "smaller board")
	if now := ada.box(middle); now != small {
		t.Errorf("made smaller again, a cell is at %v, not %v", now, small)
	}

	x, y = (small.Left+small.Right)/2, (small.Top+small.Bottom)/2
	ada.touch("touchStart", [2]float64{x - 20, y}, [2]float64{x + 20, y})
	for i := range 7 {
		ada.touch("touchMove", [2]float64{x - 20 - 10*float64(i), y},
			[2]float64{x + 20 + 10*float64(i), y})
	}
	ada.touch("touchEnd")
	if now := ada.box(middle); now.Width < 3.5*small.Width || now.Left > x || now.Right < x {
		t.Errorf("two fingers enlarge the cell between them from %v to %v", small, now)
	}
	if page := eval[float64](ada, "visualViewport.scale"); page != 1 {
		t.Errorf("the page is enlarged by %v, too", page)
	}
}

// An enlarged board shows the last move, wherever that is.
func TestZoomFollows(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	players := [2]*puppet{newPuppet(t, h, wire.Hello{Name: "ada"}), newPuppet(t, h, wire.Hello{Name: "bob"})}
	game := playGame(players[0], players[1],
		wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":10}`)}, []string{"a1"})
	eve := open(t, phone, h.url()+"#/game/"+game)
	eve.enter("eve")
	eve.tap("button", "larger board")
	eve.tap("button", "larger board")
	for turn, move := range []string{"swap", "s19", "s10", "a10"} {
		ask[wire.Ack](players[(turn+1)%2], wire.Play{Game: game, Turn: 1 + turn, Move: move})
		if move == "swap" {
			eve.sees(".cell[data-last][data-stone='1']", "a1")
			move = "the stone at a1, which has another colour now,"
		} else {
			eve.sees(".cell[data-last]", move)
		}
		cell, board := eve.box(".cell[data-last] polygon"), eve.box(".hex")
		if cell.Left < board.Left-1 || cell.Right > board.Right+1 || cell.Top < board.Top-1 ||
			cell.Bottom > board.Bottom+1 {
			t.Errorf("%s is at %v, the board at %v", move, cell, board)
		}
	}
	eve.inspect("zoomed", "phone-light")
}

// Held sideways, a phone shows the whole board and both clocks.
func TestLandscape(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := open(t, landscape, h.url())
	ada.enter("ada")
	ada.begin("Havannah", "random", "5 min", "me", map[string]string{"side": "13"})
	ada.yours()
	for _, part := range []string{".board", ".seat[data-seat='0'] .clock", ".seat[data-seat='1'] .clock", ".turn"} {
		if b := ada.box(part); b.Top < 0 || b.Bottom > float64(landscape.height) || b.Right > float64(landscape.width) {
			t.Errorf("%s is at %+v, outside of the screen", part, b)
		}
	}
	ada.inspect("side13", "landscape")
	ada.click(".actions button", "Abort")
	ada.sees(".turn", "Aborted")
	ada.inspect("over", "landscape")
}

// The bar at the top stays as high as it is when the connection is lost, or the board
// would jump under the finger.
func TestBarOffline(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	for _, d := range []device{phone, {width: 320, height: 640, phone: true}} {
		ada := open(t, d, h.url())
		ada.expectOffline()
		ada.enter("ada-" + fmt.Sprint(d.width))
		before := ada.box(".bar")
		h.stop()
		ada.sees(".connection", "trying again")
		if now := ada.box(".bar"); now != before {
			t.Errorf("offline the bar is at %v, online at %v", now, before)
		}
		ada.inspect("offline", fmt.Sprint(d.width))
		if wide := eval[float64](ada, "document.documentElement.scrollWidth"); wide > float64(d.width) {
			t.Errorf("the page is %v wide", wide)
		}
		h.start()
		ada.sees(".connection a", "ada")
	}
}
