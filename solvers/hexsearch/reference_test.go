package hexsearch

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/testkit"
	"gamebots/solvers/hexnet"
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

// TestReferenceHavannahAdvisedProofs logs the simulations of proofs without a network and with that of the file
// GAMEBOTS_NET, as an analysis searches: of solved positions of side 4, and of the last positions of games of side 8
// that people resigned. It runs only if GAMEBOTS_NET is set.
func TestReferenceHavannahAdvisedProofs(t *testing.T) {
	if os.Getenv("GAMEBOTS_NET") == "" {
		t.Skip("GAMEBOTS_NET is not set")
	}
	net, err := hexnet.Load(os.Getenv("GAMEBOTS_NET"))
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []struct {
		file        string
		wanted      func(r *havannah.Record) bool
		every, most int // every so many positions, and so many simulations of each
	}{
		{"solved-side4.txt", func(r *havannah.Record) bool {
			sims, _ := strconv.Atoi(r.Tag("sims"))
			return r.Tag("tomove") == "white" && sims <= 1_700_000
		}, 6, 300_000},
		{"real-littlegolem.txt", func(r *havannah.Record) bool {
			return r.Board.Grid().Side == 8 && r.Resigned != havannah.NoColour
		}, 4, 100_000},
	} {
		var sums, common [2]int
		var proved [2]int
		positions := 0
		eachLine(t, set.file, func(location, line string) {
			line = strings.NewReplacer("winner=white", "", "winner=black", "").Replace(line)
			r, err := havannah.ParseRecord(line)
			if err != nil {
				t.Fatalf("%s: %v", location, err)
			}
			if !set.wanted(r) {
				return
			}
			if positions++; positions%set.every != 0 {
				return
			}
			var n [2]int
			for i, advisor := range []*hexnet.Net{nil, net} {
				g := NewAdvisedGame(&r.Board, advisor)
				eval := NewEvaluator(g, 1, 1)
				s := mcts.New(g, eval, mcts.Options{ProofAfter: 4, AdviseAfter: 512, Memory: 256 << 20})
				if err := errors.Join(s.Run(context.Background(), set.most), eval.Close()); err != nil {
					t.Fatal(err)
				}
				sums[i] += s.Simulations()
				if s.Proof() != mcts.Unknown {
					n[i] = s.Simulations()
					proved[i]++
				}
			}
			if n[0] > 0 && n[1] > 0 {
				common[0], common[1] = common[0]+n[0], common[1]+n[1]
			}
		})
		t.Logf("%s: %d of %d proved in %d simulations in all; with the network %d in %d; those that both prove take "+
			"%d and %d", set.file, proved[0], positions/set.every, sums[0], proved[1], sums[1], common[0], common[1])
		if proved[1] < proved[0] {
			t.Error("the network proves fewer")
		}
	}
}
