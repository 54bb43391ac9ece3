package acpc

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// anyGame draws a game that the original server can play to the end.
func anyGame(t *rapid.T) *Game {
	g := &Game{
		Betting:    rapid.SampledFrom([]Betting{Limit, NoLimit}).Draw(t, "betting"),
		NumPlayers: rapid.IntRange(2, MaxPlayers).Draw(t, "players"),
		NumRounds:  rapid.IntRange(1, MaxRounds).Draw(t, "rounds"),
		NumSuits:   4,
		NumRanks:   rapid.IntRange(10, 13).Draw(t, "ranks"),
	}
	g.NumHoleCards = rapid.IntRange(1, MaxHoleCards).Draw(t, "holes")
	left := min(MaxBoardCards, g.NumSuits*g.NumRanks-g.NumPlayers*g.NumHoleCards)
	stack := rapid.Int32Range(20, 2000)
	same := stack.Draw(t, "stack of all")
	for p := range g.NumPlayers {
		g.Stack[p] = same
		if g.Betting == NoLimit {
			// Chips may vanish where stacks differ in a limit game.
			g.Stack[p] = stack.Draw(t, "stack")
		}
		g.Blind[p] = rapid.Int32Range(0, 20).Draw(t, "blind")
	}
	for r := range g.NumRounds {
		g.RaiseSize[r] = rapid.Int32Range(1, 50).Draw(t, "raise size")
		g.FirstPlayer[r] = uint8(rapid.IntRange(0, g.NumPlayers-1).Draw(t, "first"))
		g.MaxRaises[r] = rapid.SampledFrom([]uint8{0, 1, 3, NoRaiseLimit}).Draw(t, "raises")
		if r > 0 {
			// A board card in the first round reads as a hole card.
			board := rapid.IntRange(0, left).Draw(t, "board")
			g.NumBoardCards[r] = uint8(board)
			left -= board
		}
	}
	return g
}

// TestAnyHand plays any hand of any game. At every moment the texts must read
// back as they are, the action's text as the action; at the end no chip may be
// lost.
func TestAnyHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := anyGame(t)
		g, err := ParseGame("drawn.game", drawn.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, drawn)
		}
		s := g.NewState(rapid.Uint32().Draw(t, "hand"))
		NewShuffler(rapid.Uint32().Draw(t, "seed")).Deal(&s)
		for {
			readBack(t, &s)
			if s.Finished() {
				break
			}
			next := s
			playOne(t, &next)
			if next.NumActions() != s.NumActions()+1 {
				t.Fatalf("%d actions after %d", next.NumActions(), s.NumActions())
			}
			s = next
		}
		sum := 0.0
		for p, v := range s.Values() {
			sum += v
			if p < g.NumPlayers && v != s.Value(p) {
				t.Fatalf("value %v and %v", v, s.Value(p))
			}
		}
		if math.Abs(sum) > 1e-6 {
			t.Fatalf("%s: values %v sum to %v", s.Append(nil), s.Values(), sum)
		}
	})
}

func playOne(t *rapid.T, s *State) {
	choices := []Action{{Type: Fold}, {Type: Call}, {Type: Call}}
	if minTo, maxTo, ok := s.RaiseBounds(); ok {
		size := rapid.Int32Range(minTo, maxTo).Draw(t, "size")
		choices = append(choices, Action{Raise, size}, Action{Raise, minTo})
	}
	a := rapid.SampledFrom(choices).Draw(t, "action")
	if s.Check(a) != nil {
		a = Action{Type: Call}
	}
	read, n, err := s.Game().ParseAction(a.String())
	if read != a || n != len(a.String()) || err != nil {
		t.Fatalf("%v reads as %v, %d bytes: %v", a, read, n, err)
	}
	s.Apply(a)
}

// readBack checks a state's texts, for a log and for each player.
func readBack(t *rapid.T, s *State) {
	whole := *s
	clear(whole.Board[s.game.BoardCards(s.Round()):]) // no text has those cards
	text := string(s.Append(nil))
	read, n, err := s.game.ParseState(text)
	if err != nil || n != len(text) {
		t.Fatalf("%s: read %d bytes: %v", text, n, err)
	}
	if read != whole {
		t.Fatalf("%s reads as another state: %+v, want %+v", text, read, whole)
	}
	for p := range s.game.NumPlayers {
		view := s.View(p)
		text := string(view.Append(nil))
		read, n, err := s.game.ParseMatchState(text)
		if err != nil || n != len(text) {
			t.Fatalf("%s: read %d bytes: %v", text, n, err)
		}
		if read != view {
			t.Fatalf("%s reads as another state: %+v, want %+v", text, read, view)
		}
	}
}
