package acpc

import "testing"

// benchState is a hand in the middle of limit hold'em.
func benchState(b testing.TB) State {
	g := readGame(b, "../configs/games/holdem-limit-2p.game")
	s := g.NewState(999)
	NewShuffler(1).Deal(&s)
	for _, r := range "crrccrrccr" {
		a, _, err := g.ParseAction(string(r))
		if err != nil {
			b.Fatal(err)
		}
		s.Apply(a)
	}
	return s
}

func BenchmarkAppend(b *testing.B) {
	s := benchState(b)
	m := s.View(0)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = m.Append(buf[:0])
	}
}

func BenchmarkParseMatchState(b *testing.B) {
	s := benchState(b)
	m := s.View(0)
	text := string(m.Append(nil))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Game().ParseMatchState(text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCopyApply is a step of a betting tree: a copy and an action.
func BenchmarkCopyApply(b *testing.B) {
	s := benchState(b)
	b.ReportAllocs()
	for b.Loop() {
		next := s
		next.Apply(Action{Type: Call})
	}
}

// BenchmarkHand is a whole hand without texts: deal, check, apply, value.
func BenchmarkHand(b *testing.B) {
	g := readGame(b, "../configs/games/holdem-limit-2p.game")
	shuffler := NewShuffler(1)
	b.ReportAllocs()
	for b.Loop() {
		s := g.NewState(0)
		shuffler.Deal(&s)
		for !s.Finished() {
			a := Action{Type: Call}
			if err := s.Check(a); err != nil {
				b.Fatal(err)
			}
			s.Apply(a)
		}
		s.Values()
	}
}

// TestTextsDoNotAllocate checks that the texts of a hand need no allocation, a dealer
// and its players read and write one an action.
func TestTextsDoNotAllocate(t *testing.T) {
	s := benchState(t)
	m := s.View(0)
	buf := m.Append(nil)
	text := string(buf)
	if n := testing.AllocsPerRun(100, func() {
		buf = m.Append(buf[:0])
		if _, _, err := s.Game().ParseMatchState(text); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
