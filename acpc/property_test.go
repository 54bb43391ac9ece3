package acpc

import (
	"math"
	"math/rand/v2"
	"testing"
)

// between draws a number, the least and the largest more often than others: faults sit there.
func between[N int | int32 | uint8](r *rand.Rand, least, most N) N {
	switch r.IntN(6) {
	case 0:
		return least
	case 1:
		return most
	}
	return least + N(r.IntN(int(most-least)+1))
}

// oneOf draws one of some values.
func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// anyGame draws a game that the original server can play to the end.
func anyGame(r *rand.Rand) *Game {
	g := &Game{
		Betting:    oneOf(r, Limit, NoLimit),
		NumPlayers: between(r, 2, MaxPlayers),
		NumRounds:  between(r, 1, MaxRounds),
		NumSuits:   4,
		NumRanks:   between(r, 10, 13),
	}
	g.NumHoleCards = between(r, 1, MaxHoleCards)
	left := min(MaxBoardCards, g.NumSuits*g.NumRanks-g.NumPlayers*g.NumHoleCards)
	same := between[int32](r, 20, 2000)
	for p := range g.NumPlayers {
		g.Stack[p] = same
		if g.Betting == NoLimit {
			// Chips may vanish where stacks differ in a limit game.
			g.Stack[p] = between[int32](r, 20, 2000)
		}
		g.Blind[p] = between[int32](r, 0, 20)
	}
	for i := range g.NumRounds {
		g.RaiseSize[i] = between[int32](r, 1, 50)
		g.FirstPlayer[i] = uint8(between(r, 0, g.NumPlayers-1))
		g.MaxRaises[i] = oneOf[uint8](r, 0, 1, 3, NoRaiseLimit)
		if i > 0 {
			// A board card in the first round reads as a hole card.
			board := between(r, 0, left)
			g.NumBoardCards[i] = uint8(board)
			left -= board
		}
	}
	return g
}

// TestAnyHand plays any hand of any game. At every moment the texts must read
// back as they are, the action's text as the action; at the end no chip may be
// lost.
func TestAnyHand(t *testing.T) {
	for seed := range uint64(2000) {
		if playAny(t, rand.New(rand.NewPCG(seed, 1))); t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
}

func playAny(t *testing.T, r *rand.Rand) {
	drawn := anyGame(r)
	g, err := ParseGame("drawn.game", drawn.String())
	if err != nil {
		t.Errorf("%v\n%s", err, drawn)
		return
	}
	s := g.NewState(oneOf(r, 0, math.MaxUint32, r.Uint32()))
	NewShuffler(r.Uint32()).Deal(&s)
	for {
		readBack(t, &s)
		if s.Finished() || t.Failed() {
			break
		}
		next := s
		playOne(t, r, &next)
		if next.NumActions() != s.NumActions()+1 {
			t.Errorf("%d actions after %d", next.NumActions(), s.NumActions())
		}
		s = next
	}
	sum := 0.0
	for p, v := range s.Values() {
		sum += v
		if p < g.NumPlayers && v != s.Value(p) {
			t.Errorf("value %v and %v", v, s.Value(p))
		}
	}
	if math.Abs(sum) > 1e-6 {
		t.Errorf("%s: values %v sum to %v", s.Append(nil), s.Values(), sum)
	}
}

func playOne(t *testing.T, r *rand.Rand, s *State) {
	choices := []Action{{Type: Fold}, {Type: Call}, {Type: Call}}
	if minTo, maxTo, ok := s.RaiseBounds(); ok {
		size := between(r, minTo, maxTo)
		choices = append(choices, Action{Raise, size}, Action{Raise, minTo})
	}
	a := oneOf(r, choices...)
	if s.Check(a) != nil {
		a = Action{Type: Call}
	}
	read, n, err := s.Game().ParseAction(a.String())
	if read != a || n != len(a.String()) || err != nil {
		t.Errorf("%v reads as %v, %d bytes: %v", a, read, n, err)
	}
	s.Apply(a)
}

// readBack checks a state's texts, for a log and for each player.
func readBack(t *testing.T, s *State) {
	whole := *s
	clear(whole.Board[s.game.BoardCards(s.Round()):]) // no text has those cards
	text := string(s.Append(nil))
	read, n, err := s.game.ParseState(text)
	if err != nil || n != len(text) {
		t.Errorf("%s: read %d bytes: %v", text, n, err)
	}
	if read != whole {
		t.Errorf("%s reads as another state: %+v, want %+v", text, read, whole)
	}
	for p := range s.game.NumPlayers {
		view := s.View(p)
		text := string(view.Append(nil))
		read, n, err := s.game.ParseMatchState(text)
		if err != nil || n != len(text) {
			t.Errorf("%s: read %d bytes: %v", text, n, err)
		}
		if read != view {
			t.Errorf("%s reads as another state: %+v, want %+v", text, read, view)
		}
	}
}
