package page_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// The lobby shows running games as small boards that follow the moves.
func TestSmallBoards(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	bob, eve := newPuppet(t, h, wire.Hello{Name: "bob"}), newPuppet(t, h, wire.Hello{Name: "eve"})
	game := playGame(bob, eve, wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":4}`)},
		[]string{"a1", "b2"})
	ask[wire.Lobby](bob, wire.EnterLobby{On: true})
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.until(`document.querySelectorAll(".preview .cell[data-stone]").length === 2`)
	for next[wire.Lobby](bob, "lobby").Connected < 3 { // after which the lobby does not change for a while
	}
	ask[wire.Ack](bob, wire.Play{Game: game, Turn: 2, Move: "d4"})
	ada.until(`document.querySelectorAll(".preview .cell[data-stone]").length === 3`)
	ada.sees(".game-open", "move 4")
	ask[wire.Ack](eve, wire.Resign{Game: game})
	ada.until(`document.querySelectorAll(".preview").length === 0`)
}

// A match of poker is a small table in the lobby. A game that its player has left comes last, without a picture.
func TestSmallTable(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "holdem-nolimit-6p"))
	bob, eve := newPuppet(t, h, wire.Hello{Name: "bob"}), newPuppet(t, h, wire.Hello{Name: "eve"})
	ask[wire.Ack](bob, wire.Challenge{Rules: "holdem-nolimit-6p", To: "caller"})
	ask[wire.Ack](eve, wire.Challenge{Rules: "havannah", To: "random", Seat: "first"})
	for _, d := range []device{desktop, phone} {
		ada := open(t, d, h.url())
		ada.enter(fmt.Sprint("ada-", d.width))
		ada.until(`document.querySelectorAll(".preview .poker-seat").length === 6`)
		ada.sees(".game-open", "hand 1 of 24")
		ada.until(`document.querySelectorAll(".preview .cell").length > 0`)
		// Nothing of the small table is cut off.
		ada.until(`(() => { const { left, right } = document.querySelector(".preview:has(.felt)").getBoundingClientRect();
			return [...document.querySelectorAll(".preview .plate")].map((e) => e.getBoundingClientRect()).
				every((r) => r.width > 30 && r.left >= left && r.right <= right); })()`)
		ada.inspect("lobby-poker", fmt.Sprint(d.width))
	}
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.sees(".game-row .person", "bob")
	bob.ws.Close()
	ada.sees(".game-row[data-idle] .tag", "idle")
	ada.until(`document.querySelectorAll(".preview").length === 1 && ` +
		`[...document.querySelectorAll(".game-row")].at(-1).textContent.includes("bob")`)
	ada.inspect("lobby-idle", "light")
}

// A stranger reads what the games are. The form says it of the chosen game, and how the
// chosen bot plays.
func TestGamesAndBotsInWords(t *testing.T) {
	t.Parallel()
	ada := open(t, desktop, newServer(t, true).url())
	for _, about := range []string{
		"Connect your stones to a ring, a bridge or a fork", "Take sticks from rows in turn", "Both choose at once",
	} {
		ada.sees(".games-here p", about)
	}
	ada.enter("ada")
	ada.sees("form small", "Connect your stones to a ring, a bridge or a fork")
	ada.sees("select[name=opponent]", "random (400)")
	ada.sees("form small", "random: Makes any legal move.")
	ada.choose("select[name=rules]", "Nim")
	ada.sees("form small", "Take sticks from rows in turn")
	ada.sees("form small", "xor: Knows the rule that wins")
	ada.choose("select[name=opponent]", "anybody")
	ada.until(`![...document.querySelectorAll("form small")].some((e) => e.textContent.includes("xor"))`)
}

// Who has played nothing yet is offered a bot that can be beaten, and later what was played last.
func TestNewGameRemembers(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, func(c *server.Config) {
		for name, rating := range map[string]int{"easy": 1200, "hard": 2500} {
			c.Bots = append(c.Bots, engines.Bot{
				Name: name, Rules: []string{boards.HavannahName}, Bot: havannahbot.Bot(havannahbot.Random{}),
				Ratings: map[string]int{boards.HavannahName: rating},
			})
		}
	})
	ada := open(t, desktop, h.url())
	ada.enter("ada")
	ada.until(`document.querySelector("select[name=opponent]").value === "=easy"`) // random is worse
	ada.begin("Havannah", "hard", "10 min", "the opponent", map[string]string{"side": "5"})
	ada.reload()
	ada.sees(".turn", "")
	form := `["rules", "opponent", "clock", "seat", "side"].map((name) => {
		const e = document.querySelector(".panel form [name=" + name + "]"); return e?.selectedOptions?.[0].text ?? e?.value;
	}).join()`
	ada.visit("")
	ada.until(form + ` === "Havannah,hard (2500),10 min + 5 s,the opponent,5"`)
	ada.begin("Nim", "xor", "no clock", "me", map[string]string{"heaps": "2 3"})
	ada.visit("")
	ada.until(`document.querySelector("input[name=heaps]")?.value === "2 3"`)
}

// Games with days for a move are offered for board games, and listed with the time that is left, first those that wait
// for the player. Whoever is away is not said to be missing.
func TestDaysForAMove(t *testing.T) {
	t.Parallel()
	h := newServerWith(t, true, withPoker(t, "leduc"))
	bob := newPuppet(t, h, wire.Hello{Name: "bob"})
	ask[wire.Lobby](bob, wire.EnterLobby{On: true, Changes: true})
	for _, d := range []device{desktop, {width: 320, height: 640, phone: true}} {
		ada := open(t, d, h.url())
		ada.enter(fmt.Sprint("ada-", d.width))
		ada.choose("select[name=rules]", "leduc")
		ada.until(`[...document.querySelector("select[name=clock]").options]
			.some((o) => o.text === "3 days a move" && o.disabled)`)
		ada.choose("select[name=rules]", "Havannah")
		for _, seat := range []string{"me", "the opponent"} {
			ada.choose("select[name=opponent]", "anybody")
			ada.choose("select[name=clock]", "3 days a move")
			ada.choose("select[name=seat]", seat)
			ada.click("form button", "Offer this game")
			var offered []wire.Challenged
			for len(offered) == 0 {
				offered = next[wire.LobbyChanged](bob, "lobby_changed").Challenges
			}
			ask[wire.Ack](bob, wire.Accept{Challenge: offered[0].Challenge})
			ada.sees(".turn", map[string]string{"me": "Your move", "the opponent": "bob to move"}[seat])
			ada.inspect("days", fmt.Sprint(d.width))
			ada.click("nav a", "Lobby")
		}
		ada.sees("[aria-label='Your games'] li:first-child .yours", "Your move, 2 d 23 h")
		ada.sees("[aria-label='Your games'] li:last-child .state", "their move, 2 d 23 h")
		ada.sees("[aria-label='Your games'] li:last-child small", "3 days a move")
		ada.inspect("lobby-days", fmt.Sprint(d.width))
	}
	ada := open(t, desktop, h.url())
	ada.enter("eve")
	ada.choose("select[name=opponent]", "random")
	ada.choose("select[name=clock]", "1 day a move")
	ada.choose("select[name=seat]", "me")
	ada.click("form button", "Play")
	ada.sees(".turn", "Your move")
	ada.until(`[...document.querySelectorAll(".seat-note")].some((e) => /^23:5\d:\d\d to.begin$/.test(e.textContent))`)
}
