package morpion

import (
	"context"
	"slices"
	"testing"

	"gamebots/solvers/nmcs"
)

// legalMoves finds the legal moves by examining every line of the grid.
func legalMoves(g *Game) []nmcs.Move {
	all := Game{taken: g.taken, lines: g.lines}
	for p := range points {
		for d := range directions {
			all.appendIfLegal(p, d)
		}
	}
	return all.legal
}

func TestMoves(t *testing.T) {
	if n := len(New().AppendMoves(nil)); n != 28 {
		t.Errorf("%d first moves, want 28", n)
	}
	for run := range uint64(20) {
		g, s := New(), nmcs.RunKey(1, run).Stream(0)
		for {
			moves := g.AppendMoves(nil)
			sorted := slices.Sorted(slices.Values(moves))
			if want := legalMoves(g); !slices.Equal(sorted, want) {
				t.Fatalf("after %d moves: %v, want %v", g.Score(), sorted, want)
			}
			if len(moves) == 0 {
				break
			}
			g.Play(moves[s.Below(len(moves))])
		}
		if g.Score() < 10 || g.Score() > 82 {
			t.Errorf("%d moves in a random game", g.Score())
		}
	}
}

// TestLevels finds longer games at a higher level, and only legal moves.
func TestLevels(t *testing.T) {
	search := nmcs.NewSearch(New, 2, 1, nmcs.Uniform)
	means := [2]float64{}
	for level := range means {
		for run := range uint64(5) {
			line, completed := search.Run(context.Background(), New(), level, nmcs.RunKey(2, run))
			g := New()
			for _, m := range line.Moves {
				if !slices.Contains(legalMoves(g), m) {
					t.Fatalf("move %d is not legal", m)
				}
				g.Play(m)
			}
			if !completed || g.Score() != line.Score || len(legalMoves(g)) > 0 {
				t.Errorf("level %d: completed %v, score %d for %d moves", level, completed, line.Score, g.Score())
			}
			means[level] += float64(line.Score) / 5
		}
	}
	if means[1] < means[0]+5 {
		t.Errorf("means of levels 0 and 1: %v", means)
	}
	t.Log(means)
}

// TestNRPA must learn: it finds a longer game than the same number of uniform playouts.
func TestNRPA(t *testing.T) {
	n := nmcs.NewNRPA(New, New(), 2, 50, 1)
	line, completed := n.Run(context.Background(), nmcs.RunKey(3, 0), nil)
	uniform := nmcs.NewSearch(New, 1, int(n.Work().Playouts), nmcs.Uniform)
	plain, _ := uniform.Run(context.Background(), New(), 0, nmcs.RunKey(3, 0))
	if !completed || line.Score <= plain.Score || line.Score != len(line.Moves) {
		t.Errorf("score %d of %d moves, by a uniform policy %d", line.Score, len(line.Moves), plain.Score)
	}
	t.Log(line.Score, plain.Score)
}
