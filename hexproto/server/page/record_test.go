package page_test

import (
	"fmt"
	"strings"
	"testing"
)

// elsewhere is a game of Little Golem, with its notation and its names of the colours.
const elsewhere = `(;FF[4]EV[hav.championship]PB[Ingo A.]PW[rival]GM[Havannah]RU[LG]SZ[4]` +
	";W[d4];B[d1];W[c3];B[d7];W[e3];B[a4];W[b2];B[c5];W[resign])"

// The record of a game from elsewhere is pasted, or dropped as a file: its moves are rated, others tried, and the
// address has all of it. One that cannot be read says why.
func TestRecordFromElsewhere(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	for _, d := range []device{desktop, {width: 320, height: 640, phone: true}} {
		ada := open(t, d, h.url()+"#/records")
		ada.enter(fmt.Sprint("ada-", d.width))
		ada.click("a.button", "A game from elsewhere")
		ada.write("textarea", "(;SZ[4];W[d4]")
		ada.click("button", "Study it")
		ada.sees(".notice", "the game is not closed")
		ada.inspect("record-form", fmt.Sprint(d.width))
		ada.write("textarea", elsewhere)
		ada.click("button", "Study it")
		ada.sees(".turn", "rival (black) wins by resignation")
		ada.sees(".seat span.person-name", "Ingo_A")
		ada.click("button", "Rate the whole game")
		ada.sees("button.move", "b2??")
		ada.until(`document.querySelector(".rating-all").hidden`)
		ada.click("button.move", "b2")
		ada.sees(".turn", "After 7 of 8 moves")
		ada.click(".cell[data-cell=a1]", "")
		ada.sees(".variation", "Variation after 7 moves")
		ada.inspect("record", fmt.Sprint(d.width))
		ada.reload()
		ada.sees(".variation", "Variation after 7 moves")
		ada.sees(".seat", "Ingo_A")
	}
	ada := open(t, desktop, h.url()+"#/record")
	ada.enter("eve")
	ada.sees("textarea", "")
	eval[bool](ada, `(() => { const data = new DataTransfer();
		data.items.add(new File([`+quote("boardsize 4\nplay white d4\nplay black swap\n")+`], "game.gtp"));
		return document.querySelector("form").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); })()`)
	ada.sees(".turn", "The record ends here")
	eval[bool](ada, `(location.hash = "#/record/side=4%20:%20a1%20a1", true)`)
	ada.sees(".notice", "the cell is taken")
	ada.until(`document.querySelector("textarea").value === "side=4 : a1 a1"`)

	// Neither the form nor a link sends more bytes than the server takes in a message.
	ada.write("textarea", strings.Repeat("本", 6000))
	ada.click("button", "Study it")
	ada.sees(".notice", "has at most 15384 bytes")
	eval[bool](ada, `(location.hash = "#/record/side=4%20:" + "%20a1".repeat(10000), true)`)
	ada.until(`document.querySelector("textarea").value.length > 20000 && document.querySelector(".notice")`)
	ada.sees(".notice", "has at most 15384 bytes")
}
