package acpc

import (
	"slices"
	"testing"
)

// FuzzGame reads any text as a game. What the original reads must print; what
// is for play must print as itself and be playable to the end.
func FuzzGame(f *testing.F) {
	for _, g := range shippedGames(f) {
		f.Add(g.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		if g, _, err := CheckGame("fuzz.game", text); err == nil {
			_ = g.String()
		}
		g, err := ParseGame("fuzz.game", text)
		if err != nil {
			return
		}
		again, err := ParseGame("fuzz.game", g.String())
		if err != nil || again.String() != g.String() {
			t.Fatalf("%s reads back as %v: %v", g, again, err)
		}
		random := NewMT19937(1)
		s := g.NewState(0)
		NewShuffler(1).Deal(&s)
		playRandomly(&s, func(n int) int { return int(random.Uint32() % uint32(n)) })
		s.Values()
		if got, _, err := g.ParseState(string(s.Append(nil))); err != nil || got.NumActions() != s.NumActions() {
			t.Fatalf("%s reads back as %s: %v", s.Append(nil), got.Append(nil), err)
		}
	})
}

// FuzzMatchState reads any text as a match state of any shipped game. What is
// one must print as a text that reads as the same state.
func FuzzMatchState(f *testing.F) {
	games := shippedGames(f)
	for i, g := range games {
		s := g.NewState(7)
		NewShuffler(uint32(i)).Deal(&s)
		s.Apply(Action{Type: Call})
		view := s.View(1)
		f.Add(uint8(i), string(view.Append(nil)))
	}
	f.Fuzz(func(t *testing.T, game uint8, text string) {
		g := games[int(game)%len(games)]
		m, n, err := g.ParseMatchState(text)
		if err != nil {
			if n != 0 || err.Error() == "" {
				t.Fatalf("%q: %d bytes read and error %q", text, n, err)
			}
			return
		}
		if n > len(text) {
			t.Fatalf("%q: %d bytes read", text, n)
		}
		if g.NumBoardCards[0] > 0 {
			return // its board cards read as hole cards
		}
		printed := string(m.Append(nil))
		again, n, err := g.ParseMatchState(printed)
		if err != nil || n != len(printed) || string(again.Append(nil)) != printed {
			t.Fatalf("%q prints as %q, which reads %d bytes as %q: %v", text, printed, n, again.Append(nil), err)
		}
	})
}

// FuzzParseResult reads any text as the log line of a hand of any shipped game. What is
// one keeps its values and names when it is written again.
func FuzzParseResult(f *testing.F) {
	games := shippedGames(f)
	for i, g := range games {
		s := g.NewState(7)
		NewShuffler(uint32(i)).Deal(&s)
		for !s.Finished() {
			s.Apply(Action{Type: Call})
		}
		f.Add(uint8(i), string(s.AppendResult(nil,
			[]string{"a", "b:c", "", "d", "e", "f", "g", "h", "i", "j"}[:g.NumPlayers])))
	}
	f.Fuzz(func(t *testing.T, game uint8, line string) {
		g := games[int(game)%len(games)]
		s, values, names, err := g.ParseResult(line)
		if err != nil {
			return
		}
		if len(values) != g.NumPlayers || len(names) != g.NumPlayers {
			t.Fatalf("%q: values %v and names %q of %d players", line, values, names, g.NumPlayers)
		}
		if !s.Finished() || g.NumBoardCards[0] > 0 {
			return
		}
		written := string(s.AppendResult(nil, names))
		if _, _, again, err := g.ParseResult(written); err != nil || !slices.Equal(again, names) {
			t.Fatalf("%q is written as %q: names %q, %v", line, written, again, err)
		}
	})
}

// FuzzBetting reads any text as the betting of any shipped game. What is one must print as a
// text that reads as the same betting.
func FuzzBetting(f *testing.F) {
	games := shippedGames(f)
	for i, text := range []string{"", "crc/r", "r300c/", "f", "cc/cc"} {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, game uint8, text string) {
		g := games[int(game)%len(games)]
		s, err := g.ParseBetting(text)
		if err != nil {
			return
		}
		again, err := g.ParseBetting(string(s.AppendBetting(nil)))
		if err != nil || again != s {
			t.Fatalf("%q is %s, read again %s, %v", text, s.AppendBetting(nil), again.AppendBetting(nil), err)
		}
	})
}
