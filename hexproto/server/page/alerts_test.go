package page_test

import (
	"testing"

	"gamebots/hexproto/wire"
)

// A script that records notes and notifications, and hides the page once it is told to.
const recordAlerts = `{
	window.alerts = [];
	window.Notification = class extends EventTarget {
		static permission = "granted";
		static async requestPermission() { return "granted"; }
		constructor(title, { body }) { super(); alerts.push(title + (body ? ": " + body : "")); }
		close() {}
	};
	const start = OscillatorNode.prototype.start;
	OscillatorNode.prototype.start = function (...at) { alerts.push("note"); start.apply(this, at); };
	let hidden = false;
	window.hide = () => { hidden = true; };
	Object.defineProperty(document, "hidden", { get: () => hidden });
}`

// Sounds and notifications come when a challenge is accepted and when the opponent has
// moved, once they are turned on.
func TestAlerts(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	ada := openAt(t, desktop, h.url(), recordAlerts)
	ada.enter("ada")
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	play := func() {
		ada.visit("")
		ada.choose("select[name=opponent]", "a player")
		ada.choose("select[name=seat]", "the opponent")
		ada.write("input[name=to]", "bob")
		ada.click("form button", "Challenge")
		challenge := next[wire.Challenged](bob, "challenged").Challenge
		game := ask[wire.Ack](bob, wire.Accept{Challenge: challenge}).Game
		ada.sees(".turn", "bob to move")
		ask[wire.Ack](bob, wire.Play{Game: game, Move: "a1"})
		ada.sees(".turn", "Your move")
	}
	play()
	if n := eval[int](ada, "alerts.length"); n != 0 {
		t.Errorf("%d alerts before they are turned on", n)
	}
	ada.visit("account")
	ada.click("label", "Sounds")
	ada.click("label", "Notifications")
	ada.until(`alerts.includes("Notifications are on")`)
	eval[bool](ada, `(alerts.length = 0, hide(), true)`)
	play()
	ada.until(`JSON.stringify(alerts) === '["note","note","bob has accepted: The game has begun.",` +
		`"note","bob – ada: bob plays a1. Your move."]'`)
}
