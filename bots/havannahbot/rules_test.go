package havannahbot

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/minimax"
)

// boardOf returns the board of a line of a record.
func boardOf(t *testing.T, line string) *havannah.Board {
	t.Helper()
	r, err := havannah.ParseRecord(line)
	if err != nil {
		t.Fatal(err)
	}
	return &r.Board
}

// The analysis proves what an exhaustive search proves, of every move, and no proof is
// shorter than the shortest way.
func TestAnalysisProves(t *testing.T) {
	for _, line := range []string{
		"side=4 : d4 d1 c3 d7 e4 a4 b2 c5 f5 b4", // two threats: whatever white does, black wins
		"side=4 : d4 d1 c3 d7 e4 a4 b2 c5 f5",    // black can make them
		"side=3 : c3 a1 b2 e5 d3",
		"side=3 : a2 c3",
		"side=4 aw=a1,a2,a3 ab=g5,g6,g7 pl=white :",
		"side=2 : a1 c3",
	} {
		board := boardOf(t, line)
		const depth = 4
		exact, err := minimax.Search(t.Context(), func() *minimax.Havannah { return minimax.NewHavannah(board) },
			minimax.Options{Depth: depth, Split: true, Every: true, TableBits: 16})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, m := range exact.Ratings {
			switch {
			case m.Score >= minimax.Win:
				want[board.Grid().Format(m.Move)] = wire.ProvedWin
			case m.Score <= minimax.Loss:
				want[board.Grid().Format(m.Move)] = wire.ProvedLoss
			}
		}
		rated, err := Analysis{Simulations: 4000, Memory: 8 << 20}.Rate(t.Context(), board)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rated {
			w := want[r.Move]
			if r.Proof != "" && w != "" && r.Proof != w || r.Proof == wire.ProvedDraw && w != "" {
				t.Errorf("%s: %s is proved a %s, not a %s", line, r.Move, r.Proof, w)
			}
			if r.Plies > 0 && r.Plies < depth && r.Proof != w {
				t.Errorf("%s: %s is no %s in %d: %v", line, r.Move, r.Proof, r.Plies, r.Line)
			}
			if i < maxLines && (len(r.Line) == 0 || r.Line[0] != r.Move) {
				t.Errorf("%s: the line of %s is %v", line, r.Move, r.Line)
			}
		}
		if !slices.IsSortedFunc(rated, byProof) {
			t.Errorf("%s: %+v", line, rated)
		}
		if w := want[rated[0].Move]; exact.Score >= minimax.Win && w != wire.ProvedWin || exact.Score <= minimax.Loss &&
			rated[0].Proof != wire.ProvedLoss {
			t.Errorf("%s: the best move is %+v, the score %d", line, rated[0], exact.Score)
		}
	}
}

// In a lost position all moves are rated, the one that delays the end most comes first.
func TestAnalysisOfALoss(t *testing.T) {
	board := boardOf(t, "side=4 : d4 d1 c3 d7 e4 a4 b2 c5 f5 b4")
	rated, err := Analysis{Simulations: 1000, Memory: 8 << 20}.Rate(t.Context(), board)
	if err != nil {
		t.Fatal(err)
	}
	if legal := board.AppendMoves(nil); len(rated) != len(legal) {
		t.Errorf("%d of %d moves are rated", len(rated), len(legal))
	}
	for _, r := range rated {
		if r.Proof != wire.ProvedLoss || r.Value != 0 || r.Plies != 2 {
			t.Errorf("%+v", r)
		}
	}
}

// The line of a proved move goes on to the end of the game, by legal moves, and whoever
// should wins it.
func TestProvedLinesEnd(t *testing.T) {
	for _, line := range []string{
		"side=4 : d4 d1 c3 d7 e4 a4 b2 c5 f5 b4",
		"side=4 : d4 d1 c3 d7 e4 a4 b2 c5 f5",
		"side=3 : c3 a1 b2 e5 d3",
		"side=3 : a2 c3",
	} {
		board := boardOf(t, line)
		rated, err := Analysis{Simulations: 4000, Memory: 8 << 20}.Rate(t.Context(), board)
		if err != nil {
			t.Fatal(err)
		}
		proved := 0
		for _, r := range rated[:min(len(rated), maxLines)] {
			if r.Proof != wire.ProvedWin && r.Proof != wire.ProvedLoss {
				continue
			}
			proved++
			after := *board
			for _, name := range r.Line {
				m, err := after.Grid().Parse(name)
				if err == nil {
					err = after.Play(m)
				}
				if err != nil {
					t.Fatalf("%s: %v: %v", line, r.Line, err)
				}
			}
			winner := board.Turn()
			if r.Proof == wire.ProvedLoss {
				winner = winner.Other()
			}
			if !after.Over() || after.Winner() != winner {
				t.Errorf("%s: %+v ends with over %v, winner %v", line, r, after.Over(), after.Winner())
			}
		}
		if proved == 0 {
			t.Errorf("%s: nothing is proved", line)
		}
	}
}

// The rules rate moves by a search with proofs unless playouts are asked for.
func TestRulesMethods(t *testing.T) {
	rules := Rules{Simulations: 500}
	g, err := rules.New(json.RawMessage(`{"side":4}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range strings.Fields("d4 d1 c3 d7 e4 a4 b2 c5 f5 b4") {
		moves := make([]string, 2)
		moves[i%2] = m
		if err := g.Play(moves); err != nil {
			t.Fatal(err)
		}
	}
	for _, method := range rules.Methods() {
		rated, err := rules.Analyse(t.Context(), g, method)
		if err != nil || len(rated) != 27 {
			t.Fatalf("%s: %d moves, %v", method, len(rated), err)
		}
		if proved := rated[0].Proof == wire.ProvedLoss; proved != (method == BySearch) {
			t.Errorf("%s: %+v", method, rated[0])
		}
	}
}

// An analysis asks the network of the rules.
func TestAnalysisAsksNetwork(t *testing.T) {
	asked := 0
	rules := Rules{Simulations: 10, Network: func() *hexnet.Net {
		asked++
		return hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)
	}}
	g, err := rules.New([]byte(`{"side":4}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range rules.Methods() {
		if rated, err := rules.Analyse(t.Context(), g, method); err != nil || len(rated) == 0 {
			t.Errorf("%s: %v, %v", method, rated, err)
		}
	}
	if asked != 1 {
		t.Errorf("the network is asked in %d of two analyses, want the search", asked)
	}
}
