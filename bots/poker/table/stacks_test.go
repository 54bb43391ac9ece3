package table

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/bots/poker"
	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// stacked starts a match whose seats keep their stacks.
func stacked(t *testing.T, name string, hands, buyIn int) *match {
	t.Helper()
	g, err := rulesOf(t, name).Deal(json.RawMessage(fmt.Sprintf(`{"hands":%d,"buy_in":%d}`, hands, buyIn)),
		make([]byte, game.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	return g.(*match)
}

// Seats keep their chips from hand to hand, buy in again when they have few, and none is lost in between.
func TestStacksAreKept(t *testing.T) {
	for _, name := range []string{"holdem-nolimit-2p", "holdem-nolimit-6p"} {
		m, rng := stacked(t, name, 60, 60), rand.New(rand.NewPCG(1, 2))
		n, bought := m.game.NumPlayers, 0
		for hand := 0; !m.over(); {
			act(t, m, rng)
			if len(m.finished) == hand {
				continue
			}
			last := &m.finished[len(m.finished)-1]
			for seat := range n {
				had := float64(last.Game().Stack[m.positionOf(last, seat)]) + last.Value(m.positionOf(last, seat))
				switch has := float64(m.stacks[seat]); {
				case m.over():
				case had < 5000 && has == 6000:
					bought++
				case had < 5000 || has < had-1 || has > had+1:
					t.Errorf("%s: after hand %d seat %d has %g chips, and had %g", name, hand, seat, has, had)
				}
				if at := m.hand.Game().Stack[m.positionOf(&m.hand, seat)]; !m.over() && at != m.stacks[seat] {
					t.Errorf("%s: in hand %d seat %d has %d chips, not %d", name, hand, seat, at, m.stacks[seat])
				}
			}
			hand = len(m.finished)
		}
		if bought == 0 || !slices.Equal(m.won, m.Result().Score) {
			t.Errorf("%s: %d times somebody bought in again, %v", name, bought, m.Result())
		}
		if _, ok := m.Record("log", &wire.Game{Seats: make([]wire.Player, n)}); ok {
			t.Errorf("%s: a log without stacks", name)
		}
	}
}

// Whoever asks for it with a move buys in again after the hand, but has no less then.
func TestBuyAgain(t *testing.T) {
	m := stacked(t, "holdem-nolimit-2p", 3, 100)
	play := func(moves ...string) {
		t.Helper()
		for _, move := range moves {
			all := make([]string, 2)
			all[m.actor()] = move
			text, err := m.Check(m.actor(), move)
			if err != nil || text != move {
				t.Fatalf("%s is %q, %v", move, text, err)
			}
			if err := m.Play(all); err != nil {
				t.Fatal(err)
			}
		}
	}
	play("r300+", "f+") // the button wins a big blind
	if !slices.Equal(m.stacks, []int32{10000, 10100}) {
		t.Errorf("%v", m.stacks)
	}
	play("r300", "f")
	if !slices.Equal(m.stacks, []int32{10100, 10000}) {
		t.Errorf("%v", m.stacks)
	}
	if _, err := start(t, rulesOf(t, "leduc"), 1, 1).Check(0, "c+"); err == nil {
		t.Error("a seat buys in again where all stacks are full")
	}
}

// Odd chips of a divided pot are nobody's in the score, and go to the first positions in the stacks.
func TestOddChips(t *testing.T) {
	m := stacked(t, "holdem-nolimit-6p", 2, 100)
	for _, text := range []string{`{"buy_in":49}`, `{"buy_in":201}`} {
		if _, err := rulesOf(t, "holdem-nolimit-6p").New(json.RawMessage(text)); err == nil {
			t.Errorf("%s starts a match", text)
		}
	}
	if _, err := rulesOf(t, "holdem-limit-3p").New(json.RawMessage(`{"buy_in":100}`)); err == nil {
		t.Error("a limit game keeps stacks")
	}
	for p := range m.hand.Game().NumPlayers { // all have the same hand on a board that plays
		copy(m.hand.Holes[p][:], m.hand.Holes[0][:])
	}
	for _, move := range []string{"r301", "c", "c", "f", "f", "f"} {
		seat := m.actor()
		moves := make([]string, 6)
		moves[seat] = move
		if err := m.Play(moves); err != nil {
			t.Fatal(err)
		}
	}
	for len(m.finished) == 0 {
		moves := make([]string, 6)
		moves[m.actor()] = "c"
		if err := m.Play(moves); err != nil {
			t.Fatal(err)
		}
	}
	sum := int32(0)
	for _, chips := range m.stacks {
		sum += chips
	}
	if sum != 60_000 {
		t.Errorf("%v have %d chips", m.stacks, sum)
	}
}

// A bot plays with any stacks, and only what is legal.
func TestBotWithOtherStacks(t *testing.T) {
	for _, kind := range []string{"random", "call", "raise", "allin", "fold"} {
		for _, name := range []string{"holdem-nolimit-2p", "holdem-nolimit-6p"} {
			for _, buyIn := range []int{50, 200} {
				m, rng := stacked(t, name, 100, buyIn), rand.New(rand.NewPCG(3, 4))
				b := Bot{Game: m.game}
				b.Player = func(seed uint64) (acpc.Player, error) { return poker.NewOpponent(kind, seed) }
				engine, err := b.Open(t.Context(), &wire.Game{Rules: name}, 0)
				if err != nil {
					t.Fatal(err)
				}
				for !m.over() {
					seat := m.actor()
					if seat > 0 && rng.IntN(2) == 0 {
						act(t, m, rng)
						continue
					}
					d, err := engine.Decide(t.Context(), &wire.Game{View: m.ViewOf(seat, m.turn)}, hexproto.Budget{})
					if err != nil {
						t.Fatal(err)
					}
					moves := make([]string, m.game.NumPlayers)
					if moves[seat], err = m.Check(seat, d.Move); err != nil {
						t.Fatalf("%s of %s: %v", d.Move, kind, err)
					}
					if err := m.Play(moves); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// The nearest hand has the bets of a hand, as far as its stacks allow.
func TestNearest(t *testing.T) {
	m := stacked(t, "holdem-nolimit-6p", 1, 100)
	for _, tt := range []struct {
		stacks []int32 // stacks at the table; in the game of the bot all are 10,000
		line   string
		want   string // "" if the bot has put in all there
	}{
		{[]int32{10000, 10000, 10000, 10000, 10000, 10000}, "r300fffc", "r300fffc"},
		{[]int32{5000, 5000, 5000, 5000, 5000, 5000}, "r5000ffff", "r5000ffff"},
		{[]int32{30000, 30000, 30000, 30000, 30000, 30000}, "r25000ffff", "r10000ffff"},
		{[]int32{30000, 30000, 30000, 30000, 30000, 30000}, "r25000ffffc/", ""},
		{[]int32{30000, 30000, 5000, 30000, 30000, 30000}, "r5000fffcr11000", "r5000fffcr10000c"},
		{[]int32{30000, 30000, 5000, 30000, 30000, 30000}, "r5000fffcc/", "r5000fffcc/"},
		{[]int32{30000, 30000, 5000, 30000, 30000, 30000}, "r5000fffcc/cc/", "r5000fffcc/ccc/"},
	} {
		g := *m.game
		copy(g.Stack[:], tt.stacks)
		s, err := g.ParseBetting(tt.line)
		if err != nil {
			t.Errorf("%s: %v", tt.line, err)
			continue
		}
		near, ok := nearest(&s, m.game)
		got := ""
		for round := range near.Round() + 1 {
			if round > 0 {
				got += "/"
			}
			for _, a := range near.Actions(round) {
				got += a.String()
			}
		}
		if !ok {
			got = ""
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line, got, tt.want)
		}
	}
}
