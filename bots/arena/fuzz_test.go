package arena

import (
	"testing"

	"gamebots/configs"
)

// FuzzHands unpacks anything as the hands of a shard: as it is, and as actions that were
// packed. Hands that are read are packed as the same hands.
func FuzzHands(f *testing.F) {
	g, err := configs.Game("leduc")
	if err != nil {
		f.Fatal(err)
	}
	p := &Plan{Name: "x", Kind: Poker, Tables: [][]int{{0, 1}}, Orders: Orders(2, true)}
	shard := Shard{Count: 2}
	f.Add([]byte{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
	f.Add(pack([]byte{2, 0, 2, 0, 2, 0, 2, 0}))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, games := range [][]byte{text, pack(text)} {
			var w Packer
			var lost error
			for h, err := range Hands(p, g, shard, games) {
				if lost = err; err == nil {
					w.Add(h.State)
				}
			}
			if lost != nil {
				continue
			}
			read, err := unpack(games, 1<<24)
			if err != nil || string(w.actions) != string(read) {
				t.Fatalf("%q is packed as %q: %v", read, w.actions, err)
			}
		}
	})
}

// FuzzBoardGames unpacks anything as the games of a shard.
func FuzzBoardGames(f *testing.F) {
	f.Add([]byte(`[{},{"Number":1}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, shard := &Plan{Name: "x"}, Shard{Count: 1}
		for _, packed := range [][]byte{text, pack(text)} {
			if games, err := BoardGames(p, shard, packed); err == nil && len(games) != 2 {
				t.Fatalf("%q: %d games of an opening", text, len(games))
			}
		}
	})
}

// FuzzParseResult reads anything as the result of a shard. What is one is written as the
// same result.
func FuzzParseResult(f *testing.F) {
	text, err := (&Result{Tally: Tally{Units: 1, Games: 2, Scores: []Score{{Sum: 1, Square: .5}}},
		Games: []byte{3}}).Append(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseResult(text)
		if err != nil {
			return
		}
		written, err := r.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseResult(written)
		if err != nil || string(again.Games) != string(r.Games) || again.Tally.Units != r.Tally.Units ||
			len(again.Tally.Scores) != len(r.Tally.Scores) {
			t.Fatalf("%q is written as %q: %v", text, written, err)
		}
	})
}
