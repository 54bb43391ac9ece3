package havannah

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/testkit"
	"gamebots/solvers/mcts"
)

// eachLine calls f with every line of a file that is not a comment, and its file and line.
func eachLine(t *testing.T, file string, f func(location, line string)) {
	t.Helper()
	for _, file := range testkit.ReferenceFiles(t, "havannah/"+file) {
		testkit.EachLine(t, file, func(location, line string) {
			if !strings.HasPrefix(line, "#") {
				f(location, line)
			}
		})
	}
}

// prove searches a position until it is proved, or the simulations are done.
func prove(t *testing.T, b *havannah.Board, simulations, memory int) mcts.Proof {
	t.Helper()
	_, s, end := newSearch(b, 1, mcts.Options{ProofAfter: 4, Memory: memory})
	defer end()
	if err := s.Run(context.Background(), simulations); err != nil {
		t.Error(err)
	}
	return s.Proof()
}

// TestReferenceHavannahOpenings proves the winner after every opening of sides 2 and 3,
// without and with the swap.
func TestReferenceHavannahOpenings(t *testing.T) {
	eachLine(t, "solved-openings.txt", func(location, line string) {
		head, moves, ok := strings.Cut(line, ":")
		fields := strings.Fields(head)
		if !ok || len(fields) != 2 || fields[0] == "side=4" {
			return // side 4 takes longer than seconds
		}
		for _, opening := range strings.Fields(moves) {
			board := boardOf(t, fields[0]+" : "+opening)
			if p := prove(t, board, 4e6, 64<<20); p != mcts.Win {
				t.Errorf("%s: %s is proved %d for black, who may swap", location, opening, p)
			}
			// Without the swap: the same stone as a set-up position.
			board = boardOf(t, fields[0]+" aw="+opening+" pl=black :")
			want := mcts.Win
			if fields[1] == "white" {
				want = mcts.Loss
			}
			if p := prove(t, board, 4e6, 64<<20); p != want {
				t.Errorf("%s: %s is proved %d for black, not %d", location, opening, p, want)
			}
		}
	})
}

// TestReferenceHavannahSolved proves positions of side 4 with white to move within two million
// simulations, and logs how many. It takes minutes, so it runs only if GAMEBOTS_SOLVE is set.
func TestReferenceHavannahSolved(t *testing.T) {
	if os.Getenv("GAMEBOTS_SOLVE") == "" {
		t.Skip("GAMEBOTS_SOLVE is not set")
	}
	var boards []*havannah.Board
	eachLine(t, "solved-side4.txt", func(location, line string) {
		r, err := havannah.ParseRecord(strings.Replace(line, "winner=white", "", 1))
		if err != nil {
			t.Fatalf("%s: %v", location, err)
		}
		sims, err := strconv.Atoi(r.Tag("sims"))
		if err != nil {
			t.Fatalf("%s: %v", location, err)
		}
		if r.Tag("tomove") == "white" && sims <= 1_700_000 {
			boards = append(boards, &r.Board)
		}
	})
	var proved, next atomic.Int64
	var threads sync.WaitGroup
	for range runtime.NumCPU() {
		threads.Go(func() {
			for i := next.Add(1); int(i) <= len(boards); i = next.Add(1) {
				switch prove(t, boards[i-1], 2e6, 512<<20) {
				case mcts.Win:
					proved.Add(1)
				case mcts.Unknown:
				default:
					t.Errorf("%v: proved not to be won", boards[i-1])
				}
			}
		})
	}
	threads.Wait()
	t.Logf("%d of %d proved", proved.Load(), len(boards))
	if int(proved.Load())*10 < len(boards)*9 {
		t.Error("fewer than 90%")
	}
}
