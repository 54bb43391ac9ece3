package selfplay

import (
	"context"
	"os"
	"strings"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/testkit"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// referenceEvaluations is the number of evaluations with which a network must be right.
const referenceEvaluations = 256

// referenceNet returns the network of the file that GAMEBOTS_NET names, or skips the test.
func referenceNet(t *testing.T) *hexnet.Net {
	t.Helper()
	file := os.Getenv("GAMEBOTS_NET")
	if file == "" {
		t.Skip("GAMEBOTS_NET names no network")
	}
	n, err := hexnet.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// searched returns a finished search of a board by a network.
func searched(t *testing.T, n *hexnet.Net, b *havannah.Board) *hexsearch.Search {
	t.Helper()
	s, outputs := hexsearch.NewSearch(b.Grid()), hexnet.Outputs{}
	e := hexnet.NewEvaluator(n, hexsearch.ShapeOf(b.Grid()), 1)
	for s.Start(b, referenceEvaluations, nil); s.Next(); s.Set(&outputs, 0) {
		if err := e.Evaluate(s.Planes(), &outputs); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func boardOf(t *testing.T, text string) *havannah.Board {
	t.Helper()
	r, err := havannah.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	return &r.Board
}

// eachLine calls f with every line of a file that is not a comment.
func eachLine(t *testing.T, name string, f func(line string)) {
	t.Helper()
	for _, file := range testkit.ReferenceFiles(t, "havannah/"+name) {
		testkit.EachLine(t, file, func(_, line string) {
			if !strings.HasPrefix(line, "#") {
				f(line)
			}
		})
	}
}

// TestReferenceNetOpenings asks a network who wins after each opening of side 3.
func TestReferenceNetOpenings(t *testing.T) {
	n := referenceNet(t)
	right, all := 0, 0
	eachLine(t, "solved-openings.txt", func(line string) {
		head, moves, _ := strings.Cut(line, ":")
		winner, ok := strings.CutPrefix(strings.TrimSpace(head), "side=3 ")
		if !ok {
			return
		}
		for _, opening := range strings.Fields(moves) {
			value := searched(t, n, boardOf(t, "side=3 aw="+opening+" pl=black :")).Value()
			all++
			if value > 0 == (winner == "black") {
				right++
			} else {
				t.Logf("%s: %s wins, but the value for black is %+.2f", opening, winner, value)
			}
		}
	})
	if t.Logf("%d of %d openings are right", right, all); right < all {
		t.Error("not all")
	}
}

// TestReferenceNetSolved lets a network play in solved positions of side 4 that are won. A
// move that is not the recorded one is right if the tree search proves that it wins. That
// takes minutes.
func TestReferenceNetSolved(t *testing.T) {
	n := referenceNet(t)
	recorded, proved, all := 0, 0, 0
	eachLine(t, "solved-side4.txt", func(line string) {
		r, err := havannah.ParseRecord(strings.Replace(line, "winner=white", "", 1))
		if err != nil {
			t.Fatal(err)
		}
		if r.Tag("tomove") != "white" {
			return
		}
		all++
		s := searched(t, n, &r.Board)
		move := s.Move(s.Best())
		switch name := r.Board.Grid().Format(move); {
		case name == r.Tag("best"):
			recorded++
		case s.Proof() == mcts.Win || wins(t, r.Board, move):
			proved++
		default:
			t.Logf("%s is not proved to win: %s", name, line)
		}
	})
	t.Logf("of %d positions, %d with the recorded move and %d with another that wins", all, recorded, proved)
	if 100*(recorded+proved) < 95*all {
		t.Error("fewer than 95%")
	}
}

// wins reports whether the tree search proves a move to win.
func wins(t *testing.T, b havannah.Board, m havannah.Move) bool {
	t.Helper()
	if err := b.Play(m); err != nil {
		t.Fatal(err)
	}
	if b.Over() {
		return b.Won() != 0
	}
	g := hexsearch.NewGame(&b)
	e := hexsearch.NewEvaluator(g, 1, 1)
	defer e.Close()
	s := mcts.New(g, e, mcts.Options{ProofAfter: 4, Memory: 1 << 30})
	if err := s.Run(context.Background(), 6e6); err != nil {
		t.Fatal(err)
	}
	return s.Proof() == mcts.Loss
}
