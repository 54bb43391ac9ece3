package page_test

import (
	"testing"

	"gamebots/hexproto/wire"
)

// Spectators talk among themselves while a game runs. A player is muted and blocked on the
// profile.
func TestChatAndIgnoring(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	ask[wire.Ack](bob, wire.Challenge{Rules: "nim", Seat: "first"})
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.click(".challenge button", "")
	ada.until(`location.hash.startsWith("#/game/")`)
	game := eval[string](ada, `location.hash.split("/")[2]`)
	eve := open(t, phone, h.url()+"#/game/"+game)
	eve.enter("eve")
	say := func(text string) { ask[wire.Ack](bob, wire.Chat{Game: game, Text: text}) }
	eve.until(`document.querySelector(".chat input")?.placeholder.includes("after the game")`)
	eve.write(".chat input", "take three")
	eve.click(".chat button", "Send")
	eve.sees(".lines li", "eve spectatortake three")
	say("hello")
	eve.sees(".lines li", "bobhello")
	eve.inspect("chat", "phone")
	ada.until(`[...document.querySelectorAll(".lines li span")].map((e) => e.textContent).join() === "hello"`)

	ada.click(".lines .person-name", "bob")
	ada.click("button", "Mute")
	ada.sees("button", "Read again")
	ada.click("button", "Block")
	ada.sees("button", "Unblock")
	ada.inspect("blocked", "light")
	say("do you hear me?")
	ask[wire.Ack](bob, wire.Resign{Game: game})
	ada.visit("game/" + game)
	ada.until(`[...document.querySelectorAll(".lines li span")].map((e) => e.textContent).join() === "take three"`)
	ada.visit("player/bob")
	ada.click("button", "Unblock")
	ada.sees("button", "Mute")
}
