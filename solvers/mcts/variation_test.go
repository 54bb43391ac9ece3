package mcts

import "testing"

// length returns the number of moves to the end of tic-tac-toe if the winner hurries and
// the loser delays, and whether the player to move wins. It returns 0 for a draw.
func length(g ticTacToe) (plies int, wins bool) {
	longest, lost := 0, true
	for _, c := range g.Candidates(nil) {
		if c.Proof == Win {
			return 1, true
		}
		if c.Proof == Draw {
			lost = false
			continue
		}
		after := g
		after.Play(c.Move)
		n, theirs := length(after)
		switch {
		case n == 0:
			lost = false
		case theirs:
			longest = max(longest, n+1)
		case !wins || n+1 < plies:
			plies, wins = n+1, true
		}
	}
	if wins {
		return plies, true
	}
	if lost {
		return longest, false
	}
	return 0, false
}

// A proved move has a line to the end of the game, which is not shorter than the
// shortest one.
func TestVariation(t *testing.T) {
	for _, root := range [][2]uint16{
		{0o1, 0o200},   // a corner and an edge: won
		{0o5, 0o20},    // one threat: to be stopped
		{0o11, 0o40},   // another
		{0o1, 0o2},     // won
		{0o401, 0o120}, // each threatens
	} {
		s := search(root, Options{}, 0)
		if err := s.Run(t.Context(), 1e5); err != nil {
			t.Fatal(err)
		}
		if s.Proof() == Unknown {
			t.Fatalf("%o is not proved", root)
		}
		for _, st := range s.Stats() {
			line, plies := s.Variation(st.Move)
			if line[0] != st.Move {
				t.Errorf("%o: the line %v of %d", root, line, st.Move)
			}
			if st.Proof != Win && st.Proof != Loss {
				if plies != 0 {
					t.Errorf("%o: %d is not decided in %d", root, st.Move, plies)
				}
				continue
			}
			g := ticTacToe{root: root, rootTurn: s.game.(*ticTacToe).rootTurn}
			g.Reset()
			want := 1
			if g.Play(st.Move); !won(g.now[0]) && !won(g.now[1]) {
				n, _ := length(g)
				want = n + 1
			}
			if plies < want || plies%2 != want%2 || len(line) != plies {
				t.Errorf("%o: %d ends after %d moves, %v; the shortest way has %d", root, st.Move, plies, line, want)
			}
			for _, m := range line[1:] {
				if (g.now[0]|g.now[1])>>m&1 != 0 {
					t.Fatalf("%o: %v repeats %d", root, line, m)
				}
				g.Play(m)
			}
			if !won(g.now[0]) && !won(g.now[1]) {
				t.Errorf("%o: %v does not end the game", root, line)
			}
		}
	}
}
